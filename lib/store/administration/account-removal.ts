import type { Account } from '../../entities/accounts.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import { MINUTE } from '../../shared/time/time.ts';
import { listPublicParts } from '../requests/api-keys.ts';
import { closedQueueChange, writeClosedQueue } from '../events/events.ts';
import type { Item } from '../dynamodb/changes.ts';
import type { TableWriter } from '../dynamodb/table.ts';
import { listRange } from '../dynamodb/records.ts';
import { type ScanTable, accountOfItem } from '../dynamodb/scan.ts';
import { type PassOptions, passTable } from '../dynamodb/table-pass.ts';
import { attributes, layout, keyText, toKey } from '../keys.ts';
import { accountStore } from '../store.ts';

/** Containers remember a key for less than this; afterwards no call of a suspended account is in progress. */
const SUSPENSION_MILLISECONDS = MINUTE;

/** Milliseconds until a suspended account may be deleted; `undefined` if it is not suspended. */
export const waitBeforeRemoval = ({ SuspendedAt }: Account, now: Date): number | undefined =>
  SuspendedAt === undefined ? undefined : Math.max(0, SuspendedAt + SUSPENSION_MILLISECONDS - now.getTime());

export interface RemovalReport {
  readonly account: string;
  readonly keys: number;
  readonly items: number;
  /** The number of records of each kind among the items. */
  readonly records: Readonly<Record<string, number>>;
}

export interface RemovalOptions extends Pick<PassOptions, 'segments' | 'checkpoint'> {
  readonly now: Date;
  /** Removes the account's files from the bucket. */
  readonly removeFiles: (account: string) => Promise<void>;
  /** Called before each pass of the table. */
  readonly onPass?: () => void;
}

/** Keys and accounts whose files are removed concurrently. */
const CONCURRENCY = 4;

/** Removes a key with its rate limit, whose partition does not begin with the account. */
async function removeKey(table: TableWriter, publicPart: string): Promise<void> {
  const rates = await listRange(table, { partition: layout.rate.of({ public: publicPart }) });
  await table.putMany([], [...rates, layout.apiKey.key({ public: publicPart })].map(toKey));
}

/**
 * Removes everything of up to 20 accounts, for an operator: first their keys, then their items, which one pass of the
 * table finds for all of them, then their files by `removeFiles`. The account itself goes last, because commands find
 * the rest by it. Removed records cause no events. The event queue is closed; an empty marker of that stays for 30
 * days, for late changes. Writes at once, page by page; after a kill a repeat continues, with a checkpoint where the
 * pass ended.
 */
export async function removeAccounts(
  table: TableWriter,
  scan: ScanTable,
  accounts: readonly string[],
  { now, removeFiles, onPass, segments, checkpoint }: RemovalOptions,
): Promise<RemovalReport[]> {
  const last = new Set(
    accounts.flatMap((account) => [layout.account.key({ account }), layout.sequence.key({ account })]).map(keyText),
  );
  const reports = new Map(accounts.map((account) => [account, new Removed(account)]));
  for (const [account, report] of reports) {
    await writeClosedQueue(accountStore(table, account));
    const publicParts = await listPublicParts(accountStore(table, account));
    await mapWithConcurrency(publicParts, CONCURRENCY, (publicPart) => removeKey(table, publicPart));
    report.keys = publicParts.length;
  }
  const removeItems = async (found: readonly Item[]): Promise<number> => {
    const removals = found.filter((item) => !last.has(keyText(item)));
    await table.putMany([], removals.map(toKey));
    for (const item of removals) reports.get(accountOfItem(item) ?? item.SK)?.count(item);
    return removals.length;
  };
  // A write in progress may land behind a page that was read, so passes repeat until one finds nothing.
  for (let removed = 1; removed > 0;) {
    onPass?.();
    removed = await passTable(scan, { accounts, segments, checkpoint }, removeItems);
  }
  for (const account of accounts) {
    await removeFiles(account);
    await table.commit([{ remove: layout.account.key({ account }) }, closedQueueChange({ account }, now)]);
  }
  return [...reports.values()];
}

/** What was removed of an account: its items, and itself. */
class Removed implements RemovalReport {
  readonly account: string;
  keys = 0;
  items = 1;
  readonly records: Record<string, number> = {};

  constructor(account: string) {
    this.account = account;
  }

  count(item: Item): void {
    this.items++;
    const kind = item[attributes.entity];
    if (typeof kind === 'string') this.records[kind] = (this.records[kind] ?? 0) + 1;
  }
}
