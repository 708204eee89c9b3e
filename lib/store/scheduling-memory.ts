import type { ServiceRecord } from '../domain/pricebook/records.ts';
import type { ServiceAgentRecord } from '../domain/service-agents.ts';
import { fold } from '../domain/words.ts';
import type { TableReader } from './client.ts';
import { Memory } from './memory.ts';
import { listAgents } from './service-agents.ts';
import { findService, findServiceNamed } from './services.ts';

/** What every search and booking asks for and people seldom change, up to 30 seconds old. */

interface Viewer {
  readonly accountId: string;
  readonly organizationId: number;
}

const agents = new Memory<ReadonlyMap<number, ServiceAgentRecord>>();
const services = new Memory<ServiceRecord | undefined>();

/** The service agents of an organization by id, in the order of their ids. */
export const cachedAgents = (
  table: TableReader,
  { accountId, organizationId }: Viewer,
  now: Date,
): Promise<ReadonlyMap<number, ServiceAgentRecord>> =>
  agents.recall(
    `${accountId}#${organizationId}`,
    now,
    async () => new Map((await listAgents(table, accountId, organizationId)).map((agent) => [agent.Id, agent])),
  );

/** A service, by its id or its name, where the organization has it. */
export const cachedService = (
  table: TableReader,
  viewer: Viewer,
  named: { readonly id?: number | null | undefined; readonly name?: string | null | undefined },
  now: Date,
): Promise<ServiceRecord | undefined> => {
  const { id, name = '' } = named;
  const known = `${viewer.accountId}#${viewer.organizationId}#${id ? `id ${id}` : `name ${fold((name ?? '').trim())}`}`;
  return services.recall(known, now, () =>
    id ? findService(table, viewer, id) : findServiceNamed(table, viewer, name ?? ''),
  );
};
