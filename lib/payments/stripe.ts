import type { Stripe } from 'stripe';
import { InternalError } from '../shared/failure.ts';
import { SECOND } from '../shared/time/time.ts';
import type {
  Checkout,
  CheckoutOrder,
  CheckoutPurpose,
  PaymentProvider,
  ProviderDispute,
  ProviderKeys,
  ProviderNotice,
  ProviderPayment,
  ProviderRefund,
  SavedCard,
} from './provider.ts';

/** The origin to which Stripe sends clients. A company's own checkout domain is not used for these pages. */
const CHECKOUT_ORIGIN = 'https://checkout.stripe.com';

/** The stand-in on the local stack (infra/local/stripe); deployed functions only call Stripe's host. */
const localApi = (): URL | undefined => {
  const address = process.env['STAGE'] === 'local' ? process.env['STRIPE_API'] : undefined;
  return address ? new URL(address) : undefined;
};

/** The only origin to which a page may send a client. */
export const checkoutOrigin = (): string => localApi()?.origin ?? CHECKOUT_ORIGIN;

/** Ends a hanging call, so that a webhook is answered and a client sees the page in time. */
const TIMEOUT = 8 * SECOND;
/** The maximum age of a webhook's signature in seconds, the same as in Stripe's libraries. */
const TOLERANCE = 300;

/** Loads the library at first use, because most pages do not need it. */
async function openStripe(secretKey: string): Promise<Stripe> {
  const { default: StripeClient } = await import('stripe');
  const local = localApi();
  return new StripeClient(secretKey, {
    timeout: TIMEOUT,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(local ? { protocol: 'http', host: local.hostname, port: local.port } : {}),
  });
}

/** Payments by Stripe Checkout, a page of Stripe to which the client is sent. */
export function stripeProvider({ secretKey, webhookSecret }: ProviderKeys): PaymentProvider {
  let client: Promise<Stripe> | undefined;
  const stripe = () => (client ??= openStripe(secretKey));
  return {
    async createCheckout(order, idempotencyKey) {
      const { checkout } = await stripe();
      const { id, url } = await ask(checkout.sessions.create(toSession(order), { idempotencyKey }));
      if (url === null || new URL(url).origin !== checkoutOrigin())
        throw new InternalError(`Stripe's checkout ${id} is not on ${checkoutOrigin()}.`);
      return { id, url };
    },

    async findCheckout(id) {
      const { checkout } = await stripe();
      try {
        return toCheckout(await ask(checkout.sessions.retrieve(id, { expand: EXPANDED })));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },

    async endCheckout(id) {
      const { checkout } = await stripe();
      await ask(checkout.sessions.expire(id));
    },

    async findCheckoutOf(payment) {
      const { checkout } = await stripe();
      const { data } = await ask(checkout.sessions.list({ payment_intent: payment, limit: 1 }));
      return data[0]?.id;
    },

    async listRefunds(payment) {
      const { refunds } = await stripe();
      const { data } = await ask(refunds.list({ payment_intent: payment, limit: 100 }));
      return data.filter(isEnded).map(toRefund).sort(byMoment);
    },

    async listDisputes(payment) {
      const { disputes } = await stripe();
      const { data } = await ask(disputes.list({ payment_intent: payment, limit: 100 }));
      return data.map(toDispute).sort(byMoment);
    },

    async removeCards(customer) {
      const { customers, paymentMethods } = await stripe();
      try {
        const { data } = await ask(customers.listPaymentMethods(customer, { limit: 100 }));
        for (const { id } of data) await ask(paymentMethods.detach(id));
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },

    async readWebhook(body, signature) {
      const { webhooks } = await stripe();
      try {
        return toNotice(webhooks.constructEvent(body, signature, webhookSecret, TOLERANCE));
      } catch {
        return undefined;
      }
    },
  };
}

/** Final states of a refund. A pending one may still fail. */
const REFUND_ENDS: readonly string[] = ['succeeded', 'failed', 'canceled'];
const isEnded = ({ status }: Stripe.Refund): boolean => status !== null && REFUND_ENDS.includes(status);

const toRefund = ({ id, amount, created, status }: Stripe.Refund): ProviderRefund => ({
  id,
  cents: amount,
  at: created * SECOND,
  isFailed: status !== 'succeeded',
});

type Dated = Pick<ProviderRefund, 'at' | 'id'>;

const byMoment = (one: Dated, other: Dated): number => one.at - other.at || one.id.localeCompare(other.id);

/** A warning is an inquiry of the bank before it takes money; neither it nor a prevented dispute takes any. */
function toDispute({
  id,
  amount,
  created,
  reason,
  status,
  evidence_details: { due_by },
}: Stripe.Dispute): ProviderDispute {
  const isWon = status === 'won' || status === 'warning_closed' || status === 'prevented';
  const answered = status === 'needs_response' || status === 'warning_needs_response' ? due_by : null;
  return {
    id,
    cents: amount,
    at: created * SECOND,
    reason: reason.replaceAll('_', ' '),
    state: status === 'lost' ? 'lost' : isWon ? 'won' : 'open',
    ...(answered ? { answerBy: answered * SECOND } : {}),
  };
}

const isMissing = (error: unknown): boolean => (error as { statusCode?: number }).statusCode === 404;

/** Passes on only the static parts of an error: Stripe's messages quote requests and parts of keys. */
async function ask<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (isMissing(error)) throw error;
    const { statusCode = '', type = 'error', code = '', requestId = '' } = error as Partial<Stripe.errors.StripeError>;
    throw new InternalError(`Stripe: ${[statusCode, type, code, requestId].filter(Boolean).join(' ')}`);
  }
}

const EXPANDED = ['payment_intent.latest_charge', 'setup_intent.payment_method'];

function toSession(order: CheckoutOrder): Stripe.Checkout.SessionCreateParams {
  const { purpose, price, currency, returnTo, cancelTo, language, email, customer, expiresAt } = order;
  const metadata = { ...purpose, organization: String(purpose.organization), id: String(purpose.id) };
  const common = {
    success_url: `${returnTo}{CHECKOUT_SESSION_ID}`,
    cancel_url: cancelTo,
    expires_at: expiresAt,
    locale: language as Stripe.Checkout.SessionCreateParams.Locale,
    metadata,
    ...(customer ? { customer } : email ? { customer_email: email } : {}),
  };
  if (!price)
    return {
      ...common,
      mode: 'setup',
      currency: currency.toLowerCase(),
      ...(customer ? {} : { customer_creation: 'always' }),
      setup_intent_data: { metadata },
    };
  return {
    ...common,
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: { currency: currency.toLowerCase(), unit_amount: price.cents, product_data: { name: price.title } },
      },
    ],
    // The client pays the amount of the record, in the company's currency.
    adaptive_pricing: { enabled: false },
    payment_intent_data: { description: price.title, metadata },
  };
}

type Expanded<Of> = Exclude<Of, string | null>;

const expanded = <Of extends object>(value: Of | string | null | undefined): Expanded<Of> | undefined =>
  typeof value === 'object' && value !== null ? (value as Expanded<Of>) : undefined;

function toPurpose(metadata: Stripe.Metadata | null): CheckoutPurpose | undefined {
  const { account, organization, page, id } = metadata ?? {};
  if (!account || !organization || !page || !id) return undefined;
  return { account, organization: Number(organization), page, id: Number(id) };
}

function toCheckout(session: Stripe.Checkout.Session): Checkout {
  const { id, metadata, mode, status, payment_status } = session;
  const intent = expanded(session.payment_intent);
  const failedAttempt = payment_status === 'unpaid' && intent ? failedAttemptOf(intent) : undefined;
  const found = { id, purpose: toPurpose(metadata), ...(failedAttempt === undefined ? {} : { failedAttempt }) };
  if (status !== 'complete') return { ...found, state: status === 'expired' ? 'over' : 'open' };
  if (mode === 'setup') {
    const card = toSavedCard(session);
    return card ? { ...found, state: 'done', card } : { ...found, state: 'over' };
  }
  if (payment_status === 'paid') return { ...found, state: 'done', payment: toPayment(session) };
  // A failed bank transfer leaves its checkout complete, and its payment without a payment method.
  const isFailed = intent?.status === 'canceled' || intent?.status === 'requires_payment_method';
  return { ...found, state: isFailed ? 'over' : 'processing' };
}

/**
 * The last attempt of a payment that was refused: its charge, or the payment method where the bank refused to
 * authenticate the client and no charge was made. While the client enters another card, the checkout is open.
 */
function failedAttemptOf({ id, status, latest_charge, last_payment_error: error }: Expanded<Stripe.PaymentIntent>) {
  const charge = expanded(latest_charge);
  if (status !== 'requires_payment_method' && status !== 'canceled') return undefined;
  if (charge?.status === 'failed') return charge.id;
  return error ? (error.payment_method?.id ?? id) : undefined;
}

/** `us_bank_account` → `Us bank account` */
const capitalized = (text: string): string => {
  const words = text.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function toPayment({ payment_intent, amount_total, currency, created }: Stripe.Checkout.Session): ProviderPayment {
  const intent = expanded(payment_intent);
  const charge = expanded(intent?.latest_charge);
  const details = charge?.payment_method_details;
  const card = details?.card;
  return {
    id: intent?.id ?? String(payment_intent),
    cents: intent?.amount_received ?? amount_total ?? 0,
    currency: (currency ?? '').toUpperCase(),
    at: (charge?.created ?? intent?.created ?? created) * SECOND,
    method: capitalized(details?.type ?? 'card'),
    reference: card ? `${capitalized(card.brand ?? 'card')} ${card.last4 ?? ''}`.trim() : '',
  };
}

function toSavedCard({ setup_intent, customer, created }: Stripe.Checkout.Session): SavedCard | undefined {
  const intent = expanded(setup_intent);
  const method = expanded(intent?.payment_method);
  const owner = typeof customer === 'string' ? customer : (customer?.id ?? '');
  if (intent?.status !== 'succeeded' || !method) return undefined;
  const at = (method.created || intent.created || created) * SECOND;
  const { card, us_bank_account: bank } = method;
  if (card) {
    const expires = `${card.exp_year}-${String(card.exp_month).padStart(2, '0')}`;
    return { kind: capitalized(card.brand), last4: card.last4, expires, customer: owner, at };
  }
  return { kind: capitalized(method.type), last4: bank?.last4 ?? '', expires: '', customer: owner, at };
}

/**
 * Refunds of any kind: those of a whole charge, and single ones that change later. Disputes, when they change. Attempts
 * to pay that failed.
 */
function toNotice({ type, data: { object } }: Stripe.Event): ProviderNotice {
  const {
    id,
    object: kind,
    payment_intent: payment,
  } = object as { id?: string; object: string; payment_intent?: string | { id: string } | null };
  if (kind === 'checkout.session' && id) return { kind: 'checkout', id };
  if (type === 'payment_intent.payment_failed' && id) return { kind: 'attempt', payment: id };
  const paymentId = typeof payment === 'string' ? payment : payment?.id;
  const isAfterwards = type === 'charge.refunded' || kind === 'refund' || kind === 'dispute';
  return isAfterwards && paymentId ? { kind: 'payment', payment: paymentId } : { kind: 'other' };
}
