/** What a client pays for, or whose card is saved: sent to the provider, and checked when it comes back. */
export interface CheckoutPurpose {
  readonly account: string;
  readonly organization: number;
  /** The page that the client came from: `invoice`, `feedback` for a tip, `card`. */
  readonly page: string;
  /** The id of the invoice, appointment or contact. */
  readonly id: number;
}

/** A checkout page to create at the provider. */
export interface CheckoutOrder {
  readonly purpose: CheckoutPurpose;
  /** What is paid; absent to save a card. */
  readonly price?: { readonly cents: number; readonly title: string };
  /** ISO 4217. */
  readonly currency: string;
  /** The address to which the client returns; the id of the checkout is appended. */
  readonly returnTo: string;
  readonly cancelTo: string;
  readonly language: string;
  /** `""` if unknown. */
  readonly email: string;
  /** The customer at the provider, from an earlier card of the client; `""` for none. */
  readonly customer: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** The page of the provider to which a client is sent. */
interface NewCheckout {
  readonly id: string;
  readonly url: string;
}

/** Money that the provider took. */
export interface ProviderPayment {
  readonly id: string;
  readonly cents: number;
  /** ISO 4217. */
  readonly currency: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `Card` */
  readonly method: string;
  /** `Visa 4242` */
  readonly reference: string;
}

/** A card that the provider keeps. */
export interface SavedCard {
  /** `Visa` */
  readonly kind: string;
  readonly last4: string;
  /** `2029-04` */
  readonly expires: string;
  /** The customer at the provider. */
  readonly customer: string;
  /** When it was saved, in milliseconds since 1970. */
  readonly at: number;
}

/** The current state of a checkout at the provider. `processing`: the client is done, but the bank is not. */
export interface Checkout {
  readonly id: string;
  /** `undefined` if the checkout is not ours. */
  readonly purpose: CheckoutPurpose | undefined;
  readonly state: 'open' | 'processing' | 'done' | 'over';
  readonly payment?: ProviderPayment;
  /** The provider's id of the last attempt to pay, if the card or the bank refused it. */
  readonly failedAttempt?: string;
  readonly card?: SavedCard;
}

/** Money returned to a client; `failed` if it did not arrive and the company has it again. */
export interface ProviderRefund {
  readonly id: string;
  readonly cents: number;
  readonly at: number;
  readonly isFailed: boolean;
}

/** A payment that the client disputes with the bank. `lost`: the client has the money back. */
export interface ProviderDispute {
  readonly id: string;
  readonly cents: number;
  readonly at: number;
  /** `fraudulent` */
  readonly reason: string;
  readonly state: 'open' | 'won' | 'lost';
  /** The company's deadline to answer, in milliseconds since 1970; `undefined` if no answer is required. */
  readonly answerBy?: number;
}

/**
 * What a webhook is about. The state is then requested, because webhooks arrive late and in any order. `payment`: a
 * completed payment has a refund or dispute. `attempt`: an attempt to pay failed.
 */
export type ProviderNotice =
  | { readonly kind: 'checkout'; readonly id: string }
  | { readonly kind: 'payment' | 'attempt'; readonly payment: string }
  | { readonly kind: 'other' };

/** A payment provider, with the keys of one company or organization. */
export interface PaymentProvider {
  /** Idempotent: the same `repeatKey` returns the same checkout. */
  createCheckout(order: CheckoutOrder, repeatKey: string): Promise<NewCheckout>;
  /** `undefined` if the provider does not know it. */
  findCheckout(id: string): Promise<Checkout | undefined>;
  /** Ends an open checkout, so that it accepts no payment. */
  endCheckout(id: string): Promise<void>;
  /** The checkout that created a payment, or `undefined`. */
  findCheckoutOf(payment: string): Promise<string | undefined>;
  /** The refunds of a payment that succeeded or failed, oldest first. */
  listRefunds(payment: string): Promise<ProviderRefund[]>;
  /** The disputes of a payment, oldest first. */
  listDisputes(payment: string): Promise<ProviderDispute[]>;
  /** Deletes the saved cards of a customer. Safe to repeat. */
  removeCards(customer: string): Promise<void>;
  /** What a webhook reports; `undefined` if the provider did not sign it. */
  readWebhook(body: string, signature: string): Promise<ProviderNotice | undefined>;
}

/** Our keys at a provider. */
export interface ProviderKeys {
  readonly secretKey: string;
  readonly webhookSecret: string;
}
