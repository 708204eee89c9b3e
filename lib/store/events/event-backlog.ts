import { gunzipSync, gzipSync } from 'node:zlib';
import { backlogAccountEntity, backlogEntity } from '../../entities/events.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import type { TableReader } from '../dynamodb/table.ts';
import { StoreConflict } from '../dynamodb/errors.ts';
import { listRange } from '../dynamodb/records.ts';
import { layout } from '../keys.ts';
import type { StoreAccount, StoreReader, StoreWriter } from '../store.ts';

/**
 * Lets the changes of an account wait here, in order, if the table does not take its events in time, so that it does
 * not delay other accounts.
 */

/** Changes of an account that wait for its event queue. */
export interface BacklogEntry {
  /** Orders the entries: the stream's sequence number of the first change, whose order holds within a shard. */
  readonly order: string;
  /** JSON. */
  readonly text: string;
}

/** An entry as stored. */
export interface StoredBacklogEntry extends BacklogEntry {
  readonly parts: number;
}

/** Maximum compressed bytes per item, whose limit is 400 KB. */
const PART_BYTES = 350_000;
/** A stream's sequence number has 21 to 40 digits. */
const ORDER_DIGITS = 40;

const entryKey = ({ account }: StoreAccount, order: string, part: number) =>
  layout.eventBacklog.key({ account, order: order.padStart(ORDER_DIGITS, '0'), part });

/** Whether changes of the account are waiting, so that later ones must be appended to them. */
export async function findBacklog({ account, table }: StoreReader): Promise<boolean> {
  const range = { partition: layout.eventBacklog.of({ account }), limit: 1, consistent: true, attributes: ['SK'] };
  return (await table.query(range)).items.length > 0;
}

/** Appends changes of an account to its backlog, at once. Safe to repeat: the same changes have the same place. */
export async function writeBacklog(store: StoreWriter, entry: BacklogEntry, now: Date): Promise<void> {
  const { account, table } = store;
  const bytes = Buffer.from(gzipSync(entry.text));
  const parts = Math.ceil(bytes.length / PART_BYTES);
  const items = Array.from({ length: parts }, (_, part): Change => ({
    put: {
      ...entryKey(store, entry.order, part),
      Order: entry.order,
      Parts: parts,
      Bytes: bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
    },
  }));
  const listed: Item = { ...layout.backlogAccount.key({ account }), Account: account, ChangedAt: now.getTime() };
  // The list comes last, because the worker that empties the backlog may have found it empty a moment before.
  await table.commit(items);
  await table.commit([{ put: listed }]);
}

/** An account with a backlog, and when the backlog last grew, in milliseconds since 1970. */
export interface BacklogAccount {
  readonly account: string;
  readonly changedAt: number;
}

export async function listBacklogAccounts(table: TableReader): Promise<BacklogAccount[]> {
  const items = await listRange(table, { partition: layout.backlogAccount.of({}), consistent: true });
  return items
    .map(backlogAccountEntity.read)
    .map(({ Account, ChangedAt }) => ({ account: Account, changedAt: ChangedAt }));
}

/** The oldest entry of the account's backlog. */
export async function findOldestEntry(store: StoreReader): Promise<StoredBacklogEntry | undefined> {
  const { account, table } = store;
  const partition = layout.eventBacklog.of({ account });
  const [first] = (await table.query({ partition, limit: 1, consistent: true })).items;
  if (!first) return undefined;
  const { Order: order, Parts: parts } = backlogEntity.read(first);
  const to = entryKey(store, order, parts - 1).SK;
  const items = parts > 1 ? await listRange(table, { partition, from: first.SK, to, consistent: true }) : [first];
  const bytes = Buffer.concat(items.map((item) => backlogEntity.read(item).Bytes));
  return { order, parts, text: gunzipSync(bytes).toString() };
}

/** Removes an entry whose changes became events. Safe to repeat. */
export async function writeEntryRemoval(store: StoreWriter, { order, parts }: StoredBacklogEntry): Promise<void> {
  const { table } = store;
  const keys = Array.from({ length: parts }, (_, part) => entryKey(store, order, part));
  await table.putMany([], keys);
}

/** Removes an account from the list, unless its backlog has grown since it was listed. Safe to repeat. */
export async function writeAccountRemoval({ table, account }: StoreWriter, changedAt: number): Promise<void> {
  try {
    await table.commit([{ remove: layout.backlogAccount.key({ account }), if: { equals: { ChangedAt: changedAt } } }]);
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error;
  }
}
