import type { ServiceRecord } from '../domain/pricebook/record.ts';
import { fold } from '../shared/text.ts';
import { TtlCache } from '../shared/ttl-cache.ts';
import type { CallerScope } from './caller.ts';
import type { Change } from './dynamodb/changes.ts';
import type { Range, TableReader } from './dynamodb/client.ts';
import { listRange, toRecord, versionedChange } from './dynamodb/records.ts';
import { layout } from './keys.ts';

const SHARDS = 4;
const shards = Array.from({ length: SHARDS }, (_, shard) => shard);

/** Stands in keys for "every organization". */
const EVERY = 0;

const ownerOf = ({ OrganizationId }: Pick<ServiceRecord, 'OrganizationId'>): number => OrganizationId ?? EVERY;

/** Those that every organization has and, of one organization's or (`null`) all, their own. */
const sees = ({ organizationId }: CallerScope, { OrganizationId }: ServiceRecord): boolean =>
  organizationId === null || OrganizationId === null || OrganizationId === organizationId;

/** The service, where it exists for the viewer. One request. */
export async function findService(
  table: TableReader,
  scope: CallerScope,
  id: number,
): Promise<ServiceRecord | undefined> {
  const item = await table.get(layout.service.key({ account: scope.accountId, id }));
  const service = item && toRecord<ServiceRecord>(item);
  return service && sees(scope, service) ? service : undefined;
}

/** The services of ids, in their order, as far as they exist for the viewer. One request for up to 100. */
export async function findServices(
  table: TableReader,
  scope: CallerScope,
  ids: readonly number[],
): Promise<ServiceRecord[]> {
  const unique = [...new Set(ids)];
  const items = unique.length
    ? await table.getMany(unique.map((id) => layout.service.key({ account: scope.accountId, id })))
    : [];
  const found = new Map(items.map((item) => [item['Id'] as number, toRecord<ServiceRecord>(item)]));
  return unique.flatMap((id) => found.get(id) ?? []).filter((service) => sees(scope, service));
}

/**
 * The service of a name, whatever its case and accents: the organization's own before one that every organization has.
 * Two rounds.
 */
export async function findServiceByName(
  table: TableReader,
  scope: CallerScope,
  name: string,
): Promise<ServiceRecord | undefined> {
  const folded = fold(name.trim());
  if (!folded) return undefined;
  const names = await listRange(table, {
    partition: layout.serviceName.of({ account: scope.accountId, name: folded }),
    consistent: true,
  });
  const services = await findServices(
    table,
    scope,
    names.map(({ Id }) => Id as number),
  );
  const nearness = ({ OrganizationId }: ServiceRecord) =>
    OrganizationId === scope.organizationId ? 0 : OrganizationId === null ? 1 : 2;
  return services.sort((a, b) => nearness(a) - nearness(b) || a.Id - b.Id)[0];
}

const entriesOf = async (table: TableReader, ranges: readonly Range[]): Promise<ServiceRecord[]> => {
  const items = (await Promise.all(ranges.map((range) => listRange(table, { ...range, consistent: true })))).flat();
  return items.map((item) => item['Service'] as ServiceRecord).sort((a, b) => a.Id - b.Id);
};

function rangeOf(account: string, shard: number, organization: number): Range {
  const { PK: partition, SK: from } = layout.serviceEntry.key({ account, shard, organization, id: 0 });
  return { partition, from, to: layout.serviceEntry.key({ account, shard, organization, id: 2 ** 31 - 1 }).SK };
}

/** All services that the viewer sees, by id: one round a MB of the fullest shard. */
export const listServices = (
  table: TableReader,
  { accountId, organizationId }: CallerScope,
): Promise<ServiceRecord[]> =>
  entriesOf(
    table,
    shards.flatMap((shard) => {
      if (organizationId === null) return [{ partition: layout.serviceEntry.of({ account: accountId, shard }) }];
      return [EVERY, organizationId].map((organization) => rangeOf(accountId, shard, organization));
    }),
  );

/** The services that are an organization's alone, by id. One round. */
export const listOwnServices = (
  table: TableReader,
  account: string,
  organizationId: number,
): Promise<ServiceRecord[]> =>
  entriesOf(
    table,
    shards.map((shard) => rangeOf(account, shard, organizationId)),
  );

/** The changes that store a service: itself, its copy in the list, and its name where that is new. */
export function serviceChanges(account: string, before: ServiceRecord | undefined, after: ServiceRecord): Change[] {
  const { Id: id } = after;
  const organization = ownerOf(after);
  const { record, change } = versionedChange('Service', layout.service.key({ account, id }), { before, after });
  const nameKey = ({ Name }: ServiceRecord) => layout.serviceName.key({ account, name: fold(Name), organization });
  const renamed = !before || fold(before.Name) !== fold(after.Name);
  return [
    change,
    { put: { ...layout.serviceEntry.key({ account, shard: id % SHARDS, organization, id }), Service: record } },
    ...(renamed ? [{ put: { ...nameKey(after), Id: id } }] : []),
    ...(renamed && before ? [{ remove: nameKey(before) }] : []),
  ];
}

interface ViewerOfServiceMemory {
  readonly accountId: string;
  readonly organizationId: number;
}

const services = new TtlCache<ServiceRecord | undefined>();

/** A service, by its id or its name, where the organization has it; up to 30 seconds old, as every search and booking asks for it. */
export const findRecentService = (
  table: TableReader,
  scope: ViewerOfServiceMemory,
  named: { readonly id?: number | null | undefined; readonly name?: string | null | undefined },
  now: Date,
): Promise<ServiceRecord | undefined> => {
  const { id, name = '' } = named;
  const known = `${scope.accountId}#${scope.organizationId}#${id ? `id ${id}` : `name ${fold((name ?? '').trim())}`}`;
  return services.recall(known, now, () =>
    id ? findService(table, scope, id) : findServiceByName(table, scope, name ?? ''),
  );
};
