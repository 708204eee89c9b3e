import { noticeAt } from '../../domain/api-keys.ts';
import { type ApiKeyRecord, type KeyEntry, keyEntryEntity, keyNoticeEntity } from '../../entities/api-keys.ts';
import type { RecordOf } from '../../entities/declaration/entity.ts';
import { sortable, type Key, layout } from '../keys.ts';
import type { Change } from '../dynamodb/changes.ts';
import type { TableReader } from '../dynamodb/table.ts';
import type { StoreReader } from '../store.ts';

/** The keys of all accounts that expire, ordered by the time from which the office is notified. */

/** An entry of the list; its reader checks the key itself. */
export type KeyNotice = Key & RecordOf<typeof keyNoticeEntity>;

type Expiring = Pick<ApiKeyRecord, 'Account' | 'Public' | 'CreatedAt' | 'ExpiresAt'>;

/** The change that causes a task before a key expires; none for a key that never expires, or was made for 60 days. */
export function keyNoticeChanges(record: Expiring): Change[] {
  const at = noticeAt(record);
  const { Account, Public, CreatedAt } = record;
  if (at === null || at <= CreatedAt) return [];
  return [
    { put: { ...layout.keyNotice.key({ at: sortable(at), account: Account, public: Public }), Account, Public } },
  ];
}

const PAGE = 100;

/** A page of the entries that are due at `now`, ordered by time. An empty one costs 0.5 RRU. */
export async function listDueNotices(
  table: TableReader,
  { now, after }: { now: Date; after: string | undefined },
): Promise<{ entries: KeyNotice[]; next: string | undefined }> {
  const partition = layout.keyNotice.of({});
  const page = await table.query({ partition, to: `${sortable(now.getTime())}#\u{10FFFF}`, after, limit: PAGE });
  return {
    entries: page.items.map(({ PK, SK, ...item }) => ({ PK, SK, ...keyNoticeEntity.read(item) })),
    next: page.next,
  };
}

/** A key in the account's list, by its public part. */
export async function findKeyEntry({ table, account }: StoreReader, publicPart: string): Promise<KeyEntry | undefined> {
  const item = await table.get(layout.accountKey.key({ account, public: publicPart }));
  return item && keyEntryEntity.read(item);
}
