import { type CallbackSecret, type Webhook, callbackSecretEntity, webhookEntity } from '../../entities/webhooks.ts';
import { isEqual } from '../../shared/objects.ts';
import { deriveSecret } from '../../shared/web/standard-webhooks.ts';
import type { Change } from '../dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../dynamodb/table.ts';
import { listRange } from '../dynamodb/records.ts';
import { type Key, layout } from '../keys.ts';

/** All webhooks of an account, by id; lib/domain/callbacks/webhook.ts limits their number. */
export const listWebhooks = async (
  table: TableReader,
  account: string,
  { consistent = true } = {},
): Promise<Webhook[]> =>
  (await listRange(table, { partition: layout.webhook.of({ account }), consistent })).map(webhookEntity.readDeclared);

/** Webhooks by id; deleted ones are missing. */
export async function findWebhooks(table: TableReader, account: string, ids: readonly number[]): Promise<Webhook[]> {
  const keys = [...new Set(ids)].map((id) => webhookKey(account, id));
  return keys.length ? (await table.getMany(keys)).map(webhookEntity.readDeclared) : [];
}

const webhookKey = (account: string, id: number): Key => layout.webhook.key({ account, id });

/**
 * The changes that store a new webhook, once nobody else has created one, or been shown the secret, since it was read:
 * an account has a limited number, and one caller is shown the secret.
 */
export const newWebhookChanges = (account: string, webhook: Webhook, secret: CallbackSecret): Change[] => [
  { put: { ...webhookKey(account, webhook.Id), ...webhook }, if: 'absent' },
  {
    update: callbackSecretKey(account),
    set: { Shown: true, NewestWebhook: webhook.Id },
    if: { equals: storedSecret(secret) },
  },
];

/** The change that stores what differs; `undefined` where nothing does. The worker may disable it at the same time. */
export function updatedWebhookChange(account: string, before: Webhook, after: Webhook): Change | undefined {
  const changed = (['Url', 'Kinds', 'Disabled'] as const).filter((name) => !isEqual(before[name], after[name]));
  if (!changed.length) return undefined;
  const isRemoved = (name: keyof Webhook) => after[name] === null;
  return {
    update: webhookKey(account, after.Id),
    set: Object.fromEntries(changed.filter((name) => !isRemoved(name)).map((name) => [name, after[name]])),
    remove: changed.filter(isRemoved),
    if: 'present',
  };
}

export const removedWebhookChange = (account: string, id: number): Change => ({
  remove: webhookKey(account, id),
  if: 'present',
});

/** Stores at once that a webhook is not called any more, and why. Safe to repeat. */
export const writeWebhookDisabled = (
  table: TableWriter,
  account: string,
  id: number,
  Disabled: NonNullable<Webhook['Disabled']>,
): Promise<void> => table.commit([{ update: webhookKey(account, id), set: { Disabled }, if: 'present' }]);

const callbackSecretKey = (account: string): Key => layout.callbackSecret.key({ account });

export const findCallbackSecret = async (table: TableReader, account: string): Promise<CallbackSecret> =>
  callbackSecretEntity.readDeclared((await table.get(callbackSecretKey(account))) ?? {});

/** Stores at once that the present secret was shown. Safe to repeat. */
export async function writeSecretShown(table: TableWriter, account: string): Promise<void> {
  await table.update({ update: callbackSecretKey(account), set: { Shown: true } });
}

/** The attributes of the secret as they are stored: the first version is not, nor is the absence of webhooks. */
const storedSecret = ({ Version, Shown, NewestWebhook }: CallbackSecret) => ({
  Version: Version === 1 ? undefined : Version,
  Shown: Shown || undefined,
  NewestWebhook: NewestWebhook || undefined,
});

/** The next version, with the one before valid until a moment. */
export const nextSecret = (before: CallbackSecret, previousUntil: number): CallbackSecret => ({
  ...before,
  Version: before.Version + 1,
  PreviousUntil: previousUntil,
  Shown: true,
});

export const nextSecretChange = (account: string, before: CallbackSecret, after: CallbackSecret): Change => ({
  update: callbackSecretKey(account),
  set: { Version: after.Version, PreviousUntil: after.PreviousUntil, Shown: true },
  if: { equals: { Version: storedSecret(before).Version } },
});

/**
 * The secrets that sign the callbacks of an account, the present one first: two while it is replaced. They follow from
 * the deployment's key.
 */
export function secretsAt(
  key: string,
  account: string,
  { Version, PreviousUntil }: CallbackSecret,
  now: number,
): string[] {
  const secretOf = (number: number) => deriveSecret(key, `${account}.${number}`);
  return [secretOf(Version), ...(PreviousUntil > now ? [secretOf(Version - 1)] : [])];
}
