import { type CallbackSecret, type Webhook, callbackSecretEntity, webhookEntity } from '../../entities/webhooks.ts';
import { isEqual } from '../../shared/objects.ts';
import { deriveSecret } from '../../shared/web/standard-webhooks.ts';
import type { Change } from '../dynamodb/changes.ts';
import { listRange } from '../dynamodb/records.ts';
import { type Key, layout } from '../keys.ts';
import type { StoreAccount, StoreReader, StoreWriter } from '../store.ts';

/** All webhooks of an account, by id; lib/domain/callbacks/webhook.ts limits their number. */
export const listWebhooks = async ({ table, account }: StoreReader, { consistent = true } = {}): Promise<Webhook[]> =>
  (await listRange(table, { partition: layout.webhook.of({ account }), consistent })).map(webhookEntity.readDeclared);

/** Webhooks by id, without deleted ones. */
export async function findWebhooks(store: StoreReader, ids: readonly number[]): Promise<Webhook[]> {
  const { table } = store;
  const keys = [...new Set(ids)].map((id) => webhookKey(store, id));
  return keys.length ? (await table.getMany(keys)).map(webhookEntity.readDeclared) : [];
}

const webhookKey = ({ account }: StoreAccount, id: number): Key => layout.webhook.key({ account, id });

/**
 * The changes that store a new webhook, provided that nobody else has created one since the newest was read, because an
 * account may have a limited number.
 */
export const newWebhookChanges = (
  store: StoreAccount,
  webhook: Webhook,
  { NewestWebhook }: CallbackSecret,
): Change[] => [
  { put: { ...webhookKey(store, webhook.Id), ...webhook }, if: 'absent' },
  {
    update: callbackSecretKey(store),
    set: { NewestWebhook: webhook.Id },
    if: { equals: { NewestWebhook: NewestWebhook || undefined } },
  },
];

/**
 * The change that stores the differences; `undefined` if there are none. The worker may disable it at the same time.
 */
export function updatedWebhookChange(store: StoreAccount, before: Webhook, after: Webhook): Change | undefined {
  const changed = (['Url', 'Kinds', 'Disabled'] as const).filter((name) => !isEqual(before[name], after[name]));
  if (!changed.length) return undefined;
  const isRemoved = (name: keyof Webhook) => after[name] === null;
  return {
    update: webhookKey(store, after.Id),
    set: Object.fromEntries(changed.filter((name) => !isRemoved(name)).map((name) => [name, after[name]])),
    remove: changed.filter(isRemoved),
    if: 'present',
  };
}

export const removedWebhookChange = (store: StoreAccount, id: number): Change => ({
  remove: webhookKey(store, id),
  if: 'present',
});

/** Stores at once that a webhook is no longer called, and why. Safe to repeat. */
export const writeWebhookDisabled = (
  store: StoreWriter,
  id: number,
  Disabled: NonNullable<Webhook['Disabled']>,
): Promise<void> => store.table.commit([{ update: webhookKey(store, id), set: { Disabled }, if: 'present' }]);

const callbackSecretKey = ({ account }: StoreAccount): Key => layout.callbackSecret.key({ account });

export const findCallbackSecret = async (store: StoreReader): Promise<CallbackSecret> =>
  callbackSecretEntity.readDeclared((await store.table.get(callbackSecretKey(store))) ?? {});

/** Stores at once that the current secret was shown. Safe to repeat. */
export async function writeSecretShown(store: StoreWriter): Promise<void> {
  const { table } = store;
  await table.update({ update: callbackSecretKey(store), set: { Shown: true } });
}

/** The next version; the previous one stays valid until a moment. */
export const nextSecret = (before: CallbackSecret, previousUntil: number): CallbackSecret => ({
  ...before,
  Version: before.Version + 1,
  PreviousUntil: previousUntil,
  Shown: true,
});

export const nextSecretChange = (store: StoreAccount, before: CallbackSecret, after: CallbackSecret): Change => ({
  update: callbackSecretKey(store),
  set: { Version: after.Version, PreviousUntil: after.PreviousUntil, Shown: true },
  // The first version is not stored.
  if: { equals: { Version: before.Version === 1 ? undefined : before.Version } },
});

/** A webhook with the next version of its own secret; the previous secret stays valid until a moment. */
export const withNextSecret = (before: Webhook, previousUntil: number): Webhook => ({
  ...before,
  SecretVersion: (before.SecretVersion ?? 0) + 1,
  SecretPreviousUntil: previousUntil,
});

export const nextWebhookSecretChange = (store: StoreAccount, before: Webhook, after: Webhook): Change => ({
  update: webhookKey(store, after.Id),
  set: { SecretVersion: after.SecretVersion, SecretPreviousUntil: after.SecretPreviousUntil },
  if: { equals: { Id: before.Id, SecretVersion: before.SecretVersion } },
});

/** What an account's secrets are derived from: the deployment's key, and the version of the account's own. */
export interface SecretSource {
  readonly key: string;
  readonly account: string;
  readonly accountSecret: CallbackSecret;
}

/** The secrets that sign the calls of a webhook, the current one first: its own, or the account's if it has none. */
export function webhookSecretsAt(source: SecretSource, webhook: Webhook, now: number): string[] {
  const { Id, SecretVersion, SecretPreviousUntil = 0 } = webhook;
  const accountSecrets = () => secretsAt(source.key, source.account, source.accountSecret, now);
  if (SecretVersion === undefined) return accountSecrets();
  const secretOf = (number: number) => deriveSecret(source.key, `${source.account}.webhook-${Id}.${number}`);
  const previous = () => (SecretVersion > 1 ? [secretOf(SecretVersion - 1)] : accountSecrets());
  return [secretOf(SecretVersion), ...(SecretPreviousUntil > now ? previous() : [])];
}

/**
 * The secrets of an account, which sign calls to the URLs of its records, the current one first: two during a
 * replacement. They are derived from the deployment's key.
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
