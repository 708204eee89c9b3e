import { clientBookingEntity } from '../entities/entries.ts';
import { DAY, HOUR, SECOND } from '../shared/time/time.ts';
import { networkOf } from '../shared/web/web-addresses.ts';
import type { Change } from './dynamodb/changes.ts';
import { ttlAfter } from './dynamodb/table.ts';
import { layout } from './keys.ts';
import type { StoreAccount, StoreReader, StoreWriter } from './store.ts';

interface Limit {
  readonly networkAnHour: number;
  readonly linkAnHour?: number;
  readonly linkADay: number;
}

/** Limits for calls of clients without a key that change records, or cost more than a page. */
const LIMITS = {
  /** Any form. */
  form: { networkAnHour: 300, linkADay: 100 },
  /** Pictures, calendar files, and returns from a payment. */
  file: { networkAnHour: 3000, linkADay: 2000 },
  pdf: { networkAnHour: 120, linkADay: 100 },
  /** Feeds, which the servers of Google or Microsoft read for many agents, and a phone every 5 minutes. */
  calendar: { networkAnHour: 3000, linkADay: 1000 },
  /** Searches for free times and bookings by strangers, whose link is that of an organization. */
  search: { networkAnHour: 240, linkADay: Infinity },
  booking: { networkAnHour: 20, linkADay: 300 },
  /**
   * The same for clients with their own links, and moves of visits. Counted separately, so that strangers cannot use up
   * clients' limits.
   */
  clientSearch: { networkAnHour: 240, linkADay: 200 },
  clientBooking: { networkAnHour: 60, linkADay: 20 },
  /**
   * Leads from forms of other sites. The server of a site, or of a connector, sends those of all its visitors.
   */
  lead: { networkAnHour: 120, linkADay: 1000 },
  /** Questions from pages of expired links. */
  question: { networkAnHour: 10, linkADay: 5 },
  /** Attempts to enter the last digits of a client's phone, per contact: across all its pages and links. */
  phone: { networkAnHour: Infinity, linkAnHour: 5, linkADay: 20 },
} as const satisfies Record<string, Limit>;

export type ClientCallKind = keyof typeof LIMITS;

interface CountedCall {
  /** Page and record of the link, like `booking-1`; `contact-1` for limits per contact. */
  readonly link: string;
  readonly sourceIp: string;
  readonly now: Date;
}

/** The counters of a call, each with its key, its limit, and its lifetime. */
function countersOf({ account }: StoreAccount, kind: ClientCallKind, { link, sourceIp, now }: CountedCall) {
  const { networkAnHour, linkAnHour = Infinity, linkADay }: Limit = LIMITS[kind];
  const at = now.toISOString();
  const [day, hour] = [at.slice(0, 10), at.slice(0, 13)];
  return [
    { of: networkOf(sourceIp) || 'unknown', window: hour, most: networkAnHour, lasts: HOUR },
    { of: link, window: hour, most: linkAnHour, lasts: HOUR },
    { of: link, window: day, most: linkADay, lasts: DAY },
  ]
    .filter(({ most }) => most < Infinity)
    .map(({ of, window, most, lasts }) => ({
      key: layout.clientCalls.key({ account, of, kind, window }),
      most,
      lasts,
    }));
}

/**
 * Counts a client's call, and returns after how many seconds it may be made; 0 for now. Each counter is one item,
 * written directly and without a transaction, so that clients never wait for each other. A repeat counts again, which
 * only makes the limit stricter.
 */
export async function writeClientCall(store: StoreWriter, kind: ClientCallKind, call: CountedCall): Promise<number> {
  const { now } = call;
  const waits = await Promise.all(
    countersOf(store, kind, call).map(async ({ key, most, lasts }) => {
      const set = { TTL: ttlAfter(now, (2 * lasts) / SECOND) };
      const { Calls } = await store.table.update({ update: key, set, add: { Calls: 1 } });
      return Number(Calls) <= most ? 0 : Math.ceil((lasts - (now.getTime() % lasts)) / SECOND);
    }),
  );
  return Math.max(...waits);
}

/** Takes back a counted call that should not count after all. A repeat only allows one more call. */
export async function writeUncounted(store: StoreWriter, kind: ClientCallKind, call: CountedCall): Promise<void> {
  await Promise.all(
    countersOf(store, kind, call).map(({ key }) => store.table.update({ update: key, set: {}, add: { Calls: -1 } })),
  );
}

/** Longer than a form stays open. A form that is sent again books nothing more. */
const FORM_SECONDS = (7 * DAY) / SECOND;

/** The appointment that a booking form has made; `undefined` if the form was not sent yet. */
export const findClientBooking = async ({ table, account }: StoreReader, form: string): Promise<number | undefined> => {
  const item = await table.get(layout.clientBooking.key({ account, form }));
  return item && clientBookingEntity.read(item).AppointmentId;
};

/** Stores which appointment a booking form made, unless the form was sent before. */
export const clientBookingChange = (
  { account }: StoreAccount,
  form: string,
  AppointmentId: number,
  now: Date,
): Change => ({
  put: { ...layout.clientBooking.key({ account, form }), AppointmentId, TTL: ttlAfter(now, FORM_SECONDS) },
  if: 'absent',
});
