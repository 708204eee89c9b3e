import type { ErasedContact } from '../../entities/erased-contacts.ts';
import { ProposalStatus } from '../../entities/proposal-status.ts';
import type { Fields } from '../../entities/declaration/field.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { PaymentRecord } from '../../entities/payments.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { type PersonalNoun, nouns } from '../../entities/nouns.ts';
import { Status } from '../appointments/record.ts';
import { ERASED, type Person, forgottenPerson } from './person.ts';

/**
 * A text of the person's own record, replaced completely if it names the person: the words around a name can identify
 * too.
 */
const withoutNames = (text: string, person: Person): string => (person.isNamedIn(text) ? ERASED : text);

/** Changes every text in a value, except names of fields. */
export function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value) as Value;
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => mapTexts(each, change)) as Value;
  const fields = Object.entries(value).map(([name, each]) => [name, mapTexts(each as unknown, change)]);
  return Object.fromEntries(fields) as Value;
}

const redactTexts = <Value>(value: Value, person: Person): Value =>
  mapTexts(value, (text) => withoutNames(text, person));

/** Clears the fields that are declared personal, and removes the person's names from the rest. */
function erasePersonal<Of extends object>(fields: Fields, object: Of, person: Person): Of {
  const erased = Object.entries(object).map(([name, value]: [string, unknown]) => {
    const field = fields[name];
    return [name, field ? eraseField(field, value, person) : value];
  });
  return Object.fromEntries(erased) as Of;
}

function eraseField({ options, absent, stored, fields }: Fields[string], value: unknown, person: Person): unknown {
  if (options.personal === 'replaced') return ERASED;
  if (options.personal === 'named') return redactTexts(value, person);
  if (options.personal) return absent;
  if (!fields || typeof value !== 'object' || value === null) return value;
  if (stored === 'object') return erasePersonal(fields, value, person);
  return Array.isArray(value) ? value.map((each: object) => erasePersonal(fields, each, person)) : value;
}

/** A record of the person without the fields that its noun declares as personal. */
export const eraseRecord = <RecordType extends object>(
  kind: PersonalNoun,
  record: RecordType,
  person = forgottenPerson,
): RecordType => erasePersonal(nouns[kind].fields, record, person);

/** The CanceledBy of visits that an erasure cancels. */
export const CANCELED_BY = 'contact erase';

/** Whether somebody would still drive to the visit: it is queued or in the future. */
const isAhead = ({ Status: status, Start }: AppointmentRecord, now: number): boolean =>
  status === Status.Queued ||
  ((status === Status.Scheduled || status === Status.Tentative) && (Start === null || Start > now));

/**
 * An appointment keeps service, times, agents and amounts. Nobody is notified about it any more, and nobody drives
 * there: a visit still ahead is canceled.
 */
export function eraseAppointment(appointment: AppointmentRecord, person: Person, now: number): AppointmentRecord {
  const erased = eraseRecord('Appointment', appointment, person);
  if (!isAhead(appointment, now)) return erased;
  const CancelReason = 'The contact was erased';
  return { ...erased, Status: Status.Canceled, CancelReason, CanceledBy: CANCELED_BY, CanceledAt: now };
}

export const isSigned = ({ EvidenceSha256, AcceptedAt }: ProposalRecord): boolean =>
  EvidenceSha256 !== '' || AcceptedAt !== null;

/**
 * Removes what can change in a signed proposal; what was signed stays, because its evidence would otherwise be invalid.
 */
export const eraseSignedProposal = (proposal: ProposalRecord): ProposalRecord => ({
  ...proposal,
  ProposalNotes: [],
  CustomFields: [],
  AccountingClass: null,
});

/** A proposal keeps service, lines and amounts. One that awaits an answer expires. */
export function eraseProposal(proposal: ProposalRecord, person: Person): ProposalRecord {
  const isWaiting = proposal.Status === ProposalStatus.Internal || proposal.Status === ProposalStatus.Open;
  return {
    ...eraseRecord('Proposal', proposal, person),
    Status: isWaiting ? ProposalStatus.Expired : proposal.Status,
    EvidenceSha256: '',
  };
}

const eraseNumber = (number: string, invoiceId: number, person: Person): string =>
  !/^\d{1,6}(-\d+)?$/.test(number) && person.isNamedIn(number) ? `erased-${invoiceId}` : number;

/** An invoice keeps what bookkeeping needs: number, dates, lines and amounts; personal data in them is replaced. */
export const eraseInvoice = (invoice: InvoiceRecord, person: Person): InvoiceRecord => ({
  ...eraseRecord('Invoice', invoice, person),
  Number: eraseNumber(invoice.Number, invoice.Id, person),
});

export const erasePayment = (payment: PaymentRecord, person: Person): PaymentRecord => ({
  ...eraseRecord('Payment', payment, person),
  InvoiceNumber: eraseNumber(payment.InvoiceNumber, payment.InvoiceId, person),
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
  ...(contact.CreditBalance === undefined ? {} : { CreditBalance: contact.CreditBalance }),
  ...(contact.CustomerSince === undefined ? {} : { CustomerSince: contact.CustomerSince }),
  ...(contact.MergedInto === undefined ? {} : { MergedInto: contact.MergedInto }),
  V: contact.V,
});
