import type { Position } from '../domain/postal/localities.ts';
import { addressPlaceEntity, roadFactorsEntity, type RoadFactorsRecord } from '../entities/roads.ts';
import { DAY, SECOND } from '../shared/time/time.ts';
import { ttlAfter } from './dynamodb/table.ts';
import { type Key, layout } from './keys.ts';
import type { StoreAccount, StorePager, StoreReader } from './store.ts';

/**
 * What a service of roads and addresses has answered. Any of it may be lost: it is asked for again. Items past their
 * time may still be there, as DynamoDB removes them later.
 */

const FACTOR_SECONDS = (7 * DAY) / SECOND;
/** An address stays where it is; what nobody visits any more goes. */
const PLACE_SECONDS = (400 * DAY) / SECOND;

/** The factors of areas that were asked for in the last week. */
export async function findRoadFactors(
  { table, account }: StoreReader,
  areas: readonly string[],
  now: Date,
): Promise<RoadFactorsRecord[]> {
  const keys = areas.map((area) => layout.roadFactors.key({ account, area }));
  const items = keys.length ? await table.getMany(keys, { consistent: false }) : [];
  return items.filter(({ TTL }) => Number(TTL) > ttlAfter(now, 0)).map((item) => roadFactorsEntity.read(item));
}

/** Keeps the factors of an area for a week. Of two calls at once, the factors of one may be lost. */
export const writeRoadFactors = (
  { table, account }: StorePager,
  factors: RoadFactorsRecord,
  now: Date,
): Promise<void> =>
  table.writeCached({
    ...layout.roadFactors.key({ account, area: factors.Area }),
    ...roadFactorsEntity.write(factors),
    TTL: ttlAfter(now, FACTOR_SECONDS),
  });

/** Whose address it is: a contact's, or the one where the agents of an organization start. */
export type AddressOwner = { readonly contact: number } | { readonly organization: number };

export const addressPlaceKey = ({ account }: StoreAccount, owner: AddressOwner): Key =>
  'contact' in owner
    ? layout.contactPlace.key({ account, id: owner.contact })
    : layout.startPlace.key({ account, organization: owner.organization });

/** An address, by its hash, and where it is; `null` if that is not known. */
export interface AddressPlace {
  readonly owner: AddressOwner;
  readonly address: string;
  readonly position: Position | null;
}

/** The places of owners, in their order; `undefined` if nobody has asked for one. */
export async function findAddressPlaces(
  store: StoreReader,
  owners: readonly AddressOwner[],
): Promise<(Omit<AddressPlace, 'owner'> | undefined)[]> {
  const keys = owners.map((owner) => addressPlaceKey(store, owner));
  const items = keys.length ? await store.table.getMany(keys, { consistent: false }) : [];
  return keys.map(({ PK, SK }) => {
    const item = items.find((each) => each.PK === PK && each.SK === SK);
    if (!item) return undefined;
    const { Address: address, Position: position } = addressPlaceEntity.read(item);
    return { address, position };
  });
}

export const writeAddressPlace = (
  store: StorePager,
  { owner, address: Address, position: Position }: AddressPlace,
  now: Date,
): Promise<void> =>
  store.table.writeCached({
    ...addressPlaceKey(store, owner),
    ...addressPlaceEntity.write({ Address, Position }),
    TTL: ttlAfter(now, PLACE_SECONDS),
  });
