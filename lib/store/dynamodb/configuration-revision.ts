import { randomUUID } from 'node:crypto';
import { type Key, accountOfKey, layout } from '../keys.ts';
import { type TransactionChange, keyOfChange } from './changes.ts';

/**
 * The revision of an account's configuration: an item that is renewed by every transaction that changes what containers
 * remember of the account. It tells whether remembered values are current (decision 15).
 */

/**
 * Partitions that containers remember, without the account prefix. Services change with the revision of the price book.
 */
const REMEMBERED: ReadonlySet<string> = new Set(
  [
    layout.account,
    layout.organization,
    layout.serviceAgent,
    layout.setting,
    layout.bookRevision,
    layout.paymentProvider,
    layout.messageSettings,
  ].map(({ partition }) => partition.slice('A#{account}'.length)),
);

/** The account of a key that containers remember. */
function rememberedAccount({ PK }: Key): string | undefined {
  const account = accountOfKey({ PK });
  return account !== undefined && REMEMBERED.has(PK.slice('A#'.length + account.length)) ? account : undefined;
}

function accountOfChange(change: TransactionChange): string | undefined {
  if ('put' in change) return rememberedAccount(change.put);
  if ('update' in change) return rememberedAccount(change.update);
  // A removed account takes its revision along.
  if ('remove' in change && change.remove.SK !== layout.account.sort) return rememberedAccount(change.remove);
  return undefined;
}

/** The account whose revision a change itself writes or removes: a copy of a table, or the removal of an account. */
function accountOfRevision(change: TransactionChange): string | undefined {
  const key = keyOfChange(change);
  const account = key ? accountOfKey(key) : undefined;
  return account !== undefined && key?.PK === layout.configuration.of({ account }) ? account : undefined;
}

/** The accounts whose configuration a transaction changes, except those whose revision it contains. */
export function configuredAccounts(changes: readonly TransactionChange[]): string[] {
  const own = new Set(changes.map(accountOfRevision));
  const accounts = new Set(changes.flatMap((change) => accountOfChange(change) ?? []));
  return [...accounts].filter((account) => !own.has(account));
}

/** Random, so that a revision that was only planned never equals that of another change. */
export const newRevisionChange = (account: string): TransactionChange => ({
  update: layout.configuration.key({ account }),
  set: { Revision: randomUUID() },
});
