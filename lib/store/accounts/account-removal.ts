import { mapWithConcurrency } from '../../shared/concurrency.ts';
import { MINUTE } from '../../shared/time/time.ts';
import type { Account } from './accounts.ts';
import { listPublicParts } from '../requests/api-keys.ts';
import { closedQueueChange, writeClosedQueue } from '../events/events.ts';
import type { Item } from '../dynamodb/changes.ts';
import type { TableWriter } from '../dynamodb/client.ts';
import { listRange } from '../dynamodb/records.ts';
import type { ScanTable } from '../dynamodb/scan.ts';
import { type Key, attributes, layout } from '../keys.ts';

/** Containers remember a key for less than this: after it, no call of a suspended account is under way. */
const SUSPENSION_MILLISECONDS = MINUTE;

/** Milliseconds until a suspended account may be deleted; `undefined` for one that is not suspended. */
export const waitBeforeRemoval = ({ SuspendedAt }: Account, now: Date): number | undefined =>
  SuspendedAt === undefined ? undefined : Math.max(0, SuspendedAt + SUSPENSION_MILLISECONDS - now.getTime());

export interface RemovalReport {
  readonly keys: number;
  readonly items: number;
  /** Of the items: how many records of each kind. */
  readonly records: Readonly<Record<string, number>>;
}

/** Read beside each other. */
const SEGMENTS = 4;

/** A key with its rate limit, whose partition does not begin with the account. */
async function removeKey(table: TableWriter, publicPart: string): Promise<void> {
  const rates = await listRange(table, { partition: layout.rate.of({ public: publicPart }) });
  await table.putMany([], [...rates, layout.apiKey.key({ public: publicPart })].map(toKey));
}

const toKey = ({ PK, SK }: Key): Key => ({ PK, SK });
const isSame = (one: Key, other: Key): boolean => one.PK === other.PK && one.SK === other.SK;

/**
 * Removes everything of an account, for an operator: first its keys, then each of its items, found by a scan of the
 * table, then by `removeFiles` what lies in the bucket, at last the account, without which a command does not find it.
 * Removals of records are no events: the event queue is closed, and a mark of that without content stays for 30 days,
 * for changes that come late. Writes at once, page by page; after a kill a repeat continues. `onProgress` gets the
 * number of items removed so far.
 */
export async function removeAccount(
  table: TableWriter,
  scan: ScanTable,
  account: string,
  now: Date,
  {
    removeFiles,
    onProgress,
  }: { readonly removeFiles: () => Promise<void>; readonly onProgress?: (items: number) => void },
): Promise<RemovalReport> {
  const last = [layout.account.key({ account }), layout.sequence.key({ account })];
  await writeClosedQueue(table, account);
  const publicParts = await listPublicParts(table, account);
  await mapWithConcurrency(publicParts, SEGMENTS, (publicPart) => removeKey(table, publicPart));

  let items = 0;
  const records: Record<string, number> = {};
  const removeItems = async (found: readonly Item[]): Promise<number> => {
    const removals = found.filter((item) => !last.some((key) => isSame(key, item)));
    await table.putMany([], removals.map(toKey));
    for (const item of removals) {
      const kind = item[attributes.entity] as string | undefined;
      if (kind) records[kind] = (records[kind] ?? 0) + 1;
    }
    items += removals.length;
    onProgress?.(items);
    return removals.length;
  };
  const removeSegment = async (index: number): Promise<number> => {
    let removed = 0;
    for await (const page of scan({ account, segment: { index, of: SEGMENTS } })) removed += await removeItems(page);
    return removed;
  };
  // A write that was under way may come behind a page that was read: until a pass finds nothing.
  const segments = Array.from({ length: SEGMENTS }, (_, index) => index);
  for (let removed = 1; removed > 0;)
    removed = (await Promise.all(segments.map(removeSegment))).reduce((sum, count) => sum + count, 0);
  await removeFiles();
  await table.commit([{ remove: layout.account.key({ account }) }, closedQueueChange(account, now)]);
  return { keys: publicParts.length, items: items + 1, records };
}
