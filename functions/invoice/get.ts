import { operation } from '../../lib/api/operation.ts';
import { invoiceToResource } from '../../lib/domain/invoices/to-resource.ts';
import { paymentToResource } from '../../lib/domain/payments.ts';
import { described, flag, id, required } from '../../lib/resources/fields.ts';
import { Invoice, Payment } from '../../lib/resources/invoices.ts';
import { many, nested } from '../../lib/resources/resource.ts';
import { orNotFound } from '../../lib/shared/failure.ts';
import { findClientLinks } from '../../lib/store/links.ts';
import { findInvoicePayments } from '../../lib/store/sales/invoices.ts';
import { loadInvoiceContacts } from '../../lib/workflows/invoices/load-invoice-contacts.ts';

export const get = operation({
  name: 'invoice/get',
  summary: 'Returns an invoice with its payments and refunds, by date, then id.',
  description:
    'The invoice and its payments are read at one moment: the amounts of the payments and BalanceDue add up to ' +
    'Total, except for a Voided invoice, which has nothing due. Contact is null unless IncludeContact is true.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({ InvoiceId: required(id()), IncludeContact: described(flag(), 'Includes the Contact.') }),
  response: () => ({ Invoice: nested(Invoice), Payments: many(Payment) }),
  failures: ['notFound'],
  example: { InvoiceId: 1, IncludeContact: true },
  async run({ InvoiceId, IncludeContact }, context) {
    const found = await findInvoicePayments(context.table, context.caller, InvoiceId);
    const { invoice, payments } = orNotFound(found, 'invoice', 'InvoiceId', InvoiceId);
    const contact = (await loadInvoiceContacts(context, [invoice], IncludeContact)).get(invoice.ContactId) ?? null;
    return {
      Invoice: invoiceToResource(invoice, {
        contact,
        associated: true,
        link: await findClientLinks(context.table, context.caller, context.now),
      }),
      Payments: payments.map(paymentToResource),
    };
  },
});
