import type { Item } from './changes.ts';
import type { TableReader, TableWriter } from './client.ts';
import { StoreConflict } from './errors.ts';
import { DEFAULT_RETENTION_DAYS, oldestReadable, type ExpiryDays } from './event-days.ts';
import { layout, padded } from './layout.ts';

/**
 * Ids a partition holds: what an account writes wanders on every 50 events, so that no partition is hot; a page of 100
 * is 2 or 3 queries side by side.
 */
const BLOCK = 50;

/** Lambda answers at most 6 MB, and inside its own JSON a text can take twice its bytes. */
const MOST_ANSWER_BYTES = 3_000_000;

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
export function sequenceOf(item: Item | undefined): Sequence {
  return { Last: 0, Days: {}, RetentionDays: DEFAULT_RETENTION_DAYS, ...(item as Partial<Sequence> | undefined) };
}

function queueOf(item: Item | undefined, subscriber: string, now: Date): SubscriberQueue {
  const { Last, Days } = sequenceOf(item);
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
export async function clearThrough(
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
    if (sequenceOf(item).Last < throughId) return undefined;
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
export async function readEvents(
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
    ({ payload }, index) => (bytes += Buffer.byteLength(payload)) > MOST_ANSWER_BYTES && index > 0,
  );
  return over < 0 ? events : events.slice(0, over);
}

/** Sets for how many days the account's events stay readable, 1 to 90: of those queued from now on. */
export async function setRetention(table: TableWriter, account: string, days: number): Promise<void> {
  await table.update({ update: layout.sequence.key({ account }), set: { RetentionDays: days } });
}
