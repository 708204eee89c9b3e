import type { Contact } from '../../resources/contacts.ts';
import type { Invoice } from '../../resources/invoices.ts';
import { toUtc } from '../../shared/format-moments.ts';
import { type InvoiceRecord, InvoiceStatus } from './record.ts';

/** The words for Status and InvoiceType, by their number. */
export const INVOICE_STATUSES = ['Unapproved', 'Open', 'Paid', 'Voided'] as const;
export const INVOICE_TYPES = ['Standard', 'Deposit', 'Recurring', 'Credit'] as const;

/** How an invoice is to be shown. */
export interface InvoiceRelations {
  /** Where client links begin. */
  readonly baseUrl: string;
  /** `null` where nobody asked for it. */
  readonly contact: Contact | null;
  /** With AssociatedAppointmentIds, which are `[]` where nobody asked for them. */
  readonly associated: boolean;
}

/** Every appointment that it is for, its own first. */
const appointmentsOf = ({ AppointmentId, AssociatedAppointmentIds }: InvoiceRecord): number[] => [
  ...new Set([...(AppointmentId === null ? [] : [AppointmentId]), ...AssociatedAppointmentIds]),
];

/** Whether its client may pay it now: where that was allowed, while it is open and has something due. */
export const acceptsPayment = ({ CanAcceptClientPayment, Status, BalanceDue }: InvoiceRecord): boolean =>
  CanAcceptClientPayment && Status === InvoiceStatus.Open && BalanceDue > 0;

/** The complete invoice as every operation and event tells it. */
export function invoiceToResource(invoice: InvoiceRecord, { baseUrl, contact, associated }: InvoiceRelations): Invoice {
  const page = `${baseUrl}/client/invoice/${invoice.HashKey}`;
  return {
    Id: invoice.Id,
    Number: invoice.Number,
    Date: toUtc(invoice.Date),
    DatePaid: invoice.DatePaid === null ? null : toUtc(invoice.DatePaid),
    Status: INVOICE_STATUSES[invoice.Status] ?? 'Unapproved',
    InvoiceType: INVOICE_TYPES[invoice.InvoiceType] ?? 'Standard',
    ContactId: invoice.ContactId,
    ProposalId: invoice.ProposalId,
    AppointmentId: invoice.AppointmentId,
    Subtotal: invoice.Subtotal,
    Tax: invoice.Tax,
    Total: invoice.Total,
    BalanceDue: invoice.BalanceDue,
    IncludedInEop: invoice.IncludedInEop,
    TaxRate: invoice.TaxRate,
    RateName: invoice.RateName,
    Terms: invoice.Terms,
    CustomerNotes: invoice.CustomerNotes,
    CanAcceptClientPayment: acceptsPayment(invoice),
    ClientPayUrl: `${page}/pay`,
    ClientPdfUrl: `${page}/pdf`,
    Lines: [...invoice.Lines],
    Contact: contact,
    AssociatedAppointmentIds: associated ? appointmentsOf(invoice) : [],
  };
}
