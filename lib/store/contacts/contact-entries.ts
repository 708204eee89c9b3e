import { pendingEntriesEntity } from '../../entities/contact-entries.ts';
import { isErased } from '../../entities/erased-contacts.ts';
import { gunzipSync, gzipSync } from 'node:zlib';
import { contactEntity } from '../../entities/contacts.ts';
import { idOf, listRange, randomHandle } from '../dynamodb/records.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import { MINUTE } from '../../shared/time/time.ts';
import type { Ahead, Item, RemovalTable, TransactionChange } from '../dynamodb/changes.ts';
import { chunks } from '../dynamodb/table.ts';
import { retryOnConflict } from '../dynamodb/errors.ts';
import { type Key, layout, toKey, keyText, sortable } from '../keys.ts';
import { SHARDS, indexEntries } from './contact-index.ts';
import type { StoreAccount, StoreReader, StoreWriter } from '../store.ts';
import { ownKey } from '../visibility.ts';

/**
 * Makes sure that the next call finds a contact by all of its words, even if its entries exceed one transaction, and
 * removes entries that a failed call has put.
 */

/** A search entry, and its contact. */
interface EntryKey extends Key {
  readonly id: number;
}

const toEntryKey = (item: Item): EntryKey => ({ PK: item.PK, SK: item.SK, id: idOf(item) });

/** Entries that a call has put before its transaction. */
interface PendingEntries extends Key {
  readonly entries: readonly EntryKey[];
}

/**
 * Entries that do not fit into the transaction of their contacts. Their list stays, so that unclaimed ones can be found
 * after a call that ended in between.
 */
export function entriesAhead(store: StoreAccount, entries: readonly Item[], others: readonly Item[]): Ahead {
  const { account } = store;
  for (const entry of [...entries, ...others]) ownKey(store, entry);
  const keys = entries.map(toEntryKey);
  const list = JSON.stringify(keys.map(({ PK, SK, id }) => [PK, SK, id]));
  // The current time instead of the call's moment, because an import has one moment and runs for an hour.
  const place = { created: sortable(Date.now()), call: randomHandle(8) };
  const shard = (keys[0]?.id ?? 0) % SHARDS;
  return {
    note: { ...layout.pendingEntries.key({ account, shard, ...place }), Entries: gzipSync(list) },
    items: [...entries, ...others],
    takeBack: async (table) => void (await writeUnclaimedRemovals(table, account, keys)),
  };
}

/** Longer than any call or request takes: calls whose entries are pending for this long have ended. */
const PENDING_MILLISECONDS = 10 * MINUTE;

export const endedBefore = (now: Date): Date => new Date(now.getTime() - PENDING_MILLISECONDS);

function parsePending(item: Item): PendingEntries {
  const { PK, SK } = item;
  const list = JSON.parse(gunzipSync(pendingEntriesEntity.read(item).Entries).toString()) as [string, string, number][];
  return { PK, SK, entries: list.map(([pk, sk, id]) => ({ PK: pk, SK: sk, id })) };
}

/** Lists of entries that calls have put since a moment, whose transactions may still follow. */
export async function listEntriesUnderWay({ table, account }: StoreReader, since: Date): Promise<EntryKey[]> {
  const lists = await Promise.all(
    Array.from({ length: SHARDS }, (_, shard) =>
      listRange(table, {
        partition: layout.pendingEntries.of({ account, shard }),
        from: sortable(since.getTime()),
        consistent: true,
      }),
    ),
  );
  return lists.flat().flatMap((item) => parsePending(item).entries);
}

const LISTS_AT_ONCE = 50;

/**
 * Removes the unclaimed entries that calls put before a moment, and their lists. Stops at the deadline (milliseconds
 * since 1970). Returns the number of removed entries. Writes at once. Safe to repeat.
 */
export async function writePendingEntriesSettled(
  { table, account }: StoreWriter,
  { through, deadline = Infinity }: { readonly through: Date; readonly deadline?: number },
): Promise<number> {
  let removed = 0;
  for (let shard = 0; shard < SHARDS; shard++)
    for (let hasMore = true; hasMore && Date.now() < deadline;) {
      const { items, next } = await table.query({
        partition: layout.pendingEntries.of({ account, shard }),
        to: `${sortable(through.getTime())}~`,
        limit: LISTS_AT_ONCE,
        consistent: true,
      });
      const lists = items.map(parsePending);
      removed += await writeUnclaimedRemovals(
        table,
        account,
        lists.flatMap(({ entries }) => entries),
      );
      if (lists.length) await table.putMany([], lists.map(toKey));
      hasMore = next !== undefined;
    }
  return removed;
}

const CONTACTS_AT_ONCE = 8;

/**
 * Removes the entries that their contacts do not claim, and returns their number. An existing contact gets a next
 * version without an event, so that a call that has put one of the entries for its own change starts again. A contact
 * that does not exist will never be made, because the call that reserved its id has ended. Writes at once. Safe to
 * repeat.
 */
async function writeUnclaimedRemovals(
  table: RemovalTable,
  account: string,
  entries: readonly EntryKey[],
): Promise<number> {
  const byContact = [...Map.groupBy(entries, ({ id }) => id)];
  const counts = await mapWithConcurrency(byContact, CONTACTS_AT_ONCE, ([id, own]) =>
    retryOnConflict(() => removeUnclaimed(table, account, id, own)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

const REMOVALS_AT_ONCE = 90;

async function removeUnclaimed(
  table: RemovalTable,
  account: string,
  id: number,
  entries: readonly Key[],
): Promise<number> {
  const item = await table.get(layout.contact.key({ account, id }));
  const unclaimed = unclaimedOf({ account }, item, entries);
  const [first] = chunks(unclaimed, REMOVALS_AT_ONCE);
  if (!first) return 0;
  if (!item || isErased(item)) {
    await table.putMany([], unclaimed);
    return unclaimed.length;
  }
  await table.commit([nextVersion(item), ...first.map((remove) => ({ remove }))]);
  return first.length + (await removeUnclaimed(table, account, id, unclaimed.slice(first.length)));
}

/** The distinct entries that a contact, as stored, does not have; several calls may have put the same one. */
export function unclaimedOf(store: StoreAccount, contact: Item | undefined, entries: readonly Key[]): Key[] {
  const isGone = !contact || isErased(contact);
  const claimed = new Set(isGone ? [] : indexEntries(store, contactEntity.read(contact)).map(keyText));
  const unclaimed = entries.filter((entry) => !claimed.has(keyText(entry)));
  return [...new Map(unclaimed.map((entry) => [keyText(entry), ownKey(store, entry)])).values()];
}

/** Writes a version without differences, so that whoever has read the last one starts again. */
export const nextVersion = (item: Item): TransactionChange => ({
  update: toKey(item),
  add: { V: 1 },
  if: { equals: { V: item['V'] } },
});
