import { Invoice } from '../../lib/entities/invoices.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { invoiceToResource } from '../../lib/domain/invoices/record.ts';
import { described, id, nested, required } from '../../lib/resources/fields.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { findClientLinks } from '../../lib/store/links.ts';
import { findTakesPayments } from '../../lib/store/payment-providers.ts';
import { changeInvoice, createInvoice } from '../../lib/workflows/invoices/import-invoice.ts';

export const importInvoice = operation({
  title: 'Create or change an invoice',
  summary: 'Creates, changes or voids an invoice.',
  rules: [
    'With InvoiceId or Invoice.Id the call changes that invoice; without them it creates one, Open unless Status is ' +
      'Unapproved.',
    'A Number is unique in the organization. The same Number with the same content returns the same invoice and ' +
      'changes nothing; with other content it is 409. Without a Number the invoice is numbered by its Id.',
    'A line amounts to Rate times Qty. Extended, Subtotal, Tax and Total are stored as sent if they are right, rounded ' +
      'by line or on the sum; otherwise the call is 409 with both amounts: [amounts and ' +
      'taxes](/docs#description/amounts-and-taxes).',
    'In a change, absent fields stay. Lines, if any, replace all lines; one with the Id of a line keeps its absent ' +
      'fields.',
    'Only a Credit can have a total below 0. A total of 0 is Paid at once.',
    'A Paid or Voided invoice cannot be changed (409), but a Paid one can be Voided. A total below the amount paid ' +
      'is 409.',
    'Invoicing a proposal or an appointment, and voiding, change these too: [invoice and ' +
      'void](/docs#description/invoice-and-void).',
    'Dates without an offset are in the time zone of the organization. DatePaid, BalanceDue, Contact and both links ' +
      'are read-only.',
  ],
  access: 'write',
  maxBody: 1 * 1024 * 1024,
  request: () => ({
    Invoice: required(nested(Invoice)),
    InvoiceId: described(id(), 'The invoice to change; the same as Invoice.Id.'),
  }),
  response: () => ({ Invoice: nested(Invoice), InvoiceId: id() }),
  document: () => ({ fields: { Invoice: 'ContactId is required in a new one.' } }),
  example: {
    Invoice: {
      ContactId: 1,
      Number: '2026-0117',
      Date: '2026-03-09',
      TaxRate: 8.25,
      Lines: [
        { ServiceId: 1, Description: 'Window cleaning', Rate: 12.5, Qty: 14, Taxable: true },
        { Description: 'Travel', Rate: 20, Qty: 1 },
      ],
      Total: 209.44,
    },
  },
  async run({ Invoice: input, InvoiceId }, context) {
    if (InvoiceId && input.Id && input.Id !== InvoiceId)
      throw invalid({ field: 'Invoice.Id', code: 'mismatch', message: `must equal InvoiceId, which is ${InvoiceId}` });
    const id = InvoiceId || input.Id;
    const {
      invoice,
      changes,
      message = '',
    } = await (id
      ? changeInvoice({ id, field: InvoiceId ? 'InvoiceId' : 'Invoice.Id' }, input, context)
      : createInvoice(input, context));
    const [link, takesPayments] = await Promise.all([
      findClientLinks(context.store, context.caller.role, context.now),
      findTakesPayments(context.store),
    ]);
    const resource = invoiceToResource(invoice, { contact: null, associated: true, link, takesPayments });
    return save(changes, { Invoice: resource, InvoiceId: invoice.Id, Message: message });
  },
});
