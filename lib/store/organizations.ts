import {
  type NamedBy,
  type OrganizationRecord,
  blankOrganization,
  namePrefixes,
  normalizeName,
  nameStartsWith,
} from '../domain/organizations.ts';
import { type PostalOwner, type PostalShard, findClasses, findOwner, shardOfCode } from '../domain/postal-ownership.ts';
import type { Forecast } from '../resources/settings.ts';
import { toKeyText } from '../shared/text.ts';
import { TtlCache } from '../shared/ttl-cache.ts';
import type { CallerScope } from './caller.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import type { Range, TablePager, TableReader } from './dynamodb/client.ts';
import { paginateUncounted } from './dynamodb/pagination.ts';
import { findByIds, listRange, toRecord } from './dynamodb/records.ts';
import { type Key, layout } from './keys.ts';

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
  const whole = { field: 'Name' as const, text: normalizeName(PublicName) || toKeyText(PublicName), shared: -1 };
  return [whole, ...namePrefixes(organization)].map(({ field, text, shared }) => ({
    ...layout.organizationName.key({ account, field: namePartition(field, Suspended), name: text, id: Id }),
    Id,
    Shared: shared,
  }));
}

/** The guard of a LocationId, none when there is no LocationId. */
export const locationKeys = (account: string, { LocationID }: OrganizationRecord): Key[] =>
  LocationID ? [layout.organizationLocation.key({ account, location: toKeyText(LocationID) })] : [];

/**
 * The changes that store an account's first organization. It begins with the account, so that it is no event; the time
 * zone is New York's unless said otherwise.
 */
export function newOrganizationChanges(
  account: string,
  input: { Id: number; PublicName: string } & Partial<OrganizationRecord>,
): Change[] {
  const record = { ...blankOrganization(input), V: 1 };
  const beside = [
    ...nameEntries(account, record),
    ...locationKeys(account, record).map((key) => ({ ...key, Id: record.Id })),
  ];
  return [
    { put: { ...layout.organization.key({ account, id: input.Id }), ...record }, if: 'absent' },
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
  return item && toRecord<OrganizationRecord>(item);
}

/**
 * Organizations by id, in the order of the ids; those that do not exist are left out. In a long list some may be a
 * second old.
 */
export const findOrganizations = (
  table: TableReader,
  account: string,
  ids: readonly number[],
): Promise<OrganizationRecord[]> => findByIds(table, ids, (id) => layout.organization.key({ account, id }));

/** The id of the organization that has a LocationId, or `undefined`. */
export const findLocation = async (
  table: TableReader,
  account: string,
  location: string,
): Promise<number | undefined> =>
  (await table.get(layout.organizationLocation.key({ account, location: toKeyText(location) })))?.['Id'] as
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
  const share = (await table.get(layout.postalShare.key({ account, share: shardOfCode(code) }))) as
    PostalShard | undefined;
  if (!share) return undefined;
  const owner = { OrganizationId: findOwner(share, code), Classes: findClasses(share, code) };
  return owner.OrganizationId !== null || owner.Classes.length ? owner : undefined;
}

const organizations = new TtlCache<OrganizationRecord | undefined>();

/** The organization, up to 30 seconds old: nearly every call asks for its zone and country. */
export const findRecentOrganization = (
  table: TableReader,
  account: string,
  id: number,
  now: Date,
): Promise<OrganizationRecord | undefined> =>
  organizations.recall(`${account}#${id}`, now, () => findOrganization(table, account, id));

/** The same of one to which something of the account belongs, so that it is there. */
export async function getRecentOrganization(
  table: TableReader,
  account: string,
  id: number,
  now: Date,
): Promise<OrganizationRecord> {
  const organization = await findRecentOrganization(table, account, id, now);
  if (!organization) throw new TypeError(`account ${account} has no organization ${id}`);
  return organization;
}

/** Has this container look at the organization anew: it is about to change it. */
export const forgetOrganization = (account: string, id: number): void => organizations.forget(`${account}#${id}`);

/**
 * What to look for; every criterion given must hold. Names are as `nameText` gives them, the postal code is normalised.
 */
export interface OrganizationCriteria {
  readonly publicName: string | undefined;
  readonly internalName: string | undefined;
  readonly locationId: string | undefined;
  readonly postalCode: string | undefined;
  /** Canceled ones too. */
  readonly includeInactive: boolean;
}

const meets = (
  organization: OrganizationRecord,
  { publicName, internalName, locationId, postalCode, includeInactive }: OrganizationCriteria,
): boolean =>
  (includeInactive || !organization.Suspended) &&
  (publicName === undefined || nameStartsWith(organization, 'PublicName', publicName)) &&
  (internalName === undefined || nameStartsWith(organization, 'InternalName', internalName)) &&
  (locationId === undefined || toKeyText(organization.LocationID) === toKeyText(locationId)) &&
  (postalCode === undefined || organization.PostalCodes.split(',').includes(postalCode));

/**
 * The one organization that the criteria leave: that of a LocationId or of a postal code; `null` when there is none.
 */
async function onlyOne(
  table: TableReader,
  account: string,
  { locationId, postalCode }: OrganizationCriteria,
): Promise<OrganizationRecord | null | undefined> {
  if (locationId === undefined && postalCode === undefined) return undefined;
  const id =
    locationId === undefined
      ? (await findPostalOwner(table, account, postalCode ?? ''))?.OrganizationId
      : await findLocation(table, account, locationId);
  return id == null ? null : ((await findOrganization(table, account, id)) ?? null);
}

function rangesOf(
  account: string,
  field: NamedBy | 'Name',
  { text, includeInactive }: { text: string | undefined; includeInactive: boolean },
): Range[] {
  const words = text === undefined ? {} : { from: text, to: `${text}\u{10FFFF}` };
  return [false, ...(includeInactive ? [true] : [])].map((canceled) => {
    const partition = layout.organizationName.of({ account, field: namePartition(field, canceled) });
    return { partition, ...words, consistent: true };
  });
}

/**
 * The organizations that meet the criteria, `take` of them from the `skip`-th on: by name, or where a name is looked
 * for by the name from the word on that begins as asked. Only index entries are passed over.
 */
export async function searchOrganizations(
  table: TablePager,
  { accountId, organizationId }: CallerScope,
  criteria: OrganizationCriteria,
  { skip, take }: { skip: number; take: number },
): Promise<OrganizationRecord[]> {
  const one =
    organizationId === null
      ? await onlyOne(table, accountId, criteria)
      : ((await findOrganization(table, accountId, organizationId)) ?? null);
  if (one !== undefined) return one && meets(one, criteria) ? [one].slice(skip) : [];
  const { publicName, internalName, includeInactive } = criteria;
  const text = publicName ?? internalName;
  const field = publicName !== undefined ? 'PublicName' : internalName !== undefined ? 'InternalName' : 'Name';
  return paginateUncounted(table, {
    account: accountId,
    ranges: rangesOf(accountId, field, { text, includeInactive }),
    query: JSON.stringify(['organizations', criteria]),
    skip,
    take,
    exact: publicName === undefined || internalName === undefined,
    includes: ({ Shared }) => (text ?? '').length > (Shared as number),
    read: async (ids) =>
      (await findOrganizations(table, accountId, ids)).filter((organization) => meets(organization, criteria)),
  });
}

/** The forecasts of an organization, by month, and the version that a change needs; 0 when there are none. */
export interface OrganizationForecasts {
  readonly OrganizationId: number;
  readonly Forecasts: readonly Forecast[];
  readonly V: number;
}

const forecastsOf = (item: Record<string, unknown>): OrganizationForecasts => ({
  OrganizationId: item['OrganizationId'] as number,
  Forecasts: item['Forecasts'] as Forecast[],
  V: item['V'] as number,
});

/** The forecasts of one organization. */
export async function findForecasts(
  table: TableReader,
  account: string,
  organization: number,
): Promise<OrganizationForecasts> {
  const item = await table.get(layout.forecast.key({ account, organization }));
  return item ? forecastsOf(item) : { OrganizationId: organization, Forecasts: [], V: 0 };
}

/** The change that stores an organization's forecasts, where they still are what was read. */
export const forecastChange = (
  account: string,
  { OrganizationId, V }: OrganizationForecasts,
  Forecasts: readonly Forecast[],
): Change => ({
  put: { ...layout.forecast.key({ account, organization: OrganizationId }), OrganizationId, Forecasts, V: V + 1 },
  if: V ? { equals: { V } } : 'absent',
});

/** All organizations of the account, by id. */
export const listOrganizations = async (table: TableReader, account: string): Promise<OrganizationRecord[]> =>
  (await listRange(table, { partition: layout.organization.of({ account }), consistent: true })).map((item) =>
    toRecord<OrganizationRecord>(item),
  );
