import { MAX_TRANSACTION_BYTES, MAX_TRANSACTION_CHANGES } from '../shared/limits.ts';
import { retry } from '../shared/retry.ts';
import { DAY, SECOND } from '../shared/time.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import { type TableReader, type TableWriter, ttlAfter } from './dynamodb/client.ts';
import { StoreConflict, isTransient } from './dynamodb/errors.ts';
import { layout, padded } from './keys.ts';

/** Events a partition: writes move to another partition every 50 events; a page of 100 is 2 or 3 queries at once. */
const BLOCK = 50;

/** In the JSON of a Lambda response (6 MB) a text takes up to twice its bytes. */
const MAX_PAGE_BYTES = 3_000_000;

/** The state of an account's queue: one item, which also has a cursor for each subscriber. */
interface Sequence {
  /** The newest id. */
  readonly Last: number;
  readonly Days: ExpiryDays;
  readonly RetentionDays: number;
}

/** A queue from the position of one subscriber. */
export interface SubscriberQueue {
  /** The newest id. */
  readonly last: number;
  /** The oldest id that the subscriber has not cleared and that can still be read. */
  readonly next: number;
}

/** An event of the queue; `payload` is JSON. */
export interface QueuedEvent {
  readonly id: number;
  readonly queuedAt: number;
  readonly payload: string;
}

/** A reader of an account's queue, with its own cursor. */
export interface Subscriber {
  readonly account: string;
  readonly subscriber: string;
}

const cursorName = (subscriber: string) => `Cursor:${subscriber}`;
const blockOf = (id: number): number => Math.floor(id / BLOCK);

export const eventKey = (account: string, id: number) => layout.event.key({ account, block: blockOf(id), id });

function toSequence(item: Item | undefined): Sequence {
  return { Last: 0, Days: {}, RetentionDays: DEFAULT_RETENTION_DAYS, ...(item as Partial<Sequence> | undefined) };
}

function toQueue(item: Item | undefined, subscriber: string, now: Date): SubscriberQueue {
  const { Last, Days } = toSequence(item);
  const cleared = (item?.[cursorName(subscriber)] as number | undefined) ?? 0;
  return { last: Last, next: Math.max(cleared + 1, oldestReadable(Days, Last, now)) };
}

export async function findQueue(
  table: TableReader,
  { account, subscriber }: Subscriber,
  now: Date,
): Promise<SubscriberQueue> {
  return toQueue(await table.get(layout.sequence.key({ account })), subscriber, now);
}

/**
 * Moves the subscriber's cursor behind `throughId`, in one write for any number of events, and returns the queue after
 * it; `undefined` when the event does not exist yet. Repeating it is safe: a cursor never moves back.
 */
export async function writeClearedThrough(
  table: TableWriter,
  { account, subscriber }: Subscriber,
  throughId: number,
  now: Date,
): Promise<SubscriberQueue | undefined> {
  const key = layout.sequence.key({ account });
  const cursor = cursorName(subscriber);
  try {
    const change = {
      update: key,
      set: { [cursor]: throughId },
      if: { atLeast: { Last: throughId }, below: { [cursor]: throughId } },
    };
    return toQueue(await table.update(change), subscriber, now);
  } catch (error) {
    if (!(error instanceof StoreConflict) || error.transient) throw error;
    const item = await table.get(key);
    if (toSequence(item).Last < throughId) return undefined;
    // The event was queued between the write and the read: the caller may try again.
    if (((item?.[cursor] as number | undefined) ?? 0) < throughId) throw error;
    return toQueue(item, subscriber, now);
  }
}

const toEvent = ({ SK, QueuedAt, Payload }: Item): QueuedEvent => ({
  id: Number(SK),
  queuedAt: QueuedAt as number,
  payload: Payload as string,
});

/** A stretch of a queue. */
export interface EventPage {
  /** In order and without gap. */
  readonly events: QueuedEvent[];
  /**
   * The first id whose event cannot be seen yet: while a transaction commits, a reader may see its newest id before its
   * events, also with consistent reads. The queue ends before it for now; `undefined` if all were seen.
   */
  readonly missing: number | undefined;
}

/**
 * Events `first` to `last`, in one round. Stops at an id that is missing, and before 3 MB, but not before the first
 * event: the caller continues from there.
 */
export async function listEvents(table: TableReader, account: string, first: number, last: number): Promise<EventPage> {
  if (last < first) return { events: [], missing: undefined };
  const blocks = Array.from({ length: blockOf(last) - blockOf(first) + 1 }, (_, index) => blockOf(first) + index);
  const pages = await Promise.all(
    blocks.map((block) =>
      table.query({
        partition: layout.event.of({ account, block }),
        from: padded(first),
        to: padded(last),
        consistent: true,
      }),
    ),
  );
  // A page that ends within its block ends the result, or it would have a gap.
  const cut = pages.findIndex(({ next }) => next !== undefined);
  const seen = pages.slice(0, cut < 0 ? pages.length : cut + 1).flatMap(({ items }) => items.map(toEvent));
  const gap = seen.findIndex(({ id }, index) => id !== first + index);
  const events = gap < 0 ? seen : seen.slice(0, gap);
  const isCut = gap >= 0 || (cut < 0 && first + events.length <= last);
  let bytes = 0;
  const end = events.findIndex(
    ({ payload }, index) => (bytes += Buffer.byteLength(payload)) > MAX_PAGE_BYTES && index > 0,
  );
  return { events: end < 0 ? events : events.slice(0, end), missing: isCut ? first + events.length : undefined };
}

/** Sets for how many days events queued from now on stay readable, 1 to 90. Safe to repeat. */
export async function writeRetention(table: TableWriter, account: string, days: number): Promise<void> {
  await table.update({ update: layout.sequence.key({ account }), set: { RetentionDays: days } });
}

/** An event to be queued. */
export interface NewEvent {
  /** Identifies the change in its account, at every delivery: it becomes one event however often it is delivered. */
  readonly change: string;
  /** JSON. */
  readonly payload: string;
}

/** A transaction has the sequence, and an event and the memory of its change for each. */
const MAX_EVENTS = Math.floor((MAX_TRANSACTION_CHANGES - 1) / 2);
/** Leaves room for keys and attribute names. */
const MAX_BYTES = MAX_TRANSACTION_BYTES - 500_000;

/** A stream keeps records for 24 hours; a change is remembered for twice that. */
const REMEMBERED_SECONDS = (2 * DAY) / SECOND;

/** Splits events, in their order, into what one transaction takes. */
export function splitTransactions<Event extends NewEvent>(events: readonly Event[]): Event[][] {
  const parts: Event[][] = [];
  let bytes = 0;
  for (const event of events) {
    const size = Buffer.byteLength(event.payload);
    const part = parts.at(-1);
    bytes += size;
    if (part && part.length < MAX_EVENTS && bytes <= MAX_BYTES) part.push(event);
    else {
      parts.push([event]);
      bytes = size;
    }
  }
  return parts;
}

const seenKey = (account: string, change: string) => layout.eventSeen.key({ account, change });

/** The transaction that queues `events` behind the last of the sequence item, while that is unchanged. */
function queueChanges(account: string, item: Item | undefined, events: readonly NewEvent[], now: Date): Change[] {
  const { Last, Days, RetentionDays } = toSequence(item);
  const { expires, days } = expiryAt(Days, Last + 1, now, RetentionDays);
  const remembered = ttlAfter(now, REMEMBERED_SECONDS);
  return [
    {
      update: layout.sequence.key({ account }),
      set: { Last: Last + events.length, ...(days ? { Days: days } : {}) },
      if: { equals: { Last: item?.['Last'] } },
    },
    ...events.flatMap(({ change, payload }, index): Change[] => [
      { put: { ...eventKey(account, Last + 1 + index), QueuedAt: now.getTime(), Payload: payload, TTL: expires } },
      { put: { ...seenKey(account, change), TTL: remembered }, if: 'absent' },
    ]),
  ];
}

/**
 * Queues the events of one transaction (see splitTransactions) of an account, in order, without those whose change was
 * queued before; returns how many were new. Ids have no gap, because ids, events and the memory of their changes are
 * one transaction, which holds only while nobody else queues. Otherwise, or while the table is unavailable, it tries
 * again until `deadline` (milliseconds since 1970).
 */
export function appendEvents(
  table: TableWriter,
  account: string,
  events: readonly NewEvent[],
  now: Date,
  deadline: number,
): Promise<number> {
  const distinct = [...new Map(events.map((event) => [event.change, event])).values()];
  const sequence = layout.sequence.key({ account });
  return retry(
    async (count) => {
      // Nearly always all events are new: which are not is read only after a first try that failed or was unclear.
      const seenKeys = count > 1 ? distinct.map(({ change }) => seenKey(account, change)) : [];
      const items = await table.getMany([sequence, ...seenKeys]);
      const found = new Map(items.map((item) => [item.PK, item]));
      const fresh = distinct.filter(({ change }) => !found.has(seenKey(account, change).PK));
      if (fresh.length) await table.commit(queueChanges(account, found.get(sequence.PK), fresh, now));
      return fresh.length;
    },
    { isTransient, deadline },
  );
}

/** UTC days for which events stay readable by default. */
const DEFAULT_RETENTION_DAYS = 30;

/**
 * Day on which events expire, in days since 1970 → id of the first of them. All events of a day expire together at
 * midnight: one entry a day says exactly which events are readable. Without it a reader who was long away would read
 * thousands of empty blocks.
 */
export type ExpiryDays = Readonly<Record<string, number>>;

const dayAt = (moment: Date): number => Math.floor(moment.getTime() / DAY);
const upcoming = (days: ExpiryDays, today: number) => Object.entries(days).filter(([day]) => Number(day) > today);

/** The oldest readable id; the one after `last` where all have expired. */
export const oldestReadable = (days: ExpiryDays, last: number, now: Date): number =>
  Math.min(last + 1, ...upcoming(days, dayAt(now)).map(([, first]) => first));

/**
 * When events queued now expire (seconds since 1970), and the list with their day, or `undefined` where the day is in
 * it
 * already. Worked: queued at any time of day 100 with 30 days' retention, an event is readable through day 130 and
 * expires as day 131 begins. No event expires before an older one, even after the retention was shortened or where two
 * clocks differ: readable ids have no gap.
 */
export function expiryAt(
  days: ExpiryDays,
  first: number,
  now: Date,
  retentionDays: number,
): { expires: number; days: ExpiryDays | undefined } {
  const pending = upcoming(days, dayAt(now));
  const expiry = Math.max(dayAt(now) + retentionDays + 1, ...pending.map(([day]) => Number(day)));
  return {
    expires: (expiry * DAY) / SECOND,
    days: days[expiry] === undefined ? { ...Object.fromEntries(pending), [expiry]: first } : undefined,
  };
}
