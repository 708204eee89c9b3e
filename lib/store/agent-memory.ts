import type { ServiceAgentRecord } from '../domain/service-agents.ts';
import type { TableReader } from './client.ts';
import { Memory } from './memory.ts';
import { listAgents } from './service-agents.ts';

interface Viewer {
  readonly accountId: string;
  readonly organizationId: number;
}

const agents = new Memory<ReadonlyMap<number, ServiceAgentRecord>>();

/** The service agents of an organization by id, in the order of their ids; up to 30 seconds old, as whatever shows appointments asks for them. */
export const cachedAgents = (table: TableReader, { accountId, organizationId }: Viewer, now: Date): Promise<ReadonlyMap<number, ServiceAgentRecord>> =>
  agents.recall(`${accountId}#${organizationId}`, now, async () => new Map((await listAgents(table, accountId, organizationId)).map((agent) => [agent.Id, agent])));
