import { type AppointmentRecord, visitReleaseEntity } from '../entities/appointments.ts';
import type { RecordOf } from '../entities/declaration/entity.ts';
import { sortable, type Key, layout } from './keys.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/table.ts';
import type { StoreAccount } from './store.ts';

/** The unconfirmed visits of all accounts, ordered by the time of their release. */

/** By appointment id: 8 partitions, each of which takes 1,000 visits per second. */
export const RELEASE_SHARDS = 8;

/** An entry of the list; its reader checks the visit itself. */
export type VisitRelease = Key & RecordOf<typeof visitReleaseEntity>;

/** The change that schedules the release of a visit at its HeldUntil; none if it does not wait. */
export function releaseChanges(
  { account }: StoreAccount,
  { Id: id, HeldUntil: at }: Pick<AppointmentRecord, 'Id' | 'HeldUntil'>,
): Change[] {
  if (at === null) return [];
  const key = layout.visitRelease.key({ shard: id % RELEASE_SHARDS, at: sortable(at), account, id });
  return [{ put: { ...key, Account: account, Id: id, At: at } }];
}

const PAGE = 100;

/** A page of the entries of a shard that are due at `now`, ordered by time. An empty one costs 0.5 RRU. */
export async function listDueReleases(
  table: TableReader,
  { shard, now, after }: { shard: number; now: Date; after: string | undefined },
): Promise<{ entries: VisitRelease[]; next: string | undefined }> {
  const partition = layout.visitRelease.of({ shard });
  const page = await table.query({ partition, to: `${sortable(now.getTime())}#\u{10FFFF}`, after, limit: PAGE });
  return {
    entries: page.items.map(({ PK, SK, ...item }) => ({ PK, SK, ...visitReleaseEntity.read(item) })),
    next: page.next,
  };
}
