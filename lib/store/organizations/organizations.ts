import {
  type OrganizationForecasts,
  type OrganizationRecord,
  forecastsEntity,
  organizationEntity,
  organizationNameEntity,
} from '../../entities/organizations.ts';
import { findByIds, findMatching, idOf, listRange, versionedChange } from '../dynamodb/records.ts';
import { postalShareEntity } from '../../entities/postal-codes.ts';
import {
  type NameField,
  blankOrganization,
  namePrefixes,
  nameStartsWith,
  normalizeName,
} from '../../domain/organizations.ts';
import {
  type PostalOwner,
  emptyShard,
  entriesFor,
  findClasses,
  findOwner,
  servesCode,
  shardOfCode,
} from '../../domain/postal-ownership.ts';
import type { Forecast } from '../../resources/organization-lists.ts';
import { isEqual } from '../../shared/objects.ts';
import { toKeyText } from '../../shared/text/text.ts';
import type { StoreAccount, StorePager, StoreReader, StoreWriter } from '../store.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import type { Range, TableReader } from '../dynamodb/table.ts';
import type { FoundEntries, PageRecords } from '../dynamodb/lists/lists.ts';
import { readOrderedPage } from '../dynamodb/lists/pagination.ts';
import { type Key, layout, keyText, toKey } from '../keys.ts';
import { InternalError } from '../../shared/failure.ts';
import { CachedValues } from '../dynamodb/cached-values.ts';

type NameIndex = NameField | 'Name';

/**
 * The index of all organizations (`Name`) or of a name field. Canceled ones have their own, so that lists need not skip
 * any.
 */
const namePartition = (field: NameIndex, canceled: boolean): string => (canceled ? `Canceled${field}` : field);

/** The index entries that find an organization, written in its own transaction. */
function nameEntries({ account }: StoreAccount, organization: OrganizationRecord): Item[] {
  const { Id, Suspended, PublicName } = organization;
  // No search finds a name without letters or digits, but the list of all must contain it.
  const whole = { field: 'Name' as const, text: normalizeName(PublicName) || toKeyText(PublicName), shared: -1 };
  return [whole, ...namePrefixes(organization)].map(({ field, text, shared }) => ({
    ...layout.organizationName.key({ account, field: namePartition(field, Suspended), name: text, id: Id }),
    Id,
    Shared: shared,
  }));
}

/** The guard of a LocationId; none without LocationId. */
const locationKeys = ({ account }: StoreAccount, { LocationID }: OrganizationRecord): Key[] =>
  LocationID ? [layout.organizationLocation.key({ account, location: toKeyText(LocationID) })] : [];

/** Stores an account's first organization, which starts with the account and causes no event. */
export function newOrganizationChanges(
  store: StoreAccount,
  input: { Id: number; PublicName: string } & Partial<OrganizationRecord>,
): Change[] {
  const { account } = store;
  const record = { ...blankOrganization(input), V: 1 };
  const guards = locationKeys(store, record).map((key) => ({ ...key, Id: record.Id }));
  return [
    { put: { ...layout.organization.key({ account, id: input.Id }), ...record }, if: 'absent' },
    ...[...nameEntries(store, record), ...guards].map((put): Change => ({ put })),
  ];
}

/** Puts index entries that are new or different, and removes those that are gone. */
function entryChanges(before: readonly Item[], after: readonly Item[]): Change[] {
  const previous = new Map(before.map((item) => [keyText(item), item]));
  const next = new Set(after.map(keyText));
  return [
    ...after.filter((item) => !isEqual(previous.get(keyText(item)), item)).map((put): Change => ({ put })),
    ...before.filter((item) => !next.has(keyText(item))).map((item): Change => ({ remove: toKey(item) })),
  ];
}

/** Stores an organization with its index entries and the guard of its LocationId; not its postal codes and people. */
export function organizationChanges(
  store: StoreAccount,
  before: OrganizationRecord | undefined,
  after: OrganizationRecord,
): { record: OrganizationRecord; changes: Change[] } {
  const { account } = store;
  const key = layout.organization.key({ account, id: after.Id });
  const { record, change } = versionedChange(organizationEntity, key, { before, after });
  const [oldLocation] = before ? locationKeys(store, before) : [];
  const [location] = locationKeys(store, after);
  const relocated = oldLocation?.PK !== location?.PK;
  const guards: Change[] = [
    ...(relocated && location ? [{ put: { ...location, Id: after.Id }, if: 'absent' } as const] : []),
    ...(relocated && oldLocation ? [{ remove: oldLocation, if: { equals: { Id: after.Id } } }] : []),
  ];
  const entries = entryChanges(before ? nameEntries(store, before) : [], nameEntries(store, after));
  return { record, changes: [change, ...guards, ...entries] };
}

/** Organizations in the order of `ids`, without those that do not exist. In a long list some may be a second old. */
export const findOrganizations = (
  { table, account }: StoreReader,
  ids: readonly number[],
  options: { readonly consistent?: boolean } = {},
): Promise<OrganizationRecord[]> =>
  findByIds(table, organizationEntity, ids, (id) => layout.organization.key({ account, id }), options);

/** The id of the organization that has a LocationId. */
export const findLocation = async ({ table, account }: StoreReader, location: string): Promise<number | undefined> => {
  const entry = await table.get(layout.organizationLocation.key({ account, location: toKeyText(location) }));
  return entry && idOf(entry);
};

/** Maximum number of organizations that one search for a name reads: 100 read units. */
const MAX_NAMES = 200;

/** The LocationIds of the account's first organizations. */
export async function listLocationIds({ account, table }: StoreReader): Promise<string[]> {
  const partition = layout.organization.of({ account });
  const { items } = await table.query({ partition, consistent: false, limit: MAX_NAMES });
  return items.flatMap((item) => organizationEntity.read(item).LocationID || []);
}

/**
 * Owner and accounting classes of a normalized postal code; `undefined` if it has neither. If one organization lists
 * the code and another lists its beginning, the former owns it.
 */
export async function findPostalOwner({ table, account }: StoreReader, code: string): Promise<PostalOwner | undefined> {
  const found = await Promise.all(
    entriesFor(code).map(async (entry) => {
      const item = await table.get(layout.postalShare.key({ account, share: shardOfCode(entry) }));
      const shard = item ? postalShareEntity.read(item) : emptyShard;
      return { owner: findOwner(shard, entry), classes: findClasses(shard, entry) };
    }),
  );
  const OrganizationId = found.find(({ owner }) => owner !== null)?.owner ?? null;
  const byOrganization = Map.groupBy(
    found.flatMap(({ classes }) => classes),
    (each) => each.OrganizationId,
  );
  const Classes = [...byOrganization.values()].flatMap(([longest]) => longest ?? []);
  return OrganizationId !== null || Classes.length ? { OrganizationId, Classes } : undefined;
}

/** All given criteria must hold. Names are as normalizeName returns them; the postal code is normalized. */
export interface OrganizationCriteria {
  readonly publicName: string | undefined;
  readonly internalName: string | undefined;
  readonly locationId: string | undefined;
  readonly postalCode: string | undefined;
  /** Includes canceled organizations. */
  readonly includeInactive: boolean;
}

const matches = (
  organization: OrganizationRecord,
  { publicName, internalName, locationId, postalCode, includeInactive }: OrganizationCriteria,
): boolean =>
  (includeInactive || !organization.Suspended) &&
  (publicName === undefined || nameStartsWith(organization, 'PublicName', publicName)) &&
  (internalName === undefined || nameStartsWith(organization, 'InternalName', internalName)) &&
  (locationId === undefined || toKeyText(organization.LocationID) === toKeyText(locationId)) &&
  (postalCode === undefined || servesCode(organization.PostalCodes.split(','), postalCode));

/** The id of the only organization that can match: the caller's, or that of the LocationId or postal code. */
async function findOnlyCandidate(
  store: StoreReader,
  { locationId, postalCode }: OrganizationCriteria,
): Promise<{ readonly id: number | null | undefined } | undefined> {
  const { organizationId } = store;
  if (organizationId !== null) return { id: organizationId };
  if (locationId !== undefined) return { id: await findLocation(store, locationId) };
  if (postalCode === undefined) return undefined;
  return { id: (await findPostalOwner(store, postalCode))?.OrganizationId };
}

/**
 * The matching organizations, `take` of them from the `skip`-th on, by name. With a name criterion they are ordered by
 * the name from the matching word on. Only index entries are skipped.
 */
export async function searchOrganizations(
  store: StorePager,
  criteria: OrganizationCriteria,
  { skip, take }: { skip: number; take: number },
): Promise<PageRecords<OrganizationRecord>> {
  const { table } = store;
  const { account } = store;
  const candidate = await findOnlyCandidate(store, criteria);
  if (candidate) {
    const only = candidate.id == null ? undefined : await findOrganization(store, candidate.id);
    const records = only && matches(only, criteria) ? [only].slice(skip) : [];
    return { records, hasMore: false };
  }
  const { publicName, internalName, includeInactive } = criteria;
  const text = publicName ?? internalName;
  const field = publicName !== undefined ? 'PublicName' : internalName !== undefined ? 'InternalName' : 'Name';
  const bounds = text === undefined ? {} : { from: text, to: `${text}\u{10FFFF}` };
  const ranges = (includeInactive ? [false, true] : [false]).map((canceled): Range => {
    const partition = layout.organizationName.of({ account, field: namePartition(field, canceled) });
    return { partition, ...bounds, consistent: true };
  });
  const isFound = (item: Item) => (text ?? '').length > organizationNameEntity.read(item).Shared;
  return readOrderedPage(table, {
    account,
    reader: store.reader,
    query: JSON.stringify(['organizations', criteria]),
    skip,
    take,
    find: (after, count) => findNameEntries(table, { ranges, isFound }, { after, count }),
    isCompared: publicName !== undefined && internalName !== undefined,
    read: (ids, isCompared) =>
      findMatching(ids, {
        read: (some, consistent) => findOrganizations(store, some, { consistent }),
        matches: (organization) => matches(organization, criteria),
        isConsistent: isCompared || ids.length <= FEW,
      }),
  });
}

/** Up to this many are read consistently; with more, some are a second old at first, at half the price. */
const FEW = 10;

/** Entries in one request. */
const MAX_NAME_ENTRIES = 5_000;

/** About `count` entries of names after an order key, in the order of the names. */
async function findNameEntries(
  table: TableReader,
  { ranges, isFound }: { readonly ranges: readonly Range[]; readonly isFound: (entry: Item) => boolean },
  { after, count }: { readonly after: string | undefined; readonly count: number },
): Promise<FoundEntries> {
  // A name has an entry for each of its words, of which one counts; the entry of the order key is read again.
  const limit = Math.min(2 * count, MAX_NAME_ENTRIES) + 1;
  const pages = await Promise.all(
    ranges.map((range) => table.query({ ...range, ...(after === undefined ? {} : { from: after }), limit })),
  );
  const [through] = pages.flatMap(({ items, next }) => (next === undefined ? [] : (items.at(-1)?.SK ?? []))).sort();
  const read = pages.flatMap(({ items }) => items);
  const entries = read
    .filter((entry) => isFound(entry) && entry.SK !== after && (through === undefined || entry.SK <= through))
    .map((item) => ({ id: idOf(item), orderKey: item.SK }))
    .sort((one, other) => (one.orderKey < other.orderKey ? -1 : 1));
  return { entries, through, read: read.length };
}

/** All organizations of the account, by id. */
export const listOrganizations = async ({ table, account }: StoreReader): Promise<OrganizationRecord[]> =>
  (await listRange(table, { partition: layout.organization.of({ account }), consistent: true })).map((item) =>
    organizationEntity.read(item),
  );

/** An organization's forecasts by month. V is 0 if nothing is stored. */
export async function findForecasts(
  { table, account }: StoreReader,
  organizationId: number,
): Promise<OrganizationForecasts> {
  const item = await table.get(layout.forecast.key({ account, organization: organizationId }));
  return item ? forecastsEntity.read(item) : forecastsEntity.blank({ OrganizationId: organizationId });
}

/** The forecasts of organizations by their ids, without organizations that have none. */
export async function findForecastsOf(
  { account, table }: StoreReader,
  organizationIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Forecast[]>> {
  if (!organizationIds.length) return new Map();
  const keys = organizationIds.map((organization) => layout.forecast.key({ account, organization }));
  const items = await table.getMany(keys, { consistent: false });
  return new Map(items.map(forecastsEntity.read).map(({ OrganizationId, Forecasts }) => [OrganizationId, Forecasts]));
}

/** Stores an organization's forecasts if nobody has changed them since `before` was read. */
export const forecastChange = (
  { account }: StoreAccount,
  before: OrganizationForecasts,
  Forecasts: readonly Forecast[],
): Change => ({
  put: {
    ...layout.forecast.key({ account, organization: before.OrganizationId }),
    ...before,
    Forecasts,
    V: before.V + 1,
  },
  if: before.V ? { equals: { V: before.V } } : 'absent',
});

/**
 * Suspends an organization for the operator, or ends the suspension; a canceled one is reopened by its owner. Safe to
 * repeat: the version that was read must still be the current one.
 */
export async function writeOrganizationSuspension(
  store: StoreWriter,
  id: number,
  isSuspended: boolean,
): Promise<'written' | 'absent' | 'canceled'> {
  const { table } = store;
  const before = await findOrganization(store, id);
  if (!before) return 'absent';
  if (before.CancelDate !== null) return 'canceled';
  if (before.Suspended !== isSuspended)
    await table.commit(organizationChanges(store, before, { ...before, Suspended: isSuspended }).changes);
  return 'written';
}

export async function findOrganization(
  { table, account }: StoreReader,
  id: number,
  options?: { readonly consistent: boolean },
): Promise<OrganizationRecord | undefined> {
  const item = await table.get(layout.organization.key({ account, id }), options);
  return item && organizationEntity.read(item);
}

const organizations = new CachedValues<number, OrganizationRecord | undefined>({
  name: String,
  isConfigured: true,
  read: findOrganization,
});

/** The organization, whose zone and country nearly every call needs. */
export const findRecentOrganization = (store: StoreReader, id: number): Promise<OrganizationRecord | undefined> =>
  organizations.read(store, id);

/** The organization of a record, which therefore exists. */
export async function getOrganization(store: StoreReader, id: number): Promise<OrganizationRecord> {
  const organization = await organizations.read(store, id);
  if (!organization) throw new InternalError(`account ${store.account} has no organization ${id}`);
  return organization;
}
