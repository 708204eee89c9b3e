import { Payment, PaymentAllocation } from '../../lib/entities/payments.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { paymentToResource } from '../../lib/domain/payments.ts';
import { MAX_ALLOCATIONS } from '../../lib/domain/credits.ts';
import { described, extension, id, many, nested, nullable, required } from '../../lib/resources/fields.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { changePayment } from '../../lib/workflows/payments/change-payment.ts';
import { recordPayment } from '../../lib/workflows/payments/record-payment.ts';

const allocations = (max?: number) =>
  extension(
    described(many(PaymentAllocation, max), 'What each invoice of the contact gets of Amount; the rest is credit.'),
  );

export const importPayment = operation({
  title: 'Record a payment or refund',
  summary: 'Records a payment or refund of an invoice, or changes one.',
  rules: [
    'InvoiceId or InvoiceNumber identifies the invoice. A number is looked up in the organization of the key, else ' +
      'in the only one of the account, else in that of ContactId.',
    'The payment reduces BalanceDue at once. At zero the invoice becomes Paid, and DatePaid is the date of the ' +
      'payment.',
    'A negative Amount is a refund, which opens the invoice again; a credit is settled by refunds.',
    'What exceeds the amount due is credit of the contact (CreditBalance), and so is a payment with ContactId in ' +
      'place of InvoiceId. Method Credit pays invoices by it; a negative Amount gives back to it.',
    '409: a payment of an Unapproved invoice or one with nothing due, a refund above the amount paid, more than the ' +
      'credit, and all but refunds of a Voided invoice.',
    'A TransactionId that was used for the same invoice and Amount returns the first payment and records none; for ' +
      'another invoice or Amount it is 409.',
    'With PaymentId or Payment.Id the call changes Reference, Method, Date and Amount of that payment; absent fields ' +
      'stay. The Amount is all that was paid: invoices get their parts in order, and the rest is credit. The first ' +
      'part changes for all (SplitOf).',
    'Date is now by default, and is read in the time zone of the organization.',
  ],
  access: 'write',
  request: () => ({
    Payment: required(nested(Payment)),
    PaymentId: described(id(), 'The payment to change; in the response, the payment.'),
    Allocations: allocations(MAX_ALLOCATIONS),
  }),
  response: () => ({ Payment: nested(Payment), PaymentId: nullable(id()), Allocations: allocations() }),
  document: () => ({
    fields: { Payment: 'Amount is required in a new one, and InvoiceId, InvoiceNumber or ContactId.' },
  }),
  example: { Payment: { InvoiceId: 1, Amount: 25, Method: 'Card', Reference: 'Visa 4242', TransactionId: 'ch_1001' } },
  async run({ Payment: input, PaymentId, Allocations }, context) {
    if (PaymentId && input.Id && input.Id !== PaymentId)
      throw invalid({ field: 'Payment.Id', code: 'mismatch', message: `must equal PaymentId, which is ${PaymentId}` });
    const id = PaymentId || input.Id;
    if (id && Allocations?.length)
      throw invalid({ field: 'Allocations', code: 'fixed', message: 'cannot change after the payment is recorded' });
    const {
      payment,
      changes,
      allocations: parts,
    } = await (id
      ? changePayment({ id, field: PaymentId ? 'PaymentId' : 'Payment.Id' }, input, context)
      : recordPayment(input, context, Allocations ?? []));
    return save(changes, { Payment: paymentToResource(payment), PaymentId: payment.Id, Allocations: parts });
  },
});
