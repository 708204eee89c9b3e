import { type Account, accountEntity } from '../../entities/accounts.ts';
import { DIRECTORY } from '../accounts/accounts.ts';
import { listPublicParts } from '../requests/api-keys.ts';
import type { TableReader } from '../dynamodb/table.ts';
import { listRange, lastOf } from '../dynamodb/records.ts';
import { type ScanTable, accountOfItem } from '../dynamodb/scan.ts';
import { type PassOptions, passTable } from '../dynamodb/table-pass.ts';
import { accountOfKey, layout, toKey } from '../keys.ts';
import type { StoreReader, StoreWriter } from '../store.ts';

/** All accounts by id, except those of schema 1; an account created a moment ago may be missing. */
export async function listAccounts(table: TableReader): Promise<Account[]> {
  const entries = await listRange(table, { index: 'GSI1', partition: DIRECTORY });
  const accounts = await table.getMany(entries.map(toKey));
  return accounts.map(accountEntity.read).sort((a, b) => (a.AccountId < b.AccountId ? -1 : 1));
}

/** The ids of all accounts, except those of schema 1; an account created a moment ago may be missing. */
export const listAccountIds = async (table: TableReader): Promise<string[]> =>
  (await listRange(table, { index: 'GSI1', partition: DIRECTORY, attributes: ['GSI1SK'] })).map(({ GSI1SK }) =>
    String(GSI1SK),
  );

/** The ids of all accounts, including those of schema 1. Reads the whole table. */
export async function findAllAccounts(scan: ScanTable): Promise<string[]> {
  const found: string[] = [];
  await passTable(scan, { sortKey: layout.account.sort }, (items) => {
    found.push(...items.flatMap((item) => accountOfKey(item) ?? []));
    return items.length;
  });
  return found.sort();
}

/** The last reserved id of each kind, which is at least the number of records. */
export async function listHighestIds({ table, account }: StoreReader): Promise<Record<string, number>> {
  const items = await listRange(table, { partition: layout.lease.of({ account }) });
  return Object.fromEntries(items.map((item) => [item.SK, lastOf(item)]));
}

/** The size of an account in the table; the bytes are approximate. */
export interface AccountSize {
  items: number;
  bytes: number;
}

/** The items and bytes of up to 20 accounts, or of all, in one pass of the table. */
export async function measureAccounts(
  scan: ScanTable,
  { accounts, segments }: Pick<PassOptions, 'segments'> & { readonly accounts?: readonly string[] },
): Promise<ReadonlyMap<string, AccountSize>> {
  const sizes = new Map<string, AccountSize>((accounts ?? []).map((account) => [account, { items: 0, bytes: 0 }]));
  await passTable(scan, { accounts, segments, isWhole: true }, (page) => {
    for (const item of page) {
      const account = accountOfItem(item);
      if (account === undefined) continue;
      const size = sizes.get(account) ?? { items: 0, bytes: 0 };
      size.items++;
      size.bytes += Buffer.byteLength(JSON.stringify(item));
      sizes.set(account, size);
    }
    return page.length;
  });
  return sizes;
}

/**
 * Suspends an account: its keys are refused, for writes at once and for reads within 60 seconds. `undefined` ends the
 * suspension. Safe to repeat, even after a kill.
 */
export async function writeAccountSuspension(store: StoreWriter, at: number | undefined): Promise<void> {
  const { table, account } = store;
  const change = at === undefined ? { remove: ['SuspendedAt'] } : { setOnce: { SuspendedAt: at } };
  await table.update({ update: layout.account.key({ account }), ...change, if: 'present' });
  for (const publicPart of await listPublicParts(store))
    await table.update({ update: layout.apiKey.key({ public: publicPart }), ...change, if: 'present' });
}
