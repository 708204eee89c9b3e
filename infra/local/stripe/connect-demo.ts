import { randomBytes } from 'node:crypto';
import { listPaymentProviders, writePaymentProvider } from '../../../lib/store/payment-providers.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/table.ts';
import { connectedProvider, webhookPath } from '../../../lib/workflows/payments/open-provider.ts';
import { accountStore } from '../../../lib/store/store.ts';

/** Connects the stack's account with the stand-in, unless it has a provider. Safe to repeat. */
export async function connectStandIn(
  table: TableWriter,
  {
    account,
    baseUrl,
    stripeApi,
    key,
  }: { readonly account: string; readonly baseUrl: string; readonly stripeApi: string; readonly key: string },
): Promise<void> {
  const store = accountStore(table, account);
  if ((await listPaymentProviders(store)).length > 0) return;
  const secretKey = `sk_test_${randomBytes(16).toString('hex')}`;
  const answer = await fetch(`${stripeApi}/v1/webhook_endpoints`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secretKey}` },
    body: new URLSearchParams({ url: `${baseUrl}${webhookPath(account, 0)}`, 'enabled_events[0]': '*' }),
  });
  const { secret } = (await answer.json()) as { secret: string };
  const keys = { secretKey, webhookSecret: secret };
  await writePaymentProvider(store, connectedProvider(keys, { account, organization: 0, key, now: new Date() }));
}
