import { save } from '../../lib/api/operation.ts';
import { subtract } from '../../lib/domain/decimals.ts';
import type { InvoiceRecord } from '../../lib/domain/invoices/record.ts';
import type { PaymentRecord } from '../../lib/domain/payments/record.ts';
import { paymentOf } from '../../lib/domain/payments/view.ts';
import { standingChanges } from '../../lib/store/contact-standing.ts';
import { storeInvoice } from '../../lib/store/invoices.ts';
import { storePayment } from '../../lib/store/payments.ts';

/** A thing as it was and as it is to be. */
interface Step<Thing, Was = Thing> {
  readonly before: Was;
  readonly after: Thing;
}

/** How a payment is answered. */
export const answerOf = (payment: PaymentRecord) => ({ Payment: paymentOf(payment), PaymentId: payment.Id });

/** Saves a payment, its invoice where that changes with it, and what both change of the contact: all or nothing. */
export function savePayment(
  account: string,
  payment: Step<PaymentRecord, PaymentRecord | undefined>,
  invoice: Step<InvoiceRecord> | undefined,
  now: Date,
) {
  const stored = storePayment(account, { ...payment, now });
  const told = invoice && storeInvoice(account, { ...invoice, now });
  const paid = invoice ? subtract(invoice.after.Paid, invoice.before.Paid) : 0;
  const standing = invoice ? standingChanges(account, invoice.after.ContactId, { ...told?.standing, paid }, now) : [];
  return save([...stored.changes, ...(told?.changes ?? []), ...standing], answerOf(stored.thing));
}
