import { type ServiceRecord, serviceEntity, serviceEntryEntity } from '../../entities/services.ts';
import { idOf, listDisplayed, listRange, versionedChange } from '../dynamodb/records.ts';
import { fold } from '../../shared/text/text.ts';
import { CachedValues } from '../dynamodb/cached-values.ts';
import type { CallerScope } from '../requests/caller.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import type { Range, TableReader } from '../dynamodb/table.ts';
import { layout } from '../keys.ts';

const SHARDS = 4;
const shards = Array.from({ length: SHARDS }, (_, shard) => shard);

/** The organization id in the keys of services that every organization has. */
const EVERY = 0;

/** A caller of one organization sees its own services and those that every organization has. */
const isVisible = ({ organizationId }: CallerScope, { OrganizationId }: ServiceRecord): boolean =>
  organizationId === null || OrganizationId === null || OrganizationId === organizationId;

/** The service, if it exists for the caller. */
export async function findService(
  table: TableReader,
  scope: CallerScope,
  id: number,
): Promise<ServiceRecord | undefined> {
  const item = await table.get(layout.service.key({ account: scope.accountId, id }));
  const service = item && serviceEntity.read(item);
  return service && isVisible(scope, service) ? service : undefined;
}

/** Services in the order of `ids`, as far as they exist for the caller. One request for up to 100. */
export async function findServices(
  table: TableReader,
  scope: CallerScope,
  ids: readonly number[],
): Promise<ServiceRecord[]> {
  const unique = [...new Set(ids)];
  const keys = unique.map((id) => layout.service.key({ account: scope.accountId, id }));
  const items = keys.length ? await table.getMany(keys) : [];
  const byId = new Map(items.map((item) => [idOf(item), serviceEntity.read(item)]));
  return unique.flatMap((id) => byId.get(id) ?? []).filter((service) => isVisible(scope, service));
}

/**
 * The service of a name, ignoring case and accents: the organization's own before one that every organization has. Two
 * rounds.
 */
export async function findServiceByName(
  table: TableReader,
  scope: CallerScope,
  name: string,
): Promise<ServiceRecord | undefined> {
  const folded = fold(name.trim());
  if (!folded) return undefined;
  const ids = (await findNameEntries(table, scope, folded)).map(idOf);
  const services = await findServices(table, scope, ids);
  const rank = ({ OrganizationId }: ServiceRecord) =>
    OrganizationId === scope.organizationId ? 0 : OrganizationId === null ? 1 : 2;
  return services.sort((a, b) => rank(a) - rank(b) || a.Id - b.Id)[0];
}

/** Organizations whose services of one name a key of the account tells apart. */
const MAX_OWNERS = 100;

/** The entries of a name that the caller may mean: its own and that of all, else the first organizations'. */
async function findNameEntries(
  table: TableReader,
  { accountId: account, organizationId }: CallerScope,
  name: string,
): Promise<readonly Item[]> {
  const { key, of } = layout.serviceName;
  if (organizationId !== null)
    return table.getMany([EVERY, organizationId].map((organization) => key({ account, name, organization })));
  return (await table.query({ partition: of({ account, name }), limit: MAX_OWNERS, consistent: true })).items;
}

const toServices = (items: readonly Item[]): ServiceRecord[] =>
  items.map((item) => serviceEntryEntity.read(item).Service).sort((a, b) => a.Id - b.Id);

const listRanges = async (
  table: TableReader,
  ranges: readonly Range[],
  { consistent = true } = {},
): Promise<ServiceRecord[]> =>
  toServices((await Promise.all(ranges.map((range) => listRange(table, { ...range, consistent })))).flat());

function ownerRange(account: string, shard: number, organization: number): Range {
  const { PK: partition, SK: from } = layout.serviceEntry.key({ account, shard, organization, id: 0 });
  return { partition, from, to: layout.serviceEntry.key({ account, shard, organization, id: 2 ** 31 - 1 }).SK };
}

const visibleRanges = ({ accountId: account, organizationId }: CallerScope): Range[] =>
  shards.flatMap((shard) =>
    organizationId === null
      ? [{ partition: layout.serviceEntry.of({ account, shard }) }]
      : [EVERY, organizationId].map((organization) => ownerRange(account, shard, organization)),
  );

/** All services that exist for the caller, by id, as they are now: one round for an organization. */
export const listServices = (table: TableReader, scope: CallerScope): Promise<ServiceRecord[]> =>
  listRanges(table, visibleRanges(scope));

/** The same for display: a change shows within a second. Throws ListTooLarge. */
export const listDisplayedServices = async (table: TableReader, scope: CallerScope): Promise<ServiceRecord[]> =>
  scope.organizationId === null
    ? toServices(await listDisplayed(table, visibleRanges(scope)))
    : listRanges(table, visibleRanges(scope), { consistent: false });

/** The services that belong to one organization alone, by id. One round. */
export const listOwnServices = (
  table: TableReader,
  account: string,
  organizationId: number,
): Promise<ServiceRecord[]> =>
  listRanges(
    table,
    shards.map((shard) => ownerRange(account, shard, organizationId)),
  );

/**
 * A service of another organization by id, else by name, for a key of the account that names it where it does not
 * belong. Up to three rounds.
 */
export const findServiceSomewhere = (
  table: TableReader,
  accountId: string,
  selector: ServiceSelector,
): Promise<ServiceRecord | undefined> => selectService(table, { accountId, organizationId: null }, selector);

/** Services of each range of which a suggestion is made. */
const MAX_SUGGESTED = 50;

/** The names of the active services of an organization, of many the first ones: what a misspelt name may mean. */
export async function listServiceNames(table: TableReader, account: string, organizationId: number): Promise<string[]> {
  const ranges = shards.flatMap((shard) =>
    [EVERY, organizationId].map((organization) => ownerRange(account, shard, organization)),
  );
  const pages = await Promise.all(
    ranges.map((range) => table.query({ ...range, limit: MAX_SUGGESTED, consistent: false })),
  );
  const services = pages.flatMap(({ items }) => items.map((item) => serviceEntryEntity.read(item).Service));
  return services.filter(({ Active }) => Active).map(({ Name }) => Name);
}

/** Stores a service: itself, its copy in the list, and its name where that is new. */
export function serviceChanges(account: string, before: ServiceRecord | undefined, after: ServiceRecord): Change[] {
  const id = after.Id;
  const organization = after.OrganizationId ?? EVERY;
  const { record, change } = versionedChange(serviceEntity, layout.service.key({ account, id }), { before, after });
  const nameKey = ({ Name }: ServiceRecord) => layout.serviceName.key({ account, name: fold(Name), organization });
  const renamed = !before || fold(before.Name) !== fold(after.Name);
  return [
    change,
    { put: { ...layout.serviceEntry.key({ account, shard: id % SHARDS, organization, id }), Service: record } },
    ...(renamed ? [{ put: { ...nameKey(after), Id: id } }] : []),
    ...(renamed && before ? [{ remove: nameKey(before) }] : []),
  ];
}

/** How a request names a service. */
export interface ServiceSelector {
  readonly id?: number | null | undefined;
  readonly name?: string | null | undefined;
}

/** By name two rounds. */
const selectService = (
  table: TableReader,
  scope: CallerScope,
  { id, name }: ServiceSelector,
): Promise<ServiceRecord | undefined> =>
  id ? findService(table, scope, id) : findServiceByName(table, scope, name ?? '');

interface SelectedService {
  readonly scope: { readonly accountId: string; readonly organizationId: number };
  readonly selector: ServiceSelector;
}

const services = new CachedValues<SelectedService, ServiceRecord | undefined>({
  name: ({ scope: { accountId, organizationId }, selector: { id, name } }) =>
    `${accountId}#${organizationId}#${id ? `id ${id}` : `name ${fold((name ?? '').trim())}`}`,
  account: ({ scope }) => scope.accountId,
  read: (table, { scope, selector }) => selectService(table, scope, selector),
});

/** An organization's service by id, else by name. */
export const findSelectedService = (
  table: TableReader,
  selected: SelectedService,
): Promise<ServiceRecord | undefined> => services.read(table, selected);
