import type { Context } from '../../lib/api/context.ts';
import { faulty, invalid, notFound } from '../../lib/api/failure.ts';
import type { ContactRecord } from '../../lib/domain/contacts/record.ts';
import type { OrganizationRecord } from '../../lib/domain/organizations.ts';
import type { ServiceRecord } from '../../lib/domain/pricebook/records.ts';
import { wholeBook } from '../../lib/domain/proposals/book.ts';
import { namedAnew } from '../../lib/domain/proposals/named.ts';
import { idsNeeded } from '../../lib/domain/proposals/needs.ts';
import { itemsToCome } from '../../lib/domain/proposals/price.ts';
import type { ToldProposal } from '../../lib/domain/proposals/merge.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import { settleProposal } from '../../lib/domain/proposals/settle.ts';
import type { ProposalInput, Surroundings } from '../../lib/domain/proposals/surroundings.ts';
import type { CustomField } from '../../lib/resources/custom-fields.ts';
import type { NamedTaxRate } from '../../lib/resources/taxes.ts';
import { cachedAgents } from '../../lib/store/agent-memory.ts';
import { findContact } from '../../lib/store/contacts.ts';
import { leaseIds, stockIds } from '../../lib/store/ids.ts';
import { cachedList } from '../../lib/store/lists.ts';
import { cachedOrganization } from '../../lib/store/organizations.ts';
import { drawParts } from '../../lib/store/proposal-parts.ts';
import { cachedService } from '../../lib/store/service-memory.ts';
import { listAgents } from '../../lib/store/service-agents.ts';
import { findUsers } from '../../lib/store/users.ts';

/** What an operation that writes proposals works with. */
export type Writing = Pick<Context<'table:write'>, 'table' | 'caller' | 'now' | 'baseUrl'>;

/** More items of assemblies than a proposal has as a rule, so that their ids are at hand. */
const SPARE_IDS = 20;

/** The contact, 404 where there is none for the caller. */
export async function contactOf({ table, caller }: Writing, id: number | null | undefined): Promise<ContactRecord> {
  if (!id) throw invalid({ Field: 'ContactId', Message: 'is required' });
  const contact = await findContact(table, caller, id);
  if (!contact) throw notFound('contact', 'ContactId', id);
  return contact;
}

/** What a request draws on whosever proposal it is: parts, lists and ids. One round, and one more for each level of assemblies. */
export async function drawnOn({ table, caller, now }: Writing, before: Pick<ProposalRecord, 'V' | 'Book'>, given: ProposalInput) {
  const { accountId } = caller;
  const needs = idsNeeded(before, given);
  const [drawn, definitions, taxRates, users, options, notes] = await Promise.all([
    drawParts(table, accountId, given.ProposalLines, wholeBook(before.Book).parts),
    cachedList<CustomField>(table, accountId, 'CustomField', now),
    cachedList<NamedTaxRate>(table, accountId, 'NamedTaxRate', now),
    findUsers(table, caller, given.OwnerUserId ? [given.OwnerUserId] : []),
    leaseIds(table, accountId, 'ProposalOption', needs.options),
    leaseIds(table, accountId, 'ProposalNote', needs.notes),
    needs.lines ? stockIds(table, accountId, 'ProposalLine', needs.lines + SPARE_IDS) : undefined,
  ]);
  const lines = await leaseIds(table, accountId, 'ProposalLine', needs.lines);
  return { ...drawn, definitions, taxRates, userIds: new Set(users.map(({ Id }) => Id)), ids: { lines, options, notes } };
}

/** The service agents of an organization; one that is not known yet is looked for as they are now. */
async function agentIdsOf(table: Writing['table'], viewer: { accountId: string; organizationId: number }, wanted: number, now: Date): Promise<Set<number>> {
  const known = new Set((await cachedAgents(table, viewer, now)).keys());
  return known.has(wanted) ? known : new Set((await listAgents(table, viewer.accountId, viewer.organizationId)).map(({ Id }) => Id));
}

/** Where a proposal belongs: its organization, with the service and the service agents that a request names. */
export interface Home {
  readonly organization: OrganizationRecord;
  readonly service: ServiceRecord | undefined;
  readonly agentIds: ReadonlySet<number>;
}

/** The home of a proposal; the service only where another is named than the proposal's own (`kept`). Out of memory as a rule. */
export async function homeOf(
  { table, caller, now }: Writing,
  organizationId: number,
  given: ProposalInput,
  kept: Pick<ProposalRecord, 'ServiceId' | 'ServiceName'> | null,
): Promise<Home> {
  const { accountId } = caller;
  const viewer = { accountId, organizationId };
  const { id, name } = namedAnew({ Id: given.ServiceId, Name: given.ServiceName }, kept && { Id: kept.ServiceId, Name: kept.ServiceName });
  const [organization, service, agentIds] = await Promise.all([
    cachedOrganization(table, accountId, organizationId, now),
    id || name ? cachedService(table, viewer, { id, name }, now) : undefined,
    given.ServiceAgentId ? agentIdsOf(table, viewer, given.ServiceAgentId, now) : new Set<number>(),
  ]);
  if (!organization) throw new TypeError(`account ${accountId} has no organization ${organizationId}`);
  if ((id || name) && !service) throw notFound('service', id ? 'ServiceId' : 'ServiceName', id ?? name);
  return { organization, service, agentIds };
}

/** What of all that a proposal is told from. */
export const surroundingsOf = ({ now }: Writing, drawn: Awaited<ReturnType<typeof drawnOn>>, { service, agentIds }: Home, contact: ContactRecord): Surroundings => ({
  ...drawn, service, agentIds, contact, now: now.getTime(), allowLoopback: process.env['STAGE'] === 'local',
});

/** A proposal as it was told, priced; 400 with every fault. */
export async function settled({ table, caller }: Writing, before: ProposalRecord, told: ToldProposal, definitions: readonly CustomField[]): Promise<ProposalRecord> {
  const lineIds = await leaseIds(table, caller.accountId, 'ProposalLine', itemsToCome(told.proposal));
  const priced = settleProposal(before, told, { definitions, lineIds });
  if (priced.kind === 'faults') throw faulty(priced.faults);
  return priced.proposal;
}
