import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import type { ServiceAgentRecord } from '../../../lib/entities/service-agents.ts';
import type { ServiceRecord } from '../../../lib/entities/services.ts';
import { listAgents } from '../../../lib/store/organizations/service-agents.ts';
import { listServices } from '../../../lib/store/pricebook/services.ts';
import { organizationStore } from '../../../lib/store/store.ts';
import { chooseService } from '../../../lib/workflows/imports/import-visit.ts';
import { RowError, type SystemRun } from './run.ts';

interface Company {
  readonly services: readonly ServiceRecord[];
  readonly agents: readonly ServiceAgentRecord[];
}

/**
 * Services and agents of a contact's organization, read once each. Without a contact those of all organizations,
 * because a dry run does not know where a client will be.
 */
export function companies({
  store,
  organizations,
}: SystemRun): (contact: ContactRecord | undefined) => Promise<Company> {
  const known = new Map<number, Promise<Company>>();
  const load = async (organizationId: number): Promise<Company> => {
    const [services, agents] = await Promise.all([
      listServices(organizationStore(store, organizationId)),
      listAgents(store, organizationId),
    ]);
    return { services: services.filter(({ Active }) => Active), agents };
  };
  const ofOrganization = (organization: number): Promise<Company> => {
    const loading = known.get(organization) ?? load(organization);
    known.set(organization, loading);
    return loading;
  };
  return async (contact) => {
    if (contact) return ofOrganization(contact.OrganizationId);
    const all = await Promise.all(organizations.map(({ Id }) => ofOrganization(Id)));
    return { services: all.flatMap(({ services }) => services), agents: all.flatMap(({ agents }) => agents) };
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
  throw new RowError([{ column: 'service', reason: `no service is named in ${named}: add it, or use --service` }]);
}
