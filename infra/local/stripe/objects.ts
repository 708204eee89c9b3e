import { randomBytes } from 'node:crypto';

/** Form fields as Stripe's library sends them: `metadata[page]=invoice` is `{ metadata: { page: 'invoice' } }`. */
export interface Parameters {
  readonly [name: string]: string | Parameters;
}

export function readParameters(text: string): Parameters {
  const found: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter(Boolean);
    let at = found;
    for (const part of path.slice(0, -1)) at = (at[part] ??= {}) as Record<string, unknown>;
    at[path.at(-1) ?? ''] = value;
  }
  return found as Parameters;
}

/** A nested parameter: `line_items`, `0`, `price_data`, `unit_amount`. */
export const textAt = (parameters: Parameters, ...path: readonly string[]): string | undefined => {
  const found = path.reduce<string | Parameters | undefined>(
    (at, name) => (typeof at === 'object' ? at[name] : undefined),
    parameters,
  );
  return typeof found === 'string' ? found : undefined;
};

const objectAt = (parameters: Parameters, name: string): Parameters => {
  const found = parameters[name];
  return typeof found === 'object' ? found : {};
};

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;
export const seconds = (): number => Math.floor(Date.now() / 1000);

/** A checkout session: what is sold, or the card to save, and its state. Fields are those of Stripe's API. */
export interface Session {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly mode: 'payment' | 'setup';
  readonly created: number;
  readonly expires_at: number;
  readonly livemode: false;
  readonly currency: string | null;
  readonly amount_total: number | null;
  readonly metadata: Parameters;
  readonly success_url: string;
  readonly cancel_url: string | null;
  readonly customer_email: string | null;
  readonly locale: string | null;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid' | 'no_payment_required';
  customer: string | null;
  payment_intent: string | null;
  setup_intent: string | null;
  url: string | null;
  /** The charge of the last attempt that was refused; absent in files from earlier versions. */
  failed_charge?: string;
}

/** A session, and what its page shows. */
export interface StoredSession {
  readonly session: Session;
  readonly title: string;
}

export interface Refund {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly created: number;
  readonly currency: string;
  readonly payment_intent: string;
  readonly charge: string;
  status: 'succeeded' | 'failed';
}

export interface Dispute {
  readonly id: string;
  readonly object: 'dispute';
  readonly amount: number;
  readonly created: number;
  readonly currency: string;
  readonly payment_intent: string;
  readonly charge: string;
  readonly reason: 'fraudulent';
  readonly evidence_details: { readonly due_by: number };
  status: 'needs_response' | 'won' | 'lost';
}

/** The client of a paid session disputes the full amount. */
export const newDispute = ({ payment_intent, amount_total, currency }: Session): Dispute => ({
  id: newId('du'),
  object: 'dispute',
  amount: amount_total ?? 0,
  created: seconds(),
  currency: currency ?? '',
  payment_intent: payment_intent ?? '',
  charge: `ch_${payment_intent?.slice(3)}`,
  reason: 'fraudulent',
  evidence_details: { due_by: seconds() + 7 * 86_400 },
  status: 'needs_response',
});

/** A new session from the parameters, or what is wrong with them. */
export function newSession(parameters: Parameters, pageOf: (id: string) => string): StoredSession | string {
  const text = (...path: string[]) => textAt(parameters, ...path);
  const mode = text('mode');
  if (mode !== 'payment' && mode !== 'setup') return 'Invalid mode: must be one of payment or setup';
  const price = text('line_items', '0', 'price_data', 'unit_amount');
  const currency = text('line_items', '0', 'price_data', 'currency') ?? text('currency');
  if (!text('success_url')) return 'Missing required param: success_url.';
  if (!currency) return 'Missing required param: currency.';
  if (mode === 'payment' && !(Number(price) >= 50)) return 'The amount must be at least 50 cents.';
  const id = newId('cs_test');
  const created = seconds();
  const session: Session = {
    id,
    object: 'checkout.session',
    mode,
    created,
    expires_at: Number(text('expires_at') ?? created + 86_400),
    livemode: false,
    currency: currency.toLowerCase(),
    amount_total: mode === 'payment' ? Number(price) * Number(text('line_items', '0', 'quantity') ?? 1) : null,
    metadata: objectAt(parameters, 'metadata'),
    success_url: text('success_url') ?? '',
    cancel_url: text('cancel_url') ?? null,
    customer_email: text('customer_email') ?? null,
    locale: text('locale') ?? null,
    status: 'open',
    payment_status: mode === 'payment' ? 'unpaid' : 'no_payment_required',
    customer: text('customer') ?? null,
    payment_intent: null,
    setup_intent: null,
    url: pageOf(id),
  };
  return { session, title: text('line_items', '0', 'price_data', 'product_data', 'name') ?? 'Save a card' };
}

/** A session expires when its time is over and somebody reads it. */
export function expireLate(session: Session): void {
  if (session.status === 'open' && session.expires_at <= seconds()) session.status = 'expired';
}

/** The client pays, or saves the card; `bank` is confirmed later. */
export function complete(session: Session, by: 'card' | 'bank'): void {
  session.status = 'complete';
  session.url = null;
  if (session.mode === 'setup') {
    session.setup_intent = newId('seti');
    session.customer ??= newId('cus');
  } else {
    session.payment_intent ??= newId('pi');
    delete session.failed_charge;
    if (by === 'card') session.payment_status = 'paid';
  }
}

/** The client's card is refused, and the page stays open; or the bank refuses later. */
export function refuse(session: Session): void {
  session.payment_intent ??= newId('pi');
  session.failed_charge = newId('ch');
}

const CARD = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 };

export const paymentIntent = (session: Session, refunded: number) => {
  const { payment_intent: id, amount_total: amount, created, currency, metadata } = session;
  const isPaid = session.payment_status === 'paid';
  const charge = {
    id: `ch_${id?.slice(3)}`,
    object: 'charge',
    amount,
    amount_refunded: refunded,
    created,
    currency,
    paid: true,
    payment_intent: id,
    payment_method_details: { type: 'card', card: { brand: CARD.brand, last4: CARD.last4 } },
    refunded: refunded === amount,
    status: 'succeeded',
  };
  const failed = session.failed_charge;
  if (failed !== undefined)
    return {
      id,
      object: 'payment_intent',
      amount,
      amount_received: 0,
      created,
      currency,
      last_payment_error: { type: 'card_error', code: 'card_declined', charge: failed },
      latest_charge: { ...charge, id: failed, paid: false, refunded: false, status: 'failed' },
      metadata,
      status: session.status === 'expired' ? 'canceled' : 'requires_payment_method',
    };
  return {
    id,
    object: 'payment_intent',
    amount,
    amount_received: isPaid ? amount : 0,
    created,
    currency,
    latest_charge: isPaid ? charge : null,
    metadata,
    status: isPaid ? 'succeeded' : 'processing',
  };
};

const setupIntent = ({ setup_intent: id, created, customer, metadata }: Session) => ({
  id,
  object: 'setup_intent',
  created,
  customer,
  metadata,
  payment_method: { id: `pm_${id?.slice(5)}`, object: 'payment_method', created, customer, type: 'card', card: CARD },
  status: 'succeeded',
});

/** A session with the objects that our library expands. */
export const expandedSession = (session: Session, refunded: number): object => ({
  ...session,
  ...(session.payment_intent ? { payment_intent: paymentIntent(session, refunded) } : {}),
  ...(session.setup_intent ? { setup_intent: setupIntent(session) } : {}),
});

export const chargeOf = (session: Session, refunded: number): object | null =>
  paymentIntent(session, refunded).latest_charge;
