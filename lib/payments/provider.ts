/** What a client pays for, or whose card is saved: sent to the provider, and checked when it comes back. */
export interface CheckoutPurpose {
  readonly account: string;
  readonly organization: number;
  /** The page that asked: `invoice`, `feedback` for a tip, `card`. */
  readonly page: string;
  /** Of the invoice, appointment or contact. */
  readonly id: number;
}

/** A page of the provider that is to be made. */
export interface CheckoutOrder {
  readonly purpose: CheckoutPurpose;
  /** What is paid; without it a card is saved. */
  readonly price?: { readonly cents: number; readonly title: string };
  /** ISO 4217. */
  readonly currency: string;
  /** Where the client comes back to; the id of the checkout follows this address. */
  readonly returnTo: string;
  readonly cancelTo: string;
  readonly language: string;
  /** `""` if it is not known. */
  readonly email: string;
  /** At the provider, of an earlier card of the client; `""` for none. */
  readonly customer: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** The page of the provider that a client is sent to. */
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
  /** Whose card it is, at the provider. */
  readonly customer: string;
  /** When it was saved, in milliseconds since 1970. */
  readonly at: number;
}

/** A checkout as the provider has it now. `processing`: the client is done, and the bank is not. */
export interface Checkout {
  readonly id: string;
  /** `undefined` where the checkout is not one of ours. */
  readonly purpose: CheckoutPurpose | undefined;
  readonly state: 'open' | 'processing' | 'done' | 'over';
  readonly payment?: ProviderPayment;
  readonly card?: SavedCard;
}

/** Money that went back to a client; `failed` where it did not arrive, and the company has it again. */
export interface ProviderRefund {
  readonly id: string;
  readonly cents: number;
  readonly at: number;
  readonly isFailed: boolean;
}

/** A payment that its client disputes at the bank. `lost`: the client has the money back. */
export interface ProviderDispute {
  readonly id: string;
  readonly cents: number;
  readonly at: number;
  /** `fraudulent` */
  readonly reason: string;
  readonly state: 'open' | 'won' | 'lost';
  /** Until when the company answers, in milliseconds since 1970; `undefined` where no answer is asked for. */
  readonly answerBy?: number;
}

/**
 * What a webhook reports: what it is about. Its state is asked for, because webhooks come late and in any order.
 * `payment`: one that was made has a refund or dispute.
 */
export type ProviderNotice =
  | { readonly kind: 'checkout'; readonly id: string }
  | { readonly kind: 'payment'; readonly payment: string }
  | { readonly kind: 'other' };

/** A provider of payments, with the keys of one company or organization. */
export interface PaymentProvider {
  /** The same order gives the same checkout: `repeatKey` names it. */
  createCheckout(order: CheckoutOrder, repeatKey: string): Promise<NewCheckout>;
  /** `undefined` where the provider does not know it. */
  findCheckout(id: string): Promise<Checkout | undefined>;
  /** Ends an open checkout, so that it takes no payment. */
  endCheckout(id: string): Promise<void>;
  /** The checkout that a payment was made by; `undefined` for none. */
  findCheckoutOf(payment: string): Promise<string | undefined>;
  /** The refunds of a payment that went through or failed, oldest first. */
  listRefunds(payment: string): Promise<ProviderRefund[]>;
  /** The disputes of a payment, oldest first. */
  listDisputes(payment: string): Promise<ProviderDispute[]>;
  /** Forgets the cards of a customer; safe to repeat. */
  removeCards(customer: string): Promise<void>;
  /** What a webhook reports; `undefined` where the provider did not sign it. */
  readWebhook(body: string, signature: string): Promise<ProviderNotice | undefined>;
}

/** Our keys at a provider. */
export interface ProviderKeys {
  readonly secretKey: string;
  readonly webhookSecret: string;
}
