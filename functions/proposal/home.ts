import { invalid, notFound } from '../../lib/api/failure.ts';
import type { ContactRecord } from '../../lib/domain/contacts/record.ts';
import type { OrganizationRecord } from '../../lib/domain/organizations.ts';
import type { ServiceRecord } from '../../lib/domain/pricebook/records.ts';
import { namedAnew } from '../../lib/domain/proposals/named.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import type { ProposalInput } from '../../lib/domain/proposals/surroundings.ts';
import { cachedAgents } from '../../lib/store/agent-memory.ts';
import { findContact } from '../../lib/store/contacts.ts';
import { knownOrganization } from '../../lib/store/organizations.ts';
import { listAgents } from '../../lib/store/service-agents.ts';
import { cachedService } from '../../lib/store/service-memory.ts';
import type { Writing } from './writing.ts';

/** The contact, 404 where there is none for the caller. */
export async function contactOf({ table, caller }: Writing, id: number | null | undefined): Promise<ContactRecord> {
  if (!id) throw invalid({ Field: 'ContactId', Message: 'is required' });
  const contact = await findContact(table, caller, id);
  if (!contact) throw notFound('contact', 'ContactId', id);
  return contact;
}

/** The service agents of an organization; one that is not known yet is looked for as they are now. */
async function agentIdsOf(
  table: Writing['table'],
  viewer: { readonly accountId: string; readonly organizationId: number },
  wanted: number,
  now: Date,
): Promise<Set<number>> {
  const known = new Set((await cachedAgents(table, viewer, now)).keys());
  if (known.has(wanted)) return known;
  const agents = await listAgents(table, viewer.accountId, viewer.organizationId);
  return new Set(agents.map(({ Id }) => Id));
}

/** Where a proposal belongs: its organization, with the service and the service agents that a request names. */
export interface Home {
  readonly organization: OrganizationRecord;
  readonly service: ServiceRecord | undefined;
  readonly agentIds: ReadonlySet<number>;
}

/**
 * The home of a proposal; the service only where another is named than the proposal's own (`kept`). Out of memory as a
 * rule.
 */
export async function homeOf(
  { table, caller, now }: Writing,
  organizationId: number,
  given: ProposalInput,
  kept: Pick<ProposalRecord, 'ServiceId' | 'ServiceName'> | null,
): Promise<Home> {
  const { accountId } = caller;
  const viewer = { accountId, organizationId };
  const own = kept && { Id: kept.ServiceId, Name: kept.ServiceName };
  const { id, name } = namedAnew({ Id: given.ServiceId, Name: given.ServiceName }, own);
  const [organization, service, agentIds] = await Promise.all([
    knownOrganization(table, accountId, organizationId, now),
    id || name ? cachedService(table, viewer, { id, name }, now) : undefined,
    given.ServiceAgentId ? agentIdsOf(table, viewer, given.ServiceAgentId, now) : new Set<number>(),
  ]);
  if ((id || name) && !service) throw notFound('service', id ? 'ServiceId' : 'ServiceName', id ?? name);
  return { organization, service, agentIds };
}
