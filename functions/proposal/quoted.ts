import type { Context } from '../../lib/api/context.ts';
import { invalid, notFound, type FieldError } from '../../lib/api/failure.ts';
import type { ContactRecord } from '../../lib/domain/contacts/record.ts';
import type { OrganizationRecord } from '../../lib/domain/organizations.ts';
import type { ServiceRecord } from '../../lib/domain/pricebook/records.ts';
import { LINKS, linkRefusal } from '../../lib/domain/proposals/links.ts';
import { alikeNamed } from '../../lib/domain/proposals/named.ts';
import type { QuoteSurroundings } from '../../lib/domain/proposals/quote.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import type { ProposalInput } from '../../lib/domain/proposals/surroundings.ts';
import type { CustomField } from '../../lib/resources/custom-fields.ts';
import type { ProposalTemplate } from '../../lib/resources/proposal-templates.ts';
import type { NamedTaxRate } from '../../lib/resources/taxes.ts';
import { cachedAgents } from '../../lib/store/agent-memory.ts';
import { findContact } from '../../lib/store/contacts.ts';
import { cachedList } from '../../lib/store/lists.ts';
import { cachedOrganization } from '../../lib/store/organizations.ts';
import { readProposals } from '../../lib/store/proposal-links.ts';
import { drawParts } from '../../lib/store/proposal-parts.ts';
import { cachedService } from '../../lib/store/service-memory.ts';
import { cachedTemplate } from '../../lib/store/template-memory.ts';
import { readUsers } from '../../lib/store/users.ts';

/** What a quote works with: it writes nothing, so that no id is leased for it either. */
export type Quoting = Pick<Context<'table:read'>, 'table' | 'caller' | 'now' | 'baseUrl'>;

/** What a quote is of, as a request says it. */
export interface QuoteNamed {
  readonly ContactId: number;
  readonly ServiceId?: number | null | undefined;
  readonly ServiceName?: string | null | undefined;
  readonly ProposalTemplateId?: number | null | undefined;
}

/** All that a quote is made from. */
export interface QuoteDrawn {
  readonly contact: ContactRecord;
  readonly organization: OrganizationRecord;
  readonly template: ProposalTemplate | undefined;
  readonly parents: readonly ProposalRecord[];
  readonly around: QuoteSurroundings;
}

/** The service that request, proposal and template name in up to five places, which must agree. */
function namedService({ ServiceId, ServiceName }: QuoteNamed, given: ProposalInput, template: ProposalTemplate | undefined) {
  const ids = [
    { Field: 'ServiceId', id: ServiceId },
    { Field: 'Proposal.ServiceId', id: given.ServiceId },
    { Field: 'ProposalTemplateId', id: template?.ServiceId },
  ].flatMap(({ Field, id }) => (id ? { Field, id } : []));
  const names = [
    { Field: 'ServiceName', name: ServiceName?.trim() },
    { Field: 'Proposal.ServiceName', name: given.ServiceName?.trim() },
  ].flatMap(({ Field, name }) => (name ? { Field, name } : []));
  const [first = null] = ids;
  const others = ids.filter(({ id }) => id !== first?.id);
  if (first && others.length)
    throw invalid(...others.map(({ Field, id }) => ({ Field, Message: `is of service ${id}, but ${first.Field} is of service ${first.id}` })));
  return { first, names };
}

/** The service, as the contact's organization has it; 404 where it has not, 400 where one is called otherwise than another. */
async function serviceOf({ table, caller, now }: Quoting, organizationId: number, { first, names }: ReturnType<typeof namedService>): Promise<ServiceRecord> {
  const [name] = names;
  const viewer = { accountId: caller.accountId, organizationId };
  const service = await cachedService(table, viewer, first ? { id: first.id } : { name: name?.name }, now);
  if (!service) throw notFound('service', first?.Field ?? name?.Field ?? 'ServiceId', first?.id ?? name?.name);
  const wrong = names.filter((each) => !alikeNamed(each.name, service.Name));
  if (wrong.length) throw invalid(...wrong.map(({ Field }) => ({ Field, Message: `is not the name of service ${service.Id}, which is ${service.Name}` })));
  return service;
}

/** What of the request says nothing, or the contrary of what it says elsewhere. */
function contradictions({ ContactId, ServiceId, ServiceName, ProposalTemplateId }: QuoteNamed, given: ProposalInput): FieldError[] {
  const isNamed = ServiceId || ServiceName?.trim() || ProposalTemplateId || given.ServiceId || given.ServiceName?.trim();
  return [
    ...(isNamed ? [] : [{ Field: 'ServiceId', Message: 'or ServiceName or ProposalTemplateId is required' }]),
    ...(given.Id ? [{ Field: 'Proposal.Id', Message: 'is what a proposal is given when it is made; one there is already is changed with proposal/update' }] : []),
    ...(given.ContactId && given.ContactId !== ContactId ? [{ Field: 'Proposal.ContactId', Message: `is not ContactId, which is ${ContactId}` }] : []),
  ];
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
    readUsers(table, accountId, given.OwnerUserId ? [given.OwnerUserId] : []),
    readProposals(table, accountId, LINKS.flatMap(({ field }) => given[field] ?? [])),
  ]);
  if (!contact) throw notFound('contact', 'ContactId', ContactId);
  const { OrganizationId } = contact;
  const isTheirs = templated && (!templated.template.OrganizationId || templated.template.OrganizationId === OrganizationId);
  if (ProposalTemplateId && !isTheirs) throw notFound('proposal template', 'ProposalTemplateId', ProposalTemplateId);
  const [organization, service, agents] = await Promise.all([
    cachedOrganization(table, accountId, OrganizationId, now),
    serviceOf(context, OrganizationId, namedService(named, given, templated?.template)),
    given.ServiceAgentId ? cachedAgents(table, { accountId, organizationId: OrganizationId }, now) : new Map<number, unknown>(),
  ]);
  if (!organization) throw new TypeError(`account ${accountId} has no organization ${OrganizationId}`);
  const seen = users.filter((user) => caller.organizationId === null || user.OrganizationId === caller.organizationId);
  const around: QuoteSurroundings = {
    contact, service, definitions, taxRates,
    now: now.getTime(),
    parts: new Map([...(templated?.parts ?? []), ...parts.parts]),
    templates: new Map([...(templated?.templates ?? []), ...parts.templates]),
    userIds: new Set(seen.map(({ Id }) => Id)),
    agentIds: new Set(agents.keys()),
    allowLoopback: process.env['STAGE'] === 'local',
  };
  return { contact, organization, template: templated?.template, parents, around };
}

/** The proposals that one being quoted is to belong to, as far as it may; and what stands against it. */
export function quotedLinks(blank: ProposalRecord, given: ProposalInput, parents: readonly ProposalRecord[]) {
  const links = { ChangeOrderForProposalId: given.ChangeOrderForProposalId ?? null, BundleWithProposalId: given.BundleWithProposalId ?? null };
  const refusals = LINKS.flatMap(({ field }) => {
    const id = links[field];
    const parent = parents.find(({ Id, OrganizationId }) => Id === id && OrganizationId === blank.OrganizationId);
    const refusal = id === null ? undefined : linkRefusal(field, blank, parent, id);
    return refusal ? [{ field, ...refusal }] : [];
  });
  return { links, refusals };
}
