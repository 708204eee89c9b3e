import type { ContactRecord } from '../domain/contacts/record.ts';
import { indexEntries } from './contact-index.ts';
import { findContacts } from './contacts.ts';
import type { TableWriter } from './dynamodb/client.ts';
import { type IdKind, layout } from './keys.ts';

/** Records that are read and written at once. */
const CHUNK = 100;

/** Every id that the account may have given to a kind of record, in chunks. */
async function* idChunks(table: TableWriter, account: string, kind: IdKind): AsyncGenerator<number[]> {
  const last = ((await table.get(layout.lease.key({ account, kind })))?.['Last'] as number | undefined) ?? 0;
  for (let first = 1; first <= last; first += CHUNK)
    yield Array.from({ length: Math.min(CHUNK, last - first + 1) }, (_, index) => first + index);
}

/**
 * Puts the index entries of all contacts, as the current version of the code has them; returns the number of contacts.
 * Entries may be more than the truth, so it is safe to repeat, to interrupt, and to run while contacts change.
 */
export async function writeContactIndex(table: TableWriter, account: string): Promise<number> {
  let count = 0;
  for await (const ids of idChunks(table, account, 'Contact')) {
    const contacts: ContactRecord[] = await findContacts(table, account, ids);
    await table.putMany(contacts.flatMap((contact) => indexEntries(account, contact)));
    count += contacts.length;
  }
  return count;
}
