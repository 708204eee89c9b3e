import type { NamedTaxRate } from '../../entities/tax-rates.ts';
import type { AddOnPart, AppointmentRecord } from '../../entities/appointments.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { Holiday, OrganizationRecord } from '../../entities/organizations.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { ServiceAgentRecord } from '../../entities/service-agents.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { AppointmentInput } from '../../resources/appointments.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { Input } from '../../resources/fields.ts';
import type { Change } from '../../store/dynamodb/changes.ts';

/** The vocabulary of booking: what is asked for, what it is made with, and the result. */

/** The parts of an organization that decide whether, when and at what price it can be booked. */
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
  /** Days on which this caller finds no times, besides the organization's holidays. */
  readonly closedDays?: readonly Holiday[];
  /** The appointment's proposals, its own before its root's. */
  readonly proposals: readonly ProposalRecord[];
}

/** An appointment as a workflow leaves it, and the changes that store it. */
export interface Booking {
  readonly appointment: AppointmentRecord;
  readonly changes: readonly Change[];
}

export type ProposalLinks = Partial<Pick<AppointmentRecord, 'ProposalId' | 'RootProposalId'>>;

export type ServiceReference = Pick<AppointmentInput, 'ServiceId' | 'ServiceName'>;

/** A record that a request refers to, besides contact and service. */
export type Reference = { readonly field: string; readonly id: number } & (
  | { readonly noun: 'appointment'; readonly record: AppointmentRecord | undefined }
  | { readonly noun: 'proposal'; readonly record: ProposalRecord | undefined }
  | { readonly noun: 'invoice'; readonly record: InvoiceRecord | undefined }
);

/** The part of a booking that decides price and length (see resolveInput). */
export interface WorkInput {
  readonly quantity: number | null | undefined;
  readonly discount: number | null | undefined;
  readonly lines: readonly Input<typeof AddOnPart>[];
  /** Whether the lines of the former appointment stay. */
  readonly keepsLines: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The text of a Duration field. */
  readonly duration: string | undefined;
  /** Minutes without a duration; `undefined` means the length of the service or of what was sold. */
  readonly minutes: number | undefined;
  /** Minutes of the former appointment, if it keeps its length while its service stays. */
  readonly formerMinutes: number | undefined;
  readonly links: ProposalLinks;
  readonly former: AppointmentRecord | undefined;
}

/** What a request asks for (see resolveInput). */
export interface BookingInput {
  readonly service: ServiceReference;
  readonly links: Required<ProposalLinks>;
  readonly work: WorkInput;
  /** The appointment's other fields that the request changes. */
  readonly details: Partial<AppointmentRecord>;
}
