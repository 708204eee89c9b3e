import { MAX_WEBHOOKS } from '../../domain/callbacks/webhook.ts';
import type { Webhook } from '../../entities/webhooks.ts';
import { conflict, invalid } from '../../shared/failure.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import { findCallbackSecret, listWebhooks, newWebhookChanges, webhookSecretsAt } from '../../store/events/webhooks.ts';
import { type WebhookEditor, readKinds, readUrl, webhookAudit } from './webhook-context.ts';

interface NewWebhook {
  readonly Url: string;
  readonly Kinds: readonly string[];
}

interface CreationOptions {
  /** Only on the local stack. */
  readonly allowLoopback: boolean;
  /** Reads the deployment's key, from which signing secrets are derived. */
  readonly readKey: () => Promise<string>;
}

/** Creates a webhook with its own secret. Throws invalid or conflict. */
export async function createWebhook(
  input: NewWebhook,
  editor: WebhookEditor,
  { allowLoopback, readKey }: CreationOptions,
): Promise<{ webhook: Webhook; secret: string; changes: Change[] }> {
  const { store, now } = editor;
  const [url, kinds] = [readUrl(input.Url, allowLoopback), readKinds(input.Kinds)];
  const errors = [...url.errors, ...kinds.errors];
  if (errors.length) throw invalid(...errors);
  // Read first: a secret created after this moment makes this call run again.
  const accountSecret = await findCallbackSecret(store);
  const existing = await listWebhooks(store);
  if (existing.length >= MAX_WEBHOOKS)
    throw conflict(
      'limit_reached',
      `The account has ${MAX_WEBHOOKS} webhooks, the most it may have. Delete one first.`,
    );
  const [Id = 0] = await reserveIds(store, 'Webhook', 1);
  const content = { Url: url.Url, Kinds: kinds.Kinds };
  const webhook: Webhook = { Id, ...content, Created: now.getTime(), SecretVersion: 1, Disabled: null };
  const [secret = ''] = webhookSecretsAt(
    { key: await readKey(), account: store.account, accountSecret },
    webhook,
    now.getTime(),
  );
  const changes = newWebhookChanges(store, webhook, accountSecret);
  return { webhook, secret, changes: [...changes, webhookAudit(editor, 'webhook.created', webhook)] };
}
