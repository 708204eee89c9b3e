import type { NamedTaxRate } from '../../entities/tax-rates.ts';
import type { ProposalRecord, Proposal } from '../../entities/proposals.ts';
import type { PartRecord } from '../../entities/parts.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { describeAcceptance } from '../../domain/proposals/acceptance.ts';
import {
  PARENT_FIELDS,
  type ResolvedParents,
  describeFamily,
  parentIds,
  resolveParents,
} from '../../domain/proposals/family.ts';
import type { ProposalInput, ProposalReferences, ProposalUpdate } from '../../domain/proposals/input.ts';
import { countNewIds } from '../../domain/proposals/lines.ts';
import { countNewItems, finalizeProposal } from '../../domain/proposals/price.ts';
import { expandBook, proposalToResource } from '../../domain/proposals/record.ts';
import { resolveNewReference } from '../../domain/proposals/references.ts';
import { describeProration } from '../../domain/subscriptions/proration.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { invalid } from '../../shared/failure.ts';
import { type ContactSummary, contactSummaryChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { prefetchIds, reserveIds } from '../../store/dynamodb/records.ts';
import { findClientLinks } from '../../store/links.ts';
import { getOrganization } from '../../store/organizations/organizations.ts';
import { MAX_ANCESTORS, findAncestry, findProposals, proposalWithParentChanges } from '../../store/sales/proposals.ts';
import { listAgents, agentsOf } from '../../store/organizations/service-agents.ts';
import { findSelectedService } from '../../store/pricebook/services.ts';
import { settingsOf } from '../../store/settings.ts';
import { findUsers } from '../../store/organizations/users.ts';
import { loadContactResources, loadContact } from '../contacts/load-contact.ts';
import type { ReadContext, WriteContext } from '../context.ts';
import { loadParts } from '../pricebook/load-parts.ts';
import { describeUnknownAgent, serviceNotFound } from '../suggestions.ts';

/** Everything that creating or updating a proposal refers to. */
export interface ProposalContext {
  readonly contact: ContactRecord;
  readonly organization: OrganizationRecord;
  /** The current and the requested parents, as far as they exist. */
  readonly parents: readonly ProposalRecord[];
  readonly references: ProposalReferences;
}

/**
 * Loads the context of a new (`before` is undefined) or existing proposal, in two rounds, and one more for each level
 * of assemblies. Throws notFound for the contact and for the service.
 */
export async function loadProposalContext(
  context: WriteContext,
  before: ProposalRecord | undefined,
  input: ProposalInput,
): Promise<ProposalContext> {
  const { store, now } = context;
  const requestedParents = PARENT_FIELDS.flatMap(({ field }) => input[field] ?? []);
  const loadingContact = loadContact(context, before ? before.ContactId : input.ContactId);
  const loadingOrganization = before
    ? loadOrganizationContext(context, before.OrganizationId, input, before)
    : loadingContact.then(({ OrganizationId }) => loadOrganizationContext(context, OrganizationId, input, undefined));
  const [contact, { organization, ...requested }, { users, ...accountReferences }, parents] = await Promise.all([
    loadingContact,
    loadingOrganization,
    loadAccountReferences(context, before, input),
    findProposals(store, [...parentIds(before), ...requestedParents]),
  ]);
  const allowLoopback = process.env['STAGE'] === 'local';
  const references = {
    ...accountReferences,
    ...requested,
    contact,
    country: organization.Country,
    owners: users,
    now: now.getTime(),
    allowLoopback,
  };
  return { contact, organization, parents, references };
}

/**
 * The organization with the parts of it that the request needs; the service only if it is not the proposal's own.
 * Usually cached.
 */
async function loadOrganizationContext(
  context: WriteContext,
  organizationId: number,
  { ServiceId, ServiceName, ServiceAgentId }: ProposalInput,
  before: ProposalRecord | undefined,
) {
  const { store } = context;
  const current = before ? { Id: before.ServiceId, Name: before.ServiceName } : null;
  const { id, name } = resolveNewReference({ Id: ServiceId, Name: ServiceName }, current);
  const hasNewService = Boolean(id || name);
  const loadAgents = async (agentId: number) => {
    const recent = await agentsOf(store, organizationId);
    if (recent.has(agentId)) return { agentIds: new Set(recent.keys()), agentAdvice: '' };
    // The agent may be newer than the cached list.
    const agents = await listAgents(store, organizationId);
    const agentIds = new Set(agents.map(({ Id }) => Id));
    const isUnknown = agentId !== before?.ServiceAgentId && !agentIds.has(agentId);
    const agentAdvice = isUnknown ? await describeUnknownAgent(context, organizationId, agents, { Id: agentId }) : '';
    return { agentIds, agentAdvice };
  };
  const [organization, service, agents] = await Promise.all([
    getOrganization(store, organizationId),
    hasNewService ? findSelectedService(store, organizationId, { id, name }) : undefined,
    ServiceAgentId ? loadAgents(ServiceAgentId) : { agentIds: new Set<number>(), agentAdvice: '' },
  ]);
  if (hasNewService && !service)
    throw await serviceNotFound(context, organizationId, { field: id ? 'ServiceId' : 'ServiceName', id, name });
  return { organization, service, ...agents };
}

/** More than the lines that a proposal's assemblies usually become, so that their ids take no other round. */
const SPARE_LINE_IDS = 20;

/** The account data that a request refers to: parts, settings, users, and ids for new records. */
async function loadAccountReferences(
  { store }: WriteContext,
  before: ProposalRecord | undefined,
  input: ProposalInput,
) {
  const needed = countNewIds({ V: before?.V ?? 0 }, input);
  const knownParts = before ? expandBook(before.Book).parts : new Map<number, PartRecord>();
  const [parts, definitions, taxRates, users, options, notes] = await Promise.all([
    loadParts(store, input.ProposalLines, knownParts),
    settingsOf<CustomField>(store, 'CustomField'),
    settingsOf<NamedTaxRate>(store, 'NamedTaxRate'),
    findUsers(store, input.OwnerUserId ? [input.OwnerUserId] : []),
    reserveIds(store, 'ProposalOption', needed.options),
    reserveIds(store, 'ProposalNote', needed.notes),
    needed.lines ? prefetchIds(store, 'ProposalLine', needed.lines + SPARE_LINE_IDS) : undefined,
  ]);
  const lines = await reserveIds(store, 'ProposalLine', needed.lines);
  return { ...parts, definitions, taxRates, users, ids: { lines, options, notes } };
}

/** The parents of a proposal after a request, and the ancestors that must be unchanged since they were read. */
export interface CheckedParents extends ResolvedParents {
  readonly guarded: readonly ProposalRecord[];
}

/**
 * Resolves the requested parents and checks that they form no cycle and no chain beyond MAX_ANCESTORS. One round per
 * generation, if an existing proposal gets a new parent.
 */
export async function loadCheckedParents(
  { store }: WriteContext,
  before: ProposalRecord,
  input: ProposalInput,
  parents: readonly ProposalRecord[],
): Promise<CheckedParents> {
  const resolved = resolveParents(before, input, parents);
  const { references, newParents } = resolved;
  // A new proposal has no children yet.
  if (before.V === 0 || !newParents.length) return { ...resolved, guarded: [] };
  const check = (ids: readonly number[]) => findAncestry(store, before.Id, ids);
  const ancestry = await check(newParents);
  if (ancestry.kind === 'free') return { ...resolved, guarded: ancestry.ancestors };
  const message =
    ancestry.kind === 'cycle'
      ? `must not be a proposal that belongs to this one, ${before.Id}`
      : `must be a proposal that belongs to fewer than ${MAX_ANCESTORS} others`;
  // If there are two new parents, the error names the one that causes it alone; else both.
  const alone = await Promise.all(newParents.map((id) => check([id])));
  const causes = newParents.filter((_, index) => alone[index]?.kind === ancestry.kind);
  const rejected = causes.length ? causes : newParents;
  const fields = PARENT_FIELDS.filter(({ field }) => rejected.includes(references[field] ?? 0));
  return {
    ...resolved,
    guarded: [],
    errors: [...resolved.errors, ...fields.map(({ field }) => ({ field, code: 'not_found' as const, message }))],
  };
}

/** The updated proposal, priced if its prices may change; throws invalid with all errors. */
export async function finalize(
  { store }: WriteContext,
  before: ProposalRecord,
  update: ProposalUpdate,
  definitions: readonly CustomField[],
): Promise<ProposalRecord> {
  const lineIds = await reserveIds(store, 'ProposalLine', countNewItems(update.proposal));
  const result = finalizeProposal(before, update, { definitions, lineIds });
  if (result.kind === 'invalid') throw invalid(...result.errors);
  return result.proposal;
}

/** The answer of create and update, and the changes to commit. */
export interface ProposalResult {
  readonly answer: Proposal & { readonly Message: string };
  readonly changes: readonly Change[];
}

/** The answer for a proposal that is already stored. */
export async function toProposalAnswer(
  { store, caller, now }: ReadContext,
  proposal: ProposalRecord,
  contactRecord: ContactRecord,
  definitions: readonly CustomField[],
): Promise<ProposalResult['answer']> {
  const [[contact = null], link] = await Promise.all([
    loadContactResources(store, [contactRecord], { caller, now }),
    findClientLinks(store, caller.role, now),
  ]);
  const { Book, Quantity, Date: date } = proposal;
  const proration = describeProration(expandBook(Book).service, Quantity, { date });
  const resource = proposalToResource(proposal, { now: now.getTime(), contact, definitions, link });
  return {
    ...resource,
    Message: [proration, describeFamily(proposal), describeAcceptance(proposal)].filter(Boolean).join(' '),
  };
}

/** The changes that store a proposal, its parents and its contact's summary, with the resulting answer. */
export async function storeProposal(
  context: WriteContext,
  { before, after }: { readonly before: ProposalRecord | undefined; readonly after: ProposalRecord },
  { contact, parents, references }: ProposalContext,
  guarded: readonly ProposalRecord[],
): Promise<ProposalResult> {
  const { store, now } = context;
  const transition = { before, after, now, read: parents, guarded };
  const { record, changes, contactSummary } = await proposalWithParentChanges(store, transition);
  const updatedContact = withOpenProposals(contact, contactSummary);
  return {
    answer: await toProposalAnswer(context, record, updatedContact, references.definitions),
    changes: [...changes, ...contactSummaryChanges(store, record.ContactId, contactSummary, now)],
  };
}

function withOpenProposals(contact: ContactRecord, { proposals = {} }: ContactSummary): ContactRecord {
  const entries = Object.entries({ ...contact.OpenProposals, ...proposals });
  const open = entries.flatMap(([id, entry]) => (entry ? [[id, entry] as const] : []));
  return { ...contact, OpenProposals: Object.fromEntries(open) };
}
