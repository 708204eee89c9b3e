import { type RecordOf, entity } from './entity.ts';
import { history, id, listOf, moment, number, text, texts, word } from './fields.ts';

/** Pages on which clients pay or save a card. */
const pages = ['invoice', 'feedback', 'card'] as const;

/** A page of the provider that a client was sent to. Kept for 60 days. */
export const checkoutEntity = entity('Checkout', {
  /** As the provider has it. */
  Checkout: text({ required: true }),
  Page: word(pages, { required: true }),
  /** Of the invoice, appointment or contact. */
  RecordId: id(),
  OrganizationId: id(),
  /** 0 where a card is saved. */
  Cents: number(),
  Currency: text(),
  Url: text({ required: true }),
  ExpiresAt: moment({ required: true }),
  State: word(['open', 'processing', 'done', 'over']),
  /** Hands it to the worker that asks the provider for its state, in case no webhook comes. */
  Queue: word(['checkouts']),
  Created: moment({ required: true }),
});
export type CheckoutRecord = RecordOf<typeof checkoutEntity>;

/** Money that a client paid by a provider, once for each payment there, and what became of it. */
export const clientPaymentEntity = entity('ClientPayment', {
  /** As the provider has it: the TransactionId of its payments here. */
  Payment: text({ required: true }),
  Page: word(pages, { required: true }),
  /** Of the invoice or appointment that it was paid for. */
  RecordId: id(),
  OrganizationId: id(),
  ContactId: id(),
  Amount: number({ required: true }),
  Currency: text(),
  /** The payment that has it, or 0 for a tip; and how much of it went back. */
  Parts: listOf({ PaymentId: id(), Amount: number({ required: true }), Refunded: number() }),
  /** Refunds that are recorded, as the provider has them. */
  Refunds: texts(),
  /** Those of them that failed later, and were taken back here. */
  FailedRefunds: texts(),
  /** Disputes that the office knows of, as the provider has them, and how each stands. */
  Disputes: listOf({ Dispute: text(), State: word(['open', 'won', 'lost']) }),
  ...history,
});
export type ClientPaymentRecord = RecordOf<typeof clientPaymentEntity>;
