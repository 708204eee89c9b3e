import { type Account, type ProposalSettings, accountEntity } from '../../entities/accounts.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { randomHandle } from '../dynamodb/records.ts';
import { CachedValues } from '../dynamodb/cached-values.ts';
import type { StoreAccount, StoreReader, StoreWriter } from '../store.ts';
import type { Change } from '../dynamodb/changes.ts';
import type { TableWriter } from '../dynamodb/table.ts';
import { layout } from '../keys.ts';
import { getOrganization, newOrganizationChanges } from '../organizations/organizations.ts';
import { linkSecretChange } from '../links.ts';
import { defaultSettings } from '../settings.ts';
import { CURRENT_SCHEMA, schemaError } from './schema.ts';

export const DEFAULT_PROPOSAL_SETTINGS: ProposalSettings = { ExpireAfterDays: 0 };

/** The list of all accounts, in an index. */
export const DIRECTORY = 'ACCOUNTS';
const directoryKeys = ({ account }: StoreAccount) => ({ GSI1PK: DIRECTORY, GSI1SK: account });

/**
 * Writes a new account with one organization and the default settings. Without an id, a repeated call writes another
 * account; with the id of an existing account it throws a StoreConflict.
 */
export async function writeAccount(
  table: TableWriter,
  {
    account = randomHandle(12).toLowerCase(),
    name,
    organizationName = name,
    timeZone,
    now,
  }: { account?: string; name: string; organizationName?: string; timeZone?: string; now: Date },
): Promise<{ account: string; organizationId: number }> {
  const record: Account = {
    AccountId: account,
    Name: name,
    CreatedAt: now.getTime(),
    DefaultOrganizationId: 1,
    Organizations: 1,
    Schema: CURRENT_SCHEMA,
  };
  const organization = { Id: 1, PublicName: organizationName, ...(timeZone ? { Timezone: timeZone } : {}) };
  const changes: Change[] = [
    { put: { ...layout.account.key({ account }), ...directoryKeys({ account }), ...record }, if: 'absent' },
    { put: { ...layout.lease.key({ account, kind: 'Organization' }), Last: 1 }, if: 'absent' },
    ...newOrganizationChanges({ account }, organization),
    ...defaultSettings({ account }),
    linkSecretChange({ account }),
  ];
  await table.commit(changes);
  return { account, organizationId: 1 };
}

export async function findAccount(
  { table, account }: StoreReader,
  options?: { readonly consistent: boolean },
): Promise<Account | undefined> {
  const item = await table.get(layout.account.key({ account }), options);
  return item && accountEntity.read(item);
}

/** The cache has one entry per account. */
const ONLY = 'only';

const accounts = new CachedValues<typeof ONLY, Account | undefined>({
  name: (key) => key,
  isConfigured: true,
  read: (store, _, options) => findAccount(store, options),
});

/** Account data that never changes, or may be 30 seconds old. */
const recentAccounts = new CachedValues<typeof ONLY, Account | undefined>({
  name: (key) => key,
  read: (store, _, options) => findAccount(store, options),
});

/** The organization whose zone and country apply to a call: the key's own, otherwise the account's default. */
export async function callerOrganization(store: StoreReader): Promise<OrganizationRecord> {
  const { organizationId } = store;
  const id = organizationId ?? (await findDefaultOrganization(store));
  return getOrganization(store, id);
}

/** The only organization of an account; `undefined` if there are several. */
export async function findOnlyOrganization(store: StoreReader): Promise<number | undefined> {
  const found = await accounts.read(store, ONLY);
  return found?.Organizations === 1 ? found.DefaultOrganizationId : undefined;
}

/** The organization that receives leads that no organization owns. It never changes. */
export const findDefaultOrganization = async (store: StoreReader): Promise<number> =>
  (await recentAccounts.readRecent(store, ONLY))?.DefaultOrganizationId ?? 1;

/** Why this version must not touch the account, based on a copy up to 30 seconds old; `undefined` if it may. */
export async function findSchemaError(store: StoreReader): Promise<string | undefined> {
  const found = await recentAccounts.readRecent(store, ONLY);
  return found && schemaError(found);
}

export const findErasureSecret = async (store: StoreReader): Promise<string | undefined> =>
  (await accounts.read(store, ONLY))?.ErasureSecret;

/** Creates the account's erasure secret unless it exists. Safe to repeat. */
export async function writeErasureSecret(store: StoreWriter): Promise<string> {
  const { account, table } = store;
  const update = layout.account.key({ account });
  await table.commit([{ update, setOnce: { ErasureSecret: randomHandle(43) }, if: 'present' }]);
  return (await findAccount(store))?.ErasureSecret ?? '';
}

export const findProposalSettings = async (store: StoreReader): Promise<ProposalSettings> =>
  (await accounts.read(store, ONLY))?.Proposals ?? DEFAULT_PROPOSAL_SETTINGS;

/** Whether leads with a postal code that another organization owns are refused. */
export async function findRefusesOwnedCodes(store: StoreReader): Promise<boolean> {
  const { RefuseOwnedCodes, Organizations = 1 } = (await accounts.read(store, ONLY)) ?? {};
  return RefuseOwnedCodes ?? Organizations > 1;
}

/** Prefix of the account's attributes that hold the former zone of organizations whose zone has changed. */
const MOVED_ZONE = 'Zone#';

/** Keeps the former zone of an organization, because its records have moments and dates of both. */
export const movedZoneChange = ({ account }: StoreAccount, organizationId: number, zone: string): Change => ({
  update: layout.account.key({ account }),
  set: { [`${MOVED_ZONE}${organizationId}`]: zone },
  if: 'present',
});

/** The former zones of the organizations whose zone has changed. */
export async function findRecentMovedZones(store: StoreReader): Promise<ReadonlyMap<number, string>> {
  const found = await accounts.read(store, ONLY);
  const moved = Object.entries(found ?? {}).filter(([name]) => name.startsWith(MOVED_ZONE));
  return new Map(moved.map(([name, zone]) => [Number(name.slice(MOVED_ZONE.length)), String(zone)]));
}

/** Increments the number of organizations. */
export const organizationCountChange = ({ account }: StoreAccount): Change => ({
  update: layout.account.key({ account }),
  add: { Organizations: 1 },
  if: 'present',
});
