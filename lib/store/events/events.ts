import { gunzipSync, gzipSync } from 'node:zlib';
import { eventEntity } from '../../entities/events.ts';
import { MAX_TRANSACTION_BYTES, MAX_TRANSACTION_CHANGES } from '../../shared/limits.ts';
import { retry } from '../../shared/promises.ts';
import { DAY, SECOND } from '../../shared/time/time.ts';
import type { CallbackTarget } from '../../domain/callbacks/targets.ts';
import type { PlannedMessage } from '../../domain/messages/plan.ts';
import { newCallbackChanges } from './callbacks.ts';
import { writeDelayedMessages } from './delayed-messages.ts';
import { laterTriggers, planChanges } from './message-plans.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import { ttlAfter } from '../dynamodb/table.ts';
import { IdsUsedUp, StoreConflict, isTransient } from '../dynamodb/errors.ts';
import {
  EVENTS_A_BLOCK,
  type IdRange,
  blocksOf,
  eventBlock,
  eventKey,
  expiryAt,
  extendSequence,
  hashChange,
  lastOfBlock,
  oldestReadable,
  packHashes,
  presentRanges,
  toSecond,
  toSequence,
} from './event-sequence.ts';
import { EventTurn } from './append-turns.ts';
import { QueuedChanges, listOrigins } from './queued-changes.ts';
import { listRange, MAX_ID } from '../dynamodb/records.ts';
import { layout } from '../keys.ts';
import type { PatientStore, StoreAccount, StoreReader, StoreWriter } from '../store.ts';

/** The queue of an account: each change is one event, ids have no gap, and a page holds all events of its range. */

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
interface QueuedEvent {
  readonly id: number;
  readonly queuedAt: number;
  readonly payload: string;
}

/** The attribute of the sequence that holds a subscriber's cursor. */
export const cursorName = (subscriber: string) => `Cursor:${subscriber}`;

function toQueue(item: Item | undefined, subscriber: string, now: Date): SubscriberQueue {
  const { Last, Days, Absent: absent } = toSequence(item);
  const cleared = Number(item?.[cursorName(subscriber)] ?? 0);
  return { last: Last, next: Math.max(cleared + 1, oldestReadable(Days, Last, now)), absent };
}

/** The queue from a subscriber's cursor; without a name, from the oldest event. */
export async function findQueue(
  { table, account }: StoreReader,
  subscriber: string,
  now: Date,
): Promise<SubscriberQueue> {
  return toQueue(await table.get(layout.sequence.key({ account })), subscriber, now);
}

/**
 * Moves the subscriber's cursor after `throughId`, in one write for any number of events, and returns the resulting
 * queue; `undefined` if the event does not exist yet. Safe to repeat: a cursor never moves back.
 */
export async function writeClearedThrough(
  { table, account }: StoreWriter,
  subscriber: string,
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
    if (Number(item?.[cursor] ?? 0) < throughId) throw error;
    return toQueue(item, subscriber, now);
  }
}

/**
 * Moves the cursor of a new subscriber after the newest event; `undefined` if it already has one. Safe to repeat: an
 * existing cursor is not changed.
 */
export async function writeBeginningAtNow(
  { table, account }: StoreWriter,
  subscriber: string,
  now: Date,
): Promise<SubscriberQueue | undefined> {
  const key = layout.sequence.key({ account });
  const cursor = cursorName(subscriber);
  const item = await table.get(key);
  const { Last } = toSequence(item);
  if (item?.[cursor] !== undefined) return item[cursor] === Last ? toQueue(item, subscriber, now) : undefined;
  try {
    const change = { update: key, set: { [cursor]: Last }, if: { equals: { [cursor]: undefined } } };
    return toQueue(await table.update(change), subscriber, now);
  } catch (error) {
    if (!(error instanceof StoreConflict) || error.transient) throw error;
    const other = await table.get(key);
    return other?.[cursor] === Last ? toQueue(other, subscriber, now) : undefined;
  }
}

const expiryOf = eventEntity.part('TTL');

function toEvent(item: Item): QueuedEvent {
  const { QueuedAt = 0, Payload } = eventEntity.read(item);
  return {
    id: Number(item.SK),
    queuedAt: QueuedAt,
    payload: Payload instanceof Uint8Array ? gunzipSync(Payload).toString() : String(Payload),
  };
}

/** A range of a queue. */
export interface EventPage {
  /** In order and without gap. */
  readonly events: QueuedEvent[];
  /**
   * The first id whose event is not visible yet: while a transaction commits, a reader may see its newest id before its
   * events, even with consistent reads. The queue ends before it for now; `undefined` if all were seen.
   */
  readonly missing: number | undefined;
}

/** The JSON of events, by id, without those that have expired or are not visible yet. */
export async function findEventPayloads(store: StoreReader, ids: readonly number[]): Promise<Map<number, string>> {
  const { table } = store;
  const keys = [...new Set(ids)].map((id) => eventKey(store, id));
  const found = keys.length ? await table.getMany(keys) : [];
  return new Map(found.map(toEvent).map(({ id, payload }) => [id, payload]));
}

/**
 * Events `first` to `last`, in one round. Stops at a missing id, and before 3 MB, but not before the first event: the
 * caller continues from there. Ids that are `absent` are not missing.
 */
export async function listEvents(
  { table, account }: StoreReader,
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
  // A page that ends within its block ends the result, which would otherwise have a gap.
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

/** Sets how many days events queued from now on stay readable, 1 to 90. Safe to repeat. */
export async function writeRetention({ table, account }: StoreWriter, days: number): Promise<void> {
  await table.update({ update: layout.sequence.key({ account }), set: { RetentionDays: days } });
}

/** How many days events queued now stay readable. */
export const findRetentionDays = async ({ table, account }: StoreReader): Promise<number> =>
  toSequence(await table.get(layout.sequence.key({ account }))).RetentionDays;

const CLOSED = 'Closed';

/** Closes the queue of a deleted account: later changes become no events. Safe to repeat. */
export async function writeClosedQueue({ table, account }: StoreWriter): Promise<void> {
  await table.update({ update: layout.sequence.key({ account }), set: { [CLOSED]: true } });
}

/** Changes may arrive this late, when a record that a worker parked is redelivered by hand. */
const CLOSED_SECONDS = (30 * DAY) / SECOND;

/** The remainder of a closed queue, kept for 30 days without content: the mark that it is closed. */
export const closedQueueChange = ({ account }: StoreAccount, now: Date): Change => ({
  put: { ...layout.sequence.key({ account }), [CLOSED]: true, TTL: ttlAfter(now, CLOSED_SECONDS) },
});

export interface NewEvent {
  /** Identifies the change in its account on every delivery: it becomes one event however often it is delivered. */
  readonly change: string;
  /**
   * When the change was committed, in milliseconds since 1970. Without it, all readable events are searched for the
   * change.
   */
  readonly committedAt?: number;
  /** JSON. */
  readonly payload: string;
  /** The targets that the event calls; the event then has a kind. */
  readonly calls?: { readonly kind: string; readonly targets: readonly CallbackTarget[] } | undefined;
  /** What may cause messages to clients. */
  readonly messages?: readonly PlannedMessage[];
}

/** A transaction contains the sequence, the events, their callbacks and planned messages. */
const MAX_EVENTS = MAX_TRANSACTION_CHANGES - 1;
/** Leaves room for keys and attribute names. */
const MAX_BYTES = MAX_TRANSACTION_BYTES - 500_000;

/** A URL of 2,048 characters, and the other fields of a callback. */
const CALLBACK_BYTES = 3_000;
/** A notice and a trigger. */
const MESSAGE_ITEMS = 2;
const MESSAGE_BYTES = 1_000;

/** Splits events, in their order, into what fits in one transaction. */
export function splitTransactions<Event extends NewEvent>(events: readonly Event[]): Event[][] {
  const parts: Event[][] = [];
  let bytes = 0;
  let items = 0;
  for (const event of events) {
    const [calls, messages] = [event.calls?.targets.length ?? 0, event.messages?.length ?? 0];
    const size = Buffer.byteLength(event.payload) + calls * CALLBACK_BYTES + messages * MESSAGE_BYTES;
    const count = 1 + calls + messages * MESSAGE_ITEMS;
    const part = parts.at(-1);
    bytes += size;
    items += count;
    if (part && items <= MAX_EVENTS && bytes <= MAX_BYTES) part.push(event);
    else {
      parts.push([event]);
      bytes = size;
      items = count;
    }
  }
  return parts;
}

/** A write unit of the table, and the maximum size of an event row without its payload. */
const UNIT_BYTES = 1_024;
const ROW_BYTES = 160;

/** The payload of a row, compressed if that saves write units. `others` are bytes that not every row has. */
function toStoredPayload(payload: string, others = 0): string | Uint8Array {
  const unitsFor = (bytes: number) => Math.ceil((bytes + others + ROW_BYTES) / UNIT_BYTES);
  const units = unitsFor(Buffer.byteLength(payload));
  if (units === 1) return payload;
  const compressed = gzipSync(payload);
  return unitsFor(compressed.length) < units ? compressed : payload;
}

/** The transaction that queues `events` after the last one of the sequence item, provided that it is unchanged. */
function queueChanges(
  store: StoreAccount,
  item: Item | undefined,
  events: readonly NewEvent[],
  now: Date,
  endOfTurn: object,
): Change[] {
  const { account } = store;
  const { Last, Days, RetentionDays, Recent } = toSequence(item);
  if (Last + events.length > MAX_ID) throw new IdsUsedUp(account, 'event');
  const { expires, days } = expiryAt(Days, Last + 1, now, RetentionDays);
  const changes = events.map(({ change, committedAt = now.getTime() }) => ({
    hash: hashChange(change),
    second: toSecond(committedAt),
  }));
  const { set, through } = extendSequence(item, changes, days);
  const known = [...Recent, ...changes].map(({ hash }) => hash);
  const rows = events.map(({ change, payload }, index): Change => {
    const Block = blockHashes(known, Recent.length + index, Last + 1 + index);
    return {
      put: {
        ...eventKey(store, Last + 1 + index),
        QueuedAt: now.getTime(),
        Payload: toStoredPayload(payload, Block?.length),
        Change: change,
        Through: through[index],
        ...(Block ? { Block } : {}),
        TTL: expires,
      },
    };
  });
  return [
    {
      update: layout.sequence.key({ account }),
      set: { ...set, ...endOfTurn },
      if: { equals: { Last: item?.['Last'], [CLOSED]: undefined } },
    },
    ...rows,
    ...events.flatMap(({ calls }, index) =>
      calls ? newCallbackChanges(store, { id: Last + 1 + index, ...calls }, now) : [],
    ),
    ...planChanges(
      store,
      events.flatMap(({ messages = [] }) => messages),
      now,
    ),
  ];
}

/**
 * For the last event of a block: the hashes of the changes of its events, as far as known; the event's own is at
 * `place`.
 */
const blockHashes = (known: readonly number[], place: number, id: number): Uint8Array | undefined =>
  id === lastOfBlock(eventBlock(id))
    ? packHashes(known.slice(Math.max(0, place + 1 - EVENTS_A_BLOCK), place + 1))
    : undefined;

/** The names of the changes that became the events of a range, by id; older events have none. One round. */
export async function listChangeNames(
  store: StoreReader,
  first: number,
  last: number,
): Promise<{ id: number; name: string }[]> {
  const origins = await listOrigins(store, first, last);
  return origins.flatMap(({ id, change: name }) => (name === undefined ? [] : [{ id, name }]));
}

/** The ids of a range that have an event, in order, each with the second in which it expires. One round. */
export async function listEventRows(
  { table, account }: StoreReader,
  first: number,
  last: number,
): Promise<{ id: number; expires: number }[]> {
  const pages = await Promise.all(
    blocksOf({ first, last }).map(({ block, ...range }) =>
      listRange(table, {
        partition: layout.event.of({ account, block }),
        ...range,
        consistent: true,
        attributes: ['PK', 'SK', ...expiryOf.names],
      }),
    ),
  );
  return pages.flat().map((item) => ({ id: Number(item.SK), expires: expiryOf.read(item).TTL ?? 0 }));
}

/** An event as stored, even if it has expired and is not removed yet. */
export interface StoredEvent {
  readonly id: number;
  /** Identifies its change; older events have none. */
  readonly change: string | undefined;
  readonly payload: string;
}

/** The stored events of a range of ids, in order, without those that are absent or not visible yet. One round. */
export async function listStoredEvents(
  { table, account }: StoreReader,
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
    .map((item) => ({ id: Number(item.SK), change: eventEntity.read(item).Change, payload: toEvent(item).payload }));
}

/** Replaces the content of an event; its id, its change and its place in the queue stay. Safe to repeat. */
export async function writePayload(store: StoreWriter, id: number, payload: string): Promise<void> {
  const { table } = store;
  try {
    const set = { Payload: toStoredPayload(payload) };
    await table.commit([{ update: eventKey(store, id), set, if: 'present' }]);
  } catch (error) {
    // It expired meanwhile.
    if (!(error instanceof StoreConflict) || error.transient) throw error;
  }
}

/** From this many events on, a failed transaction costs far more than taking a number first. */
const MANY_EVENTS = 10;

/**
 * Queues the events of one transaction (see splitTransactions) of an account, in order, without those whose change was
 * already queued; returns how many were new. Ids have no gap, because ids, events and the memory of their changes are
 * one transaction, which succeeds only while nobody else queues. Otherwise it takes its turn after the others, and
 * retries until `deadline` (milliseconds since 1970), also while the table is unavailable. With `patience`, it waits at
 * most that many milliseconds for the table, and as long as necessary for its turn. Throws IdsUsedUp if the account
 * does not have enough ids for all of them, and queues none. Safe to repeat: queued changes are found.
 */
export async function appendEvents(
  store: PatientStore,
  events: readonly NewEvent[],
  now: Date,
  deadline: number,
  patience = Infinity,
): Promise<number> {
  const { table, account } = store;
  const distinct = [...new Map(events.map((event) => [event.change, event])).values()];
  const isPatient = patience === Infinity;
  const patientTable = () => (isPatient ? table : table.until(Math.min(deadline, Date.now() + patience)));
  const turn = new EventTurn(patientTable, account, { takesNumber: distinct.length >= MANY_EVENTS, deadline });
  const queued = new QueuedChanges(patientTable, account, distinct, now);
  const append = async () => {
    let item = await turn.enter();
    // What is found while it waits need not be searched when its turn comes.
    await queued.search(toSequence(item));
    if (turn.mustWait) await queued.search(toSequence((item = await turn.wait())));
    // The account is being deleted, or was: removals are no events, and nothing of it may come back.
    if (item?.[CLOSED]) return 0;
    const fresh = distinct.filter(({ change }) => !queued.has(change));
    if (!fresh.length) return 0;
    await planLater(fresh);
    await commit(item, fresh);
    return fresh.length;
  };
  let isPlanned = false;
  const planLater = async (fresh: readonly NewEvent[]) => {
    if (isPlanned) return;
    const planned = fresh.flatMap(({ messages = [] }) => messages);
    await writeDelayedMessages(patientTable(), laterTriggers(store, planned, now));
    isPlanned = true;
  };
  const commit = async (item: Item | undefined, fresh: readonly NewEvent[]) => {
    try {
      // After a conflict with another worker the same transaction can no longer succeed.
      await patientTable().commit(queueChanges(store, item, fresh, now, turn.end), { repeat: false });
      turn.ended();
    } catch (error) {
      if (error instanceof StoreConflict) turn.lost();
      throw error;
    }
  };
  const mayTryAgain = (error: unknown) => error instanceof StoreConflict || (isPatient && isTransient(error));
  return retry(append, { isTransient: mayTryAgain, deadline }).finally(() => turn.leave());
}
