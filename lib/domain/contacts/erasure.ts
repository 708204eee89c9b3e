import type { ErasedContact } from '../../entities/contacts.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { TaskRecord } from '../../entities/tasks.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { PaymentRecord } from '../../entities/payments.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { ProposalStatus } from '../proposals/status.ts';

/** Stands for what was removed. */
export const ERASED = '[erased]';

/** Digits of a number that must match; country codes and punctuation are written in many ways. */
const PHONE_DIGITS = 10;
const MIN_PHONE_DIGITS = 7;
/** Shorter names and addresses are parts of other words too often. */
const MIN_TEXT = 3;

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** A text wherever it stands alone, in any case, with any spaces. */
const textPattern = (text: string): string =>
  `(?<![\\p{L}\\p{N}])${text.trim().split(/\s+/).map(escapePattern).join('\\s+')}(?![\\p{L}\\p{N}])`;

/** The last digits of a number, however they are grouped: `(217) 555-0143`, `+12175550143`. */
function phonePattern(phone: string): string | undefined {
  const digits = phone.replaceAll(/\D/g, '').slice(-PHONE_DIGITS);
  return digits.length < MIN_PHONE_DIGITS ? undefined : `\\+?1?[\\s.(-]{0,3}${[...digits].join('[\\s().-]{0,3}')}`;
}

/** Finds and replaces what identifies a person in texts. */
export interface PersonPattern {
  matches(text: string): boolean;
  redact(text: string): string;
}

type Identity = Pick<
  ContactRecord,
  | 'Name'
  | 'Nickname'
  | 'Company'
  | 'Email'
  | 'Phone'
  | 'AltPhone'
  | 'Address1'
  | 'Address2'
  | 'Hash'
  | 'DigitalTrackingId'
>;

/**
 * Name, company, street, e-mail, numbers, handle and tracking id of a contact. Worked: of Ana Diaz with (217) 555-0143,
 * `Call ana  diaz, 217.555.0143` becomes `Call [erased], [erased]`.
 */
export function personPattern(contact: Identity): PersonPattern {
  const { Name, Nickname, Company, Email, Phone, AltPhone, Address1, Address2, Hash, DigitalTrackingId } = contact;
  const texts = [Email, Name, Company, Address1, Nickname, Address2, Hash, DigitalTrackingId]
    .filter((text) => text.trim().length >= MIN_TEXT)
    .sort((a, b) => b.length - a.length)
    .map(textPattern);
  const phones = [Phone, AltPhone].flatMap((phone) => phonePattern(phone) ?? []);
  const sources = [...texts, ...phones];
  if (!sources.length) return { matches: () => false, redact: (text) => text };
  const any = new RegExp(sources.join('|'), 'iu');
  const all = new RegExp(any.source, 'giu');
  return { matches: (text) => any.test(text), redact: (text) => text.replaceAll(all, ERASED) };
}

/** Of a person whose fields are erased already: any text that people wrote may name it. */
export const forgottenPerson: PersonPattern = {
  matches: (text) => text !== '',
  redact: (text) => (text === '' ? '' : ERASED),
};

/** Every text in a value redacted, names of fields excepted. */
function redactTexts<Value>(value: Value, person: PersonPattern): Value {
  if (typeof value === 'string') return person.redact(value) as Value;
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => redactTexts(each, person)) as Value;
  const fields = Object.entries(value).map(([name, each]) => [name, redactTexts(each as unknown, person)]);
  return Object.fromEntries(fields) as Value;
}

/** A task keeps type, times and who is assigned; its texts go. A task always has a description. */
export const eraseTask = (task: TaskRecord): TaskRecord => ({ ...task, Description: ERASED, Note: '' });

/** An appointment keeps service, times, agents and amounts. Nobody is notified of it any more. */
export const eraseAppointment = (appointment: AppointmentRecord, person: PersonPattern): AppointmentRecord => ({
  ...appointment,
  ServiceName: person.redact(appointment.ServiceName),
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
export function eraseProposal(proposal: ProposalRecord, person: PersonPattern): ProposalRecord {
  const isWaiting = proposal.Status === ProposalStatus.Internal || proposal.Status === ProposalStatus.Open;
  return {
    ...eraseSignedProposal(proposal),
    Status: isWaiting ? ProposalStatus.Expired : proposal.Status,
    Title: person.redact(proposal.Title),
    ServiceName: person.redact(proposal.ServiceName),
    Description: person.redact(proposal.Description),
    CustomerNotes: '',
    DeliveryUri: '',
    EvidenceSha256: '',
    Options: redactTexts(proposal.Options, person),
    Lines: proposal.Lines.map((line) => ({
      ...line,
      LineDescription: person.redact(line.LineDescription),
      Notes: '',
      CustomFields: [],
    })),
    Book: { ...proposal.Book, Fields: [] },
  };
}

const eraseNumber = (number: string, invoiceId: number, person: PersonPattern): string =>
  person.matches(number) ? `erased-${invoiceId}` : number;

/** Bookkeeping needs numbers, dates, lines and amounts of an invoice; who it is for is replaced in them. */
export const eraseInvoice = (invoice: InvoiceRecord, person: PersonPattern): InvoiceRecord => ({
  ...invoice,
  Number: eraseNumber(invoice.Number, invoice.Id, person),
  Terms: person.redact(invoice.Terms),
  CustomerNotes: '',
  Lines: invoice.Lines.map((line) => ({ ...line, Description: person.redact(line.Description) })),
});

export const erasePayment = (payment: PaymentRecord, person: PersonPattern): PaymentRecord => ({
  ...payment,
  InvoiceNumber: eraseNumber(payment.InvoiceNumber, payment.InvoiceId, person),
  Reference: person.redact(payment.Reference),
  Method: person.redact(payment.Method),
  TransactionId: person.matches(payment.TransactionId) ? `erased-${payment.Id}` : payment.TransactionId,
});

export const toErasedContact = (contact: ContactRecord, now: number): ErasedContact => ({
  Id: contact.Id,
  OrganizationId: contact.OrganizationId,
  Created: contact.Created,
  Updated: now,
  OpenInvoices: redactTexts(contact.OpenInvoices, personPattern(contact)),
  OpenProposals: redactTexts(contact.OpenProposals, personPattern(contact)),
  IsCustomer: contact.IsCustomer,
  ErasedAt: now,
  ...(contact.LifetimeValue === undefined ? {} : { LifetimeValue: contact.LifetimeValue }),
  ...(contact.CustomerSince === undefined ? {} : { CustomerSince: contact.CustomerSince }),
  V: contact.V,
});
