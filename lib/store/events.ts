import type { Change, Item } from './dynamodb/changes.ts';
import type { TableReader, TableWriter } from './dynamodb/client.ts';
import { StoreConflict, StoreUnavailable } from './dynamodb/errors.ts';
import { layout, padded } from './keys.ts';

/**
 * Ids a partition holds: what an account writes wanders on every 50 events, so that no partition is hot; a page of 100
 * is 2 or 3 queries side by side.
 */
const BLOCK = 50;

/** Lambda answers at most 6 MB, and inside its own JSON a text can take twice its bytes. */
const MAX_ANSWER_BYTES = 3_000_000;

/**
 * What an account's queue says of itself: the attributes of its one sequence item, beside a cursor for each subscriber.
 */
export interface Sequence {
  /** The newest id. */
  readonly Last: number;
  readonly Days: ExpiryDays;
  readonly RetentionDays: number;
}

/** A queue as one subscriber sees it. */
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

/** Who reads: a name of the account's choosing, with a cursor of its own. */
export interface Subscriber {
  readonly account: string;
  readonly subscriber: string;
}

const cursorName = (subscriber: string) => `Cursor:${subscriber}`;
const blockOf = (id: number): number => Math.floor(id / BLOCK);

/** Key of an event. */
export const eventKey = (account: string, id: number) => layout.event.key({ account, block: blockOf(id), id });

/** The sequence of an item; of none, that of an account without events. */
export function findSequence(item: Item | undefined): Sequence {
  return { Last: 0, Days: {}, RetentionDays: DEFAULT_RETENTION_DAYS, ...(item as Partial<Sequence> | undefined) };
}

function queueOf(item: Item | undefined, subscriber: string, now: Date): SubscriberQueue {
  const { Last, Days } = findSequence(item);
  const cleared = (item?.[cursorName(subscriber)] as number | undefined) ?? 0;
  return { last: Last, next: Math.max(cleared + 1, oldestReadable(Days, Last, now)) };
}

/** The queue as the subscriber sees it now. */
export async function findQueue(
  table: TableReader,
  { account, subscriber }: Subscriber,
  now: Date,
): Promise<SubscriberQueue> {
  return queueOf(await table.get(layout.sequence.key({ account })), subscriber, now);
}

/**
 * Moves the subscriber's cursor behind `throughId`, in one write whatever the number of events, and answers the queue
 * as it is then; `undefined` when there is no such event yet. A cursor never moves back: clearing what was cleared
 * changes nothing.
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
    return queueOf(await table.update(change), subscriber, now);
  } catch (error) {
    if (!(error instanceof StoreConflict) || error.transient) throw error;
    const item = await table.get(key);
    if (findSequence(item).Last < throughId) return undefined;
    // Neither too new nor cleared: the event came between the write and the read, and the call may be made again.
    if (((item?.[cursor] as number | undefined) ?? 0) < throughId) throw error;
    return queueOf(item, subscriber, now);
  }
}

const eventOfRow = ({ SK, QueuedAt, Payload }: Item): QueuedEvent => ({
  id: Number(SK),
  queuedAt: QueuedAt as number,
  payload: Payload as string,
});

/**
 * Events `first` to `last`, in order and without gap, in one round: the blocks are asked for side by side. It stops
 * early, but not before the first event, where the answer would be over 3 MB: the caller goes on from there.
 */
export async function listEvents(
  table: TableReader,
  account: string,
  first: number,
  last: number,
): Promise<QueuedEvent[]> {
  if (last < first) return [];
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
  // A page that ends within its block ends the answer too, or events would be missing in its middle.
  const cut = pages.findIndex(({ next }) => next !== undefined);
  const events = pages.slice(0, cut < 0 ? pages.length : cut + 1).flatMap(({ items }) => items.map(eventOfRow));
  let bytes = 0;
  const over = events.findIndex(
    ({ payload }, index) => (bytes += Buffer.byteLength(payload)) > MAX_ANSWER_BYTES && index > 0,
  );
  return over < 0 ? events : events.slice(0, over);
}

/** Sets for how many days the account's events stay readable, 1 to 90: of those queued from now on. */
export async function writeRetention(table: TableWriter, account: string, days: number): Promise<void> {
  await table.update({ update: layout.sequence.key({ account }), set: { RetentionDays: days } });
}

/** An event to be queued. */
export interface NewEvent {
  /**
   * Name of the change in its account, the same at every delivery: it becomes one event however often it is delivered.
   */
  readonly change: string;
  /** JSON. */
  readonly payload: string;
}

/**
 * A transaction takes 100 items and 4 MB: the sequence, and two for each event, which with the key and attribute names
 * stays well under.
 */
const MAX_EVENTS = 49;
const MAX_BYTES = 3_500_000;

/** A stream keeps records for 24 hours; a change is remembered for twice that, lest it be delivered again. */
const REMEMBERED_SECONDS = 48 * 60 * 60;

const LONGEST_WAIT = 1_000;

/** Parts a list of events, in its order, into what one transaction takes. */
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

/** The transaction that queues `events` behind what the sequence item says, for as long as it says so. */
function changesOf(account: string, item: Item | undefined, events: readonly NewEvent[], now: Date): Change[] {
  const { Last, Days, RetentionDays } = findSequence(item);
  const { expires, days } = expiryAt(Days, Last + 1, now, RetentionDays);
  const remembered = Math.floor(now.getTime() / 1000) + REMEMBERED_SECONDS;
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

const wait = (attempt: number) =>
  new Promise((done) => setTimeout(done, Math.random() * Math.min(LONGEST_WAIT, 10 * 2 ** attempt)));
const passing = (error: unknown): boolean => error instanceof StoreConflict || error instanceof StoreUnavailable;

/**
 * Queues the events of one transaction (see `transactionsOf`) of an account, in order, each once: those whose change
 * was queued before are left out. Ids follow one another without gap, because the ids, the events and the memory of
 * their changes are one transaction that holds only while nobody else has given ids. Where somebody has, or the store
 * is away, it tries again until `deadline` (milliseconds since 1970). Answers how many were new.
 */
export async function appendEvents(
  table: TableWriter,
  account: string,
  events: readonly NewEvent[],
  now: Date,
  deadline: number,
): Promise<number> {
  const distinct = [...new Map(events.map((event) => [event.change, event])).values()];
  const sequence = layout.sequence.key({ account });
  for (let attempt = 0; ; attempt++) {
    try {
      // Nearly always all are new: which are not is asked only after the first try has failed, or ended nobody knows
      // how.
      const asked = attempt ? distinct.map(({ change }) => seenKey(account, change)) : [];
      const items = await table.getMany([sequence, ...asked]);
      const found = new Map(items.map((item) => [item.PK, item]));
      const fresh = attempt ? distinct.filter(({ change }) => !found.has(seenKey(account, change).PK)) : distinct;
      if (fresh.length) await table.commit(changesOf(account, found.get(sequence.PK), fresh, now));
      return fresh.length;
    } catch (error) {
      if (!passing(error) || Date.now() > deadline) throw error;
      await wait(attempt);
    }
  }
}

const DAY_SECONDS = 24 * 60 * 60;

/**
 * An account's events stay readable for this many days, unless its sequence says otherwise; what a day is, is UTC's.
 */
export const DEFAULT_RETENTION_DAYS = 30;

/**
 * Day on which events expire, in days since 1970 → id of the first of them. All events of a day expire together at a
 * midnight, so that this list, of one entry a day, says exactly which events can still be read; without it a reader who
 * was long away would walk through thousands of empty blocks.
 */
export type ExpiryDays = Readonly<Record<string, number>>;

const dayOf = (moment: Date): number => Math.floor(moment.getTime() / 1000 / DAY_SECONDS);
const upcoming = (days: ExpiryDays, today: number) => Object.entries(days).filter(([day]) => Number(day) > today);

/** The oldest id that can still be read; the one after `last` where all have expired. */
export const oldestReadable = (days: ExpiryDays, last: number, now: Date): number =>
  Math.min(last + 1, ...upcoming(days, dayOf(now)).map(([, first]) => first));

/**
 * When events queued now expire (seconds since 1970), and the list with their day in it, or `undefined` where it is in
 * it already. Worked: queued at any time of day 100 with 30 days' retention, an event can be read through day 130 and
 * expires as day 131 begins. No event expires before an older one, also after the retention was shortened or where two
 * clocks differ: what can be read is one stretch.
 */
export function expiryAt(
  days: ExpiryDays,
  first: number,
  now: Date,
  retentionDays: number,
): { expires: number; days: ExpiryDays | undefined } {
  const left = upcoming(days, dayOf(now));
  const expiry = Math.max(dayOf(now) + retentionDays + 1, ...left.map(([day]) => Number(day)));
  return {
    expires: expiry * DAY_SECONDS,
    days: days[expiry] === undefined ? { ...Object.fromEntries(left), [expiry]: first } : undefined,
  };
}
