import type { ContactRecord } from '../domain/contacts/record.ts';
import type { Change } from './changes.ts';
import type { TableWriter } from './client.ts';
import { writeContacts } from './contacts.ts';

/**
 * The changes that store one contact in its new state; none when it is the same. Its e-mail and phones must not have
 * changed.
 */
export async function changeContact(
  table: TableWriter,
  account: string,
  { before, after, now }: { before: ContactRecord; after: ContactRecord; now: Date },
): Promise<readonly Change[]> {
  if (before === after) return [];
  return writeContacts(table, account, [{ before, after, guards: [] }], { now });
}
