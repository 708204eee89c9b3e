import type { ServiceAgentRecord } from '../../../lib/entities/service-agents.ts';
import type { ServiceRecord } from '../../../lib/entities/services.ts';
import { listAgents } from '../../../lib/store/organizations/service-agents.ts';
import { listServices } from '../../../lib/store/pricebook/services.ts';
import { chooseService } from '../../../lib/workflows/imports/import-visit.ts';
import type { SystemRun } from './run.ts';
import { RowError } from './work-rows.ts';
import { organizationStore } from '../../../lib/store/store.ts';

export interface Company {
  readonly services: readonly ServiceRecord[];
  readonly agents: readonly ServiceAgentRecord[];
}

/** Services and agents of organizations, each read once. */
export function companies({ store }: SystemRun): (organization: number) => Promise<Company> {
  const known = new Map<number, Promise<Company>>();
  const load = async (organizationId: number): Promise<Company> => {
    const [services, agents] = await Promise.all([
      listServices(organizationStore(store, organizationId)),
      listAgents(store, organizationId),
    ]);
    return { services: services.filter(({ Active }) => Active), agents };
  };
  return (organization) => {
    const loading = known.get(organization) ?? load(organization);
    known.set(organization, loading);
    return loading;
  };
}

/** The service that a row names in one of its columns, else that of `--service`. Throws if there is neither. */
export function requireService(
  services: readonly ServiceRecord[],
  texts: readonly string[],
  { service }: SystemRun,
): ServiceRecord {
  const found = chooseService(services, texts, service);
  if (found) return found;
  const named = JSON.stringify(texts.join(', ').slice(0, 100));
  throw new RowError({ column: 'service', reason: `no service is named in ${named}: add it, or use --service` });
}

/** Services and agents of all organizations, for a dry run, which does not know the organization of a client. */
export async function wholeCompany(run: SystemRun): Promise<Company> {
  const all = await Promise.all(run.organizations.map(({ Id }) => companies(run)(Id)));
  return { services: all.flatMap(({ services }) => services), agents: all.flatMap(({ agents }) => agents) };
}
