import { datetime, decimal, described, id, text } from './fields.ts';
import { resource, without, type Output } from './resource.ts';

/** A payment of an invoice. */
export const Payment = resource('Payment', () => ({
  Id: id(),
  InvoiceId: id(),
  ContactId: id(),
  InvoiceNumber: text(100),
  Reference: text(200),
  TransactionId: described(text(200), 'Repeated, it returns the first payment and adds none.'),
  Date: datetime(),
  Amount: described(decimal(), 'Below 0 for a refund.'),
  Method: text(100),
}));
export type Payment = Output<typeof Payment>;

/** The least that payment/import takes of a payment whose invoice is named by id; Payment takes it too. */
export const PaymentReduced = resource('PaymentReduced', () =>
  without(Payment, 'Id', 'ContactId', 'InvoiceNumber', 'TransactionId'),
);
export type PaymentReduced = Output<typeof PaymentReduced>;
