import { buildCalendar } from '../../domain/appointments/calendar.ts';
import { blankAppointment, changeStatus } from '../../domain/appointments/record.ts';
import { bookingPeriod, rulesOf } from '../../domain/scheduling/booking-period.ts';
import { type BookingPeriod, dayAt } from '../../domain/scheduling/calendar.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { Holiday, OrganizationRecord } from '../../entities/organizations.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { ServiceAgentRecord } from '../../entities/service-agents.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { AddOnPart, AppointmentInput } from '../../resources/appointments.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { Input } from '../../resources/fields.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { conflict, forbidden, invalid } from '../../shared/failure.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { randomHandle, reserveIds } from '../../store/dynamodb/records.ts';
import type { Caller } from '../../store/requests/caller.ts';
import type { ReadContext, WriteContext } from '../context.ts';
import { requireOpen } from '../organizations/require-open.ts';

/** A booking: what it is made with, what comes of it, and the rules that every way to book shares. */

/** What of an organization decides whether, when and at what price it can be booked. */
export interface Company {
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

/** An appointment as a workflow leaves it, and the changes that store it. */
export interface Booking {
  readonly appointment: AppointmentRecord;
  readonly changes: readonly Change[];
}

export type ProposalLinks = Partial<Pick<AppointmentRecord, 'ProposalId' | 'RootProposalId'>>;

export type ServiceReference = Pick<AppointmentInput, 'ServiceId' | 'ServiceName'>;

/** A record that a request refers to besides contact and service. */
export type Reference = { readonly field: string; readonly id: number } & (
  | { readonly noun: 'appointment'; readonly record: AppointmentRecord | undefined }
  | { readonly noun: 'proposal'; readonly record: ProposalRecord | undefined }
  | { readonly noun: 'invoice'; readonly record: InvoiceRecord | undefined }
);

/** The proposals among references. */
export const referencedProposals = (references: readonly Reference[]): ProposalRecord[] =>
  references.flatMap(({ noun, record }) => (noun === 'proposal' && record ? [record] : []));

/** The part of a booking that decides price and length (see resolveInput). */
export interface WorkInput {
  readonly quantity: number | null | undefined;
  readonly discount: number | null | undefined;
  readonly lines: readonly Input<typeof AddOnPart>[];
  /** The lines are those of the former appointment. */
  readonly keepsLines: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The text of a Duration field. */
  readonly duration: string | undefined;
  /** Minutes without a duration; `undefined` for the length of the service or of what was sold. */
  readonly minutes: number | undefined;
  /** Minutes of the former appointment, if it keeps them as long as its service stays. */
  readonly formerMinutes: number | undefined;
  readonly links: ProposalLinks;
  readonly former: AppointmentRecord | undefined;
}

/** What a request asks for (see resolveInput). */
export interface BookingInput {
  readonly service: ServiceReference;
  readonly links: Required<ProposalLinks>;
  readonly work: WorkInput;
  /** The other fields of the appointment that the request changes. */
  readonly details: Partial<AppointmentRecord>;
}

/** The proposal of an appointment, its own before its root's, if it was loaded. */
export const ownProposal = (
  { ProposalId, RootProposalId }: ProposalLinks,
  proposals: readonly ProposalRecord[],
): ProposalRecord | undefined => proposals.find(({ Id }) => Id === (ProposalId || RootProposalId));

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

/** 400 for an appointment of another contact. */
export function requireSameContact(former: AppointmentRecord | undefined, contactId: number): void {
  if (former && former.ContactId !== contactId)
    throw invalid({ field: 'ContactId', code: 'mismatch', message: `is not the contact of appointment ${former.Id}` });
}
