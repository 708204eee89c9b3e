import type { Change } from '../../store/dynamodb/changes.ts';
import {
  findCallbackSecret,
  nextSecret,
  nextSecretChange,
  nextWebhookSecretChange,
  secretsAt,
  webhookSecretsAt,
  withNextSecret,
} from '../../store/events/webhooks.ts';
import { auditChange } from '../../store/requests/audit.ts';
import { type WebhookEditor, loadWebhook } from './webhook-context.ts';

interface Rotation {
  /** The webhook whose secret is replaced; defaults to that of the account. */
  readonly webhookId?: number | undefined;
  /** How long the previous secret signs too, in milliseconds. */
  readonly grace: number;
  /** Reads the deployment's key, from which signing secrets are derived. */
  readonly readKey: () => Promise<string>;
}

/** Gives a webhook or the account a new secret. `previousUntil` is in milliseconds since 1970. Throws 404. */
export async function rotateSecret(
  { webhookId, grace, readKey }: Rotation,
  editor: WebhookEditor,
): Promise<{ secret: string; previousUntil: number; changes: Change[] }> {
  const { store, actor, now } = editor;
  const [key, accountSecret, webhook] = await Promise.all([
    readKey(),
    findCallbackSecret(store),
    webhookId === undefined ? undefined : loadWebhook(editor, webhookId),
  ]);
  const previousUntil = now.getTime() + grace;
  const audit = (Data: Readonly<Record<string, unknown>>) => {
    const Actor = { Key: actor.Key, Name: actor.Name };
    return auditChange(store, { Kind: 'webhook.secret_rotated', At: now.getTime(), Actor, Data });
  };
  if (webhook) {
    const after = withNextSecret(webhook, previousUntil);
    const [secret = ''] = webhookSecretsAt({ key, account: store.account, accountSecret }, after, now.getTime());
    const Data = { WebhookId: webhook.Id, Version: after.SecretVersion };
    return { secret, previousUntil, changes: [nextWebhookSecretChange(store, webhook, after), audit(Data)] };
  }
  const after = nextSecret(accountSecret, previousUntil);
  const [secret = ''] = secretsAt(key, store.account, after, now.getTime());
  const changes = [nextSecretChange(store, accountSecret, after), audit({ Version: after.Version })];
  return { secret, previousUntil, changes };
}
