import { type ServiceAgentRecord, serviceAgentEntity } from '../../entities/service-agents.ts';
import { CachedValues } from '../dynamodb/cached-values.ts';
import type { Change } from '../dynamodb/changes.ts';
import type { Range } from '../dynamodb/table.ts';
import { type RangeLimits, listDisplayed, listRange, versionedChange } from '../dynamodb/records.ts';
import { layout, padded } from '../keys.ts';
import type { StoreAccount, StoreReader } from '../store.ts';

async function listAgentRange(
  { account, table }: StoreReader,
  bounds: Pick<Range, 'from' | 'to' | 'consistent'>,
  limits: RangeLimits = {},
): Promise<ServiceAgentRecord[]> {
  const range = { partition: layout.serviceAgent.of({ account }), consistent: true, ...bounds };
  return (await listRange(table, range, limits)).map((item) => serviceAgentEntity.read(item));
}

/** The service agents of an organization, by id. */
export const listAgents = (
  store: StoreReader,
  organizationId: number,
  { consistent = true } = {},
): Promise<ServiceAgentRecord[]> => listAgentRange(store, { ...organizationBounds(organizationId), consistent });

const organizationBounds = (organizationId: number) => ({
  from: `${padded(organizationId)}#`,
  to: `${padded(organizationId)}#~`,
});

/** One service agent, as it is now. */
export async function findAgent(
  { account, table }: StoreReader,
  organization: number,
  id: number,
): Promise<ServiceAgentRecord | undefined> {
  const item = await table.get(layout.serviceAgent.key({ account, organization, id }));
  return item && serviceAgentEntity.read(item);
}

/**
 * The service agents of an organization, or of all with `null`, by organization and id, for display: a change shows
 * within a second. A key of a service agent sees that agent. Throws ListTooLarge.
 */
export async function listDisplayedAgents(
  store: StoreReader,
  organizationId: number | null,
): Promise<ServiceAgentRecord[]> {
  const { table, account, agent } = store;
  if (agent && organizationId !== null)
    return [await findAgent(store, organizationId, agent.id)].flatMap((own) => own ?? []);
  if (organizationId !== null)
    return listAgentRange(store, { ...organizationBounds(organizationId), consistent: false });
  const items = await listDisplayed(table, [{ partition: layout.serviceAgent.of({ account }) }]);
  return items.map((item) => serviceAgentEntity.read(item));
}

/** The service agents of all organizations, by organization and id. Throws RangeTooLarge beyond `maxPages`. */
export const listAllAgents = (
  store: StoreReader,
  { consistent = true, ...limits }: { readonly consistent?: boolean } & RangeLimits = {},
): Promise<ServiceAgentRecord[]> => listAgentRange(store, { consistent }, limits);

/** Stores a service agent. The same transaction must increment the organization's version, which guards the name. */
export const agentChanges = (
  { account }: StoreAccount,
  before: ServiceAgentRecord | undefined,
  after: ServiceAgentRecord,
): { record: ServiceAgentRecord; change: Change } => {
  const { OrganizationId: organization, Id: id } = after;
  const key = layout.serviceAgent.key({ account, organization, id });
  return versionedChange(serviceAgentEntity, key, { before, after });
};

const agents = new CachedValues<number, ReadonlyMap<number, ServiceAgentRecord>>({
  name: String,
  isConfigured: true,
  read: async (store, organizationId, options) =>
    new Map((await listAgents(store, organizationId, options)).map((agent) => [agent.Id, agent])),
});

/** The service agents of an organization by id, in the order of ids. */
export const agentsOf = (
  store: StoreReader,
  organizationId: number,
): Promise<ReadonlyMap<number, ServiceAgentRecord>> => agents.read(store, organizationId);

/** The condition that an agent is as it was read, or still missing. */
export const unchangedAgent = (
  { account }: StoreAccount,
  { OrganizationId: organization, AgentId: id }: { readonly OrganizationId: number; readonly AgentId: number },
  agent: ServiceAgentRecord | undefined,
): Change => ({
  check: layout.serviceAgent.key({ account, organization, id }),
  if: agent ? { equals: { V: agent.V } } : 'absent',
});
