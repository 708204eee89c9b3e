import type { AppointmentRecord, SlotInput } from '../../entities/appointments.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { BookInput } from '../../resources/appointments.ts';
import { collectErrors, forbidden, invalid, notFound, orNotFound } from '../../shared/failure.ts';
import { isEqual } from '../../shared/objects.ts';
import { fold } from '../../shared/text/text.ts';
import { findSelectedService } from '../../store/pricebook/services.ts';
import { findProposal } from '../../store/sales/proposals.ts';
import { loadContact } from '../contacts/load-contact.ts';
import type { ReadContext } from '../context.ts';
import { agentNotFound, serviceNotFound } from '../suggestions.ts';
import type { BookingContext, BookingInput, ProposalLinks, Reference, ServiceReference } from './types.ts';
import { BOOK, referencedProposals, resolveInput } from './input.ts';
import { type Named, type PrefetchedCompany, loadCompany, toSelector } from './read.ts';

/** Step 2, resolve: decides what is booked from the request, its slot, the former appointment and its proposal. */

type MainAgent = Pick<AppointmentRecord, 'ServiceAgentId' | 'ServiceAgentName'>;

/** What book books. */
export interface ResolvedBooking extends BookingContext {
  readonly input: BookingInput;
  /** The queued or canceled appointment to book, if it is not a new one. */
  readonly former: AppointmentRecord | undefined;
  readonly slot: SlotInput;
  readonly agent: MainAgent;
}

/** Throws if something that the request names does not exist or does not fit the rest. */
export async function resolveBooking(
  request: BookInput,
  { slot, former, contact: namedContact, references, prefetched }: Named,
  context: ReadContext,
): Promise<ResolvedBooking> {
  if (request.AppointmentId) orNotFound(former, 'appointment', 'AppointmentId', request.AppointmentId);
  requireReferences(references);
  const contact = namedContact ?? (await loadContact(context, former?.ContactId));
  requireSameContact(former, contact.Id);
  const input = resolveInput(BOOK, { request, slot, former, references, contactId: contact.Id });
  const loaded = await loadBookingContext(context, {
    organizationId: former?.OrganizationId ?? contact.OrganizationId,
    service: input.service,
    links: input.links,
    references,
    prefetched,
  });
  const booking = { contact, ...loaded };
  const placed = requireSlot(slot);
  const agent = await requireAgent(context, booking, placed.ServiceAgentId);
  return { ...booking, input, former, slot: placed, agent };
}

/** 400 for a slot without a time or an agent. */
function requireSlot(slot: SlotInput = {}): SlotInput & { readonly ServiceAgentId: number } {
  const { ServiceAgentId, DateTime, ArrivalFrom } = slot;
  const errors = collectErrors(
    ['Slots[0].DateTime', !DateTime && !ArrivalFrom && 'is required', 'required'],
    ['Slots[0].ServiceAgentId', !ServiceAgentId && 'is required', 'required'],
  );
  if (errors.length || !ServiceAgentId) throw invalid(...errors);
  return { ...slot, ServiceAgentId };
}

export async function requireAgent(
  context: ReadContext,
  { agents, organization }: BookingContext,
  id: number,
): Promise<MainAgent> {
  const agent = agents.get(id);
  if (!agent)
    throw await agentNotFound(context, organization.Id, agents.values(), { field: 'Slots[0].ServiceAgentId', id });
  return { ServiceAgentId: id, ServiceAgentName: agent.Name };
}

interface BookingSelection {
  /** Already read, in parallel with the contact. */
  readonly prefetched?: PrefetchedCompany | undefined;
  readonly organizationId: number;
  readonly service: ServiceReference;
  /** The request field that holds the service's name. */
  readonly nameField?: string;
  readonly links?: ProposalLinks;
  /** Already loaded; their proposals are not read again. */
  readonly references?: readonly Reference[];
}

/** Loads everything except the contact in one round, or in none if all of it is prefetched. */
export async function loadBookingContext(
  context: ReadContext,
  selection: BookingSelection,
): Promise<Omit<BookingContext, 'contact'>> {
  const { organizationId, service: reference, nameField = 'ServiceName', links = {}, references = [] } = selection;
  const { store, caller } = context;
  const selector = toSelector(reference);
  const { id, name } = selector;
  if (!id && !name)
    throw nameField === 'ServiceName'
      ? invalid({ field: 'ServiceId', code: 'required', message: 'or ServiceName is required' })
      : invalid({ field: nameField, code: 'required', message: 'is required' });
  const prefetched =
    selection.prefetched?.company.organization.Id === organizationId ? selection.prefetched : undefined;
  const loadService = () => findSelectedService(store, organizationId, selector);
  const [company, service, proposals] = await Promise.all([
    prefetched?.company ?? loadCompany(context, organizationId),
    prefetched && isEqual(prefetched.selector, selector) ? prefetched.service : loadService(),
    loadProposals(context, links, references),
  ]);
  if (store.table.currentValues && caller.organizationId !== null && company.organization.Suspended)
    throw forbidden('organization_suspended', `Organization ${organizationId} is canceled.`);
  const serviceField = id ? 'ServiceId' : nameField;
  if (!service) throw await serviceNotFound(context, organizationId, { field: serviceField, id, name });
  if (id && name && fold(name) !== fold(service.Name))
    throw invalid({
      field: nameField,
      code: 'mismatch',
      message: `is not the name of service ${id}, which is ${service.Name}`,
    });
  return { ...company, service, serviceField, proposals };
}

/** The proposals of links, whose references may already be read. */
async function loadProposals(
  { store }: ReadContext,
  { ProposalId, RootProposalId }: ProposalLinks,
  references: readonly Reference[],
): Promise<ProposalRecord[]> {
  const ids = [...new Set([ProposalId, RootProposalId])].flatMap((id) => id || []);
  const known = new Map(referencedProposals(references).map((proposal) => [proposal.Id, proposal]));
  const found = await Promise.all(ids.map((id) => known.get(id) ?? findProposal(store, id)));
  return found.flatMap((proposal) => proposal ?? []);
}

export function requireReferences(references: readonly Reference[]): void {
  for (const { record, noun, field, id } of references) if (!record) throw notFound(noun, field, id);
}

/** 400 for an appointment of another contact. */
export function requireSameContact(former: AppointmentRecord | undefined, contactId: number): void {
  if (former && former.ContactId !== contactId)
    throw invalid({ field: 'ContactId', code: 'mismatch', message: `is not the contact of appointment ${former.Id}` });
}
