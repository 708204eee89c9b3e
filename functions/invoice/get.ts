import { Payment } from '../../lib/entities/payments.ts';
import { Invoice } from '../../lib/entities/invoices.ts';
import { operation } from '../../lib/api/operation.ts';
import { invoiceToResource } from '../../lib/domain/invoices/record.ts';
import { paymentToResource } from '../../lib/domain/payments.ts';
import { described, flag, id, many, nested, required } from '../../lib/resources/fields.ts';
import { orNotFound } from '../../lib/shared/failure.ts';
import { findClientLinks } from '../../lib/store/links.ts';
import { findTakesPayments } from '../../lib/store/payment-providers.ts';
import { findInvoicePayments } from '../../lib/store/sales/invoices.ts';
import { loadInvoiceContacts } from '../../lib/workflows/invoices/load-invoice-contacts.ts';

export const get = operation({
  title: 'Get an invoice',
  summary: 'Returns an invoice with its payments and refunds, by date, then id.',
  rules: [
    'The invoice and its payments are read at one moment: the amounts of the payments and BalanceDue add up to ' +
      'Total.',
    'A Voided invoice has nothing due.',
    'Contact is null unless IncludeContact is true.',
  ],
  access: 'read',
  request: () => ({ InvoiceId: required(id()), IncludeContact: described(flag(), 'Includes the Contact.') }),
  response: () => ({ Invoice: nested(Invoice), Payments: many(Payment) }),
  example: { InvoiceId: 1, IncludeContact: true },
  async run({ InvoiceId, IncludeContact }, context) {
    const found = await findInvoicePayments(context.store, InvoiceId);
    const { invoice, payments } = orNotFound(found, 'invoice', 'InvoiceId', InvoiceId);
    const { store, caller, now } = context;
    const [contacts, link, takesPayments] = await Promise.all([
      loadInvoiceContacts(context, [invoice], IncludeContact),
      findClientLinks(store, caller.role, now),
      findTakesPayments(store),
    ]);
    const contact = contacts.get(invoice.ContactId) ?? null;
    return {
      Invoice: invoiceToResource(invoice, { contact, associated: true, link, takesPayments }),
      Payments: payments.map(paymentToResource),
    };
  },
});
