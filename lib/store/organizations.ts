import { keyText } from '../domain/key-text.ts';
import { blankOrganization, type OrganizationRecord, type PostalOwner } from '../domain/organizations.ts';
import { nameStarts } from '../domain/organizations/names.ts';
import { classesIn, ownerIn, shareOf, type PostalShare } from '../domain/postal-shares.ts';
import type { Change, Item } from './changes.ts';
import type { TableReader } from './client.ts';
import { thingOf } from './entities.ts';
import { layout, type Key } from './layout.ts';
import { Memory } from './memory.ts';

/** How many organizations' names are found by: entries that stand and fall with the organization, in its own transaction. */
export function nameEntries(account: string, organization: OrganizationRecord): Item[] {
  const { Id, Suspended: Inactive, PublicName } = organization;
  const starts = nameStarts(organization);
  // A name without letter or digit is found by none of them, but must be in the list of all.
  const all = starts.some(({ field }) => field === 'PublicName') ? starts : [{ field: 'PublicName' as const, text: keyText(PublicName), whole: true, shared: -1 }, ...starts];
  return all.map(({ field, text, whole, shared }) => ({
    ...layout.organizationName.key({ account, field, name: text, id: Id }), Id, Inactive, Whole: whole, Shared: shared,
  }));
}

/** The guard of a LocationId, none when there is no LocationId. */
export const locationKeys = (account: string, { LocationID }: OrganizationRecord): Key[] =>
  LocationID ? [layout.organizationLocation.key({ account, location: keyText(LocationID) })] : [];

/** The changes that store an account's first organization. It begins with the account, so that it is no event; the time zone is New York's unless said otherwise. */
export function newOrganization(account: string, given: { Id: number; PublicName: string } & Partial<OrganizationRecord>): Change[] {
  const record = { ...blankOrganization(given), V: 1 };
  const beside = [...nameEntries(account, record), ...locationKeys(account, record).map((key) => ({ ...key, Id: record.Id }))];
  return [{ put: { ...layout.organization.key({ account, id: given.Id }), ...record }, if: 'absent' }, ...beside.map((put): Change => ({ put }))];
}

/** The organization, or `undefined`. */
export async function findOrganization(table: TableReader, account: string, id: number): Promise<OrganizationRecord | undefined> {
  const item = await table.get(layout.organization.key({ account, id }));
  return item && thingOf<OrganizationRecord>(item);
}

/** Organizations by id, in the order of the ids; those that do not exist are left out. */
export async function readOrganizations(table: TableReader, account: string, ids: readonly number[]): Promise<OrganizationRecord[]> {
  const items = await table.getMany(ids.map((id) => layout.organization.key({ account, id })), { consistent: true });
  const byId = new Map(items.map((item) => [item['Id'] as number, thingOf<OrganizationRecord>(item)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The id of the organization that has a LocationId, or `undefined`. */
export const findLocation = async (table: TableReader, account: string, location: string): Promise<number | undefined> =>
  (await table.get(layout.organizationLocation.key({ account, location: keyText(location) })))?.['Id'] as number | undefined;

/** What is known of a postal code (normalised): its owner, and the accounting classes it is booked under. `undefined` when nothing is. */
export async function findPostalOwner(table: TableReader, account: string, code: string): Promise<PostalOwner | undefined> {
  const share = (await table.get(layout.postalShare.key({ account, share: shareOf(code) }))) as PostalShare | undefined;
  if (!share) return undefined;
  const owner = { OrganizationId: ownerIn(share, code), Classes: classesIn(share, code) };
  return owner.OrganizationId !== null || owner.Classes.length ? owner : undefined;
}

const organizations = new Memory<OrganizationRecord | undefined>();

/** The organization, up to 30 seconds old: nearly every call asks for its zone and country. */
export const cachedOrganization = (table: TableReader, account: string, id: number, now: Date): Promise<OrganizationRecord | undefined> =>
  organizations.recall(`${account}#${id}`, now, () => findOrganization(table, account, id));

/** Has this container look at the organization anew: it is about to change it. */
export const forgetOrganization = (account: string, id: number): void => organizations.forget(`${account}#${id}`);
