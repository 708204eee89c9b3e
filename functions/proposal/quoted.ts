import type { Context } from '../../lib/api/context.ts';
import { invalid, notFound } from '../../lib/api/failure.ts';
import type { ContactRecord } from '../../lib/domain/contacts/record.ts';
import type { OrganizationRecord } from '../../lib/domain/organizations.ts';
import { LINKS, linkRefusal } from '../../lib/domain/proposals/links.ts';
import type { QuoteSurroundings } from '../../lib/domain/proposals/quote.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import type { ProposalInput } from '../../lib/domain/proposals/surroundings.ts';
import type { CustomField } from '../../lib/resources/custom-fields.ts';
import type { ProposalTemplate } from '../../lib/resources/proposal-templates.ts';
import type { NamedTaxRate } from '../../lib/resources/taxes.ts';
import { cachedAgents } from '../../lib/store/agent-memory.ts';
import { findContact } from '../../lib/store/contacts.ts';
import { cachedList } from '../../lib/store/lists.ts';
import { knownOrganization } from '../../lib/store/organizations.ts';
import { readProposals } from '../../lib/store/proposal-links.ts';
import { drawParts } from '../../lib/store/proposal-parts.ts';
import { cachedTemplate } from '../../lib/store/template-memory.ts';
import { findUsers } from '../../lib/store/users.ts';
import { contradictions, serviceOf, type QuoteNamed } from './quote-named.ts';

/** What a quote works with: it writes nothing, so that no id is leased for it either. */
export type Quoting = Pick<Context<'table:read'>, 'table' | 'caller' | 'now' | 'baseUrl'>;

/** All that a quote is made from. */
export interface QuoteDrawn {
  readonly contact: ContactRecord;
  readonly organization: OrganizationRecord;
  readonly template: ProposalTemplate | undefined;
  readonly parents: readonly ProposalRecord[];
  readonly around: QuoteSurroundings;
}

/**
 * Reads all that a quote is made from: one round where service, template and the account's lists are in memory, and one
 * more for each level of assemblies.
 */
export async function drawQuote(context: Quoting, named: QuoteNamed, given: ProposalInput): Promise<QuoteDrawn> {
  const { table, caller, now } = context;
  const { accountId } = caller;
  const faults = contradictions(named, given);
  if (faults.length) throw invalid(...faults);
  const { ContactId, ProposalTemplateId } = named;
  const [contact, templated, parts, definitions, taxRates, users, parents] = await Promise.all([
    findContact(table, caller, ContactId),
    ProposalTemplateId ? cachedTemplate(table, caller, ProposalTemplateId, now) : undefined,
    drawParts(table, accountId, given.ProposalLines, new Map()),
    cachedList<CustomField>(table, accountId, 'CustomField', now),
    cachedList<NamedTaxRate>(table, accountId, 'NamedTaxRate', now),
    findUsers(table, caller, given.OwnerUserId ? [given.OwnerUserId] : []),
    readProposals(table, accountId, LINKS.flatMap(({ field }) => given[field] ?? [])),
  ]);
  if (!contact) throw notFound('contact', 'ContactId', ContactId);
  const { OrganizationId } = contact;
  const template = templated?.template;
  const isTheirs = template && [0, OrganizationId].includes(template.OrganizationId);
  if (ProposalTemplateId && !isTheirs) throw notFound('proposal template', 'ProposalTemplateId', ProposalTemplateId);
  const [organization, service, agents] = await Promise.all([
    knownOrganization(table, accountId, OrganizationId, now),
    serviceOf(context, OrganizationId, { named, given, template }),
    given.ServiceAgentId
      ? cachedAgents(table, { accountId, organizationId: OrganizationId }, now)
      : new Map<number, unknown>(),
  ]);
  const around: QuoteSurroundings = {
    contact, service, definitions, taxRates,
    now: now.getTime(),
    parts: new Map([...(templated?.parts ?? []), ...parts.parts]),
    templates: new Map([...(templated?.templates ?? []), ...parts.templates]),
    userIds: new Set(users.map(({ Id }) => Id)),
    agentIds: new Set(agents.keys()),
    allowLoopback: process.env['STAGE'] === 'local',
  };
  return { contact, organization, template, parents, around };
}

/** The proposals that one being quoted is to belong to, as far as it may; and what stands against it. */
export function quotedLinks(blank: ProposalRecord, given: ProposalInput, parents: readonly ProposalRecord[]) {
  const links = {
    ChangeOrderForProposalId: given.ChangeOrderForProposalId ?? null,
    BundleWithProposalId: given.BundleWithProposalId ?? null,
  };
  const refusals = LINKS.flatMap(({ field }) => {
    const id = links[field];
    const parent = parents.find(({ Id, OrganizationId }) => Id === id && OrganizationId === blank.OrganizationId);
    const refusal = id === null ? undefined : linkRefusal(field, blank, parent, id);
    return refusal ? [{ field, ...refusal }] : [];
  });
  return { links, refusals };
}
