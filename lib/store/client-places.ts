import { isAhead } from '../domain/appointments/record.ts';
import { clientPlaceEntity } from '../entities/entries.ts';
import { DAY, SECOND } from '../shared/time/time.ts';
import { listAppointments } from './appointments.ts';
import type { Change } from './dynamodb/changes.ts';
import { ttlAfter } from './dynamodb/table.ts';
import { type Key, layout } from './keys.ts';
import type { StoreAccount, StoreReader } from './store.ts';

/**
 * Limits upcoming visits that strangers book with one e-mail, one phone or for one contact: each has this many places,
 * and a visit takes one of each, on condition that it is free.
 */
const PLACES = 2;

/** What places are counted by: an e-mail, a phone, the contact that a stranger means, or the client of a link. */
export const identity = {
  ofEmail: (email: string): string => `email ${email}`,
  ofPhone: (phone: string): string => `phone ${phone}`,
  ofContact: (id: number): string => `contact ${id}`,
  ofClient: (id: number): string => `client ${id}`,
} as const;

const keysOf = ({ account }: StoreAccount, of: string): Key[] =>
  Array.from({ length: PLACES }, (_, place) => layout.clientPlace.key({ account, of, place }));

/** The places that some hashed identities have taken. One round. */
export const listPlaces = async (store: StoreReader, identities: readonly string[]): Promise<Key[]> =>
  (await store.table.getMany([...new Set(identities)].flatMap((of) => keysOf(store, of)))).map(({ PK, SK }) => ({
    PK,
    SK,
  }));

interface FreePlace {
  readonly key: Key;
  /** The canceled or past visit that had the place; `undefined` if it was never taken. */
  readonly former: number | undefined;
}

/** A free place for each of some hashed identities; `undefined` if one has none. At most two rounds. */
export async function findFreePlaces(
  store: StoreReader,
  identities: readonly string[],
  now: Date,
): Promise<FreePlace[] | undefined> {
  const { table } = store;
  const all = [...new Set(identities)].map((of) => keysOf(store, of));
  const items = await table.getMany(all.flat());
  const taken = new Map(items.map((item) => [item.PK + item.SK, clientPlaceEntity.read(item).AppointmentId]));
  const visits = await listAppointments(store, [...taken.values()]);
  const ahead = new Set(visits.filter((visit) => isAhead(visit, now)).map(({ Id }) => Id));
  const free = all.flatMap((keys) => {
    const places = keys.map((key) => ({ key, former: taken.get(key.PK + key.SK) }));
    return places.find(({ former }) => former === undefined || !ahead.has(former)) ?? [];
  });
  return free.length === all.length ? free : undefined;
}

/** Longer than a visit can be ahead. */
const KEPT_SECONDS = (500 * DAY) / SECOND;

/** Takes a place for a visit, unless another visit has taken it since. */
export const takenPlaceChange = ({ key, former }: FreePlace, AppointmentId: number, now: Date): Change => ({
  put: { ...key, AppointmentId, TTL: ttlAfter(now, KEPT_SECONDS) },
  if: former === undefined ? 'absent' : { equals: { AppointmentId: former } },
});

/** A request before the transaction, like that for the search entries of a new contact: it stores an unowned place. */
export const emptyAheadChange = ({ account }: StoreAccount, now: Date): Change => ({
  ahead: {
    note: { ...layout.clientPlace.key({ account, of: 'nobody', place: 0 }), AppointmentId: 0, TTL: ttlAfter(now, 1) },
    items: [],
    takeBack: async () => undefined,
  },
});
