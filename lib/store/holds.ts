import { type ListedHold, listedHoldEntity } from '../entities/service-agents.ts';
import { MAX_HOLDS } from '../resources/appointments.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import { ttlAfter } from './dynamodb/table.ts';
import { listRange } from './dynamodb/records.ts';
import type { Hold } from './calendars.ts';
import { layout } from './keys.ts';
import { SECOND } from '../shared/time/time.ts';
import type { StoreAccount, StoreReader } from './store.ts';

/** Maximum difference between the clocks of two containers: a place becomes free this long after its hold is over. */
const CLOCK_MILLISECONDS = 2 * SECOND;
/** How long the item of an unbooked hold is kept. */
const KEPT_SECONDS = 3_600;

/**
 * The last holds of a key by its public part, at most one per place, including those that are over. One request of at
 * most 20 small items.
 */
export async function listHolds({ table, account }: StoreReader, key: string): Promise<ListedHold[]> {
  const partition = layout.hold.of({ account, key });
  const items = await listRange(table, { partition, consistent: true }, { limit: MAX_HOLDS });
  return items.map(listedHoldEntity.readDeclared);
}

/** The places that are free by now, in random order, so that concurrent calls rarely take the same ones. */
export function freePlaces(holds: readonly ListedHold[], now: Date): number[] {
  const taken = new Set(
    holds.filter(({ Until }) => Until + CLOCK_MILLISECONDS > now.getTime()).map(({ Place }) => Place),
  );
  return Array.from({ length: MAX_HOLDS }, (_, place) => place)
    .filter((place) => !taken.has(place))
    .map((place) => ({ place, order: Math.random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ place }) => place);
}

/** The change that lists a hold with its key, if the place is unchanged since it was read. */
export function holdPlaceChange(
  { account }: StoreAccount,
  organizationId: number,
  { handle: Handle, key, place: Place, agentId, start: Start, end: End, until: Until }: Hold,
  previous: ListedHold | undefined,
): Change {
  const listed: ListedHold = { Handle, Place, Organization: organizationId, Agent: agentId, Start, End, Until };
  const put: Item = {
    ...layout.hold.key({ account, key, place: Place }),
    ...listed,
    TTL: ttlAfter(new Date(Until), KEPT_SECONDS),
  };
  return { put, if: previous ? { equals: { Handle: previous.Handle } } : 'absent' };
}

/** The change that removes a hold from its key's list. */
export const freedPlaceChange = (
  { account }: StoreAccount,
  { handle, key, place }: Pick<Hold, 'handle' | 'key' | 'place'>,
): Change => ({ remove: layout.hold.key({ account, key, place }), if: { equals: { Handle: handle } } });
