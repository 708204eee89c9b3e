import type { CallbackTarget } from '../../domain/callbacks/targets.ts';
import { type CallbackRecord, callbackEntity, deadCallbackEntity } from '../../entities/webhooks.ts';
import type { QueueMessage, QueueName } from '../../shared/queues.ts';
import { DAY, SECOND } from '../../shared/time/time.ts';
import { delayedMessageChange, messageChange } from './delayed-messages.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import { type TableReader, ttlAfter } from '../dynamodb/table.ts';
import { StoreConflict } from '../dynamodb/errors.ts';
import { listRange } from '../dynamodb/records.ts';
import { eventBlock } from './event-sequence.ts';
import { type Key, accountOfKey, layout, padded, toKey } from '../keys.ts';
import type { StoreAccount, StoreReader, StoreWriter } from '../store.ts';

const QUEUE: QueueName = 'callbacks';
const KEPT_SECONDS = (30 * DAY) / SECOND;
/** Longer than a call takes. */
const CLAIM = 20 * SECOND;
/** For a callback that needs no more calls. */
const NEVER = Number.MAX_SAFE_INTEGER;

export const callbackKey = ({ account }: StoreAccount, event: number, target: string): Key =>
  layout.callback.key({ account, block: eventBlock(event), event, target });

const deadKey = ({ account }: StoreAccount, { EventId: event, Target: target }: CallbackRecord): Key =>
  layout.deadCallback.key({ account, event, target });

export const keyOfCallback = (store: StoreAccount, { EventId, Target }: CallbackRecord): Key =>
  callbackKey(store, EventId, Target);

const messageOf = (store: StoreAccount, callback: CallbackRecord): QueueMessage => keyOfCallback(store, callback);

/** The callbacks of an event, in the transaction that queues it; the table's stream sends them to their queue. */
export const newCallbackChanges = (
  store: StoreAccount,
  { id, kind, targets }: { readonly id: number; readonly kind: string; readonly targets: readonly CallbackTarget[] },
  now: Date,
): Change[] =>
  targets.map(({ target, address }) => ({
    put: {
      ...callbackKey(store, id, target),
      Queue: QUEUE,
      EventId: id,
      Target: target,
      Address: address,
      Kind: kind,
      State: 'waiting',
      Attempts: 0,
      Created: now.getTime(),
      QueuedAt: now.getTime(),
      At: now.getTime(),
      TTL: ttlAfter(now, KEPT_SECONDS),
    },
  }));

function toCallback(item: Item): CallbackRecord {
  const callback = callbackEntity.readDeclared(item);
  return { ...callback, Account: accountOfKey(item) ?? '', QueuedAt: callback.QueuedAt ?? callback.Created };
}

/** Callbacks by their keys, without those that do not exist. */
export const findCallbacks = async (table: TableReader, keys: readonly Key[]): Promise<CallbackRecord[]> =>
  (await table.getMany(keys.map(toKey))).map(toCallback);

/**
 * Claims a callback for one call; `undefined` while another container has it, or if nothing is to be called. A lost
 * reply looks like another container's claim, which expires by itself.
 */
export async function writeClaim(
  store: StoreWriter,
  callback: CallbackRecord,
  now: number,
): Promise<CallbackRecord | undefined> {
  try {
    const set = { ClaimedUntil: now + CLAIM };
    return toCallback(
      await store.table.update({
        update: keyOfCallback(store, callback),
        set,
        if: { atLeast: { Created: 0 }, below: { ClaimedUntil: now } },
      }),
    );
  } catch (error) {
    if (error instanceof StoreConflict && !error.transient) return undefined;
    throw error;
  }
}

/** Stores that a callback was delivered. Safe to repeat. */
export async function writeDelivered(store: StoreWriter, callback: CallbackRecord, now: number): Promise<void> {
  const set = { State: 'delivered', Attempts: callback.Attempts + 1, At: now, ClaimedUntil: NEVER };
  await store.table.update({ update: keyOfCallback(store, callback), set, if: 'present' });
}

/**
 * Stores a failed attempt and when the next one is due. With `isListed` its message is scheduled in the same
 * transaction; otherwise the caller sends it. Safe to repeat: the same attempt has the same number.
 */
export async function writeRetry(
  store: StoreWriter,
  callback: CallbackRecord,
  {
    at,
    reason,
    attempts,
    isListed,
  }: { readonly at: number; readonly reason: string; readonly attempts: number; readonly isListed: boolean },
): Promise<void> {
  const set = { Attempts: attempts, At: at, Reason: reason, ClaimedUntil: 0 };
  const update = { update: keyOfCallback(store, callback), set, if: 'present' } as const;
  if (!isListed) return void (await store.table.update(update));
  await store.table.commit([update, delayedMessageChange({ queue: QUEUE, message: messageOf(store, callback), at })]);
}

/** Postpones the call of a callback without an attempt, because its host is busy. Safe to repeat. */
export const writePostponed = (store: StoreWriter, callback: CallbackRecord, at: number): Promise<void> =>
  store.table.commit([
    { update: keyOfCallback(store, callback), set: { At: at }, if: 'present' },
    delayedMessageChange({ queue: QUEUE, message: messageOf(store, callback), at }),
  ]);

/** Gives up on a callback: it is kept for 30 days with its event, in the list of those that can be replayed. */
export async function writeDead(
  store: StoreWriter,
  callback: CallbackRecord,
  { reason, attempts, payload }: { reason: string; attempts: number; payload: string | undefined },
  now: Date,
): Promise<void> {
  const TTL = ttlAfter(now, KEPT_SECONDS);
  const set = { State: 'dead', Attempts: attempts, Reason: reason, At: now.getTime(), ClaimedUntil: NEVER, TTL };
  await store.table.commit([
    {
      update: keyOfCallback(store, callback),
      set: { ...set, ...(payload === undefined ? {} : { Payload: payload }) },
      if: 'present',
    },
    { put: { ...deadKey(store, callback), EventId: callback.EventId, Target: callback.Target, TTL } },
  ]);
}

/** The changes that restart a callback with its first attempt, sent at once, and kept for another 30 days. */
export const replayChanges = (store: StoreAccount, callback: CallbackRecord, now: Date): Change[] => [
  {
    update: keyOfCallback(store, callback),
    set: {
      State: 'waiting',
      Attempts: 0,
      Created: now.getTime(),
      At: now.getTime(),
      ClaimedUntil: 0,
      TTL: ttlAfter(now, KEPT_SECONDS),
    },
    remove: ['Reason'],
    if: 'present',
  },
  { remove: deadKey(store, callback) },
  messageChange({ queue: QUEUE, message: messageOf(store, callback) }, now),
];

/** The callbacks that were given up, newest first. */
export async function listDeadCallbacks(
  store: StoreReader,
  { limit, through }: { readonly limit: number; readonly through?: number | undefined },
): Promise<CallbackRecord[]> {
  const { account, table } = store;
  const partition = layout.deadCallback.of({ account });
  const to = through === undefined ? {} : { to: `${padded(through)}#\u{10FFFF}` };
  const entries = await listRange(table, { partition, descending: true, ...to }, { limit });
  const keys = entries
    .map(deadCallbackEntity.readDeclared)
    .map(({ EventId, Target }) => callbackKey(store, EventId, Target));
  return sortNewest(await findCallbacks(table, keys));
}

/** The callbacks of some events, newest first. */
export async function listCallbacks(
  { table, account }: StoreReader,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<CallbackRecord[]> {
  const blocks = Array.from(
    { length: eventBlock(last) - eventBlock(first) + 1 },
    (_, index) => eventBlock(first) + index,
  );
  const found = await Promise.all(
    blocks.map((block) => listRange(table, { partition: layout.callback.of({ account, block }), consistent: true })),
  );
  return sortNewest(found.flat().map(toCallback)).filter(({ EventId }) => EventId >= first && EventId <= last);
}

const sortNewest = (callbacks: readonly CallbackRecord[]): CallbackRecord[] =>
  callbacks.toSorted((one, other) => other.EventId - one.EventId || one.Target.localeCompare(other.Target));

/** The changes that remove all callbacks of an event, for the erasure of a person whom their URLs may name too. */
export async function removedCallbackChanges(store: StoreReader, event: number): Promise<Change[]> {
  const { account, table } = store;
  const partition = layout.callback.of({ account, block: eventBlock(event) });
  const from = `${padded(event)}#`;
  const found = await listRange(table, { partition, from, to: `${from}\u{10FFFF}`, consistent: true });
  return found
    .map(toCallback)
    .flatMap((callback) => [{ remove: keyOfCallback(store, callback) }, { remove: deadKey(store, callback) }]);
}
