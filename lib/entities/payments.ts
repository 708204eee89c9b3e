import { type Output, resource, without } from '../resources/fields.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { resourceOf } from './declaration/resource.ts';
import {
  date,
  decimal,
  flag,
  history,
  id,
  listOf,
  moment,
  number,
  object,
  text,
  texts,
  word,
} from './declaration/fields.ts';

/** A payment as it is stored; an Amount below 0 is a refund. Money with 2 decimals. */
export const paymentEntity = entity(
  'Payment',
  {
    Id: id({ resource: true, download: true }),
    OrganizationId: id(),
    /** 0 while it is applied to no invoice. */
    InvoiceId: id({ resource: true, download: true }),
    ContactId: id({ resource: true }),
    InvoiceNumber: text({ max: 100, resource: true, download: true }),
    Reference: text({ max: 200, resource: true, download: true, personal: 'named' }),
    /** `""` for none. */
    TransactionId: text({
      max: 200,
      resource: true,
      download: true,
      description: 'A repeated id returns the first payment and adds nothing.',
    }),
    Date: moment({ required: true, resource: true, download: true }),
    /** Its Date where that was given as a date; else `''`. */
    Day: date(),
    /** In which Date was read; `''` where an earlier version stored it. */
    Zone: text(),
    Amount: decimal({ required: true, resource: true, download: true, description: 'Negative for a refund.' }),
    Method: text({
      max: 100,
      resource: true,
      download: true,
      personal: 'named',
      description: 'Credit pays by the credit of the contact, or gives back to it.',
    }),
    /** `null` in the first part, too. */
    SplitOf: id({
      nullable: true,
      resource: true,
      extension: true,
      download: true,
      description: 'The first part of the same money, where it was divided.',
    }),
    /** True where it counts in the CreditBalance of its contact while it is applied to no invoice. */
    InCredit: flag({ optional: true }),
    /** What all of the money left as credit, because no invoice took it; also where that was used since. */
    Excess: decimal({ optional: true }),
    /** Of the first part of money for several invoices: what each is to get, in order, the first part included. */
    Shares: listOf({ PaymentId: id(), Amount: decimal({ required: true }) }, { optional: true }),
    /** True where it pays by credit, or takes that off the credit: no money came or went. */
    FromCredit: flag({ optional: true }),
    ...history,
  },
  {
    listed: {
      facts: { created: 'C' },
      entry: ({ Date: date, Day: day, Zone: zone, Created: created }) => ({
        date,
        day,
        zone,
        open: false,
        facts: { created },
      }),
    },
  },
);
export type PaymentRecord = RecordOf<typeof paymentEntity>;

export const Payment = /* @__PURE__ */ resourceOf(paymentEntity);
export type Payment = Output<typeof Payment>;

/** What an invoice gets of a payment; in answers InvoiceId is 0 for what became credit. */
export const PaymentAllocation = /* @__PURE__ */ resourceOf({
  name: 'PaymentAllocation',
  declared: {
    InvoiceId: id({ resource: true }),
    Amount: decimal({ resource: true }),
    PaymentId: id({ resource: true, readOnly: true, description: 'The payment that has this part.' }),
  },
});
export type PaymentAllocation = Output<typeof PaymentAllocation>;

/** The minimum of payment/import, with the invoice by id; Payment is accepted too. */
export const PaymentReduced = /* @__PURE__ */ resource('PaymentReduced', () =>
  without(Payment, 'Id', 'ContactId', 'InvoiceNumber', 'TransactionId', 'SplitOf'),
);

/** A payment beside its invoice. */
export const invoicePaymentEntity = entity('InvoicePayment', {
  Payment: object(paymentEntity.fields, { required: true }),
});

/** The first use of a TransactionId. */
export const usedTransactionEntity = entity('Transaction', {
  Id: id(),
  InvoiceId: id(),
  /** As first requested; the payment may have another one now. */
  Amount: number({ required: true }),
  /** Of a payment that was divided: its parts, the credit with InvoiceId 0. */
  Allocations: listOf({ InvoiceId: id(), Amount: number({ required: true }), PaymentId: id() }),
});

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

/** How clients of a company, or of one organization, pay: the provider, and our keys there. */
export const paymentProviderEntity = entity('PaymentProvider', {
  /** 0 for all organizations that have no provider of their own. */
  OrganizationId: id(),
  Provider: word(['Stripe']),
  /** The secret key and the signing secret of the webhook, sealed (lib/shared/web/sealed-text.ts). */
  Keys: text({ required: true }),
  /** Whether the key is one for tests, with which no money moves. */
  IsTest: flag(),
  /** The last 4 characters of the secret key, by which people recognize it. */
  KeyEnd: text(),
  ConnectedAt: moment({ required: true }),
});
export type PaymentProviderRecord = RecordOf<typeof paymentProviderEntity>;
