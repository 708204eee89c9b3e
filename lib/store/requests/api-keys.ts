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
import type { TableReader } from '../dynamodb/table.ts';
import { listRange, versionedChange, lastOf, randomHandle } from '../dynamodb/records.ts';
import { attributes, isTableAttribute, layout } from '../keys.ts';
import { callerOrganization } from '../accounts/accounts.ts';
import { hasLeft } from '../../domain/leavers.ts';
import { agentsOf } from '../organizations/service-agents.ts';
import { findRecentOrganization } from '../organizations/organizations.ts';
import type { DateStyle } from './caller.ts';
import { keyNoticeChanges } from './key-notices.ts';
import { type Store, type StoreReader, type StoreWriter, storeOf, type StoreAccount } from '../store.ts';

export { findSchemaError } from '../accounts/accounts.ts';

/**
 * By default 50 calls per second in bursts of twice that, 10 of them at the same time, and the subscriber `default`.
 */
export interface NewKey {
  readonly organizationId?: number | null;
  readonly name: string;
  readonly role: Role;
  readonly expiresAt?: number | null;
  readonly rate?: number;
  readonly inFlight?: number;
  readonly agentId?: number | null;
  readonly userId?: number | null;
  readonly allow?: readonly string[];
  readonly readOnly?: boolean;
  readonly assistant?: ApiKeyRecord['Assistant'];
  readonly from?: readonly string[];
  /** Whether it is for a local stack, which the key's text shows. */
  readonly isTest?: boolean;
  readonly subscriber?: string;
  readonly dateStyle?: DateStyle;
  readonly lenient?: boolean;
  readonly channel?: string;
  readonly campaign?: string;
  readonly feed?: ApiKeyRecord['Feed'];
  /** The prefix of the public part. */
  readonly publicPrefix?: string;
  /** When the key leaves the table, in seconds since 1970; never by default. */
  readonly timeToLive?: number;
  /** Whether it causes an event; false for a key that is made with its account. */
  readonly hasEvent?: boolean;
  readonly now: Date;
}

/**
 * `fsk_live_`, the public and the secret part, and a checksum, so that programs that look for leaked keys recognize
 * one.
 */
const FORM = /^fsk_(?:live|test)_([0-9A-Za-z]{12})([0-9A-Za-z]{32})[0-9A-Za-z]{6}$/;

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

/** The text of a key. */
export const formatKey = (publicPart: string, secret: string, { isTest }: { readonly isTest: boolean }): string =>
  withChecksum(`fsk_${isTest ? 'test' : 'live'}_${publicPart}${secret}`);

const isIntact = (key: string): boolean => withChecksum(key.slice(0, -CHECKSUM_LENGTH)) === key;

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Splits a key into its public and secret parts; `undefined` if the text is not a key, or has a typing error. */
export function parseKey(key: string): { readonly publicPart: string; readonly secret: string } | undefined {
  const [, publicPart, secret] = (isIntact(key) && FORM.exec(key)) || [];
  return publicPart && secret ? { publicPart, secret } : undefined;
}

export const toApiKey = ({ PK: _, SK: __, SecretHash: ___, TTL: ____, ...record }: Item): ApiKeyRecord =>
  apiKeyEntity.read(record);

const entryKey = ({ account }: StoreAccount, { Public }: Pick<ApiKeyRecord, 'Public'>) =>
  layout.accountKey.key({ account, public: Public });

export const toKeyEntry = ({ PK: _, SK: __, TTL: ___, ...entry }: Item): KeyEntry => keyEntryEntity.read(entry);

/** Names of the fields in which a key differs from its entry, which does not contain the suspension of its account. */
export function differingFields(record: ApiKeyRecord, entry: KeyEntry): string[] {
  const apart = new Set(['SuspendedAt', 'Id', 'V']);
  const names = [...new Set([...Object.keys(record), ...Object.keys(entry)])];
  const [one, other]: [Stored, Stored] = [record, entry];
  return names.filter((name) => !apart.has(name) && !isTableAttribute(name) && !isEqual(one[name], other[name]));
}

/** The changes that list a key under the next number of its account, with `lease` as it was read. No event. */
export function missingEntryChanges({ SuspendedAt: _, ...record }: ApiKeyRecord, lease: Item | undefined): Change[] {
  const leaseKey = layout.lease.key({ account: record.Account, kind: 'Key' });
  const last = lastOf(lease);
  return [
    { update: leaseKey, set: { Last: last + 1 }, if: { equals: { Last: lease && last } } },
    { put: { ...entryKey({ account: record.Account }, record), ...record, Id: last + 1, V: 1 }, if: 'absent' },
  ];
}

/** The change that makes an entry equal to its key; an event, as the change of the key would have been. */
export const correctedEntryChange = (before: KeyEntry, { SuspendedAt: _, ...record }: ApiKeyRecord): Change =>
  entryChange({ account: record.Account }, before, { ...record, Id: before.Id, V: before.V });

const entryChange = (store: StoreAccount, before: KeyEntry | undefined, after: KeyEntry): Change =>
  versionedChange(keyEntryEntity, entryKey(store, after), { before, after }).change;

/** The number of a new key in its account. A lost reply leaves a gap. */
async function nextKeyId({ account, table }: StoreWriter): Promise<number> {
  const update = layout.lease.key({ account, kind: 'Key' });
  return lastOf(await table.update({ update, add: { Last: 1 } }));
}

/** A key, which is returned only here, its record, and the changes that store it. */
async function generateKey(
  store: StoreWriter,
  {
    organizationId = null,
    name,
    role,
    expiresAt = null,
    rate = 50,
    inFlight = DEFAULT_IN_FLIGHT,
    agentId = null,
    userId = null,
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
    Account: store.account,
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
    UserId: userId,
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
  const entry: KeyEntry = { ...record, Id: await nextKeyId(store), V: 0 };
  const expiry = timeToLive === undefined ? {} : { [attributes.timeToLive]: timeToLive };
  const item = { ...layout.apiKey.key({ public: publicPart }), ...record, SecretHash: digest(secret), ...expiry };
  const changes: Change[] = [
    { put: item, if: 'absent' },
    hasEvent
      ? entryChange(store, undefined, entry)
      : { put: { ...entryKey(store, record), ...entry, V: 1, ...expiry }, if: 'absent' },
    ...keyNoticeChanges(record),
  ];
  return { key: formatKey(publicPart, secret, { isTest }), record, changes };
}

/** Makes a key for the store's account. Not safe to repeat: each call makes another. */
export async function createKey(store: StoreWriter, input: NewKey): Promise<{ key: string; record: ApiKeyRecord }> {
  const { key, record, changes } = await generateKey(store, input);
  await store.table.commit(changes);
  return { key, record };
}

/** Compared with the secret if the key does not exist. */
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

/** The table, bound to what a key can reach. */
export const keyStore = <Table extends TableReader>(
  table: Table,
  { Account, OrganizationId }: Pick<ApiKeyRecord, 'Account' | 'OrganizationId'>,
): Store<Table> => storeOf(table, { account: Account, organizationId: OrganizationId });

/** Whether the organization of a key's store is canceled. */
export async function isSuspended(store: StoreReader): Promise<boolean> {
  const { organizationId } = store;
  if (organizationId === null) return false;
  return (await findRecentOrganization(store, organizationId))?.Suspended ?? false;
}

/** Whether the last day of the key's service agent is over, which ends the key. */
export async function hasAgentLeft(
  store: StoreReader,
  { AgentId }: Pick<ApiKeyRecord, 'AgentId'>,
  now: Date,
): Promise<boolean> {
  const { organizationId } = store;
  if (AgentId === null || organizationId === null) return false;
  const [agents, organization] = await Promise.all([
    agentsOf(store, organizationId),
    findRecentOrganization(store, organizationId),
  ]);
  const agent = agents.get(AgentId);
  return agent !== undefined && organization !== undefined && hasLeft(agent, organization.Timezone, now.getTime());
}

/** The country whose phone number format applies to calls with the store of a key. */
export const findCountry = async (store: StoreReader): Promise<string> => (await callerOrganization(store)).Country;

/** The public parts of all keys of an account. */
export async function listPublicParts({ table, account }: StoreReader): Promise<string[]> {
  const items = await listRange(table, { partition: layout.accountKey.of({ account }), consistent: true });
  return items.map(({ SK }) => SK.slice('KEY#'.length));
}

const keyState = apiKeyEntity.part('RevokedAt', 'SuspendedAt');

/**
 * Whether the key may no longer write: revoked, or its account suspended. Read consistently, unlike the key of a call.
 */
export async function findKeyState(table: TableReader, publicPart: string): Promise<'valid' | 'revoked' | 'suspended'> {
  const item = await table.get(layout.apiKey.key({ public: publicPart }));
  if (!item) return 'revoked';
  const { RevokedAt, SuspendedAt } = keyState.read(item);
  if (RevokedAt !== null) return 'revoked';
  return SuspendedAt === undefined ? 'valid' : 'suspended';
}

/** When and from where a key was last used: the day (`YYYY-MM-DD`) and an address range, empty if never. */
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
  store: StoreWriter,
  publicPart: string,
): Promise<{ record: ApiKeyRecord; entry: KeyEntry; stored: Item } | undefined> {
  const { table, account } = store;
  const item = publicPart ? await table.get(layout.apiKey.key({ public: publicPart })) : undefined;
  if (item?.['Account'] !== account) return undefined;
  const record = toApiKey(item);
  const stored = await table.get(entryKey(store, record));
  return stored && { record, entry: toKeyEntry(stored), stored };
}

/** Ends a key now and returns its record; `undefined` if the account has no such key. */
export async function revokeKey(store: StoreWriter, publicPart: string, now: Date): Promise<ApiKeyRecord | undefined> {
  const found = await findAccountKey(store, publicPart);
  if (!found || found.record.RevokedAt !== null) return found?.record;
  const { record, entry, stored } = found;
  const set = { RevokedAt: now.getTime() };
  // A session began without an event, and its entry expires.
  const ended: Change =
    record.UserId === null
      ? entryChange(store, entry, { ...entry, ...set })
      : { put: { ...stored, ...set, V: entry.V + 1 }, if: { equals: { V: entry.V } } };
  await store.table.commit([
    { update: layout.apiKey.key({ public: record.Public }), set, if: { equals: { Account: record.Account } } },
    ended,
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
 * milliseconds unless it expires before; in one transaction. A key is rotated once: rotate its successor next.
 */
export async function rotateKey(
  store: StoreWriter,
  publicPart: string,
  { grace, expiresAt, isTest = false, now }: { grace: number; expiresAt?: number | null; isTest?: boolean; now: Date },
): Promise<Rotation> {
  const found = await findAccountKey(store, publicPart);
  // A session has no successor: its user signs in again.
  if (!found || found.record.UserId !== null) return { kind: 'absent' };
  const { record: old, entry } = found;
  if (old.RevokedAt !== null || (old.ExpiresAt ?? Infinity) <= now.getTime()) return { kind: 'ended' };
  if (old.ReplacedBy) return { kind: 'replaced', by: old.ReplacedBy };
  const { key, record, changes } = await generateKey(store, {
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
  await store.table.commit([
    ...changes,
    {
      update: layout.apiKey.key({ public: old.Public }),
      set,
      if: { equals: { RevokedAt: null, ExpiresAt: old.ExpiresAt, ReplacedBy: undefined } },
    },
    entryChange(store, entry, { ...entry, ...set }),
  ]);
  return { kind: 'rotated', key, record, endsAt };
}
