import type { BookingCall } from '../../domain/appointments/call-content.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { AppointmentInput, SlotInput } from '../../resources/appointments.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { forbidden, invalid, notFound } from '../../shared/failure.ts';
import { isEqual } from '../../shared/objects.ts';
import { fold } from '../../shared/text/text.ts';
import { findDefaultOrganization } from '../../store/accounts/accounts.ts';
import { findAppointment } from '../../store/appointments.ts';
import { getOrganization } from '../../store/organizations/organizations.ts';
import { agentsOf } from '../../store/organizations/service-agents.ts';
import { type ServiceSelector, findSelectedService } from '../../store/pricebook/services.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { findProposal } from '../../store/sales/proposals.ts';
import { settingsOf } from '../../store/settings.ts';
import type { StoreReader } from '../../store/store.ts';
import { loadContact } from '../contacts/load-contact.ts';
import type { ReadContext } from '../context.ts';
import { serviceNotFound } from '../suggestions.ts';
import type { BookingContext, Company, ProposalLinks } from './booking.ts';
import type { BookingPolicy, RepeatablePolicy } from './policies.ts';
import { findRepeatedCall } from './repeated-call.ts';

/** Step 1, read: what a request names, in one round, and what of the rest it has not. */

type NamingRequest = Pick<
  AppointmentInput,
  'AppointmentId' | 'ContactId' | 'ServiceId' | 'ServiceName' | 'InvoiceId' | 'RootProposalId' | 'Slots'
>;

/** What a request names. What does not exist is left out, but for a contact. */
export interface Named {
  /** The appointment that the same call made before. */
  readonly repeated: AppointmentRecord | undefined;
  readonly slot: SlotInput | undefined;
  /** The appointment of AppointmentId. */
  readonly former: AppointmentRecord | undefined;
  readonly contact: ContactRecord | undefined;
  readonly references: readonly Reference[];
  readonly prefetched: PrefetchedCompany;
}

/** Reads what a request names, in one round. */
export async function readNamed<Request extends NamingRequest & BookingCall>(
  policy: RepeatablePolicy<Request>,
  request: Request,
  context: ReadContext,
): Promise<Named> {
  const slot = requestedSlot(policy, request);
  const { appointmentId, contactId } = policy.namedBy(request);
  const { ServiceId, ServiceName } = request;
  const service = ServiceId || ServiceName ? { ServiceId, ServiceName } : { ServiceId: slot?.ServiceId };
  const [repeated, former, contact, references, prefetched] = await Promise.all([
    // First, as the zone that the others read is not known at once.
    findRepeatedCall(context, policy, request),
    appointmentId ? findAppointment(context.store, appointmentId) : undefined,
    contactId ? loadContact(context, contactId) : undefined,
    loadReferences(context, request, slot),
    prefetchCompany(context, service),
  ]);
  return { repeated, slot, former, contact, references, prefetched };
}

/** The slot of a request, without the fields that the operation ignores. */
export function requestedSlot(
  policy: BookingPolicy,
  { Slots }: Pick<AppointmentInput, 'Slots'>,
): SlotInput | undefined {
  const slot = Slots?.[0];
  return slot && policy.slotOf(slot);
}

export type ServiceReference = Pick<AppointmentInput, 'ServiceId' | 'ServiceName'>;

interface BookingSelection {
  /** Read already, in parallel with the contact. */
  readonly prefetched?: PrefetchedCompany | undefined;
  readonly organizationId: number;
  readonly service: ServiceReference;
  /** The request field of the service's name. */
  readonly nameField?: string;
  readonly links?: ProposalLinks;
  /** Already loaded; their proposals are not read again. */
  readonly references?: readonly Reference[];
}

async function loadCompany({ store }: ReadContext, organizationId: number): Promise<Company> {
  const [organization, agents, customFields, taxRates] = await Promise.all([
    getOrganization(store, organizationId),
    agentsOf(store.table, { account: store.account, organizationId }),
    settingsOf<CustomField>(store, 'CustomField'),
    settingsOf<NamedTaxRate>(store, 'NamedTaxRate'),
  ]);
  return { organization, agents, customFields, taxRates };
}

const toSelector = ({ ServiceId: id, ServiceName }: ServiceReference): ServiceSelector => ({
  id,
  name: ServiceName?.trim(),
});

export interface PrefetchedCompany {
  readonly company: Company;
  readonly selector: ServiceSelector;
  /** `undefined` if the selector is empty or finds none. */
  readonly service: ServiceRecord | undefined;
}

/**
 * Reads the current company and service in parallel with the contact, so that they cost no round. The organization of
 * the contact is not known yet: it is the caller's, or probably the default one of the account.
 */
export async function prefetchCompany(context: ReadContext, reference: ServiceReference): Promise<PrefetchedCompany> {
  const { store, caller } = context;
  const { account } = caller;
  const organizationId = caller.organizationId ?? (await findDefaultOrganization(store));
  const selector = toSelector(reference);
  const [company, service] = await Promise.all([
    loadCompany(context, organizationId),
    selector.id || selector.name
      ? findSelectedService(store.table, { scope: { account, organizationId }, selector })
      : undefined,
  ]);
  return { company, selector, service };
}

/** Everything but the contact, in one round; in none if all of it is prefetched. */
export async function loadBookingContext(
  context: ReadContext,
  selection: BookingSelection,
): Promise<Omit<BookingContext, 'contact'>> {
  const { organizationId, service: reference, nameField = 'ServiceName', links = {}, references = [] } = selection;
  const {
    store: { table },
    caller,
  } = context;
  const selector = toSelector(reference);
  const { id, name } = selector;
  if (!id && !name)
    throw nameField === 'ServiceName'
      ? invalid({ field: 'ServiceId', code: 'required', message: 'or ServiceName is required' })
      : invalid({ field: nameField, code: 'required', message: 'is required' });
  const scope = { account: caller.account, organizationId };
  const prefetched =
    selection.prefetched?.company.organization.Id === organizationId ? selection.prefetched : undefined;
  const loadService = () => findSelectedService(table, { scope, selector });
  const [company, service, proposals] = await Promise.all([
    prefetched?.company ?? loadCompany(context, organizationId),
    prefetched && isEqual(prefetched.selector, selector) ? prefetched.service : loadService(),
    loadProposals(context, links, references),
  ]);
  if (table.currentValues && caller.organizationId !== null && company.organization.Suspended)
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

/** A record that a request refers to besides contact and service. */
export type Reference = { readonly field: string; readonly id: number } & (
  | { readonly noun: 'appointment'; readonly record: AppointmentRecord | undefined }
  | { readonly noun: 'proposal'; readonly record: ProposalRecord | undefined }
  | { readonly noun: 'invoice'; readonly record: InvoiceRecord | undefined }
);

/** Reads all references at once; no round without any. `requireReferences` checks that they exist. */
export async function loadReferences(
  { store }: ReadContext,
  request: Pick<AppointmentInput, 'InvoiceId' | 'RootProposalId'>,
  slot: SlotInput | undefined,
): Promise<Reference[]> {
  const read = async <Noun extends string, Found>(
    noun: Noun,
    find: (store: StoreReader, id: number) => Promise<Found>,
    field: string,
    id: number | null | undefined,
  ) => (id ? [{ noun, field, id, record: await find(store, id) }] : []);
  const found = await Promise.all([
    read('proposal', findProposal, 'RootProposalId', request.RootProposalId),
    read('proposal', findProposal, 'Slots[0].RootProposalId', slot?.RootProposalId),
    read('proposal', findProposal, 'Slots[0].ProposalId', slot?.ProposalId),
    read('invoice', findInvoice, 'InvoiceId', request.InvoiceId),
    read('appointment', findAppointment, 'Slots[0].ReworkForAppointmentId', slot?.ReworkForAppointmentId),
  ]);
  return found.flat();
}

export function requireReferences(references: readonly Reference[]): void {
  for (const { record, noun, field, id } of references) if (!record) throw notFound(noun, field, id);
}

export const referencedProposals = (references: readonly Reference[]): ProposalRecord[] =>
  references.flatMap(({ noun, record }) => (noun === 'proposal' && record ? [record] : []));

/** The proposals of links, of which the references may be read already. */
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
