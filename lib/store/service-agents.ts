import type { ServiceAgentRecord } from '../domain/service-agents.ts';
import { TtlCache } from '../shared/ttl-cache.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import { listRange, toRecord, versionedChange } from './dynamodb/records.ts';
import { layout, padded } from './keys.ts';

const agentsOf = (items: readonly Item[]): ServiceAgentRecord[] =>
  items.map((item) => toRecord<ServiceAgentRecord>(item));

/** The service agents of an organization, by id, as they are now. */
export async function listAgents(
  table: TableReader,
  account: string,
  organizationId: number,
): Promise<ServiceAgentRecord[]> {
  const organization = padded(organizationId);
  return agentsOf(
    await listRange(table, {
      partition: layout.serviceAgent.of({ account }),
      from: `${organization}#`,
      to: `${organization}#~`,
      consistent: true,
    }),
  );
}

/** The service agents of all organizations, by organization and id, at most `most` of them. */
export const listAllAgents = async (table: TableReader, account: string, most: number): Promise<ServiceAgentRecord[]> =>
  agentsOf(await listRange(table, { partition: layout.serviceAgent.of({ account }), consistent: true }, most));

/**
 * The change that stores a service agent. Its name is guarded by the organization's version, which the same transaction
 * must raise.
 */
export const agentChanges = (
  account: string,
  before: ServiceAgentRecord | undefined,
  after: ServiceAgentRecord,
): { record: ServiceAgentRecord; change: Change } =>
  versionedChange(
    'ServiceAgent',
    layout.serviceAgent.key({ account, organization: after.OrganizationId, id: after.Id }),
    { before, after },
  );

interface Viewer {
  readonly accountId: string;
  readonly organizationId: number;
}

const agents = new TtlCache<ReadonlyMap<number, ServiceAgentRecord>>();

/** The service agents of an organization by id, in the order of their ids; up to 30 seconds old, as whatever shows appointments asks for them. */
export const listRecentAgents = (
  table: TableReader,
  { accountId, organizationId }: Viewer,
  now: Date,
): Promise<ReadonlyMap<number, ServiceAgentRecord>> =>
  agents.recall(
    `${accountId}#${organizationId}`,
    now,
    async () => new Map((await listAgents(table, accountId, organizationId)).map((agent) => [agent.Id, agent])),
  );
