import { randomBytes } from 'node:crypto';
import Stripe from 'stripe';
import { readPaymentKey } from '../../lib/secrets/held-secret.ts';
import { writePaymentProvider } from '../../lib/store/payment-providers.ts';
import { connectedProvider, webhookPath } from '../../lib/workflows/payments/open-provider.ts';
import { type TestAccount, testStack, testTable } from './stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

/** The stand-in of Stripe with the keys of one account, as its merchant and its clients use it. */
export interface TestStripe {
  readonly secretKey: string;
  readonly client: Stripe;
  /** Presses a button of a checkout page. Returns where the client goes next. */
  press(url: string, button: 'card' | 'declined' | 'bank' | 'cancel'): Promise<string>;
  /** A bank confirms the payment of a checkout. */
  confirm(checkout: string): Promise<void>;
  /** A bank refuses it. */
  refuse(checkout: string): Promise<void>;
  /** The client of a payment disputes it. */
  dispute(payment: string): Promise<{ readonly id: string; readonly payment_intent: string }>;
  /** The bank decides on a dispute, or refuses a refund. */
  decide(id: string, status: 'won' | 'lost' | 'failed'): Promise<object>;
  /** Calls our webhook, as Stripe does. */
  notify(type: string, object: object, options?: { readonly secret?: string }): Promise<Response>;
}

/** The id of a checkout, of the address of its page. */
export const checkoutId = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/**
 * Connects an account that was just made with the stand-in; `organization` 0 is the whole company. Its webhooks come
 * only by `notify`.
 */
export async function connectStripe(
  { accountId: account }: Pick<TestAccount, 'accountId'>,
  organization = 0,
  secretKey = `sk_test_${randomBytes(12).toString('hex')}`,
): Promise<TestStripe> {
  const webhookSecret = `whsec_${randomBytes(12).toString('hex')}`;
  const key = await readPaymentKey();
  const record = connectedProvider({ secretKey, webhookSecret }, { account, organization, key, now: new Date() });
  await writePaymentProvider(accountStore(testTable(), account), record);
  const { BaseUrl, StripeApi } = testStack();
  const { hostname: host, port } = new URL(StripeApi);
  const client = new Stripe(secretKey, { protocol: 'http', host, port, telemetry: false });
  return {
    secretKey,
    client,
    async press(url, action) {
      const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ action }), redirect: 'manual' });
      return answer.headers.get('location') ?? '';
    },
    async confirm(checkout) {
      await fetch(`${StripeApi}/confirm/${checkout}`, { method: 'POST' });
    },
    async refuse(checkout) {
      await fetch(`${StripeApi}/refuse/${checkout}`, { method: 'POST' });
    },
    async dispute(payment) {
      const answer = await fetch(`${StripeApi}/dispute/${payment}`, { method: 'POST' });
      return (await answer.json()) as { id: string; payment_intent: string };
    },
    async decide(id, status) {
      const body = new URLSearchParams({ status });
      return (await (await fetch(`${StripeApi}/decide/${id}`, { method: 'POST', body })).json()) as object;
    },
    notify(type, object, { secret = webhookSecret } = {}) {
      const payload = JSON.stringify({
        id: `evt_${randomBytes(8).toString('hex')}`,
        object: 'event',
        type,
        data: { object },
      });
      const signature = client.webhooks.generateTestHeaderString({ payload, secret });
      return fetch(`${BaseUrl}${webhookPath(account, organization)}`, {
        method: 'POST',
        headers: { 'Stripe-Signature': signature, 'Content-Type': 'application/json' },
        body: payload,
      });
    },
  };
}
