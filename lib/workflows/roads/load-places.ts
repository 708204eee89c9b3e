import { createHash } from 'node:crypto';
import { type Position, loadPositions, miles } from '../../domain/postal/localities.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { hasRoads } from '../../roads/open-roads.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import { type AddressOwner, findAddressPlaces, writeAddressPlace } from '../../store/roads.ts';
import type { PagerContext } from '../context.ts';
import { askRoads } from './ask-roads.ts';

/** Where the addresses of a booking are. */
export interface Places {
  /** Where the agents start; `null` if unknown. */
  readonly start: Position | null;
  /** `null` if unknown, or for a visitor who has not given a postal code. */
  of(contact: Located): Position | null;
}

type Located = Pick<ContactRecord, 'Id' | 'Address1' | 'City' | 'State' | 'Zip' | 'Country'>;
type Address = Partial<Pick<Located, 'Address1' | 'City' | 'State' | 'Zip' | 'Country'>>;

/** An answer farther from the postal code than this is another place of that name. */
const MAX_MILES = 50;
const AT_ONCE = 10;

/** An address that a service can find; `undefined` without a street. */
function textOf({ Address1, City, State, Zip, Country }: Address): string | undefined {
  const region = [State, Zip].filter(Boolean).join(' ');
  return Address1 ? [Address1, City, region, Country].filter(Boolean).join(', ') : undefined;
}

const hashOf = (address: string): string => createHash('sha256').update(address).digest('base64url').slice(0, 22);

interface Sought {
  readonly owner: AddressOwner;
  readonly address: string;
  readonly center: Position | null;
}

/** The places of addresses by their hashes, from the table or from the service, which is asked once an address. */
async function findSought(context: PagerContext, sought: readonly Sought[]): Promise<Map<string, Position | null>> {
  const { store, now } = context;
  const known = await findAddressPlaces(
    store,
    sought.map(({ owner }) => owner),
  );
  const found = await mapWithConcurrency(sought, AT_ONCE, async ({ owner, address, center }, index) => {
    const hash = hashOf(address);
    const place = known[index];
    if (place?.address === hash) return [hash, place.position] as const;
    const answer = await askRoads(context, async (roads) => ({ at: await roads.locate(address, center) }));
    if (!answer) return [hash, null] as const;
    const position = answer.at && (!center || miles(answer.at, center) <= MAX_MILES) ? answer.at : null;
    await writeAddressPlace(store, { owner, address: hash, position }, now);
    return [hash, position] as const;
  });
  return new Map(found);
}

/**
 * Where the agents of an organization start, and where contacts live: the center of the postal code, or with a service
 * of roads and addresses the place of the street.
 */
export async function loadPlaces(
  context: PagerContext,
  { Id, StartAddress }: OrganizationRecord,
  contacts: readonly Located[],
): Promise<Places> {
  const positionAt = await loadPositions();
  const centerOf = ({ Zip = '' }: Address): Position | null => positionAt(Zip);
  const start: Address = StartAddress ?? {};
  if (!hasRoads()) return { start: centerOf(start), of: centerOf };
  const sought = [
    { owner: { organization: Id }, of: start },
    ...contacts.filter((contact) => contact.Id).map((contact) => ({ owner: { contact: contact.Id }, of: contact })),
  ].flatMap(({ owner, of }): Sought[] => {
    const address = textOf(of);
    return address === undefined ? [] : [{ owner, address, center: centerOf(of) }];
  });
  const found = await findSought(context, sought);
  const placeOf = (address: Address): Position | null => {
    const text = textOf(address);
    return (text !== undefined && found.get(hashOf(text))) || centerOf(address);
  };
  return { start: placeOf(start), of: placeOf };
}
