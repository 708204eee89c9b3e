import type { Stored } from '../../entities/declaration/read.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  type ApiKeyRecord,
  type KeyEntry,
  DEFAULT_IN_FLIGHT,
  apiKeyEntity,
  keyEntryEntity,
  keySecretEntity,
} from '../../entities/api-keys.ts';
import { isEqual } from '../../shared/objects.ts';
import type { Role } from '../../shared/roles.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../dynamodb/table.ts';
import { listRange, versionedChange, lastOf, randomHandle } from '../dynamodb/records.ts';
import { attributes, isTableAttribute, layout } from '../keys.ts';
import { callerOrganization } from '../accounts/accounts.ts';
import { hasLeft } from '../../domain/leavers.ts';
import { agentsOf } from '../organizations/service-agents.ts';
import { findRecentOrganization } from '../organizations/organizations.ts';
import type { DateStyle } from './caller.ts';
import { keyNoticeChanges } from './key-notices.ts';
import { type StoreReader, type StoreWriter, accountStore, storeOf } from '../store.ts';

/** By default 50 calls a second in bursts of twice that, 10 of them at the same time, and the subscriber `default`. */
export interface NewKey {
  readonly account: string;
  readonly organizationId?: number | null;
  readonly name: string;
  readonly role: Role;
  readonly expiresAt?: number | null;
  readonly rate?: number;
  readonly inFlight?: number;
  readonly agentId?: number | null;
  readonly allow?: readonly string[];
  readonly readOnly?: boolean;
  readonly assistant?: ApiKeyRecord['Assistant'];
  readonly from?: readonly string[];
  /** Whether it is for a local stack, which its form shows. */
  readonly isTest?: boolean;
  readonly subscriber?: string;
  readonly dateStyle?: DateStyle;
  readonly lenient?: boolean;
  readonly channel?: string;
  readonly campaign?: string;
  readonly feed?: ApiKeyRecord['Feed'];
  /** The beginning of the public part. */
  readonly publicPrefix?: string;
  /** When the key leaves the table, in seconds since 1970; never by default. */
  readonly timeToLive?: number;
  /** Whether it is an event; false for a key that is made with its account. */
  readonly hasEvent?: boolean;
  readonly now: Date;
}

/** `fsk_live_`, the public and the secret part, and a checksum: programs that look for leaked keys recognize one. */
const FORM = /^fsk_(?:live|test)_([0-9A-Za-z]{12})([0-9A-Za-z]{32})[0-9A-Za-z]{6}$/;
/** The form of earlier versions, whose keys stay valid. */
const FORMER = /^fs_([0-9A-Za-z]{12})_([0-9A-Za-z]{32})$/;

const CHECKSUM_LENGTH = 6;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The CRC-32 of a text as 6 digits of base 62. */
function checksum(text: string): string {
  let digits = '';
  for (let rest = crc32(text); digits.length < CHECKSUM_LENGTH; rest = Math.floor(rest / DIGITS.length))
    digits = `${DIGITS[rest % DIGITS.length]}${digits}`;
  return digits;
}

const withChecksum = (text: string): string => text + checksum(text);

const isIntact = (key: string): boolean => withChecksum(key.slice(0, -CHECKSUM_LENGTH)) === key;

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Splits a key into its public and secret parts; `undefined` for a text that is not a key, or has a typing error. */
export function parseKey(key: string): { readonly publicPart: string; readonly secret: string } | undefined {
  const current = FORM.exec(key);
  const [, publicPart, secret] = FORMER.exec(key) ?? (current && isIntact(key) ? current : []);
  return publicPart && secret ? { publicPart, secret } : undefined;
}

export const toApiKey = ({ PK: _, SK: __, SecretHash: ___, TTL: ____, ...record }: Item): ApiKeyRecord =>
  apiKeyEntity.read(record);

const entryKey = ({ Account, Public }: Pick<ApiKeyRecord, 'Account' | 'Public'>) =>
  layout.accountKey.key({ account: Account, public: Public });

/** The entry of a key, `undefined` for one of an earlier version, which only names the key. */
export const toKeyEntry = ({ PK: _, SK: __, TTL: ___, ...entry }: Item): KeyEntry | undefined =>
  entry['V'] === undefined ? undefined : keyEntryEntity.read(entry);

/** Names of the fields in which a key differs from its entry, which says nothing of the suspension of its account. */
export function differingFields(record: ApiKeyRecord, entry: KeyEntry): string[] {
  const apart = new Set(['SuspendedAt', 'Id', 'V']);
  const names = [...new Set([...Object.keys(record), ...Object.keys(entry)])];
  const [one, other]: [Stored, Stored] = [record, entry];
  return names.filter((name) => !apart.has(name) && !isTableAttribute(name) && !isEqual(one[name], other[name]));
}

/** The changes that list a key under the next number of its account, `lease` being as it was read. No event. */
export function missingEntryChanges({ SuspendedAt: _, ...record }: ApiKeyRecord, lease: Item | undefined): Change[] {
  const leaseKey = layout.lease.key({ account: record.Account, kind: 'Key' });
  const last = lastOf(lease);
  return [
    { update: leaseKey, set: { Last: last + 1 }, if: { equals: { Last: lease && last } } },
    { put: { ...entryKey(record), ...record, Id: last + 1, V: 1 }, if: 'absent' },
  ];
}

/** The change that makes an entry equal to its key; an event, as the change of the key would have been. */
export const correctedEntryChange = (before: KeyEntry, { SuspendedAt: _, ...record }: ApiKeyRecord): Change =>
  entryChange(before, { ...record, Id: before.Id, V: before.V });

const entryChange = (before: KeyEntry | undefined, after: KeyEntry): Change =>
  versionedChange(keyEntryEntity, entryKey(after), { before, after }).change;

/** The number of a new key in its account. A lost reply leaves a gap. */
async function nextKeyId({ account, table }: StoreWriter): Promise<number> {
  const update = layout.lease.key({ account, kind: 'Key' });
  return lastOf(await table.update({ update, add: { Last: 1 } }));
}

/**
 * Writes the entry of a key of an earlier version, whose entry names only its public part. No event: the key does not
 * change. Safe to repeat: an entry that has a version stays.
 */
export async function writeKeyEntry(table: TableWriter, record: ApiKeyRecord): Promise<void> {
  const entry: KeyEntry = { ...record, Id: await nextKeyId(accountStore(table, record.Account)), V: 1 };
  await table.commit([{ put: { ...entryKey(record), ...entry }, if: { equals: { V: undefined } } }]);
}

/** A key, which is returned only here, its record, and the changes that store it. */
async function generateKey(
  table: TableWriter,
  {
    account,
    organizationId = null,
    name,
    role,
    expiresAt = null,
    rate = 50,
    inFlight = DEFAULT_IN_FLIGHT,
    agentId = null,
    allow = [],
    readOnly = false,
    assistant = 'read',
    from = [],
    isTest = false,
    subscriber = 'default',
    dateStyle = 'iso',
    lenient = false,
    channel = '',
    campaign = '',
    feed = 'standard',
    publicPrefix = '',
    timeToLive,
    hasEvent = true,
    now,
  }: NewKey,
) {
  const publicPart = publicPrefix + randomHandle(12 - publicPrefix.length);
  const secret = randomHandle(32);
  const record: ApiKeyRecord = {
    Public: publicPart,
    Account: account,
    OrganizationId: organizationId,
    Name: name,
    Role: role,
    CreatedAt: now.getTime(),
    ExpiresAt: expiresAt,
    RevokedAt: null,
    Rate: rate,
    Burst: Math.max(1, rate * 2),
    InFlight: inFlight,
    AgentId: agentId,
    Allow: allow,
    ReadOnly: readOnly,
    Assistant: assistant,
    From: from,
    Subscriber: subscriber,
    DateStyle: dateStyle,
    Lenient: lenient,
    Channel: channel,
    Campaign: campaign,
    Feed: feed,
  };
  const entry: KeyEntry = { ...record, Id: await nextKeyId(accountStore(table, account)), V: 0 };
  const expiry = timeToLive === undefined ? {} : { [attributes.timeToLive]: timeToLive };
  const item = { ...layout.apiKey.key({ public: publicPart }), ...record, SecretHash: digest(secret), ...expiry };
  const changes: Change[] = [
    { put: item, if: 'absent' },
    hasEvent
      ? entryChange(undefined, entry)
      : { put: { ...entryKey(record), ...entry, V: 1, ...expiry }, if: 'absent' },
    ...keyNoticeChanges(record),
  ];
  return { key: withChecksum(`fsk_${isTest ? 'test' : 'live'}_${publicPart}${secret}`), record, changes };
}

export async function createKey(table: TableWriter, input: NewKey): Promise<{ key: string; record: ApiKeyRecord }> {
  const { key, record, changes } = await generateKey(table, input);
  await table.commit(changes);
  return { key, record };
}

/** Compared with the secret of a key that does not exist. */
const NO_HASH = Buffer.alloc(32);

/** The record of a key with this secret, whatever its state. The comparison takes the same time for any secret. */
export async function findKey(
  table: TableReader,
  { publicPart, secret }: { publicPart: string; secret: string },
): Promise<ApiKeyRecord | undefined> {
  const item = await table.get(layout.apiKey.key({ public: publicPart }), { consistent: false });
  const isRight = timingSafeEqual(digest(secret), item ? keySecretEntity.read(item).SecretHash : NO_HASH);
  return item && isRight ? toApiKey(item) : undefined;
}

/** Whether the organization of the key is canceled. */
export async function isSuspended(table: TableReader, { Account, OrganizationId }: ApiKeyRecord): Promise<boolean> {
  if (OrganizationId === null) return false;
  return (await findRecentOrganization(accountStore(table, Account), OrganizationId))?.Suspended ?? false;
}

/** Whether the last day of the service agent of the key is over: it ends with it. */
export async function hasAgentLeft(
  table: TableReader,
  { Account: account, OrganizationId: organizationId, AgentId }: ApiKeyRecord,
  now: Date,
): Promise<boolean> {
  if (AgentId === null || organizationId === null) return false;
  const [agents, organization] = await Promise.all([
    agentsOf(table, { account, organizationId }),
    findRecentOrganization(accountStore(table, account), organizationId),
  ]);
  const agent = agents.get(AgentId);
  return agent !== undefined && organization !== undefined && hasLeft(agent, organization.Timezone, now.getTime());
}

/** The country whose people's way to write numbers applies to a call of the key. */
export const findCountry = async (
  table: TableReader,
  { Account: account, OrganizationId: organizationId }: ApiKeyRecord,
): Promise<string> => (await callerOrganization(storeOf(table, { account, organizationId }))).Country;

/** The public parts of all keys of an account. */
export async function listPublicParts({ table, account }: StoreReader): Promise<string[]> {
  const items = await listRange(table, { partition: layout.accountKey.of({ account }), consistent: true });
  return items.map(({ SK }) => SK.slice('KEY#'.length));
}

/** The keys whose entry in the list is of an earlier version. */
export async function listKeysWithoutEntry({ table, account }: StoreReader): Promise<ApiKeyRecord[]> {
  const items = await listRange(table, { partition: layout.accountKey.of({ account }), consistent: true });
  const parts = items.filter(({ V }) => V === undefined).map(({ SK }) => SK.slice('KEY#'.length));
  return (await table.getMany(parts.map((part) => layout.apiKey.key({ public: part })))).map(toApiKey);
}

/** Lists the keys that expire for their notices; how many. Safe to repeat: an entry is the same each time. */
export async function writeKeyNotices(store: StoreWriter): Promise<number> {
  const { table } = store;
  const keys = (await listKeys(store)).filter(({ RevokedAt }) => RevokedAt === null);
  const changes = keys.flatMap(keyNoticeChanges);
  for (const change of changes) await table.commit([change]);
  return changes.length;
}

const keyState = apiKeyEntity.part('RevokedAt', 'SuspendedAt');

/** Whether the key may no longer write: revoked, or its account suspended. Read strongly, unlike the key of a call. */
export async function findKeyState(table: TableReader, publicPart: string): Promise<'valid' | 'revoked' | 'suspended'> {
  const item = await table.get(layout.apiKey.key({ public: publicPart }));
  if (!item) return 'revoked';
  const { RevokedAt, SuspendedAt } = keyState.read(item);
  if (RevokedAt !== null) return 'revoked';
  return SuspendedAt === undefined ? 'valid' : 'suspended';
}

/** When and from where a key was used last: the day (`YYYY-MM-DD`) and a range of addresses, empty when never. */
export interface KeyUse {
  readonly LastUsed: string;
  readonly LastFrom: string;
}

const toUse = (item: Item | undefined): KeyUse => ({
  LastUsed: String(item?.['LastUsed'] ?? ''),
  LastFrom: String(item?.['UsedFrom'] ?? ''),
});

/** The keys of an account, and their last use. */
export async function listKeys(store: StoreReader): Promise<(ApiKeyRecord & KeyUse)[]> {
  const { table } = store;
  const publicParts = await listPublicParts(store);
  const found = await table.getMany(
    publicParts.flatMap((part) => [layout.apiKey.key({ public: part }), layout.rate.key({ public: part })]),
  );
  const used = new Map(found.filter(({ SK }) => SK === 'RATE').map((item) => [item.PK.slice('RATE#'.length), item]));
  const records = found
    .filter(({ SK }) => SK === 'KEY')
    .map(toApiKey)
    .sort((a, b) => a.CreatedAt - b.CreatedAt);
  return records.map((record) => ({ ...record, ...toUse(used.get(record.Public)) }));
}

/** A key of the account by its public part, whatever its state, and its entry in the list. */
async function findAccountKey(
  table: TableWriter,
  { account, publicPart }: KeyName,
): Promise<{ record: ApiKeyRecord; entry: KeyEntry } | undefined> {
  const item = publicPart ? await table.get(layout.apiKey.key({ public: publicPart })) : undefined;
  if (item?.['Account'] !== account) return undefined;
  const record = toApiKey(item);
  const find = async () => {
    const stored = await table.get(entryKey(record));
    return stored?.['V'] === undefined ? undefined : keyEntryEntity.read(stored);
  };
  let entry = await find();
  if (!entry) {
    await writeKeyEntry(table, record);
    entry = await find();
  }
  return entry && { record, entry };
}

interface KeyName {
  readonly account: string;
  readonly publicPart: string;
}

/** Ends a key now and returns its record; `undefined` when the account has no such key. */
export async function revokeKey(
  table: TableWriter,
  { now, ...name }: KeyName & { now: Date },
): Promise<ApiKeyRecord | undefined> {
  const found = await findAccountKey(table, name);
  if (!found || found.record.RevokedAt !== null) return found?.record;
  const { record, entry } = found;
  const set = { RevokedAt: now.getTime() };
  await table.commit([
    { update: layout.apiKey.key({ public: record.Public }), set, if: { equals: { Account: record.Account } } },
    entryChange(entry, { ...entry, ...set }),
  ]);
  return { ...record, ...set };
}

/** `endsAt` is when the old key expires. */
export type Rotation =
  | { readonly kind: 'rotated'; readonly key: string; readonly record: ApiKeyRecord; readonly endsAt: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'replaced'; readonly by: string };

/**
 * Makes a new key with the properties of this one, except for `expiresAt` if given, and ends this one after `grace`
 * milliseconds, if it does not expire before; in one transaction. A key is rotated once: rotate its successor next.
 */
export async function rotateKey(
  table: TableWriter,
  {
    grace,
    expiresAt,
    isTest = false,
    now,
    ...name
  }: KeyName & { grace: number; expiresAt?: number | null; isTest?: boolean; now: Date },
): Promise<Rotation> {
  const found = await findAccountKey(table, name);
  if (!found) return { kind: 'absent' };
  const { record: old, entry } = found;
  if (old.RevokedAt !== null || (old.ExpiresAt ?? Infinity) <= now.getTime()) return { kind: 'ended' };
  if (old.ReplacedBy) return { kind: 'replaced', by: old.ReplacedBy };
  const { key, record, changes } = await generateKey(table, {
    account: old.Account,
    organizationId: old.OrganizationId,
    name: old.Name,
    role: old.Role,
    rate: old.Rate,
    inFlight: old.InFlight,
    agentId: old.AgentId,
    allow: old.Allow,
    readOnly: old.ReadOnly,
    assistant: old.Assistant,
    from: old.From,
    isTest,
    subscriber: old.Subscriber,
    dateStyle: old.DateStyle,
    lenient: old.Lenient,
    channel: old.Channel,
    campaign: old.Campaign,
    feed: old.Feed,
    expiresAt: expiresAt === undefined ? old.ExpiresAt : expiresAt,
    now,
  });
  const endsAt = Math.min(now.getTime() + grace, old.ExpiresAt ?? Infinity);
  const set = { ExpiresAt: endsAt, ReplacedBy: record.Public };
  await table.commit([
    ...changes,
    {
      update: layout.apiKey.key({ public: old.Public }),
      set,
      if: { equals: { RevokedAt: null, ExpiresAt: old.ExpiresAt, ReplacedBy: undefined } },
    },
    entryChange(entry, { ...entry, ...set }),
  ]);
  return { kind: 'rotated', key, record, endsAt };
}
