import { type InvoiceLineRecord, type InvoiceRecord, invoiceEntity } from '../../entities/invoices.ts';
import type { Contact } from '../../resources/contacts.ts';
import type { Invoice, InvoiceLine } from '../../resources/invoices.ts';
import type { TakesPayments } from '../client-payments.ts';
import type { ClientLink } from '../links.ts';
import { INVOICE_STATUSES, INVOICE_TYPES, InvoiceStatus } from './record.ts';

export interface InvoiceRelations {
  /** `null` unless requested. */
  readonly contact: Contact | null;
  /** Whether AssociatedAppointmentIds are included. */
  readonly associated: boolean;
  readonly link: ClientLink;
  readonly takesPayments: TakesPayments;
}

/** All appointments of the invoice, its AppointmentId first. */
const associatedIds = ({ AppointmentId, AssociatedAppointmentIds }: InvoiceRecord): number[] => [
  ...new Set([...(AppointmentId === null ? [] : [AppointmentId]), ...AssociatedAppointmentIds]),
];

/**
 * Whether the client can pay on the page now: a provider is connected, the company allows it, the invoice is open and
 * something is due.
 */
export const acceptsPayment = (
  {
    CanAcceptClientPayment,
    Status,
    BalanceDue,
    OrganizationId,
  }: Pick<InvoiceRecord, 'CanAcceptClientPayment' | 'Status' | 'BalanceDue' | 'OrganizationId'>,
  takesPayments: TakesPayments,
): boolean =>
  CanAcceptClientPayment && Status === InvoiceStatus.Open && BalanceDue > 0 && takesPayments(OrganizationId);

export const lineToResource = (line: InvoiceLineRecord): InvoiceLine => ({
  Id: line.Id,
  ServiceId: line.ServiceId,
  PartId: line.PartId,
  Description: line.Description,
  Rate: line.Rate,
  Qty: line.Qty,
  Extended: line.Extended,
  Taxable: line.Taxable,
});

/** Whether the client may open it: not before it is approved, and no longer once it is voided. */
export const isShownToClient = ({ Status }: Pick<InvoiceRecord, 'Status'>): boolean =>
  Status === InvoiceStatus.Open || Status === InvoiceStatus.Paid;

export function invoiceToResource(
  invoice: InvoiceRecord,
  { contact, associated, link, takesPayments }: InvoiceRelations,
): Invoice {
  const clientLink = isShownToClient(invoice) ? link('invoice', invoice.Id, invoice.LinksRevoked ?? 0) : '';
  return invoiceEntity.toResource(invoice, {
    ...invoiceEntity.resource,
    Status: INVOICE_STATUSES[invoice.Status] ?? 'Unapproved',
    InvoiceType: INVOICE_TYPES[invoice.InvoiceType] ?? 'Standard',
    CanAcceptClientPayment: acceptsPayment(invoice, takesPayments),
    ClientPayUrl: clientLink,
    ClientPdfUrl: clientLink && `${clientLink}/pdf`,
    Lines: invoice.Lines.map(lineToResource),
    Contact: contact,
    AssociatedAppointmentIds: associated ? associatedIds(invoice) : [],
  });
}
