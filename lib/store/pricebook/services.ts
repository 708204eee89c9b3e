import { type ServiceRecord, serviceEntity, serviceEntryEntity } from '../../entities/services.ts';
import { idOf, listDisplayed, listRange, versionedChange } from '../dynamodb/records.ts';
import { fold } from '../../shared/text/text.ts';
import { CachedValues } from '../dynamodb/cached-values.ts';
import { type CallerScope, type StoreAccount, type StoreReader, accountStore, organizationStore } from '../store.ts';
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
export async function findService(store: StoreReader, id: number): Promise<ServiceRecord | undefined> {
  const { table } = store;
  const item = await table.get(layout.service.key({ account: store.account, id }));
  const service = item && serviceEntity.read(item);
  return service && isVisible(store, service) ? service : undefined;
}

/** Services in the order of `ids`, without those that do not exist for the caller. One request for up to 100. */
export async function findServices(store: StoreReader, ids: readonly number[]): Promise<ServiceRecord[]> {
  const { table } = store;
  const unique = [...new Set(ids)];
  const keys = unique.map((id) => layout.service.key({ account: store.account, id }));
  const items = keys.length ? await table.getMany(keys) : [];
  const byId = new Map(items.map((item) => [idOf(item), serviceEntity.read(item)]));
  return unique.flatMap((id) => byId.get(id) ?? []).filter((service) => isVisible(store, service));
}

/**
 * The service with a name, ignoring case and accents: the organization's own before one that every organization has.
 * Two rounds.
 */
export async function findServiceByName(store: StoreReader, name: string): Promise<ServiceRecord | undefined> {
  const folded = fold(name.trim());
  if (!folded) return undefined;
  const ids = (await findNameEntries(store, folded)).map(idOf);
  const services = await findServices(store, ids);
  const rank = ({ OrganizationId }: ServiceRecord) =>
    OrganizationId === store.organizationId ? 0 : OrganizationId === null ? 1 : 2;
  return services.sort((a, b) => rank(a) - rank(b) || a.Id - b.Id)[0];
}

/** Maximum number of organizations whose services with the same name a key of the account distinguishes. */
const MAX_OWNERS = 100;

/** The entries of a name that the caller may mean: its own and the one for all, otherwise the first organizations'. */
async function findNameEntries(
  { organizationId, table, account }: StoreReader,
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

function ownerRange({ account }: StoreAccount, shard: number, organization: number): Range {
  const { PK: partition, SK: from } = layout.serviceEntry.key({ account, shard, organization, id: 0 });
  return { partition, from, to: layout.serviceEntry.key({ account, shard, organization, id: 2 ** 31 - 1 }).SK };
}

const visibleRanges = ({ account, organizationId }: CallerScope): Range[] =>
  shards.flatMap((shard) =>
    organizationId === null
      ? [{ partition: layout.serviceEntry.of({ account, shard }) }]
      : [EVERY, organizationId].map((organization) => ownerRange({ account }, shard, organization)),
  );

/** All current services that exist for the caller, by id: one round for an organization. */
export const listServices = (store: StoreReader): Promise<ServiceRecord[]> =>
  listRanges(store.table, visibleRanges(store));

/** The same for display: a change shows within a second. Throws ListTooLarge. */
export const listDisplayedServices = async (store: StoreReader): Promise<ServiceRecord[]> =>
  store.organizationId === null
    ? toServices(await listDisplayed(store.table, visibleRanges(store)))
    : listRanges(store.table, visibleRanges(store), { consistent: false });

/** The services that belong to one organization alone, by id. One round. */
export const listOwnServices = (store: StoreReader, organizationId: number): Promise<ServiceRecord[]> =>
  listRanges(
    store.table,
    shards.map((shard) => ownerRange(store, shard, organizationId)),
  );

/**
 * A service of another organization by id, otherwise by name, for a key of the account that names it where it does not
 * belong. Up to three rounds.
 */
export const findServiceSomewhere = (
  { table, account }: StoreReader,
  selector: ServiceSelector,
): Promise<ServiceRecord | undefined> => selectService(accountStore(table, account), selector);

/** Maximum number of services in each range that suggestions are made from. */
const MAX_SUGGESTED = 50;

/** The names of the active services of an organization, or the first ones of many: candidates for a misspelled name. */
export async function listServiceNames(store: StoreReader, organizationId: number): Promise<string[]> {
  const { table } = store;
  const ranges = shards.flatMap((shard) =>
    [EVERY, organizationId].map((organization) => ownerRange(store, shard, organization)),
  );
  const pages = await Promise.all(
    ranges.map((range) => table.query({ ...range, limit: MAX_SUGGESTED, consistent: false })),
  );
  const services = pages.flatMap(({ items }) => items.map((item) => serviceEntryEntity.read(item).Service));
  return services.filter(({ Active }) => Active).map(({ Name }) => Name);
}

/** Stores a service: itself, its copy in the list, and its name if that is new. */
export function serviceChanges(
  { account }: StoreAccount,
  before: ServiceRecord | undefined,
  after: ServiceRecord,
): Change[] {
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

/** By name it takes two rounds. */
const selectService = (store: StoreReader, { id, name }: ServiceSelector): Promise<ServiceRecord | undefined> =>
  id ? findService(store, id) : findServiceByName(store, name ?? '');

interface SelectedService {
  readonly organizationId: number;
  readonly selector: ServiceSelector;
}

const services = new CachedValues<SelectedService, ServiceRecord | undefined>({
  name: ({ organizationId, selector: { id, name } }) =>
    `${organizationId}#${id ? `id ${id}` : `name ${fold((name ?? '').trim())}`}`,
  isConfigured: true,
  read: (store, { organizationId, selector }) => selectService(organizationStore(store, organizationId), selector),
});

/** An organization's service by id, otherwise by name. */
export const findSelectedService = (
  store: StoreReader,
  organizationId: number,
  selector: ServiceSelector,
): Promise<ServiceRecord | undefined> => services.read(store, { organizationId, selector });
