import type { Payment } from '../../resources/payments.ts';
import { toUtc } from '../moments-out.ts';
import type { PaymentRecord } from './record.ts';

/** The complete payment as every operation and event tells it. */
export const paymentOf = (payment: PaymentRecord): Payment => ({
  Id: payment.Id,
  InvoiceId: payment.InvoiceId,
  ContactId: payment.ContactId,
  InvoiceNumber: payment.InvoiceNumber,
  Reference: payment.Reference,
  TransactionId: payment.TransactionId,
  Date: toUtc(payment.Date),
  Amount: payment.Amount,
  Method: payment.Method,
});
