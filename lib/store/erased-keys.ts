import { createHmac } from 'node:crypto';
import { findErasureSecret } from './accounts/accounts.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import { type Key, layout } from './keys.ts';
import type { StoreReader } from './store.ts';

/**
 * Where the guard of a business key stays whose text named an erased person: under a hash that needs the account's
 * secret, so that the text is recognised and cannot be guessed from the table alone.
 */
const erasedKeyOf = (account: string, secret: string, { PK, SK }: Key): Key =>
  layout.erasedKey.key({ account, hash: createHmac('sha256', secret).update(`${PK}\n${SK}`).digest('base64url') });

/** The guard of a business key, also of one that was erased. Without erasures the account's secret costs no read. */
export async function findBusinessKey(store: StoreReader, key: Key): Promise<Item | undefined> {
  const { table, account } = store;
  const secret = await findErasureSecret(store);
  const [guard, erased] = await Promise.all([
    table.get(key),
    secret === undefined ? undefined : table.get(erasedKeyOf(account, secret, key)),
  ]);
  return guard ?? erased;
}

/** The change that keeps the guard of a business key when its record gets another one. */
export const erasedKeyChange = (account: string, secret: string, key: Key, guard: object): Change => ({
  put: { ...guard, ...erasedKeyOf(account, secret, key) },
});
