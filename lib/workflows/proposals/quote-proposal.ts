import type { quoteFields } from '../../../functions/proposal/quote.ts';
import type { Context } from '../../api/context.ts';
import type { RequestOf } from '../../api/operation.ts';
import type { ContactRecord } from '../../domain/contacts/record.ts';
import type { OrganizationRecord } from '../../domain/organizations.ts';
import { notOfferedMessage } from '../../domain/pricebook/availability.ts';
import type { ServiceRecord } from '../../domain/pricebook/record.ts';
import { PARENT_FIELDS, parentError } from '../../domain/proposals/family.ts';
import type { ProposalInput } from '../../domain/proposals/input.ts';
import { describeOptions } from '../../domain/proposals/options.ts';
import { type QuoteReferences, quoteProposal } from '../../domain/proposals/quote.ts';
import { type ProposalRecord, blankProposal, expandBook } from '../../domain/proposals/record.ts';
import { isSameName } from '../../domain/proposals/references.ts';
import { proposalToResource } from '../../domain/proposals/to-resource.ts';
import { changeProposalStatus } from '../../domain/proposals/transitions.ts';
import { describeProration } from '../../domain/subscriptions/proration.ts';
import { toSubscriptionDates } from '../../domain/subscriptions/to-resource.ts';
import { chooseDates, scheduleVisits, applyChosenDates } from '../../domain/subscriptions/visits.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { ProposalTemplate } from '../../resources/proposals.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { conflict, invalid, notFound } from '../../shared/failure.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { toLocalDate } from '../../shared/format-moments.ts';
import { findContact } from '../../store/contacts.ts';
import { getRecentOrganization } from '../../store/organizations.ts';
import { findProposals } from '../../store/proposals.ts';
import { listRecentAgents } from '../../store/service-agents.ts';
import { findRecentService } from '../../store/services.ts';
import { listRecentSettings } from '../../store/settings.ts';
import { findUsers } from '../../store/users.ts';
import { loadContactResources } from '../contacts/load-contact-resources.ts';
import { findRecentTemplate, loadParts } from '../pricebook/load-parts.ts';

/** Faults by the paths of the request. */
const inProposal = (errors: readonly FieldError[]): FieldError[] =>
  errors.map((fault) =>
    fault.field === 'ProposalTemplateId' ? fault : { ...fault, field: `Proposal.${fault.field}` },
  );

type Request = RequestOf<ReturnType<typeof quoteFields>>;

/** A proposal of nothing yet, as of today. */
const blankOf = (
  { now }: QuoteContext,
  { Id: OrganizationId, Timezone: Zone }: OrganizationRecord,
  contactId: number,
) =>
  blankProposal({
    Id: 0,
    OrganizationId,
    ContactId: contactId,
    HashKey: '',
    Zone,
    Date: toLocalDate(now.getTime(), Zone),
    Created: now.getTime(),
  });

/**
 * Quotes: what a request names is read, the proposal told and priced as one that is made, its visits dated; and nothing
 * is written.
 */
export async function quoteProposalAnswer(request: Request, context: QuoteContext) {
  const { Proposal: said, ScheduleDates, ReturnDates, ReturnProposal, ...named } = request;
  const { table, caller, now, baseUrl } = context;
  const { ServiceId: _, ServiceName: __, ...input } = said ?? {};
  const { contact, organization, template, parents, around } = await loadQuote(context, named, said ?? {});
  const { Timezone: zone } = organization;
  const at = now.getTime();
  const blank = blankOf(context, organization, contact.Id);
  const moved = changeProposalStatus(blank, input.Status, { now: at, expireAfterDays: 0 });
  if (moved.kind === 'refused') throw conflict(moved.message);
  const { links, refusals } = quoteLinks(blank, input, parents);
  const refused = refusals.find(({ kind }) => kind === 'refused');
  const begun = moved.kind === 'moved' ? { ...moved.proposal, ...links } : blank;
  const quoted = quoteProposal(begun, { template, input }, around);
  const errors = [
    ...(moved.kind === 'fault' ? [{ field: 'Proposal.Status', message: moved.message }] : []),
    ...inProposal(refusals.filter(({ kind }) => kind === 'fault')),
    ...(quoted.kind === 'invalid' ? inProposal(quoted.errors) : []),
  ];
  if (quoted.kind === 'invalid' || errors.length) throw invalid(...errors);
  if (refused) throw conflict(refused.message);
  const { proposal, options } = quoted;

  const visits = ReturnDates || ScheduleDates?.length ? scheduleVisits(proposal) : [];
  const chosen = chooseDates(visits, ScheduleDates ?? [], zone);
  if (chosen.errors.length) throw invalid(...chosen.errors);
  const { accountId, dateStyle } = caller;
  const dates = applyChosenDates(toSubscriptionDates(proposal, visits, { dateStyle }), chosen, { zone, dateStyle });
  const { Book, Date: date, Quantity } = proposal;
  const prorated = describeProration(expandBook(Book).service, Quantity, { date, zone });
  const undated = ReturnDates && !visits.length ? `${proposal.ServiceName} is no subscription: it has no dates.` : '';
  const isShown = ReturnProposal || !ReturnDates;
  const [Contact = null] = isShown ? await loadContactResources(table, [contact], { accountId, baseUrl, now }) : [];
  const view = { baseUrl, now: at, contact: Contact, definitions: around.definitions };
  return {
    ScheduleDates: ReturnDates ? dates : [],
    Proposal: isShown ? { ...proposalToResource(proposal, view), ClientUrl: '' } : null,
    Message: [describeOptions(proposal.Options, options), prorated, undated].filter(Boolean).join(' '),
  };
}

/** What a quote works with: it writes nothing, so that no id is leased for it either. */
export type QuoteContext = Pick<Context<'table:read'>, 'table' | 'caller' | 'now' | 'baseUrl'>;

/** All that a quote is made from. */
export interface QuoteData {
  readonly contact: ContactRecord;
  readonly organization: OrganizationRecord;
  readonly template: ProposalTemplate | undefined;
  readonly parents: readonly ProposalRecord[];
  readonly around: QuoteReferences;
}

/**
 * Reads all that a quote is made from: one round where service, template and the account's lists are in memory, and one
 * more for each level of assemblies.
 */
export async function loadQuote(
  context: QuoteContext,
  named: QuoteReferencesInput,
  input: ProposalInput,
): Promise<QuoteData> {
  const { table, caller, now } = context;
  const { accountId } = caller;
  const errors = findContradictions(named, input);
  if (errors.length) throw invalid(...errors);
  const { ContactId, ProposalTemplateId } = named;
  const [contact, templated, parts, definitions, taxRates, users, parents] = await Promise.all([
    findContact(table, caller, ContactId),
    ProposalTemplateId ? findRecentTemplate(table, caller, ProposalTemplateId, now) : undefined,
    loadParts(table, accountId, input.ProposalLines, new Map()),
    listRecentSettings<CustomField>(table, accountId, 'CustomField', now),
    listRecentSettings<NamedTaxRate>(table, accountId, 'NamedTaxRate', now),
    findUsers(table, caller, input.OwnerUserId ? [input.OwnerUserId] : []),
    findProposals(
      table,
      accountId,
      PARENT_FIELDS.flatMap(({ field }) => input[field] ?? []),
    ),
  ]);
  if (!contact) throw notFound('contact', 'ContactId', ContactId);
  const { OrganizationId } = contact;
  const template = templated?.template;
  const isTheirs = template && [0, OrganizationId].includes(template.OrganizationId);
  if (ProposalTemplateId && !isTheirs) throw notFound('proposal template', 'ProposalTemplateId', ProposalTemplateId);
  const [organization, service, agents] = await Promise.all([
    getRecentOrganization(table, accountId, OrganizationId, now),
    loadService(context, OrganizationId, { named, input, template }),
    input.ServiceAgentId
      ? listRecentAgents(table, { accountId, organizationId: OrganizationId }, now)
      : new Map<number, unknown>(),
  ]);
  const around: QuoteReferences = {
    contact,
    service,
    definitions,
    taxRates,
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
export function quoteLinks(blank: ProposalRecord, input: ProposalInput, parents: readonly ProposalRecord[]) {
  const links = {
    ChangeOrderForProposalId: input.ChangeOrderForProposalId ?? null,
    BundleWithProposalId: input.BundleWithProposalId ?? null,
  };
  const refusals = PARENT_FIELDS.flatMap(({ field }) => {
    const id = links[field];
    const parent = parents.find(({ Id, OrganizationId }) => Id === id && OrganizationId === blank.OrganizationId);
    const refusal = id === null ? undefined : parentError(field, blank, parent, id);
    return refusal ? [{ field, ...refusal }] : [];
  });
  return { links, refusals };
}

/** What a quote is of, as a request says it. */
export interface QuoteReferencesInput {
  readonly ContactId: number;
  readonly ServiceId?: number | null | undefined;
  readonly ServiceName?: string | null | undefined;
  readonly ProposalTemplateId?: number | null | undefined;
}

/** What of the request says nothing, or the contrary of what it says elsewhere. */
export function findContradictions(named: QuoteReferencesInput, input: ProposalInput): FieldError[] {
  const { ContactId, ServiceId, ServiceName, ProposalTemplateId } = named;
  const names = [ServiceName, input.ServiceName].some((name) => name?.trim());
  const errors: (FieldError | false)[] = [
    !names &&
      !ServiceId &&
      !ProposalTemplateId &&
      !input.ServiceId && { field: 'ServiceId', message: 'or ServiceName or ProposalTemplateId is required' },
    Boolean(input.Id) && {
      field: 'Proposal.Id',
      message: 'is what a proposal is given when it is made; one there already is changed with proposal/update',
    },
    Boolean(input.ContactId) &&
      input.ContactId !== ContactId && {
        field: 'Proposal.ContactId',
        message: `is not ContactId, which is ${ContactId}`,
      },
  ];
  return errors.filter((fault) => fault !== false);
}

/** The service that request, proposal and template name in up to five places, which must agree. */
function namedService(named: QuoteReferencesInput, input: ProposalInput, template: ProposalTemplate | undefined) {
  const ids = [
    { field: 'ServiceId', id: named.ServiceId },
    { field: 'Proposal.ServiceId', id: input.ServiceId },
    { field: 'ProposalTemplateId', id: template?.ServiceId },
  ].flatMap(({ field, id }) => (id ? { field: field, id } : []));
  const names = [
    { field: 'ServiceName', name: named.ServiceName?.trim() },
    { field: 'Proposal.ServiceName', name: input.ServiceName?.trim() },
  ].flatMap(({ field, name }) => (name ? { field: field, name } : []));
  const [first] = ids;
  const others = ids.filter(({ id }) => id !== first?.id);
  if (first && others.length) {
    const Message = (id: number) => `is of service ${id}, but ${first.field} is of service ${first.id}`;
    throw invalid(...others.map(({ field, id }) => ({ field: field, message: Message(id) })));
  }
  return { first, names };
}

/** The service, as the contact's organization has it; 404 where it has not, 400 where it is also named otherwise, or no longer offered. */
export async function loadService(
  { table, caller, now }: QuoteContext,
  organizationId: number,
  {
    named,
    input,
    template,
  }: { named: QuoteReferencesInput; input: ProposalInput; template: ProposalTemplate | undefined },
): Promise<ServiceRecord> {
  const { first, names } = namedService(named, input, template);
  const [name] = names;
  const scope = { accountId: caller.accountId, organizationId };
  const service = await findRecentService(table, scope, first ? { id: first.id } : { name: name?.name }, now);
  const field = first?.field ?? name?.field ?? 'ServiceId';
  if (!service) throw notFound('service', field, first?.id ?? name?.name);
  const Message = `is not the name of service ${service.Id}, which is ${service.Name}`;
  const wrong = names.filter((each) => !isSameName(each.name, service.Name));
  if (wrong.length) throw invalid(...wrong.map((each) => ({ field: each.field, message: Message })));
  if (!service.Active) throw invalid({ field: field, message: notOfferedMessage(service.Name) });
  return service;
}
