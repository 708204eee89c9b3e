import type { Context } from '../../lib/api/context.ts';
import type { InvoiceRecord } from '../../lib/domain/invoices/record.ts';
import type { Contact } from '../../lib/resources/contacts.ts';
import { showContacts } from '../../lib/store/contact-view.ts';
import { readContacts } from '../../lib/store/contacts.ts';

/** The contacts of invoices by id, in their complete form; none where nobody asked. One request. */
export async function contactsOf(
  { table, caller: { accountId }, baseUrl, now }: Context<'table:read'>,
  invoices: readonly InvoiceRecord[],
  isAsked: boolean | null | undefined,
): Promise<ReadonlyMap<number, Contact>> {
  const ids = isAsked ? [...new Set(invoices.map(({ ContactId }) => ContactId))] : [];
  const records = await readContacts(table, accountId, ids, { consistent: false });
  const contacts = await showContacts(table, records, { accountId, baseUrl, now });
  return new Map(contacts.map((contact) => [contact.Id, contact]));
}
