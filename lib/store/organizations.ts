import { keyText } from '../domain/key-text.ts';
import { blankOrganization, type OrganizationRecord, type PostalOwner } from '../domain/organizations.ts';
import { nameStarts, nameText, type NamedBy } from '../domain/organizations/names.ts';
import { classesIn, ownerIn, shareOf, type PostalShare } from '../domain/postal-shares.ts';
import type { Change, Item } from './changes.ts';
import type { TableReader } from './client.ts';
import { thingOf } from './entities.ts';
import { layout, type Key } from './layout.ts';
import { Memory } from './memory.ts';
import { readByIds } from './ranges.ts';

/**
 * Where the names by which organizations are found stand: those of one field's words, or whole for the list of all;
 * canceled ones apart, so that a list of the others passes over none.
 */
export const namePartition = (field: NamedBy | 'Name', canceled: boolean): string =>
  canceled ? `Canceled${field}` : field;

/** The entries by which an organization is found, which stand and fall with it, in its own transaction. */
export function nameEntries(account: string, organization: OrganizationRecord): Item[] {
  const { Id, Suspended, PublicName } = organization;
  // A name without letter or digit is found by none, but must be in the list of all.
  const whole = { field: 'Name' as const, text: nameText(PublicName) || keyText(PublicName), shared: -1 };
  return [whole, ...nameStarts(organization)].map(({ field, text, shared }) => ({
    ...layout.organizationName.key({ account, field: namePartition(field, Suspended), name: text, id: Id }),
    Id,
    Shared: shared,
  }));
}

/** The guard of a LocationId, none when there is no LocationId. */
export const locationKeys = (account: string, { LocationID }: OrganizationRecord): Key[] =>
  LocationID ? [layout.organizationLocation.key({ account, location: keyText(LocationID) })] : [];

/**
 * The changes that store an account's first organization. It begins with the account, so that it is no event; the time
 * zone is New York's unless said otherwise.
 */
export function newOrganization(
  account: string,
  given: { Id: number; PublicName: string } & Partial<OrganizationRecord>,
): Change[] {
  const record = { ...blankOrganization(given), V: 1 };
  const beside = [
    ...nameEntries(account, record),
    ...locationKeys(account, record).map((key) => ({ ...key, Id: record.Id })),
  ];
  return [
    { put: { ...layout.organization.key({ account, id: given.Id }), ...record }, if: 'absent' },
    ...beside.map((put): Change => ({ put })),
  ];
}

/** The organization, or `undefined`. */
export async function findOrganization(
  table: TableReader,
  account: string,
  id: number,
): Promise<OrganizationRecord | undefined> {
  const item = await table.get(layout.organization.key({ account, id }));
  return item && thingOf<OrganizationRecord>(item);
}

/**
 * Organizations by id, in the order of the ids; those that do not exist are left out. In a long list some may be a
 * second old.
 */
export const readOrganizations = (
  table: TableReader,
  account: string,
  ids: readonly number[],
): Promise<OrganizationRecord[]> => readByIds(table, ids, (id) => layout.organization.key({ account, id }));

/** The id of the organization that has a LocationId, or `undefined`. */
export const findLocation = async (
  table: TableReader,
  account: string,
  location: string,
): Promise<number | undefined> =>
  (await table.get(layout.organizationLocation.key({ account, location: keyText(location) })))?.['Id'] as
    number | undefined;

/**
 * What is known of a postal code (normalised): its owner, and the accounting classes it is booked under. `undefined`
 * when nothing is.
 */
export async function findPostalOwner(
  table: TableReader,
  account: string,
  code: string,
): Promise<PostalOwner | undefined> {
  const share = (await table.get(layout.postalShare.key({ account, share: shareOf(code) }))) as PostalShare | undefined;
  if (!share) return undefined;
  const owner = { OrganizationId: ownerIn(share, code), Classes: classesIn(share, code) };
  return owner.OrganizationId !== null || owner.Classes.length ? owner : undefined;
}

const organizations = new Memory<OrganizationRecord | undefined>();

/** The organization, up to 30 seconds old: nearly every call asks for its zone and country. */
export const cachedOrganization = (
  table: TableReader,
  account: string,
  id: number,
  now: Date,
): Promise<OrganizationRecord | undefined> =>
  organizations.recall(`${account}#${id}`, now, () => findOrganization(table, account, id));

/** The same of one to which something of the account belongs, so that it is there. */
export async function knownOrganization(
  table: TableReader,
  account: string,
  id: number,
  now: Date,
): Promise<OrganizationRecord> {
  const organization = await cachedOrganization(table, account, id, now);
  if (!organization) throw new TypeError(`account ${account} has no organization ${id}`);
  return organization;
}

/** Has this container look at the organization anew: it is about to change it. */
export const forgetOrganization = (account: string, id: number): void => organizations.forget(`${account}#${id}`);
