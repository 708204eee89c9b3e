import { MAX_TRANSACTION_BYTES, MAX_TRANSACTION_CHANGES } from '../../shared/limits.ts';
import { retry } from '../../shared/retry.ts';
import { gunzipText, gzipText } from '../../shared/gzip.ts';
import { DAY, SECOND } from '../../shared/time/time.ts';
import type { CallbackTarget } from '../../domain/callbacks/targets.ts';
import { newCallbackChanges } from './callbacks.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import { type TableReader, type TableWriter, ttlAfter } from '../dynamodb/client.ts';
import { IdsUsedUp, StoreConflict, isTransient } from '../dynamodb/errors.ts';
import { MAX_ID } from '../dynamodb/ids.ts';
import {
  EVENTS_A_BLOCK,
  type IdRange,
  type Sequence,
  countPresent,
  eventBlock,
  expiryAt,
  extendSequence,
  hashChange,
  newestPresent,
  oldestReadable,
  presentRanges,
  toSequence,
} from './event-sequence.ts';
import { listRange } from '../dynamodb/records.ts';
import { layout, padded } from '../keys.ts';

/** In the JSON of a Lambda response (6 MB) a text takes up to twice its bytes. */
const MAX_PAGE_BYTES = 3_000_000;

/** A queue from the position of one subscriber. */
export interface SubscriberQueue {
  /** The newest id. */
  readonly last: number;
  /** The oldest id that the subscriber has not cleared and that can still be read. */
  readonly next: number;
  /** Ids between them that no event has. */
  readonly absent: readonly IdRange[];
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

export const cursorName = (subscriber: string) => `Cursor:${subscriber}`;

export const eventKey = (account: string, id: number) => layout.event.key({ account, block: eventBlock(id), id });

function toQueue(item: Item | undefined, subscriber: string, now: Date): SubscriberQueue {
  const { Last, Days, Absent: absent } = toSequence(item);
  const cleared = (item?.[cursorName(subscriber)] as number | undefined) ?? 0;
  return { last: Last, next: Math.max(cleared + 1, oldestReadable(Days, Last, now)), absent };
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
  payload: typeof Payload === 'string' ? Payload : gunzipText(Payload as Uint8Array),
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

/** The JSON of events, by id; those that have expired, or cannot be seen yet, are missing. */
export async function findEventPayloads(
  table: TableReader,
  account: string,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const keys = [...new Set(ids)].map((id) => eventKey(account, id));
  const found = keys.length ? await table.getMany(keys) : [];
  return new Map(found.map(toEvent).map(({ id, payload }) => [id, payload]));
}

/** The blocks of a stretch of ids, each with the ids of the stretch in it. */
const blocksOf = ({ first, last }: IdRange): { block: number; from: string; to: string }[] =>
  Array.from({ length: eventBlock(last) - eventBlock(first) + 1 }, (_, index) => ({
    block: eventBlock(first) + index,
    from: padded(first),
    to: padded(last),
  }));

/**
 * Events `first` to `last`, in one round. Stops at an id that is missing, and before 3 MB, but not before the first
 * event: the caller continues from there. Ids that are `absent` are not missing.
 */
export async function listEvents(
  table: TableReader,
  account: string,
  first: number,
  last: number,
  absent: readonly IdRange[] = [],
): Promise<EventPage> {
  const ranges = presentRanges(absent, first, last);
  const ids = ranges.flatMap((range) =>
    Array.from({ length: range.last - range.first + 1 }, (_, i) => range.first + i),
  );
  const pages = await Promise.all(
    ranges
      .flatMap(blocksOf)
      .map(({ block, ...range }) =>
        table.query({ partition: layout.event.of({ account, block }), ...range, consistent: true }),
      ),
  );
  // A page that ends within its block ends the result, or it would have a gap.
  const cut = pages.findIndex(({ next }) => next !== undefined);
  const seen = pages.slice(0, cut < 0 ? pages.length : cut + 1).flatMap(({ items }) => items);
  const gap = seen.findIndex(({ SK }, index) => Number(SK) !== ids[index]);
  const rows = gap < 0 ? seen : seen.slice(0, gap);
  const isCut = gap >= 0 || (cut < 0 && rows.length < ids.length);
  const missing = isCut ? ids[rows.length] : undefined;
  const events: QueuedEvent[] = [];
  let bytes = 0;
  for (const row of rows) {
    const event = toEvent(row);
    bytes += Buffer.byteLength(event.payload);
    if (bytes > MAX_PAGE_BYTES && events.length) break;
    events.push(event);
  }
  return { events, missing };
}

/** Sets for how many days events queued from now on stay readable, 1 to 90. Safe to repeat. */
export async function writeRetention(table: TableWriter, account: string, days: number): Promise<void> {
  await table.update({ update: layout.sequence.key({ account }), set: { RetentionDays: days } });
}

/** For how many days events queued now stay readable. */
export const findRetentionDays = async (table: TableReader, account: string): Promise<number> =>
  toSequence(await table.get(layout.sequence.key({ account }))).RetentionDays;

const CLOSED = 'Closed';

/** Closes the queue of an account that is deleted: changes that come later become no events. Safe to repeat. */
export async function writeClosedQueue(table: TableWriter, account: string): Promise<void> {
  await table.update({ update: layout.sequence.key({ account }), set: { [CLOSED]: true } });
}

/** A change may come that late: a record that a worker parked is delivered again by hand. */
const CLOSED_SECONDS = (30 * DAY) / SECOND;

/** What stays of a closed queue for 30 days, without content: the mark that it is closed. */
export const closedQueueChange = (account: string, now: Date): Change => ({
  put: { ...layout.sequence.key({ account }), [CLOSED]: true, TTL: ttlAfter(now, CLOSED_SECONDS) },
});

/** An event to be queued. */
export interface NewEvent {
  /** Identifies the change in its account, at every delivery: it becomes one event however often it is delivered. */
  readonly change: string;
  /** When the change was committed, in milliseconds since 1970; all readable events are searched for it without. */
  readonly committedAt?: number;
  /** JSON. */
  readonly payload: string;
  /** Whom the event calls; it has a kind then. */
  readonly calls?: { readonly kind: string; readonly targets: readonly CallbackTarget[] } | undefined;
}

/** A transaction has the sequence, the events and their callbacks. */
const MAX_EVENTS = MAX_TRANSACTION_CHANGES - 1;
/** Leaves room for keys and attribute names. */
const MAX_BYTES = MAX_TRANSACTION_BYTES - 500_000;

/** An address of 2,048 characters, and what a callback has beside it. */
const CALLBACK_BYTES = 3_000;

/** Splits events, in their order, into what one transaction takes. */
export function splitTransactions<Event extends NewEvent>(events: readonly Event[]): Event[][] {
  const parts: Event[][] = [];
  let bytes = 0;
  let items = 0;
  for (const event of events) {
    const targets = event.calls?.targets ?? [];
    const size = Buffer.byteLength(event.payload) + targets.length * CALLBACK_BYTES;
    const part = parts.at(-1);
    bytes += size;
    items += 1 + targets.length;
    if (part && items <= MAX_EVENTS && bytes <= MAX_BYTES) part.push(event);
    else {
      parts.push([event]);
      bytes = size;
      items = 1 + targets.length;
    }
  }
  return parts;
}

/** A write unit of the table, and what a row of an event has beside its payload, at most. */
const UNIT_BYTES = 1_024;
const ROW_BYTES = 160;

/** The payload as the row has it: compressed where that saves write units. */
function toStoredPayload(payload: string): string | Uint8Array {
  const unitsFor = (bytes: number) => Math.ceil((bytes + ROW_BYTES) / UNIT_BYTES);
  const units = unitsFor(Buffer.byteLength(payload));
  if (units === 1) return payload;
  const compressed = gzipText(payload);
  return unitsFor(compressed.length) < units ? compressed : payload;
}

const toSecond = (milliseconds: number): number => Math.floor(milliseconds / SECOND);

/** The transaction that queues `events` behind the last of the sequence item, while that is unchanged. */
function queueChanges(account: string, item: Item | undefined, events: readonly NewEvent[], now: Date): Change[] {
  const { Last, Days, RetentionDays } = toSequence(item);
  if (Last + events.length > MAX_ID) throw new IdsUsedUp(account, 'event');
  const { expires, days } = expiryAt(Days, Last + 1, now, RetentionDays);
  const changes = events.map(({ change, committedAt = now.getTime() }) => ({
    hash: hashChange(change),
    second: toSecond(committedAt),
  }));
  const { set, through } = extendSequence(item, changes, days);
  return [
    { update: layout.sequence.key({ account }), set, if: { equals: { Last: item?.['Last'], [CLOSED]: undefined } } },
    ...events.map(({ change, payload }, index): Change => ({
      put: {
        ...eventKey(account, Last + 1 + index),
        QueuedAt: now.getTime(),
        Payload: toStoredPayload(payload),
        Change: change,
        Through: through[index],
        TTL: expires,
      },
    })),
    ...events.flatMap(({ calls }, index) =>
      calls ? newCallbackChanges(account, { id: Last + 1 + index, ...calls }, now) : [],
    ),
  ];
}

/** What identifies the change of an event, and the latest second of a commit up to and including it. */
interface EventOrigin {
  readonly id: number;
  readonly change: string | undefined;
  readonly through: number;
}

const originAttributes = ['SK', 'Change', 'Through'];

const toOrigin = ({ SK, Change, Through = 0 }: Item): EventOrigin => ({
  id: Number(SK),
  change: Change as string | undefined,
  through: Through as number,
});

/** Events of so many ids before the newest may belong to a transaction that is not completely visible. */
const UNSETTLED_EVENTS = 2 * MAX_EVENTS;

/** An event of a transaction that commits is not visible yet: the same read, made again, finds it. */
class EventHidden extends StoreConflict {}

/** For about 3 seconds; an event that is missing then is lost, and waiting for it would stop the queue for good. */
const MAX_HIDDEN_READS = 12;

function requireVisible(rows: readonly EventOrigin[], ids: readonly number[], { Last, Absent }: Sequence): void {
  const found = new Set(rows.map(({ id }) => id));
  const isMissing = (id: number) => !found.has(id) && countPresent(Absent, id, id) > 0;
  const missing = ids.find((id) => id > Last - UNSETTLED_EVENTS && isMissing(id));
  if (missing !== undefined) throw new EventHidden(`Event ${missing} is not visible yet.`, { transient: true });
}

async function findOrigins(table: TableReader, account: string, ids: readonly number[]): Promise<EventOrigin[]> {
  const keys = ids.map((id) => eventKey(account, id));
  return ids.length ? (await table.getMany(keys, { attributes: originAttributes })).map(toOrigin) : [];
}

/** The origins of a stretch of ids, in one round of a query a block. */
async function listOrigins(table: TableReader, account: string, first: number, last: number): Promise<EventOrigin[]> {
  const found = await Promise.all(
    blocksOf({ first, last }).map(({ block, ...range }) =>
      listRange(table, {
        partition: layout.event.of({ account, block }),
        ...range,
        consistent: true,
        attributes: originAttributes,
      }),
    ),
  );
  return found.flat().map(toOrigin);
}

/** The names of the changes that became the events of a stretch, by id; older events have none. One round. */
export async function listChangeNames(
  table: TableReader,
  account: string,
  first: number,
  last: number,
): Promise<{ id: number; name: string }[]> {
  const origins = await listOrigins(table, account, first, last);
  return origins.flatMap(({ id, change: name }) => (name === undefined ? [] : [{ id, name }]));
}

/** The ids of a stretch that have an event, in order, each with the second in which it expires; in one round. */
export async function listEventRows(
  table: TableReader,
  account: string,
  first: number,
  last: number,
): Promise<{ id: number; expires: number }[]> {
  const pages = await Promise.all(
    blocksOf({ first, last }).map(({ block, ...range }) =>
      listRange(table, {
        partition: layout.event.of({ account, block }),
        ...range,
        consistent: true,
        attributes: ['PK', 'SK', 'TTL'],
      }),
    ),
  );
  return pages.flat().map(({ SK, TTL }) => ({ id: Number(SK), expires: TTL as number }));
}

/** An event as it is stored, also one that has expired and is not removed yet. */
export interface StoredEvent {
  readonly id: number;
  /** What its change is known by; older events have none. */
  readonly change: string | undefined;
  readonly payload: string;
}

/** The stored events of a stretch of ids, in order, those that are absent or not visible yet left out. One round. */
export async function listStoredEvents(
  table: TableReader,
  account: string,
  first: number,
  last: number,
): Promise<StoredEvent[]> {
  const pages = await Promise.all(
    blocksOf({ first, last }).map(({ block, ...range }) =>
      listRange(table, { partition: layout.event.of({ account, block }), ...range, consistent: true }),
    ),
  );
  return pages
    .flat()
    .map((item) => ({
      id: Number(item.SK),
      change: item['Change'] as string | undefined,
      payload: toEvent(item).payload,
    }));
}

/** Replaces what an event says; its id, its change and its place in the queue stay. Safe to repeat. */
export async function writePayload(table: TableWriter, account: string, id: number, payload: string): Promise<void> {
  try {
    const set = { Payload: toStoredPayload(payload) };
    await table.commit([{ update: eventKey(account, id), set, if: 'present' }]);
  } catch (error) {
    // Its time was over meanwhile.
    if (!(error instanceof StoreConflict) || error.transient) throw error;
  }
}

/** Blocks read at once, at most, when a change is looked up in the events of some time. */
const MAX_BLOCKS = 16;

/**
 * Which of these changes became events before. The sequence item remembers the newest; where the hash of one is there,
 * its event tells whether it is the same. A change that was committed after all that the sequence item has forgotten is
 * not among those; any other, which comes late or again, is looked up in the events, back to the first of which all
 * before it were committed earlier.
 */
async function findQueuedChanges(
  table: TableReader,
  account: string,
  sequence: Sequence,
  events: readonly NewEvent[],
  { now, requireAll }: { readonly now: Date; readonly requireAll: boolean },
): Promise<ReadonlySet<string>> {
  const { Last, Days, Recent, Through, Absent } = sequence;
  const firstRecent = Last - Recent.length + 1;
  const hashes = new Set(events.map(({ change }) => hashChange(change)));
  const ids = Recent.flatMap(({ hash }, index) => (hashes.has(hash) ? [firstRecent + index] : []));
  const recent = await findOrigins(table, account, ids);
  if (requireAll) requireVisible(recent, ids, sequence);
  const queued = new Set(recent.flatMap(({ change }) => change ?? []));

  // A change whose moment is not known may have become any event.
  const late = events.filter(({ change, committedAt = 0 }) => !queued.has(change) && toSecond(committedAt) <= Through);
  const earliest = toSecond(Math.min(...late.map(({ committedAt = 0 }) => committedAt)));
  const oldest = oldestReadable(Days, Last, now);
  let end = late.length ? newestPresent(Absent, firstRecent - 1) : 0;
  for (let blocks = 1; end >= oldest; blocks = Math.min(2 * blocks, MAX_BLOCKS)) {
    const start = Math.max(oldest, (eventBlock(end) - blocks + 1) * EVENTS_A_BLOCK);
    const rows = await listOrigins(table, account, start, end);
    const expected = Array.from({ length: end - start + 1 }, (_, index) => start + index);
    if (requireAll) requireVisible(rows, expected, sequence);
    for (const { change } of rows) if (change) queued.add(change);
    if (rows.some(({ through }) => through < earliest) || late.every(({ change }) => queued.has(change))) break;
    end = newestPresent(Absent, start - 1);
  }
  return queued;
}

/**
 * Queues the events of one transaction (see splitTransactions) of an account, in order, without those whose change was
 * queued before; returns how many were new. Ids have no gap, because ids, events and the memory of their changes are
 * one transaction, which holds only while nobody else queues. Otherwise, or while the table is unavailable, it reads
 * again and tries until `deadline` (milliseconds since 1970). Throws IdsUsedUp where the ids of the account do not last
 * for all of them, and queues none. Safe to repeat: what was queued is found.
 */
export function appendEvents(
  table: TableWriter,
  account: string,
  events: readonly NewEvent[],
  now: Date,
  deadline: number,
): Promise<number> {
  const distinct = [...new Map(events.map((event) => [event.change, event])).values()];
  let hiddenReads = 0;
  return retry(
    async () => {
      const item = await table.get(layout.sequence.key({ account }));
      // The account is being deleted, or was: removals are no events, and nothing of it may come back.
      if (item?.[CLOSED]) return 0;
      const requireAll = hiddenReads < MAX_HIDDEN_READS;
      const found = findQueuedChanges(table, account, toSequence(item), distinct, { now, requireAll });
      const queued = await found.catch((error: unknown) => {
        if (error instanceof EventHidden) hiddenReads++;
        throw error;
      });
      const fresh = distinct.filter(({ change }) => !queued.has(change));
      // After a conflict with another worker the same transaction can no longer succeed.
      if (fresh.length) await table.commit(queueChanges(account, item, fresh, now), { repeat: false });
      return fresh.length;
    },
    { isTransient, deadline },
  );
}
