import { InvoiceStatus } from '../../entities/invoices.ts';
import { dueDate, isOverdue } from '../../domain/invoices/due-date.ts';
import { acceptsPayment, isShownToClient } from '../../domain/invoices/record.ts';
import { phoneCheckOf, phoneEndings } from '../../domain/phone-check.ts';
import type { InvoiceView } from '../../pages/invoice.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import { findPageLinks } from '../../store/links.ts';
import { findInvoicePayments } from '../../store/sales/invoices.ts';
import type { ClientContext } from './client.ts';
import { loadPaymentState } from './payment-state.ts';
import { type LoadedPage, addressOf, loadCompany, contactLinks } from './load-company.ts';

export interface LoadedInvoicePage extends LoadedPage<InvoiceView> {
  readonly organization: number;
  /** The contact's e-mail. */
  readonly email: string;
  /** The id of the contact. */
  readonly contact: number;
  readonly phoneEndings: readonly string[];
}

/** The invoice of a link; `undefined` if the link was revoked or the invoice voided. Two rounds. */
export async function loadInvoicePage({ store, target, now }: ClientContext): Promise<LoadedInvoicePage | undefined> {
  const { id, generation } = target;
  const found = await findInvoicePayments(store, id);
  if (!found || !isShownToClient(found.invoice) || (found.invoice.LinksRevoked ?? 0) !== generation) return undefined;
  const { invoice, payments } = found;
  const [contact, clientCompany, link, payment] = await Promise.all([
    findContact(store, invoice.ContactId),
    loadCompany(store, invoice.OrganizationId),
    findPageLinks(store, target, now),
    loadPaymentState(store, { Page: 'invoice', RecordId: id }),
  ]);
  if (!contact) return undefined;
  const { OrganizationId: organization } = invoice;
  const endings = phoneEndings(contact);
  const isPayable = acceptsPayment(invoice, payment.takesPayments);
  const view: InvoiceView = {
    company: clientCompany.company,
    contactName: contact.Name || contact.Company,
    contactAddress: addressOf(contact),
    invoice,
    // A part of a divided payment that no longer gets anything is 0.00.
    payments: payments.filter(({ Amount }) => Amount !== 0),
    isPaid: invoice.Status === InvoiceStatus.Paid,
    dueDate: dueDate(invoice),
    isOverdue: isOverdue(invoice, now.getTime()),
    canPay: isPayable && !payment.isProcessing,
    phoneCheck: phoneCheckOf(invoice.BalanceDue, clientCompany.verifyAbove, endings),
    isProcessing: payment.isProcessing,
    isTest: isPayable && payment.isTest(organization),
  };
  return {
    view,
    organization,
    email: contact.Email,
    contact: contact.Id,
    phoneEndings: endings,
    ...contactLinks(link, target, contact),
    ...clientCompany,
  };
}
