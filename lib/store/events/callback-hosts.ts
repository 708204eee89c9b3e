import { callbackHostEntity } from '../../entities/webhooks.ts';
import type { HostState } from '../../domain/callbacks/host-limits.ts';
import { DAY, SECOND } from '../../shared/time/time.ts';
import type { Item } from '../dynamodb/changes.ts';
import { ttlAfter } from '../dynamodb/table.ts';
import { StoreConflict } from '../dynamodb/errors.ts';
import { type Key, layout } from '../keys.ts';
import type { StoreAccount, StoreReader, StoreWriter } from '../store.ts';

/** Keeps a slow or failing receiver of callbacks from delaying other receivers. */

/** A host that receives an account's callbacks, as all containers see it. */
export interface CallbackHost {
  readonly host: string;
  readonly state: HostState;
  /** When the container that has the slot must have ended, in milliseconds since 1970; 0 if it is free. */
  readonly taken: readonly number[];
}

/** Longer than the calls of a container take. */
const SLOT_MILLISECONDS = 20 * SECOND;
const KEPT_SECONDS = DAY / SECOND;

const slotName = (slot: number): string => `S${slot}`;

const hostKey = ({ account }: StoreAccount, host: string): Key => layout.callbackHost.key({ account, host });

function toHost(host: string, item: Item | undefined): CallbackHost {
  const { Slots, PausedUntil, Timeouts } = callbackHostEntity.readDeclared(item ?? {});
  const state = { slots: Slots, pausedUntil: PausedUntil, timeouts: Timeouts };
  const taken = Array.from({ length: Slots }, (_, slot) => Number(item?.[slotName(slot)] ?? 0));
  return { host, state, taken };
}

export const findHost = async (store: StoreReader, host: string): Promise<CallbackHost> =>
  toHost(host, await store.table.get(hostKey(store, host)));

/**
 * Shuffled, so that containers looking for a slot at the same time do not all try the first one, and then all the next.
 */
const shuffle = <Value>(values: readonly Value[]): Value[] =>
  values
    .map((value) => ({ value, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);

/**
 * Takes a free slot at once; `undefined` if all are taken. After a lost reply the slot becomes free again when its time
 * is over.
 */
export async function writeTakenSlot(
  store: StoreWriter,
  { host, taken }: CallbackHost,
  now: number,
): Promise<number | undefined> {
  for (const slot of shuffle([...taken.keys()].filter((each) => (taken[each] ?? 0) <= now))) {
    try {
      const name = slotName(slot);
      await store.table.update({
        update: hostKey(store, host),
        set: { [name]: now + SLOT_MILLISECONDS, TTL: ttlAfter(new Date(now), KEPT_SECONDS) },
        if: { atLeast: {}, below: { [name]: now } },
      });
      return slot;
    } catch (error) {
      if (!(error instanceof StoreConflict) || error.transient) throw error;
    }
  }
  return undefined;
}

/** Frees a slot and stores what its calls show about the host, at once. Safe to repeat. */
export async function writeFreedSlot(
  store: StoreWriter,
  { host }: CallbackHost,
  slot: number,
  { slots, pausedUntil, timeouts }: HostState,
  now: number,
): Promise<void> {
  await store.table.update({
    update: hostKey(store, host),
    set: {
      [slotName(slot)]: 0,
      Slots: slots,
      PausedUntil: pausedUntil,
      Timeouts: timeouts,
      TTL: ttlAfter(new Date(now), KEPT_SECONDS),
    },
  });
}
