import type { Output } from '../resources/fields.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { reducedOf, resourceOf } from './declaration/resource.ts';
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

/** A payment as stored; a negative Amount is a refund. Money with 2 decimals. */
export const paymentEntity = entity(
  'Payment',
  {
    Id: id({ resource: true, download: true }),
    OrganizationId: id(),
    /** 0 while it is not applied to an invoice. */
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
    /** The Date, if it was given as a calendar date; otherwise `''`. */
    Day: date(),
    /** The zone in which Date was read; `''` if stored by an earlier version. */
    Zone: text(),
    Amount: decimal({ required: true, resource: true, download: true, description: 'Negative for a refund.' }),
    Method: text({
      max: 100,
      resource: true,
      download: true,
      personal: 'named',
      description: 'Credit pays by the credit of the contact, or gives back to it.',
    }),
    /** Also `null` in the first part. */
    SplitOf: id({
      nullable: true,
      resource: true,
      extension: true,
      download: true,
      description: 'The first part of the same money, where it was divided.',
    }),
    /** Whether it counts towards the contact's CreditBalance while it is not applied to an invoice. */
    InCredit: flag({ optional: true }),
    /** The part of the whole payment that became credit because no invoice took it, even if it was used since. */
    Excess: decimal({ optional: true }),
    /** In the first part of a payment for several invoices: the planned amounts in order, including the first part. */
    Shares: listOf({ PaymentId: id(), Amount: decimal({ required: true }) }, { optional: true }),
    /** Whether it pays from credit, or deducts from it: no money was moved. */
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

/** An invoice's share of a payment; in responses InvoiceId is 0 for the part that became credit. */
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
export const PaymentReduced = /* @__PURE__ */ reducedOf(Payment, {
  title: 'PaymentReduced',
  without: ['Id', 'ContactId', 'InvoiceNumber', 'TransactionId', 'SplitOf'],
});

/** A payment as listed with its invoice. */
export const invoicePaymentEntity = entity('InvoicePayment', {
  Payment: object(paymentEntity.fields, { required: true }),
});

/** The first use of a TransactionId. */
export const usedTransactionEntity = entity('Transaction', {
  Id: id(),
  InvoiceId: id(),
  /** The amount first requested; the payment may have changed since. */
  Amount: number({ required: true }),
  /** The parts of a divided payment; credit has InvoiceId 0. */
  Allocations: listOf({ InvoiceId: id(), Amount: number({ required: true }), PaymentId: id() }),
});

/** Pages on which clients pay or save a card. */
const pages = ['invoice', 'feedback', 'card'] as const;

/** A provider page that a client was sent to. Kept for 60 days. */
export const checkoutEntity = entity('Checkout', {
  /** The provider's id. */
  Checkout: text({ required: true }),
  Page: word(pages, { required: true }),
  /** Id of the invoice, appointment or contact. */
  RecordId: id(),
  OrganizationId: id(),
  /** 0 if a card is saved. */
  Cents: number(),
  Currency: text(),
  Url: text({ required: true }),
  ExpiresAt: moment({ required: true }),
  State: word(['open', 'processing', 'done', 'over']),
  /** The provider's id of the last attempt to pay that failed. */
  FailedAttempt: text({ optional: true }),
  /** When the client gets a message about that attempt, unless it is paid by then. */
  FailureDue: moment({ optional: true }),
  /** Hands it to the worker that asks the provider for its state, in case no webhook arrives. */
  Queue: word(['checkouts']),
  Created: moment({ required: true }),
});
export type CheckoutRecord = RecordOf<typeof checkoutEntity>;

/** Money that a client paid through a provider, one record per payment there, and what became of it. */
export const clientPaymentEntity = entity('ClientPayment', {
  /** The provider's id, which is the TransactionId of its payments here. */
  Payment: text({ required: true }),
  Page: word(pages, { required: true }),
  /** Id of the invoice or appointment that it was paid for. */
  RecordId: id(),
  OrganizationId: id(),
  ContactId: id(),
  Amount: number({ required: true }),
  Currency: text(),
  /** The payment that received it, or 0 for a tip, and how much of it was refunded. */
  Parts: listOf({ PaymentId: id(), Amount: number({ required: true }), Refunded: number() }),
  /** The provider's ids of recorded refunds. */
  Refunds: texts(),
  /** Refunds that failed later and were reverted here. */
  FailedRefunds: texts(),
  /** Disputes that the office knows about, by the provider's id, and their state. */
  Disputes: listOf({ Dispute: text(), State: word(['open', 'won', 'lost']) }),
  ...history,
});
export type ClientPaymentRecord = RecordOf<typeof clientPaymentEntity>;

/** The payment provider of a company, or of one organization, and its keys. */
export const paymentProviderEntity = entity('PaymentProvider', {
  /** 0 for all organizations that have no provider of their own. */
  OrganizationId: id(),
  Provider: word(['Stripe']),
  /** The secret key and the signing secret of the webhook, sealed (lib/shared/web/sealed-text.ts). */
  Keys: text({ required: true }),
  /** Whether the key is a test key, which moves no money. */
  IsTest: flag(),
  /** The last 4 characters of the secret key, by which people recognize it. */
  KeyEnd: text(),
  ConnectedAt: moment({ required: true }),
});
export type PaymentProviderRecord = RecordOf<typeof paymentProviderEntity>;
