import { createHmac } from 'node:crypto';
import { findErasureSecret } from './accounts/accounts.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import { type Key, layout, keyText } from './keys.ts';
import type { StoreReader, StoreAccount } from './store.ts';
import { ownKey } from './visibility.ts';

/**
 * Where the guard of a business key stays if its text named an erased person: under a hash that needs the account's
 * secret, so that the text is recognized but cannot be guessed from the table alone.
 */
const erasedKeyOf = ({ account }: StoreAccount, secret: string, key: Key): Key =>
  layout.erasedKey.key({ account, hash: createHmac('sha256', secret).update(keyText(key)).digest('base64url') });

/** The guard of a business key, including one that was erased. Without erasures the account's secret costs no read. */
export async function findBusinessKey(store: StoreReader, key: Key): Promise<Item | undefined> {
  const { table } = store;
  const own = ownKey(store, key);
  const secret = await findErasureSecret(store);
  const [guard, erased] = await Promise.all([
    table.get(own),
    secret === undefined ? undefined : table.get(erasedKeyOf(store, secret, own)),
  ]);
  return guard ?? erased;
}

/** The change that keeps the guard of a business key when its record gets another one. */
export const erasedKeyChange = (store: StoreAccount, secret: string, key: Key, guard: object): Change => ({
  put: { ...guard, ...erasedKeyOf(store, secret, ownKey(store, key)) },
});
