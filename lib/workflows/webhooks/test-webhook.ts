import { subscriberEvent } from '../../events/event-text.ts';
import { randomHandle } from '../../store/dynamodb/records.ts';
import { SECOND, toUtc } from '../../shared/time/time.ts';
import type { ReceiverAnswer } from '../../shared/web/call-receiver.ts';
import { webhookHeaders } from '../../shared/web/standard-webhooks.ts';
import { findCallbackSecret, webhookSecretsAt } from '../../store/events/webhooks.ts';
import type { CallReceiver } from '../callbacks/deliver-callbacks.ts';
import { type WebhookEditor, loadWebhook } from './webhook-context.ts';

interface TestCall {
  readonly call: CallReceiver;
  /** Reads the deployment's key, from which signing secrets are derived. */
  readonly readKey: () => Promise<string>;
}

/**
 * Calls a webhook once, even a disabled one, with an event of the kind webhook.test and the Id 0, signed like others.
 * Writes nothing: an answer of 410 disables nothing. Throws 404.
 */
export async function testWebhook(
  id: number,
  { call, readKey }: TestCall,
  editor: Pick<WebhookEditor, 'store' | 'actor' | 'now'>,
): Promise<ReceiverAnswer> {
  const { store, actor, now } = editor;
  const [webhook, key, accountSecret] = await Promise.all([
    loadWebhook(editor, id),
    readKey(),
    findCallbackSecret(store),
  ]);
  const payload = JSON.stringify({
    Kind: 'webhook.test',
    Id: id,
    OrganizationId: null,
    ContactId: null,
    At: toUtc(now.getTime()),
    Actor: actor,
    TransactionKind: null,
    Changed: [],
    Data: null,
    Truncated: false,
  });
  const body = JSON.stringify(subscriberEvent({ id: 0, queuedAt: now.getTime(), payload }));
  const timestamp = Math.floor(now.getTime() / SECOND);
  const message = { id: `${store.account}_test_${randomHandle(12)}`, timestamp, body };
  const secrets = webhookSecretsAt({ key, account: store.account, accountSecret }, webhook, now.getTime());
  return call(webhook.Url, body, webhookHeaders(message, secrets));
}
