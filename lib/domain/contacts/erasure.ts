import type { ErasedContact } from '../../entities/contacts.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { TaskRecord } from '../../entities/tasks.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { PaymentRecord } from '../../entities/payments.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { ProposalStatus } from '../proposals/status.ts';
import { ERASED, type Person } from './person.ts';

/** A text of an own record, replaced whole where it names the person: what is around a name tells who it was. */
const withoutNames = (text: string, person: Person): string => (person.isNamedIn(text) ? ERASED : text);

/** Every text in a value changed, names of fields excepted. */
export function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value) as Value;
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => mapTexts(each, change)) as Value;
  const fields = Object.entries(value).map(([name, each]) => [name, mapTexts(each as unknown, change)]);
  return Object.fromEntries(fields) as Value;
}

const redactTexts = <Value>(value: Value, person: Person): Value =>
  mapTexts(value, (text) => withoutNames(text, person));

/** A task keeps type, times and who is assigned; its texts go. A task always has a description. */
export const eraseTask = (task: TaskRecord): TaskRecord => ({ ...task, Description: ERASED, Note: '' });

/** An appointment keeps service, times, agents and amounts. Nobody is notified of it any more. */
export const eraseAppointment = (appointment: AppointmentRecord, person: Person): AppointmentRecord => ({
  ...appointment,
  ServiceName: withoutNames(appointment.ServiceName, person),
  AddOnParts: redactTexts(appointment.AddOnParts, person),
  BilledLines: redactTexts(appointment.BilledLines, person),
  Notes: '',
  InternalNotes: '',
  NotificationUri: '',
  EnRouteUri: '',
  ThirdPartyUrl: '',
  ConfirmationUri: '',
  NotificationOptions: [],
  CustomProperties: {},
  Feedback: appointment.Feedback && { ...appointment.Feedback, Note: '', ContactMe: false },
});

export const isSigned = ({ EvidenceSha256, AcceptedAt }: ProposalRecord): boolean =>
  EvidenceSha256 !== '' || AcceptedAt !== null;

/**
 * What may change in a signed proposal goes; what was signed stays as it was signed, or its evidence would not hold.
 */
export const eraseSignedProposal = (proposal: ProposalRecord): ProposalRecord => ({
  ...proposal,
  ProposalNotes: [],
  CustomFields: [],
  AccountingClass: null,
});

/** A proposal keeps service, lines and amounts. One that waits for an answer expires. */
export function eraseProposal(proposal: ProposalRecord, person: Person): ProposalRecord {
  const isWaiting = proposal.Status === ProposalStatus.Internal || proposal.Status === ProposalStatus.Open;
  return {
    ...eraseSignedProposal(proposal),
    Status: isWaiting ? ProposalStatus.Expired : proposal.Status,
    Title: withoutNames(proposal.Title, person),
    ServiceName: withoutNames(proposal.ServiceName, person),
    Description: withoutNames(proposal.Description, person),
    CustomerNotes: '',
    DeliveryUri: '',
    EvidenceSha256: '',
    Options: redactTexts(proposal.Options, person),
    Lines: proposal.Lines.map((line) => ({
      ...line,
      LineDescription: withoutNames(line.LineDescription, person),
      Notes: '',
      CustomFields: [],
    })),
    Book: { ...proposal.Book, Fields: [] },
  };
}

const eraseNumber = (number: string, invoiceId: number, person: Person): string =>
  !/^\d{1,6}(-\d+)?$/.test(number) && person.isNamedIn(number) ? `erased-${invoiceId}` : number;

/** Bookkeeping needs numbers, dates, lines and amounts of an invoice; who it is for is replaced in them. */
export const eraseInvoice = (invoice: InvoiceRecord, person: Person): InvoiceRecord => ({
  ...invoice,
  Number: eraseNumber(invoice.Number, invoice.Id, person),
  Terms: withoutNames(invoice.Terms, person),
  CustomerNotes: '',
  Lines: invoice.Lines.map((line) => ({ ...line, Description: withoutNames(line.Description, person) })),
});

export const erasePayment = (payment: PaymentRecord, person: Person): PaymentRecord => ({
  ...payment,
  InvoiceNumber: eraseNumber(payment.InvoiceNumber, payment.InvoiceId, person),
  Reference: withoutNames(payment.Reference, person),
  Method: withoutNames(payment.Method, person),
  TransactionId: person.isNamedIn(payment.TransactionId) ? `erased-${payment.Id}` : payment.TransactionId,
});

export const toErasedContact = (contact: ContactRecord, person: Person, now: number): ErasedContact => ({
  Id: contact.Id,
  OrganizationId: contact.OrganizationId,
  Created: contact.Created,
  Updated: now,
  OpenInvoices: redactTexts(contact.OpenInvoices, person),
  OpenProposals: redactTexts(contact.OpenProposals, person),
  IsCustomer: contact.IsCustomer,
  ErasedAt: now,
  ...(contact.LifetimeValue === undefined ? {} : { LifetimeValue: contact.LifetimeValue }),
  ...(contact.CustomerSince === undefined ? {} : { CustomerSince: contact.CustomerSince }),
  V: contact.V,
});
