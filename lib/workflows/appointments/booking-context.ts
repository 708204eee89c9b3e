import { buildCalendar } from '../../domain/appointments/calendar.ts';
import { bookingPeriod, rulesOf } from '../../domain/scheduling/booking-period.ts';
import { type BookingPeriod, dayAt } from '../../domain/scheduling/calendar.ts';
import { blankAppointment, changeStatus } from '../../domain/appointments/record.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { Holiday, OrganizationRecord } from '../../entities/organizations.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { ServiceAgentRecord } from '../../entities/service-agents.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { AppointmentInput, SlotInput } from '../../resources/appointments.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { conflict, forbidden, invalid, notFound } from '../../shared/failure.ts';
import { isEqual } from '../../shared/objects.ts';
import { randomHandle, reserveIds } from '../../store/dynamodb/records.ts';
import { fold } from '../../shared/text/text.ts';
import { findDefaultOrganization } from '../../store/accounts/accounts.ts';
import { findAppointment } from '../../store/appointments.ts';
import { isMeant } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { getOrganization } from '../../store/organizations/organizations.ts';
import { agentsOf } from '../../store/organizations/service-agents.ts';
import { type ServiceSelector, findSelectedService } from '../../store/pricebook/services.ts';
import type { Caller } from '../../store/requests/caller.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { findProposal } from '../../store/sales/proposals.ts';
import { settingsOf } from '../../store/settings.ts';
import type { ReadContext, WriteContext } from '../context.ts';
import { requireOpen } from '../organizations/require-open.ts';
import { serviceNotFound } from '../suggestions.ts';
import type { StoreReader } from '../../store/store.ts';

/**
 * What a booking is made with: organization, service and agents, the records that the request refers to, and the new
 * appointment.
 */

/** What of an organization decides whether, when and at what price it can be booked. */
interface Company {
  readonly organization: OrganizationRecord;
  readonly agents: ReadonlyMap<number, ServiceAgentRecord>;
  readonly customFields: readonly CustomField[];
  readonly taxRates: readonly NamedTaxRate[];
}

/** What a booking is made with. */
export interface BookingContext extends Company {
  readonly service: ServiceRecord;
  /** The request field that names the service. */
  readonly serviceField: string;
  readonly contact: ContactRecord;
  /** Days on which this caller finds no times, besides the holidays of the organization. */
  readonly closedDays?: readonly Holiday[];
  /** The proposals of the appointment, its own before its root's. */
  readonly proposals: readonly ProposalRecord[];
}

/**
 * When a caller can book; `undefined`: at any time. Clients go by it, and keys where the organization says so; workers
 * do not: the later visits of a series are beyond any horizon.
 */
export function bookingPeriodOf(
  { isClient, caller, now }: ReadContext,
  { organization, service, agents }: Pick<BookingContext, 'organization' | 'service' | 'agents'>,
): BookingPeriod | undefined {
  if (!isClient && !(organization.LimitKeys && caller.keyId)) return undefined;
  const hours = buildCalendar(organization, agents.values(), [], () => null);
  return bookingPeriod(hours, rulesOf(service, organization), now.getTime());
}

/** The beginning of the first day on which a caller can book; a window of it may begin before the notice ends. */
export function firstBookableDay(context: ReadContext, booking: Parameters<typeof bookingPeriodOf>[1]): number {
  const period = bookingPeriodOf(context, booking);
  return period ? dayAt(period.first, booking.organization.Timezone).start : 0;
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
    agentsOf(store, organizationId),
    settingsOf<CustomField>(store, 'CustomField'),
    settingsOf<NamedTaxRate>(store, 'NamedTaxRate'),
  ]);
  return { organization, agents, customFields, taxRates };
}

const toSelector = ({ ServiceId: id, ServiceName }: ServiceReference): ServiceSelector => ({
  id,
  name: ServiceName?.trim(),
});

interface PrefetchedCompany {
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
  const organizationId = caller.organizationId ?? (await findDefaultOrganization(store));
  const selector = toSelector(reference);
  const [company, service] = await Promise.all([
    loadCompany(context, organizationId),
    selector.id || selector.name ? findSelectedService(store, organizationId, selector) : undefined,
  ]);
  return { company, selector, service };
}

/** Everything but the contact, in one round; in none if all of it is prefetched. */
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

export type ProposalLinks = Partial<Pick<AppointmentRecord, 'ProposalId' | 'RootProposalId'>>;

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

/** 400 if a proposal or an invoice belongs to another contact. */
export function requireOwnReferences(references: readonly Reference[], contactId: number): void {
  const errors = references.flatMap(({ field, noun, id, record }) =>
    noun === 'appointment' || !record || record.ContactId === contactId
      ? []
      : [
          {
            field,
            code: 'mismatch' as const,
            message: `is ${noun} ${id} of contact ${record.ContactId}, not of contact ${contactId}`,
          },
        ],
  );
  if (errors.length) throw invalid(...errors);
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

/** The proposal of an appointment, its own before its root's, if it was loaded. */
export const ownProposal = (
  { ProposalId, RootProposalId }: ProposalLinks,
  proposals: readonly ProposalRecord[],
): ProposalRecord | undefined => proposals.find(({ Id }) => Id === (ProposalId || RootProposalId));

/** An appointment as a workflow leaves it, and the changes that store it. */
export interface Booking {
  readonly appointment: AppointmentRecord;
  readonly changes: readonly Change[];
}

/** A queued appointment of the contact with a new id. */
export async function newAppointment(
  { store, now }: WriteContext,
  { organization, contact }: BookingContext,
): Promise<AppointmentRecord> {
  requireOpen(organization, 'appointments');
  const [Id = 0] = await reserveIds(store, 'Appointment', 1);
  return blankAppointment({
    Id,
    OrganizationId: organization.Id,
    ContactId: contact.Id,
    HashKey: randomHandle(22),
    Zone: organization.Timezone,
    Created: now.getTime(),
  });
}

/** 409 if the status cannot change so, 403 if the role may not change it. */
export function changeAppointmentStatus(
  appointment: AppointmentRecord,
  status: number,
  { role }: Caller,
): AppointmentRecord {
  const change = changeStatus(appointment.Status, status, role);
  if (change.ok) return { ...appointment, Status: status, HeldUntil: null };
  throw change.kind === 'forbidden'
    ? forbidden('role_forbidden', change.message)
    : conflict('wrong_state', change.message);
}

/** The same for an Id, which may be that of a contact that was merged into the appointment's. */
export async function requireMeantContact(
  former: AppointmentRecord,
  contactId: number,
  { store }: ReadContext,
): Promise<void> {
  if (!(await isMeant(store, contactId, former.ContactId))) requireSameContact(former, contactId);
}

export function requireSameContact(former: AppointmentRecord | undefined, contactId: number): void {
  if (former && former.ContactId !== contactId)
    throw invalid({ field: 'ContactId', code: 'mismatch', message: `is not the contact of appointment ${former.Id}` });
}
