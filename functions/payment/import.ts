import { operation, save } from '../../lib/api/operation.ts';
import { paymentToResource } from '../../lib/domain/payments.ts';
import { described, id, nested, nullable, required } from '../../lib/resources/fields.ts';
import { Payment } from '../../lib/resources/invoices.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { changePayment, recordPayment } from '../../lib/workflows/payments/record-payment.ts';

export const importPayment = operation({
  title: 'Record a payment or refund',
  summary: 'Records a payment or refund of an invoice, or changes one.',
  rules: [
    'InvoiceId or InvoiceNumber identifies the invoice. A number is looked up in the organization of the key, else ' +
      'in the only one of the account, else in that of ContactId.',
    'The payment reduces BalanceDue at once. At zero the invoice becomes Paid, and DatePaid is the date of the ' +
      'payment.',
    'A negative Amount is a refund, which opens the invoice again; a credit is settled by refunds.',
    'A payment above the amount due, a refund above the amount paid, and any payment of an Unapproved invoice are ' +
      '409. Record what exceeds the amount due without an invoice: ContactId in place of InvoiceId. It is applied to ' +
      'an invoice later by PaymentId with InvoiceId.',
    'A Voided invoice takes only refunds of what was paid before, and stays Voided; any other payment of it is 409.',
    'A TransactionId that was used for the same invoice and Amount returns the first payment and records none; for ' +
      'another invoice or Amount it is 409.',
    'With PaymentId or Payment.Id the call changes Reference, Method, Date and Amount of that payment; absent ' +
      'fields stay.',
    'Date is now by default, and is read in the time zone of the organization.',
  ],
  access: 'write',
  request: () => ({
    Payment: required(nested(Payment)),
    PaymentId: described(id(), 'The payment to change; in the response, the payment.'),
  }),
  response: () => ({ Payment: nested(Payment), PaymentId: nullable(id()) }),
  document: () => ({
    fields: { Payment: 'Amount is required in a new one, and InvoiceId, InvoiceNumber or ContactId.' },
  }),
  example: { Payment: { InvoiceId: 1, Amount: 25, Method: 'Card', Reference: 'Visa 4242', TransactionId: 'ch_1001' } },
  async run({ Payment: input, PaymentId }, context) {
    if (PaymentId && input.Id && input.Id !== PaymentId)
      throw invalid({ field: 'Payment.Id', code: 'mismatch', message: `must equal PaymentId, which is ${PaymentId}` });
    const id = PaymentId || input.Id;
    const { payment, changes } = await (id
      ? changePayment({ id, field: PaymentId ? 'PaymentId' : 'Payment.Id' }, input, context)
      : recordPayment(input, context));
    return save(changes, { Payment: paymentToResource(payment), PaymentId: payment.Id });
  },
});
