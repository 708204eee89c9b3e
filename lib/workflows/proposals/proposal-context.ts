import { loadContact } from '../contacts/load-contact.ts';
import type { Context } from '../../api/context.ts';
import type { ContactRecord } from '../../domain/contacts/record.ts';
import type { OrganizationRecord } from '../../domain/organizations.ts';
import type { ServiceRecord } from '../../domain/pricebook/record.ts';
import type { ProposalUpdate } from '../../domain/proposals/apply-input.ts';
import { PARENT_FIELDS, type ParentField, parentError, parentIds } from '../../domain/proposals/family.ts';
import type { ProposalInput, ProposalReferences } from '../../domain/proposals/input.ts';
import { countNewIds } from '../../domain/proposals/lines.ts';
import { countAssemblyItems, finalizeProposal } from '../../domain/proposals/price.ts';
import { type ProposalRecord, expandBook } from '../../domain/proposals/record.ts';
import { resolveNewReference } from '../../domain/proposals/references.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { invalid, notFound } from '../../shared/failure.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { findContact } from '../../store/contacts.ts';
import { prefetchIds, reserveIds } from '../../store/dynamodb/ids.ts';
import { getRecentOrganization } from '../../store/organizations.ts';
import { MAX_ANCESTORS, findAncestry, findProposals } from '../../store/proposals.ts';
import { listRecentAgents, listAgents } from '../../store/service-agents.ts';
import { findRecentService } from '../../store/services.ts';
import { listRecentSettings } from '../../store/settings.ts';
import { findUsers } from '../../store/users.ts';
import { loadParts } from '../pricebook/load-parts.ts';

/** The service agents of an organization; one that is not known yet is looked for as they are now. */
async function agentIdsOf(
  table: WriteContext['table'],
  scope: { readonly accountId: string; readonly organizationId: number },
  wanted: number,
  now: Date,
): Promise<Set<number>> {
  const known = new Set((await listRecentAgents(table, scope, now)).keys());
  if (known.has(wanted)) return known;
  const agents = await listAgents(table, scope.accountId, scope.organizationId);
  return new Set(agents.map(({ Id }) => Id));
}

/** Where a proposal belongs: its organization, with the service and the service agents that a request names. */
export interface ProposalContext {
  readonly organization: OrganizationRecord;
  readonly service: ServiceRecord | undefined;
  readonly agentIds: ReadonlySet<number>;
}

/**
 * The home of a proposal; the service only where another is named than the proposal's own (`kept`). Out of memory as a
 * rule.
 */
export async function loadProposalContext(
  { table, caller, now }: WriteContext,
  organizationId: number,
  input: ProposalInput,
  kept: Pick<ProposalRecord, 'ServiceId' | 'ServiceName'> | null,
): Promise<ProposalContext> {
  const { accountId } = caller;
  const scope = { accountId, organizationId };
  const own = kept && { Id: kept.ServiceId, Name: kept.ServiceName };
  const { id, name } = resolveNewReference({ Id: input.ServiceId, Name: input.ServiceName }, own);
  const [organization, service, agentIds] = await Promise.all([
    getRecentOrganization(table, accountId, organizationId, now),
    id || name ? findRecentService(table, scope, { id, name }, now) : undefined,
    input.ServiceAgentId ? agentIdsOf(table, scope, input.ServiceAgentId, now) : new Set<number>(),
  ]);
  if ((id || name) && !service) throw notFound('service', id ? 'ServiceId' : 'ServiceName', id ?? name);
  return { organization, service, agentIds };
}

/** More items of assemblies than a proposal has as a rule, so that their ids are at hand. */
const SPARE_IDS = 20;

/**
 * What a request draws on whosever proposal it is: parts, lists and ids. One round, and one more for each level of
 * assemblies.
 */
export async function loadReferences(
  { table, caller, now }: WriteContext,
  before: Pick<ProposalRecord, 'V' | 'Book'>,
  input: ProposalInput,
) {
  const { accountId } = caller;
  const needs = countNewIds(before, input);
  const [drawn, definitions, taxRates, users, options, notes] = await Promise.all([
    loadParts(table, accountId, input.ProposalLines, expandBook(before.Book).parts),
    listRecentSettings<CustomField>(table, accountId, 'CustomField', now),
    listRecentSettings<NamedTaxRate>(table, accountId, 'NamedTaxRate', now),
    findUsers(table, caller, input.OwnerUserId ? [input.OwnerUserId] : []),
    reserveIds(table, accountId, 'ProposalOption', needs.options),
    reserveIds(table, accountId, 'ProposalNote', needs.notes),
    needs.lines ? prefetchIds(table, accountId, 'ProposalLine', needs.lines + SPARE_IDS) : undefined,
  ]);
  const lines = await reserveIds(table, accountId, 'ProposalLine', needs.lines);
  const userIds = new Set(users.map(({ Id }) => Id));
  return { ...drawn, definitions, taxRates, userIds, ids: { lines, options, notes } };
}

/** All that a proposal is told from. */
export const proposalReferences = (
  { now }: WriteContext,
  drawn: Awaited<ReturnType<typeof loadReferences>>,
  { service, agentIds }: ProposalContext,
  contact: ContactRecord,
): ProposalReferences => ({
  ...drawn,
  service,
  agentIds,
  contact,
  now: now.getTime(),
  allowLoopback: process.env['STAGE'] === 'local',
});

/** A proposal as it was told, priced; 400 with every fault. */
export async function finalize(
  { table, caller }: WriteContext,
  before: ProposalRecord,
  told: ProposalUpdate,
  definitions: readonly CustomField[],
): Promise<ProposalRecord> {
  const lineIds = await reserveIds(table, caller.accountId, 'ProposalLine', countAssemblyItems(told.proposal));
  const priced = finalizeProposal(before, told, { definitions, lineIds });
  if (priced.kind === 'invalid') throw invalid(...priced.errors);
  return priced.proposal;
}

/** What an operation that writes proposals works with. */
export type WriteContext = Pick<Context<'table:write'>, 'table' | 'caller' | 'now' | 'baseUrl'>;

/** The proposals that a proposal belongs to or is to belong to. One round where there are any. */
export const loadParents = (
  { table, caller }: WriteContext,
  before: Pick<ProposalRecord, ParentField> | undefined,
  input: ProposalInput,
): Promise<ProposalRecord[]> =>
  findProposals(table, caller.accountId, [
    ...parentIds(before),
    ...PARENT_FIELDS.flatMap(({ field }) => input[field] ?? []),
  ]);

/** What a proposal is to belong to. `faults` are 400; `refusal` is 409, where nothing else is at fault. */
export interface LinkedProposals {
  readonly links: Pick<ProposalRecord, ParentField>;
  /** Those further above, which must still be as they were read: so no two requests together make a circle. */
  readonly held: readonly ProposalRecord[];
  readonly errors: readonly FieldError[];
  readonly refusal: string | undefined;
}

/**
 * What a request says of the proposals that one belongs to, and what stands against it. A round a generation where an
 * old proposal is linked anew.
 */
export async function loadLinkedProposals(
  { table, caller }: WriteContext,
  before: ProposalRecord,
  input: ProposalInput,
  parents: readonly ProposalRecord[],
): Promise<LinkedProposals> {
  const { ChangeOrderForProposalId, BundleWithProposalId } = before;
  const links = { ChangeOrderForProposalId, BundleWithProposalId };
  const anew: number[] = [];
  const errors: FieldError[] = [];
  let refusal: string | undefined;
  for (const { field } of PARENT_FIELDS) {
    const id = input[field];
    if (id === undefined || id === before[field]) continue;
    links[field] = id;
    if (id === null) continue;
    const parent = parents.find(({ Id, OrganizationId }) => Id === id && OrganizationId === before.OrganizationId);
    const against = parentError(field, before, parent, id);
    if (against?.kind === 'fault') errors.push({ field, message: against.message });
    else if (against) refusal ??= against.message;
    else anew.push(id);
  }
  // Nothing is below a new proposal yet.
  if (before.V === 0 || !anew.length) return { links, held: [], errors, refusal };
  const ancestry = await findAncestry(table, caller.accountId, before.Id, anew);
  if (ancestry.kind === 'free') return { links, held: ancestry.ancestors, errors, refusal };
  const message =
    ancestry.kind === 'cycle'
      ? `names a proposal that belongs to this one, ${before.Id}, itself`
      : `must be a proposal that itself belongs to fewer than ${MAX_ANCESTORS}`;
  // Where both are told, each is looked at by itself to say which it is; too many may be so only together.
  const alone = await Promise.all(anew.map((id) => findAncestry(table, caller.accountId, before.Id, [id])));
  const guilty = anew.filter((_, place) => alone[place]?.kind === ancestry.kind);
  const named = guilty.length ? guilty : anew;
  for (const { field } of PARENT_FIELDS) if (named.includes(links[field] ?? 0)) errors.push({ field, message });
  return { links, held: [], errors, refusal };
}
