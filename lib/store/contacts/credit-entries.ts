import { contactEntity } from '../../entities/contacts.ts';
import { erasedContactEntity, isErased, isGone } from '../../entities/erased-contacts.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import { layout } from '../keys.ts';
import type { StoreWriter } from '../store.ts';
import { creditKeys, entryOf } from './contact-index.ts';

const readListed = (item: Item) => (isErased(item) ? erasedContactEntity.read(item) : contactEntity.read(item));

/**
 * Enters a contact in the lists of those with credit, or removes it there, as it is now. A payment cannot do that
 * itself: it adds to the credit without reading the sum. Returns the number of contacts. Writes at once. Safe to
 * repeat, also concurrently: the transaction requires the contact to be unchanged.
 */
export async function writeCreditEntries(store: StoreWriter, id: number): Promise<number> {
  const { table, account } = store;
  const key = layout.contact.key({ account, id });
  const item = await table.get(key, { consistent: true });
  if (!item) return 0;
  const contact = readListed(item);
  const isListed = !isGone(item) && Boolean(contact.CreditBalance);
  const entries = creditKeys(store, contact).map((entry): Change =>
    isListed ? { put: entryOf(entry, contact) } : { remove: entry },
  );
  await table.commit([{ check: key, if: { equals: { V: contact.V } } }, ...entries]);
  return 1;
}
