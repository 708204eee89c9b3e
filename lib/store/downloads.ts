import { type StoredDownload, downloadEntity, downloadSlotEntity } from '../entities/downloads.ts';
import type { DownloadFilter, DownloadKind } from '../domain/downloads/kind.ts';
import type { Role } from '../shared/roles.ts';
import { DAY } from '../shared/time/time.ts';
import { ownKey } from './visibility.ts';
import type { CallerScope, StoreAccount, StoreReader } from './store.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import { ttlAfter } from './dynamodb/table.ts';
import { listRange } from './dynamodb/records.ts';
import { type Key, layout } from './keys.ts';

/** Maximum number of waiting or running downloads of a key. */
export const MAX_WAITING = 100;
/** How long a file is kept after it is ready. */
export const FILE_DAYS = 7;
/** How long a download is remembered, so that it can be reported as expired or failed. */
const MEMORY_DAYS = 30;
/** A waiting download that was not made within this time no longer holds a slot. */
const SLOT_DAYS = 2;

/** A download and its progress. */
export type DownloadRecord = StoredDownload & { readonly Kind: DownloadKind; readonly Filter: DownloadFilter };

export type NewDownload = Pick<
  DownloadRecord,
  'Id' | 'Account' | 'Kind' | 'Format' | 'Filter' | 'FirstId' | 'UserId' | 'Key' | 'Slot' | 'WithTaxpayer'
> &
  Partial<Pick<DownloadRecord, 'HasBom'>>;

export const downloadKey = ({ account }: StoreAccount, id: string): Key => layout.download.key({ account, id });

/** The prefix of an account's download files. */
export const accountDownloadsPrefix = ({ account }: StoreAccount): string => `downloads/${account}/`;

/** The prefix of everything that a download has in the bucket. */
export const downloadPrefix = ({ Account, Id }: Pick<DownloadRecord, 'Account' | 'Id'>): string =>
  `${accountDownloadsPrefix({ account: Account })}${Id}/`;

/** Only downloads of known kinds are started. */
const toRecord = (item: Item): DownloadRecord => downloadEntity.read(item) as DownloadRecord;

export async function findDownloadAt(store: StoreReader, key: Key): Promise<DownloadRecord | undefined> {
  const item = await store.table.get(ownKey(store, key));
  return item && toRecord(item);
}

/** Whether the caller could have started the download, and thus sees nothing in it that its key may not see. */
const isVisible = (
  { organizationId, agent }: CallerScope,
  role: Role,
  { Filter, WithTaxpayer }: DownloadRecord,
): boolean =>
  (organizationId === null || Filter.organizationId === organizationId) &&
  (!agent || Filter.agentId === agent.id) &&
  (!WithTaxpayer || role === 'Owner' || role === 'Admin');

/** The download, if it exists for the caller. */
export async function findDownload(store: StoreReader, role: Role, id: string): Promise<DownloadRecord | undefined> {
  const download = id ? await findDownloadAt(store, downloadKey(store, id)) : undefined;
  return download && isVisible(store, role, download) ? download : undefined;
}

/** A free slot of a key's waiting downloads; `undefined` if all are taken. One request of at most 100 small items. */
export async function findFreeSlot(
  { account, table }: StoreReader,
  key: string,
  now: Date,
): Promise<{ readonly slot: number; readonly previous: Item | undefined } | undefined> {
  const partition = layout.downloadSlot.of({ account, key });
  const items = await listRange(table, { partition, consistent: true }, { limit: MAX_WAITING });
  const taken = new Map(items.map((item) => [Number(item.SK), item]));
  const free = Array.from({ length: MAX_WAITING }, (_, slot) => slot).filter(
    (slot) => Number(taken.get(slot)?.['Until'] ?? 0) <= now.getTime(),
  );
  // Concurrent calls rarely choose the same slot.
  const slot = free[Math.floor(Math.random() * free.length)];
  return slot === undefined ? undefined : { slot, previous: taken.get(slot) };
}

/** The ids of a key's waiting downloads. One request of at most 100 small items. */
export async function listWaitingDownloads({ account, table }: StoreReader, key: string): Promise<string[]> {
  const partition = layout.downloadSlot.of({ account, key });
  const items = await listRange(table, { partition, consistent: true }, { limit: MAX_WAITING });
  return items.map((item) => downloadSlotEntity.read(item).Download);
}

/** The changes that store a new download and take its slot; its item is sent to the download queue. */
export function newDownloadChanges(input: NewDownload, previous: Item | undefined, now: Date): Change[] {
  const { Account: account, Key: key, Slot: slot, Id } = input;
  const record: DownloadRecord = {
    HasBom: false,
    ...input,
    CreatedAt: now.getTime(),
    State: 'Waiting',
    LeaseUntil: 0,
    Stalls: 0,
    Progress: null,
    Sha256: '',
    ReadyAt: null,
    Failure: '',
    V: 1,
  };
  const slotItem = {
    ...layout.downloadSlot.key({ account, key, slot }),
    Download: Id,
    Until: now.getTime() + SLOT_DAYS * DAY,
    TTL: ttlAfter(now, (SLOT_DAYS * DAY) / 1000),
  };
  return [
    { put: toItem(record, now), if: 'absent' },
    { put: slotItem, if: previous ? { equals: { Download: previous['Download'] } } : 'absent' },
  ];
}

const toItem = (record: DownloadRecord, now: Date): Item => ({
  ...downloadKey({ account: record.Account }, record.Id),
  ...record,
  Queue: 'downloads',
  TTL: ttlAfter(now, (MEMORY_DAYS * DAY) / 1000),
});

/** The next version of a download, and its change, unless somebody else wrote one. */
export function downloadChange(
  before: DownloadRecord,
  changed: Partial<DownloadRecord>,
  now: Date,
): { record: DownloadRecord; change: Change } {
  const record = { ...before, ...changed, V: before.V + 1 };
  return { record, change: { put: toItem(record, now), if: { equals: { V: before.V } } } };
}

/** The changes that end a download, ready or failed, and free its slot. */
export function endedDownloadChanges(
  before: DownloadRecord,
  changed: Partial<DownloadRecord>,
  slot: Item | undefined,
  now: Date,
): { record: DownloadRecord; changes: Change[] } {
  const { record, change } = downloadChange(before, { ...changed, LeaseUntil: 0 }, now);
  const isOwn = slot?.['Download'] === before.Id;
  const release: Change[] = isOwn ? [{ remove: slotKey(before), if: { equals: { Download: before.Id } } }] : [];
  return { record, changes: [change, ...release] };
}

const slotKey = ({ Account: account, Key: key, Slot: slot }: DownloadRecord): Key =>
  layout.downloadSlot.key({ account, key, slot });

export const findSlot = (store: StoreReader, download: DownloadRecord): Promise<Item | undefined> =>
  store.table.get(ownKey(store, slotKey(download)));

/** When its file is removed; `null` before it is ready. */
export const expiresAt = ({ ReadyAt }: Pick<DownloadRecord, 'ReadyAt'>): number | null =>
  ReadyAt === null ? null : ReadyAt + FILE_DAYS * DAY;
