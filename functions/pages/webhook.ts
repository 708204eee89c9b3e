import type { ClientCall, PageAnswer } from '../../lib/api/http/client-route.ts';
import { openConnectedProvider, parseWebhookHandle } from '../../lib/workflows/payments/open-provider.ts';
import { settleAfterwards, settleAttempt, settleCheckout } from '../../lib/workflows/payments/settle-checkout.ts';
import { readPaymentKey } from '../../lib/secrets/held-secret.ts';
import { accountStore } from '../../lib/store/store.ts';

const answer = (status: number): PageAnswer => ({ status, body: '', type: 'text/plain; charset=utf-8' });

/**
 * Receives a webhook of the payment provider, whose signature covers the raw bytes. The webhook only says what to
 * check; the state is requested from the provider, so a repeated, late or reordered webhook changes nothing.
 * `undefined` if no provider is connected.
 */
export async function receiveWebhook({ event, table, now }: ClientCall): Promise<PageAnswer | undefined> {
  const signature = event.headers['stripe-signature'];
  const connected = parseWebhookHandle(event.pathParameters?.['handle']);
  if (!signature || !connected) return undefined;
  const store = accountStore(table, connected.account);
  const opened = await openConnectedProvider(store, connected.organization, readPaymentKey);
  if (!opened) return undefined;
  const { body = '', isBase64Encoded } = event;
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
  const notice = await opened.provider.readWebhook(text, signature);
  if (!notice) return answer(400);
  if (notice.kind === 'checkout') await settleCheckout(notice.id, { store, opened, now });
  if (notice.kind === 'attempt') await settleAttempt(notice.payment, { store, opened, now });
  if (notice.kind === 'payment') await settleAfterwards(notice.payment, { store, opened, now });
  return answer(200);
}
