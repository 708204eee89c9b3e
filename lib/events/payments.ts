import type { PaymentRecord } from '../domain/payments/record.ts';
import { paymentOf } from '../domain/payments/view.ts';
import type { EntityKind } from './kinds.ts';

/** Changes of payments. What one changes of its invoice is an event of the invoice. */
export const payment: EntityKind = {
  kinds: { created: 'payment.recorded', updated: 'payment.updated', deleted: 'payment.deleted' },
  resource: (image) => paymentOf(image as unknown as PaymentRecord),
  contactId: ({ ContactId }) => ContactId as number,
  created: ({ Amount }) => ((Amount as number) < 0 ? 'payment.refunded' : 'payment.recorded'),
};
