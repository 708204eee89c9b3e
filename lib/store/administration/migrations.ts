import { CURRENT_SCHEMA, directoryKeys, findAccount } from '../accounts/accounts.ts';
import { listKeysWithoutEntry, writeKeyEntry, writeKeyNotices } from '../requests/api-keys.ts';
import { writeEarlierSeries } from '../earlier-series.ts';
import { layout } from '../keys.ts';
import { writeLinkSecret } from '../links.ts';
import {
  moveEmailGuards,
  moveGuards,
  writeAgentVisits,
  writeCallIndexes,
  writeEmailEntries,
  writeIndex,
  writeNoteAges,
  writePhoneKeys,
} from '../reindex.ts';
import { type StoreWriter } from '../store.ts';

/** A step from one form of an account's items to the next. A step may run twice: it was killed, or two ran at once. */
interface Migration {
  readonly to: number;
  /** Writes the items in the new form, and returns how many. */
  write(store: StoreWriter): Promise<number>;
}

const migrations: readonly Migration[] = [
  {
    // The list of keys named them only; their changes were no events.
    to: 2,
    async write(store) {
      const keys = await listKeysWithoutEntry(store);
      for (const key of keys) await writeKeyEntry(store, key);
      return keys.length;
    },
  },
  {
    // Searches read entries of the organization and facts in keys; open records have a range of their own.
    to: 3,
    write: writeIndex,
  },
  {
    // Calls were in no index, links between contacts had no entries, and notes no time.
    to: 4,
    write: async (store) =>
      (await writeCallIndexes(store)) + (await writeNoteAges(store, new Date())) + (await writeIndex(store)),
  },
  {
    // Entries had no days, by which records are found whatever the zone of their organization becomes.
    to: 5,
    write: writeIndex,
  },
  {
    // Links of clients are signed.
    to: 6,
    write: writeLinkSecret,
  },
  {
    // Visits were in no list of their agent; e-mails of users, and ids that callers choose, were unique in the account.
    to: 7,
    write: async (store) => (await writeAgentVisits(store)) + (await moveGuards(store)),
  },
  {
    // National numbers of most countries were found by their digits alone.
    to: 8,
    write: (store) => writePhoneKeys(store, new Date()),
  },
  {
    // E-mails were found by their domain as it was written, in Unicode or as xn--.
    to: 9,
    write: async (store) => (await writeEmailEntries(store)) + (await moveEmailGuards(store)),
  },
  {
    // Visits of subscriptions were in no series.
    to: 10,
    write: (store) => writeEarlierSeries(store, new Date()),
  },
  {
    // Keys ended without a word.
    to: 11,
    write: writeKeyNotices,
  },
];

export type Migrated =
  | { readonly kind: 'migrated'; readonly from: number; readonly items: number }
  | { readonly kind: 'current' }
  | { readonly kind: 'absent' }
  /** Written by a later version than this one. */
  | { readonly kind: 'newer'; readonly schema: number };

/** Brings the items of an account into the form of this version, while the account is in use. Safe to repeat. */
export async function migrateAccount(store: StoreWriter): Promise<Migrated> {
  const { table, account } = store;
  const found = await findAccount(store);
  if (!found) return { kind: 'absent' };
  const from = found.Schema ?? 1;
  if (from > CURRENT_SCHEMA) return { kind: 'newer', schema: from };
  if (from === CURRENT_SCHEMA) return { kind: 'current' };
  let items = 0;
  for (const { to, write } of migrations.filter((step) => step.to > from)) {
    items += await write(store);
    // The list of accounts begins with schema 2.
    const set = { Schema: to, ...directoryKeys(store) };
    await table.update({ update: layout.account.key({ account }), set, if: 'present' });
  }
  return { kind: 'migrated', from, items };
}
