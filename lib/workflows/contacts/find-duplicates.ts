import { type LikelyPair, reasonsOf } from '../../domain/contacts/likely-pairs.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import { listAlikeIds } from '../../store/contacts/alike.ts';
import { findContacts } from '../../store/contacts/contacts.ts';
import type { TablePager, TableReader } from '../../store/dynamodb/table.ts';
import type { Caller } from '../../store/requests/caller.ts';
import { findMatchingContacts } from './find-contacts.ts';
import { loadContact } from './load-contact.ts';

/** Contacts that are compared with one contact, the oldest: of more, most share a mailbox or a house and no name. */
const MAX_ALIKE = 100;
const CONTACTS_AT_ONCE = 5;

/** Who is probably the same person as a contact, oldest first. Reads the same whatever the account holds. */
async function findPairsOf(table: TableReader, account: string, contact: ContactRecord): Promise<LikelyPair[]> {
  const ids = (await listAlikeIds(table, account, contact)).sort((a, b) => a - b).slice(0, MAX_ALIKE);
  const alike = await findContacts(table, account, ids, { consistent: false });
  return alike.flatMap((duplicate) => {
    const reasons = reasonsOf(contact, duplicate);
    return reasons.length ? [{ contact, duplicate, reasons }] : [];
  });
}

/** Who is probably the same person as the contact of a request. */
export async function findDuplicatesOf(
  contactId: number,
  { table, caller }: { readonly table: TableReader; readonly caller: Caller },
): Promise<LikelyPair[]> {
  return findPairsOf(table, caller.accountId, await loadContact({ table, caller }, contactId));
}

/** The likely pairs of a page of contacts, newest first. A pair is with the one of the two that was added later. */
export async function findDuplicatesOnPage(
  page: { readonly skip: number; readonly limit: number },
  { table, caller }: { readonly table: TablePager; readonly caller: Caller },
): Promise<{ readonly pairs: LikelyPair[]; readonly hasMore: boolean }> {
  const { records, hasMore } = await findMatchingContacts(table, caller, {}, page);
  const pairs = await mapWithConcurrency(records, CONTACTS_AT_ONCE, (contact) =>
    findPairsOf(table, caller.accountId, contact),
  );
  return { pairs: pairs.flat().filter(({ contact, duplicate }) => duplicate.Id < contact.Id), hasMore };
}
