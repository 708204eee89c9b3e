import { operation } from '../../lib/api/operation.ts';
import { described, id, nullable, required } from '../../lib/resources/fields.ts';
import { Payment } from '../../lib/resources/invoices.ts';
import { nested } from '../../lib/resources/resource.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { changePayment } from '../../lib/workflows/payments/change-payment.ts';
import { recordPayment } from '../../lib/workflows/payments/record-payment.ts';

export const importPayment = operation({
  name: 'payment/import',
  summary: 'Records a payment or refund of an invoice, or changes one.',
  description:
    'The invoice is named by InvoiceId or InvoiceNumber (of the organization of the key, else of the only one, ' +
    'else of that of ContactId). Its BalanceDue falls with the payment, at once; at zero it is Paid, with the ' +
    'date of the payment as DatePaid. A negative Amount is a refund, which opens the invoice again; a credit is ' +
    'settled by refunds. A Voided invoice takes only refunds of what was paid before, and stays Voided. A payment ' +
    'of more than is due, a refund of more than was paid, any other payment of a Voided invoice and any of an ' +
    'Unapproved one are 409. A TransactionId that was used for the same invoice and Amount answers with the ' +
    'payment made then and does nothing; for another it is 409. With PaymentId or Payment.Id, Reference, Method, ' +
    'Date and Amount of that payment are changed, and an absent field stays as it is. Date is now unless it is ' +
    'given, and is read in the time zone of the organization.',
  access: 'write',
  needs: ['table:write'],
  request: () => ({
    Payment: required(nested(Payment)),
    PaymentId: described(id(), 'The payment to change; in the answer, the payment.'),
  }),
  response: () => ({ Payment: nested(Payment), PaymentId: nullable(id()) }),
  failures: ['invalid', 'notFound', 'conflict'],
  example: { Payment: { InvoiceId: 1, Amount: 25, Method: 'Card', Reference: 'Visa 4242', TransactionId: 'ch_1001' } },
  async run({ Payment: input, PaymentId }, context) {
    if (PaymentId && input.Id && input.Id !== PaymentId)
      throw invalid({ field: 'Payment.Id', message: `is another payment than PaymentId, which is ${PaymentId}` });
    const changed = PaymentId || input.Id;
    return changed
      ? changePayment(context, { id: changed, field: PaymentId ? 'PaymentId' : 'Payment.Id', input })
      : recordPayment(context, input);
  },
});
