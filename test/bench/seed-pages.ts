import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { PAYMENT_KEY } from '../../infra/local/data-folder.ts';
import { freePort } from '../../infra/local/ports.ts';
import { startSecrets } from '../../infra/local/secrets.ts';
import { startStripe } from '../../infra/local/stripe/stand-in.ts';
import { checkoutKey } from '../../lib/store/client-payments.ts';
import { type TableWriter, openTable } from '../../lib/store/dynamodb/table.ts';
import type { Key } from '../../lib/store/keys.ts';
import { writePaymentProvider } from '../../lib/store/payment-providers.ts';
import { accountCaller } from '../../lib/store/requests/caller.ts';
import { listLinks } from '../../lib/workflows/pages/revoke-links.ts';
import { connectedProvider, webhookPath } from '../../lib/workflows/payments/open-provider.ts';
import { checkoutId } from '../support/payments.ts';
import { accountStore } from '../../lib/store/store.ts';
import { callerContext } from '../../lib/workflows/context.ts';

const keys = {
  secretKey: `sk_test_${randomBytes(12).toString('hex')}`,
  webhookSecret: `whsec_${randomBytes(12).toString('hex')}`,
};
const sealingKey = randomBytes(32).toString('hex');

/** Starts the stand-in of Stripe, and the secret with which keys of providers are sealed. Returns how both end. */
export async function startProvider(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'provider-'));
  const secrets = await startSecrets({ [PAYMENT_KEY]: sealingKey });
  const stripe = await startStripe({ file: join(folder, 'stripe.json'), port: await freePort(), log: () => undefined });
  Object.assign(process.env, {
    STAGE: 'local',
    STRIPE_API: stripe.endpoint,
    PAYMENT_KEY_SECRET: PAYMENT_KEY,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
  });
  return async () => {
    await stripe.stop();
    await secrets.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

let connected = '';

/** The booking page of the account that `seedProvider` was called for. */
export async function bookingLink(): Promise<string> {
  const context = callerContext(openTable(), accountCaller(connected, { role: 'Owner' }), new Date());
  return (await listLinks(context, 'organization', 1)).booking ?? '';
}

/** The item of a checkout of an invoice. */
export const checkoutItem = (invoice: number, address: string): Key =>
  checkoutKey({ account: connected }, { Page: 'invoice', RecordId: invoice }, checkoutId(address));

/** Has all clients of an account pay by the stand-in. */
export async function seedProvider(table: TableWriter, account: string): Promise<void> {
  const now = new Date();
  await writePaymentProvider(
    accountStore(table, account),
    connectedProvider(keys, { account, organization: 0, key: sealingKey, now }),
  );
  connected = account;
}

/** What Stripe sends when a checkout was paid: the address of our webhook, and the signed text. */
export async function completedWebhook(
  checkout: string,
): Promise<{ address: string; body: string; headers: Record<string, string> }> {
  const { hostname: host, port } = new URL(process.env['STRIPE_API'] ?? '');
  const client = new Stripe(keys.secretKey, { protocol: 'http', host, port, telemetry: false });
  const object = await client.checkout.sessions.retrieve(checkoutId(checkout));
  const body = JSON.stringify({
    id: `evt_${randomBytes(8).toString('hex')}`,
    object: 'event',
    type: 'checkout.session.completed',
    data: { object },
  });
  const signature = client.webhooks.generateTestHeaderString({ payload: body, secret: keys.webhookSecret });
  const address = `${process.env['BASE_URL'] ?? ''}${webhookPath(connected, 0)}`;
  return { address, body, headers: { 'stripe-signature': signature } };
}
