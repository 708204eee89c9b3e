import type { Caller } from '../../lib/api/context.ts';
import { invalid, notFound } from '../../lib/api/failure.ts';
import type { ContactRecord } from '../../lib/domain/contacts/record.ts';
import type { OrganizationRecord } from '../../lib/domain/organizations.ts';
import type { ServiceRecord } from '../../lib/domain/pricebook/records.ts';
import type { ServiceAgentRecord } from '../../lib/domain/service-agents.ts';
import { fold } from '../../lib/domain/words.ts';
import { cachedAgents } from '../../lib/store/agent-memory.ts';
import type { TableReader } from '../../lib/store/client.ts';
import { findContact } from '../../lib/store/contacts.ts';
import { knownOrganization } from '../../lib/store/organizations.ts';
import { engine } from './engine.ts';

/** Reads on behalf of a caller. */
export interface Asking {
  readonly table: TableReader;
  readonly caller: Caller;
  readonly now: Date;
}

/** Where an appointment belongs: the organization, its agents, and the service to be done, as they were up to 30 seconds ago. */
export interface Home {
  readonly organization: OrganizationRecord;
  readonly agents: ReadonlyMap<number, ServiceAgentRecord>;
  readonly service: ServiceRecord;
  /** The field that names it. */
  readonly named: string;
}

/** A service as a request names it. */
export interface NamedService {
  readonly ServiceId?: number | null | undefined;
  readonly ServiceName?: string | null | undefined;
}

/** The contact, 404 where there is none for the caller. */
export async function contactOf({ table, caller }: Asking, ContactId: number | null | undefined): Promise<ContactRecord> {
  if (!ContactId) throw invalid({ Field: 'ContactId', Message: 'is required' });
  const contact = await findContact(table, caller, ContactId);
  if (!contact) throw notFound('contact', 'ContactId', ContactId);
  return contact;
}

/** Organization, agents and service; `field` is what the request calls the service's name. */
export async function homeOf({ table, caller, now }: Asking, organizationId: number, { ServiceId, ServiceName }: NamedService, field = 'ServiceName'): Promise<Home> {
  const name = ServiceName?.trim();
  if (!ServiceId && !name) throw invalid({ Field: field === 'ServiceName' ? 'ServiceId' : field, Message: field === 'ServiceName' ? 'or ServiceName is required' : 'is required' });
  const { cachedService } = await engine();
  const viewer = { accountId: caller.accountId, organizationId };
  const [organization, agents, service] = await Promise.all([
    knownOrganization(table, caller.accountId, organizationId, now), cachedAgents(table, viewer, now), cachedService(table, viewer, { id: ServiceId, name }, now),
  ]);
  const named = ServiceId ? 'ServiceId' : field;
  if (!service) throw notFound('service', named, ServiceId || name);
  if (ServiceId && name && fold(name) !== fold(service.Name)) throw invalid({ Field: field, Message: `is not the name of service ${ServiceId}, which is ${service.Name}` });
  return { organization, agents, service, named };
}
