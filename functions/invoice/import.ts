import { operation, save } from '../../lib/api/operation.ts';
import { invoiceToResource } from '../../lib/domain/invoices/to-resource.ts';
import { described, id, required } from '../../lib/resources/fields.ts';
import { Invoice } from '../../lib/resources/invoices.ts';
import { nested } from '../../lib/resources/resource.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { changeInvoice } from '../../lib/workflows/invoices/change-invoice.ts';
import { createInvoice } from '../../lib/workflows/invoices/create-invoice.ts';

export const importInvoice = operation({
  name: 'invoice/import',
  summary: 'Makes an invoice, changes one, or voids it.',
  description:
    'With InvoiceId or Invoice.Id that invoice is changed, otherwise one is made, which is Open unless Status ' +
    'says Unapproved. A Number is unique in the organization: given again with the same content it is the same ' +
    'invoice, and nothing is done; with other content it is 409. Without one the invoice is numbered by its Id. ' +
    'Every line comes to Rate times Qty, and Tax is the sum of that of each taxable line, rounded by itself. ' +
    'Extended, Subtotal, Tax and Total are compared where they are given, and a difference of more than 0.01 is ' +
    "409 with both figures. The rate is TaxRate, else that of the tax rate named RateName, else the contact's. In " +
    'a change, an absent field stays as it is, and the lines given, if there are any, are all there are from now ' +
    'on: one with the Id of a line keeps what it does not say. Only a Credit may come to less than 0. A total of ' +
    '0 is Paid at once. A Paid or Voided invoice cannot be changed (409), but a Paid one can be Voided; a total ' +
    'below what is paid is 409. A Standard invoice makes the Accepted or Scheduled proposal of ProposalId ' +
    'Invoiced, and becomes the InvoiceId of the appointment of AppointmentId where that has none. Voiding takes ' +
    'both back, and gives back a deposit that the invoice credited. Dates without offset are in the time zone of ' +
    'the organization. DatePaid, BalanceDue, Contact and both links are only answered.',
  access: 'write',
  needs: ['table:write'],
  request: () => ({
    Invoice: required(nested(Invoice)),
    InvoiceId: described(id(), 'The invoice to change, as well as Invoice.Id.'),
  }),
  response: () => ({ Invoice: nested(Invoice), InvoiceId: id() }),
  failures: ['invalid', 'notFound', 'conflict'],
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
      throw invalid({ field: 'Invoice.Id', message: `is another than InvoiceId, which is ${InvoiceId}` });
    const id = InvoiceId || input.Id;
    const {
      invoice,
      changes,
      message = '',
    } = await (id
      ? changeInvoice({ id, field: InvoiceId ? 'InvoiceId' : 'Invoice.Id' }, input, context)
      : createInvoice(input, context));
    const Invoice = invoiceToResource(invoice, { baseUrl: context.baseUrl, contact: null, associated: true });
    return save(changes, { Invoice, InvoiceId: invoice.Id, Message: message });
  },
});
