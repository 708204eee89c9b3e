import type { Webhook } from '../../domain/callbacks/webhook.ts';
import { deriveSecret } from '../../shared/web/standard-webhooks.ts';
import type { Item } from '../dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../dynamodb/client.ts';
import { reserveIds } from '../dynamodb/ids.ts';
import { listRange } from '../dynamodb/records.ts';
import { type Key, layout } from '../keys.ts';

const toWebhook = ({ Id, Url, Kinds, Created, Disabled }: Item): Webhook => ({
  Id: Id as number,
  Url: Url as string,
  Kinds: Kinds as string[],
  Created: Created as number,
  Disabled: (Disabled as Webhook['Disabled'] | undefined) ?? null,
});

/** All webhooks of an account, by id; lib/domain/callbacks/webhook.ts limits their number. */
export const listWebhooks = async (
  table: TableReader,
  account: string,
  { consistent = true } = {},
): Promise<Webhook[]> =>
  (await listRange(table, { partition: layout.webhook.of({ account }), consistent })).map(toWebhook);

/** Webhooks by id; deleted ones are missing. */
export async function findWebhooks(table: TableReader, account: string, ids: readonly number[]): Promise<Webhook[]> {
  const keys = [...new Set(ids)].map((id) => webhookKey(account, id));
  return keys.length ? (await table.getMany(keys)).map(toWebhook) : [];
}

const webhookKey = (account: string, id: number): Key => layout.webhook.key({ account, id });

/** Stores a new webhook at once. A repeat makes another one. */
export async function writeWebhook(
  table: TableWriter,
  account: string,
  { Url, Kinds }: Pick<Webhook, 'Url' | 'Kinds'>,
  now: Date,
): Promise<Webhook> {
  const [Id = 0] = await reserveIds(table, account, 'Webhook', 1);
  const webhook: Webhook = { Id, Url, Kinds, Created: now.getTime(), Disabled: null };
  await table.commit([{ put: { ...webhookKey(account, Id), ...webhook }, if: 'absent' }]);
  return webhook;
}

/** Removes a webhook at once. Safe to repeat. */
export const writeWebhookRemoval = (table: TableWriter, account: string, id: number): Promise<void> =>
  table.commit([{ remove: webhookKey(account, id) }]);

/** Stores at once that a webhook is not called any more, and why. Safe to repeat. */
export const writeWebhookDisabled = (
  table: TableWriter,
  account: string,
  id: number,
  Disabled: NonNullable<Webhook['Disabled']>,
): Promise<void> => table.commit([{ update: webhookKey(account, id), set: { Disabled }, if: 'present' }]);

/** Has a webhook called again, with events that are queued from now on. Safe to repeat. */
export const writeWebhookEnabled = (table: TableWriter, account: string, id: number): Promise<void> =>
  table.commit([{ update: webhookKey(account, id), set: {}, remove: ['Disabled'], if: 'present' }]);

/** The versions of an account's secret; the secret itself follows from the deployment's key. */
export interface CallbackSecret {
  readonly version: number;
  /** Until when the version before is valid too, in milliseconds since 1970. */
  readonly previousUntil: number;
  /** Whether somebody has been shown it. */
  readonly isShown: boolean;
}

const callbackSecretKey = (account: string): Key => layout.callbackSecret.key({ account });

const toCallbackSecret = (item: Item | undefined): CallbackSecret => ({
  version: (item?.['Version'] as number | undefined) ?? 1,
  previousUntil: (item?.['PreviousUntil'] as number | undefined) ?? 0,
  isShown: item?.['Shown'] === true,
});

export const findCallbackSecret = async (table: TableReader, account: string): Promise<CallbackSecret> =>
  toCallbackSecret(await table.get(callbackSecretKey(account)));

/** Stores at once that the present secret was shown. Safe to repeat. */
export async function writeSecretShown(table: TableWriter, account: string): Promise<void> {
  await table.update({ update: callbackSecretKey(account), set: { Shown: true } });
}

/** Stores the next version at once, with the one before valid until a moment. */
export async function writeNextSecret(
  table: TableWriter,
  account: string,
  before: CallbackSecret,
  previousUntil: number,
): Promise<CallbackSecret> {
  const next = { version: before.version + 1, previousUntil, isShown: true };
  // The first version is not stored.
  const stored = before.version === 1 ? undefined : before.version;
  const set = { Version: next.version, PreviousUntil: previousUntil, Shown: true };
  await table.commit([{ update: callbackSecretKey(account), set, if: { equals: { Version: stored } } }]);
  return next;
}

/**
 * The secrets that sign the callbacks of an account, the present one first: two while it is replaced. They follow from
 * the deployment's key.
 */
export function secretsAt(
  key: string,
  account: string,
  { version, previousUntil }: CallbackSecret,
  now: number,
): string[] {
  const secretOf = (number: number) => deriveSecret(key, `${account}.${number}`);
  return [secretOf(version), ...(previousUntil > now ? [secretOf(version - 1)] : [])];
}
