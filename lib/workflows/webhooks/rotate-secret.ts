import type { Change } from '../../store/dynamodb/changes.ts';
import { findCallbackSecret, nextSecret, nextSecretChange, secretsAt } from '../../store/events/webhooks.ts';
import { auditChange } from '../../store/requests/audit.ts';
import type { WebhookEditor } from './webhook-context.ts';

interface Rotation {
  /** How long the secret before signs too, in milliseconds. */
  readonly grace: number;
  /** Reads the deployment's key, from which the secrets that sign follow. */
  readonly readKey: () => Promise<string>;
}

/** Gives the account a new secret. `previousUntil` is in milliseconds since 1970. */
export async function rotateSecret(
  { grace, readKey }: Rotation,
  { table, account, actor: { Key, Name }, now }: WebhookEditor,
): Promise<{ secret: string; previousUntil: number; changes: Change[] }> {
  const [key, before] = await Promise.all([readKey(), findCallbackSecret(table, account)]);
  const previousUntil = now.getTime() + grace;
  const after = nextSecret(before, previousUntil);
  const [secret = ''] = secretsAt(key, account, after, now.getTime());
  const Data = { Version: after.Version };
  const entry = { Kind: 'webhook.secret_rotated', At: now.getTime(), Actor: { Key, Name }, Data } as const;
  return { secret, previousUntil, changes: [nextSecretChange(account, before, after), auditChange(account, entry)] };
}
