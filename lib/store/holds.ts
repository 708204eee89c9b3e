import { type ListedHold, listedHoldEntity } from '../entities/service-agents.ts';
import { MAX_HOLDS } from '../resources/appointments.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import { ttlAfter } from './dynamodb/table.ts';
import { listRange } from './dynamodb/records.ts';
import type { Hold } from './calendars.ts';
import { layout } from './keys.ts';
import { SECOND } from '../shared/time/time.ts';
import type { StoreAccount, StoreReader } from './store.ts';

/** The clocks of two containers differ by less: a place is free again that long after its hold is over. */
const CLOCK_MILLISECONDS = 2 * SECOND;
/** The item of a hold that nobody booked stays that long. */
const KEPT_SECONDS = 3_600;

/** The last holds of a key by its public part, at most one a place, also those that are over. One request of at most 20 small items. */
export async function listHolds({ table, account }: StoreReader, key: string): Promise<ListedHold[]> {
  const partition = layout.hold.of({ account, key });
  const items = await listRange(table, { partition, consistent: true }, { limit: MAX_HOLDS });
  return items.map(listedHoldEntity.readDeclared);
}

/** The places that are free by now, in any order: calls at the same time rarely take the same ones. */
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

/** The change that lists a hold with its key, if the place is still as it was read. */
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

/** The change that takes a hold off the list of its key. */
export const freedPlaceChange = (
  { account }: StoreAccount,
  { handle, key, place }: Pick<Hold, 'handle' | 'key' | 'place'>,
): Change => ({ remove: layout.hold.key({ account, key, place }), if: { equals: { Handle: handle } } });
