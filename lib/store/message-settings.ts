import { DEFAULT_KEPT_DAYS, type MessageSettings, resolveMessageSettings } from '../domain/messages/settings.ts';
import { type MessageSettingsRecord, messageSettingsEntity } from '../entities/messages.ts';
import type { Change } from './dynamodb/changes.ts';
import { CachedValues } from './dynamodb/cached-values.ts';
import { layout } from './keys.ts';
import type { StoreAccount, StoreReader, StoreWriter } from './store.ts';

/** Stands for the settings of the account, which apply to each organization without its own. */
export const WHOLE_ACCOUNT = 0;

/** What is stored of an organization, or of the account. */
export async function findStoredMessageSettings(
  { table, account }: StoreReader,
  organization: number,
  options?: { readonly consistent: boolean },
): Promise<MessageSettingsRecord | undefined> {
  const item = await table.get(layout.messageSettings.key({ account, organization }), options);
  return item && messageSettingsEntity.readDeclared(item);
}

const settings = new CachedValues<number, MessageSettingsRecord | undefined>({
  name: String,
  isConfigured: true,
  missingMilliseconds: 30_000,
  read: findStoredMessageSettings,
});

/** What applies to an organization. */
export async function findMessageSettings(store: StoreReader, organization: number): Promise<MessageSettings> {
  const [account, own] = await Promise.all([settings.read(store, WHOLE_ACCOUNT), settings.read(store, organization)]);
  return resolveMessageSettings({ account, organization: own });
}

/** Stores the settings of an organization, or of the account, replacing the previous ones. */
export const messageSettingsChange = ({ account }: StoreAccount, record: MessageSettingsRecord): Change => ({
  put: {
    ...layout.messageSettings.key({ account, organization: record.OrganizationId }),
    ...messageSettingsEntity.write(record),
  },
});

const findOfAccount = async (store: StoreReader): Promise<MessageSettingsRecord> =>
  (await findStoredMessageSettings(store, WHOLE_ACCOUNT)) ??
  messageSettingsEntity.blank({ OrganizationId: WHOLE_ACCOUNT });

/** For how many days an account keeps messages. */
export const findKeptDays = async (store: StoreReader): Promise<number> =>
  (await findOfAccount(store)).KeptDays ?? DEFAULT_KEPT_DAYS;

/** Stores for how many days new messages are kept. Safe to repeat. */
export const writeKeptDays = async (store: StoreWriter, KeptDays: number): Promise<void> =>
  store.table.commit([messageSettingsChange(store, { ...(await findOfAccount(store)), KeptDays })]);
