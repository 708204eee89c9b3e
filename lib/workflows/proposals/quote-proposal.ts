import type { NamedTaxRate } from '../../entities/tax-rates.ts';
import type { ProposalTemplate } from '../../entities/price-book.ts';
import type { ProposalRecord, Proposal } from '../../entities/proposals.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { notOfferedMessage } from '../../domain/pricebook/availability.ts';
import { changeProposalStatus } from '../../domain/proposals/change-status.ts';
import { PARENT_FIELDS, resolveParents } from '../../domain/proposals/family.ts';
import type { ProposalInput } from '../../domain/proposals/input.ts';
import { describeOptions } from '../../domain/proposals/options.ts';
import { type PricedProposal, inputCountErrors } from '../../domain/proposals/price.ts';
import { type QuoteReferences, priceQuote } from '../../domain/proposals/quote.ts';
import { draftProposal, expandBook, proposalToResource } from '../../domain/proposals/record.ts';
import { isSameName } from '../../domain/proposals/references.ts';
import { describeProration } from '../../domain/subscriptions/proration.ts';
import { toSubscriptionDates } from '../../domain/subscriptions/to-resource.ts';
import { readSelectedDates, scheduleVisits, withSelectedDates } from '../../domain/subscriptions/visits.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { quoteFields } from '../../resources/proposals.ts';
import type { FieldsInput } from '../../resources/fields.ts';
import type { SubscriptionDate } from '../../resources/subscriptions.ts';
import { NO_LINKS } from '../../domain/client-pages.ts';
import {
  type FieldError,
  collectErrors,
  conflict,
  invalid,
  notFound,
  orNotFound,
  prefixErrors,
} from '../../shared/failure.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import { getOrganization } from '../../store/organizations/organizations.ts';
import { findProposals } from '../../store/sales/proposals.ts';
import { agentsOf } from '../../store/organizations/service-agents.ts';
import { findSelectedService } from '../../store/pricebook/services.ts';
import { settingsOf } from '../../store/settings.ts';
import { findUsers } from '../../store/organizations/users.ts';
import { loadContactResources } from '../contacts/load-contact.ts';
import type { ReadContext } from '../context.ts';
import { findRecentTemplate, loadParts } from '../pricebook/load-parts.ts';
import { soldQuantity } from '../sold-quantity.ts';
import { serviceNotFound } from '../suggestions.ts';

export type QuoteInput = FieldsInput<ReturnType<typeof quoteFields>>;

export interface Quote {
  readonly dates: SubscriptionDate[];
  readonly proposal: Proposal | null;
  readonly message: string;
}

/**
 * Quotes a service or template for a contact: applies the request to a blank proposal, prices it as create does, and
 * dates the visits of a subscription. Stores nothing and reserves no ids. Throws notFound for contact, template and
 * service, invalid with all errors, and conflict with the status of a parent.
 */
export async function quoteProposal(input: QuoteInput, context: ReadContext): Promise<Quote> {
  const tooMany = inputCountErrors(input.Proposal ?? {});
  const contradictions = [...findContradictions(input), ...prefixErrors('Proposal', tooMany)];
  if (contradictions.length) throw invalid(...contradictions);
  if (input.Proposal?.Quantity === 0) soldQuantity(0, context, 'Proposal.Quantity');
  const data = await loadQuoteData(input, context);
  const { proposal, options } = priceQuotedProposal(input.Proposal ?? {}, data, context.now);

  const visits = input.ReturnDates || input.ScheduleDates?.length ? scheduleVisits(proposal) : [];
  const { Timezone: zone } = data.organization;
  const { dateStyle } = context.caller;
  const selected = readSelectedDates(visits, input.ScheduleDates ?? [], zone);
  if (selected.errors.length) throw invalid(...selected.errors);
  const dates = withSelectedDates(toSubscriptionDates(proposal, visits, { dateStyle }), selected, { zone, dateStyle });

  const { Book, Date: date, Quantity } = proposal;
  const proration = describeProration(expandBook(Book).service, Quantity, { date });
  const noDates =
    input.ReturnDates && !visits.length && `${proposal.ServiceName} is not a subscription and has no dates.`;
  const returnsProposal = input.ReturnProposal || !input.ReturnDates;
  return {
    dates: input.ReturnDates ? dates : [],
    proposal: returnsProposal ? await toQuoteResource(proposal, data, context) : null,
    message: [describeOptions(proposal.Options, options), proration, noDates].filter(Boolean).join(' '),
  };
}

interface QuoteData {
  readonly contact: ContactRecord;
  readonly organization: OrganizationRecord;
  readonly template: ProposalTemplate | undefined;
  readonly parents: readonly ProposalRecord[];
  readonly references: QuoteReferences;
}

/** One round if service, template and the account's lists are cached, and one more for each level of assemblies. */
async function loadQuoteData(input: QuoteInput, context: ReadContext): Promise<QuoteData> {
  const { store, now } = context;
  const { ContactId, ProposalTemplateId } = input;
  const { ProposalLines, OwnerUserId, ServiceAgentId, ...fields } = input.Proposal ?? {};
  const parentIds = PARENT_FIELDS.flatMap(({ field }) => fields[field] ?? []);
  const [foundContact, loadedTemplate, parts, definitions, taxRates, users, parents] = await Promise.all([
    findContact(store, ContactId),
    ProposalTemplateId ? findRecentTemplate(store, ProposalTemplateId) : undefined,
    loadParts(store, ProposalLines, new Map()),
    settingsOf<CustomField>(store, 'CustomField'),
    settingsOf<NamedTaxRate>(store, 'NamedTaxRate'),
    findUsers(store, OwnerUserId ? [OwnerUserId] : []),
    findProposals(store, parentIds),
  ]);
  const contact = orNotFound(foundContact, 'contact', 'ContactId', ContactId);
  const { OrganizationId } = contact;
  const template = loadedTemplate?.template;
  const isVisible = template && [0, OrganizationId].includes(template.OrganizationId);
  if (ProposalTemplateId && !isVisible)
    throw notFound('proposal template', 'ProposalTemplateId', ProposalTemplateId, {
      advice: 'proposal/alltemplates lists them.',
    });
  const [organization, service, agents] = await Promise.all([
    getOrganization(store, OrganizationId),
    loadQuotedService(input, template, OrganizationId, context),
    ServiceAgentId ? agentsOf(store, OrganizationId) : new Map<number, unknown>(),
  ]);
  const references = {
    contact,
    service,
    country: organization.Country,
    definitions,
    taxRates,
    now: now.getTime(),
    parts: new Map([...(loadedTemplate?.parts ?? []), ...parts.parts]),
    templates: new Map([...(loadedTemplate?.templates ?? []), ...parts.templates]),
    suggestPart: parts.suggestPart,
    owners: users,
    agentIds: new Set(agents.keys()),
    agentAdvice: '',
    allowLoopback: process.env['STAGE'] === 'local',
  };
  return { contact, organization, template, parents, references };
}

/** The priced proposal of a quote; throws invalid with all errors, then conflict with the status of a parent. */
function priceQuotedProposal(
  // The service is resolved from the whole request (loadQuotedService).
  { ServiceId: _, ServiceName: __, ...input }: ProposalInput,
  { contact, organization, template, parents: foundParents, references }: QuoteData,
  now: Date,
): Extract<PricedProposal, { kind: 'priced' }> {
  const at = now.getTime();
  const blank = draftProposal(0, organization, contact.Id, at);
  const status = changeProposalStatus(blank, input.Status, { now: at, expireAfterDays: 0 });
  if (status.kind === 'conflict') throw conflict('wrong_state', status.message);
  const parents = resolveParents(blank, input, foundParents);
  const begun = status.kind === 'changed' ? { ...status.proposal, ...parents.references } : blank;
  const result = priceQuote(begun, { template, input }, references);
  const errors = [
    ...(status.kind === 'invalid'
      ? [{ field: 'Status', code: 'unknown_value' as const, message: status.message }]
      : []),
    ...parents.errors,
    ...(result.kind === 'invalid' ? result.errors : []),
  ];
  if (result.kind === 'invalid' || errors.length) throw invalid(...errors.flatMap(toRequestErrors));
  if (parents.conflict) throw conflict(parents.conflict.code, parents.conflict.message);
  return result;
}

/** Maps an error to its path in the request. */
const toRequestErrors = (error: FieldError): FieldError[] =>
  error.field === 'ProposalTemplateId' ? [error] : prefixErrors('Proposal', [error]);

/** The client cannot open a quote. */
async function toQuoteResource(
  proposal: ProposalRecord,
  { contact: record, references }: QuoteData,
  { store, caller, now }: ReadContext,
): Promise<Proposal> {
  const [contact = null] = await loadContactResources(store, [record], { caller, now });
  const { definitions } = references;
  return proposalToResource(proposal, { now: now.getTime(), contact, definitions, link: NO_LINKS });
}

function findContradictions({
  ContactId,
  ServiceId,
  ServiceName,
  ProposalTemplateId,
  Proposal,
}: QuoteInput): FieldError[] {
  const isNamed = [ServiceName, Proposal?.ServiceName].some((name) => name?.trim());
  const isGiven = isNamed || Boolean(ServiceId || ProposalTemplateId || Proposal?.ServiceId);
  return collectErrors(
    ['ServiceId', !isGiven && 'or ServiceName or ProposalTemplateId is required', 'required'],
    ['Proposal.Id', Boolean(Proposal?.Id) && 'must be absent: a quote is not stored', 'fixed'],
    [
      'Proposal.ContactId',
      Boolean(Proposal?.ContactId) &&
        Proposal?.ContactId !== ContactId &&
        `must be the ContactId of the quote, ${ContactId}`,
      'mismatch',
    ],
  );
}

/** The ids and names that request, proposal and template give for the service. The ids must agree. */
function resolveServiceReferences(
  { ServiceId, ServiceName, Proposal }: QuoteInput,
  template: ProposalTemplate | undefined,
) {
  const ids = [
    { field: 'ServiceId', id: ServiceId },
    { field: 'Proposal.ServiceId', id: Proposal?.ServiceId },
    { field: 'ProposalTemplateId', id: template?.ServiceId },
  ].flatMap(({ field, id }) => (id ? { field, id } : []));
  const names = [
    { field: 'ServiceName', name: ServiceName?.trim() },
    { field: 'Proposal.ServiceName', name: Proposal?.ServiceName?.trim() },
  ].flatMap(({ field, name }) => (name ? { field, name } : []));
  const [first] = ids;
  const others = ids.filter(({ id }) => id !== first?.id);
  if (first && others.length)
    throw invalid(
      ...others.map(({ field, id }) => ({
        field,
        code: 'mismatch' as const,
        message: `is for service ${id}, but ${first.field} is for service ${first.id}`,
      })),
    );
  return { id: first, names };
}

/** The quoted service. Throws notFound if the organization does not have it, invalid if it is not offered. */
async function loadQuotedService(
  input: QuoteInput,
  template: ProposalTemplate | undefined,
  organizationId: number,
  { store, caller }: ReadContext,
): Promise<ServiceRecord> {
  const { id, names } = resolveServiceReferences(input, template);
  const [name] = names;
  const found = await findSelectedService(store, organizationId, id ? { id: id.id } : { name: name?.name });
  const field = id?.field ?? name?.field ?? 'ServiceId';
  if (!found) throw await serviceNotFound({ store, caller }, organizationId, { field, id: id?.id, name: name?.name });
  const service = found;
  const message = `must be the name of service ${service.Id}: ${service.Name}`;
  const otherNames = names.filter((each) => !isSameName(each.name, service.Name));
  if (otherNames.length)
    throw invalid(...otherNames.map((each) => ({ field: each.field, code: 'mismatch' as const, message })));
  if (!service.Active) throw invalid({ field, code: 'inactive', message: notOfferedMessage(service.Name) });
  return service;
}
