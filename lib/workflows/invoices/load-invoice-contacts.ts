import type { Contact } from '../../entities/contacts.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import { findContacts } from '../../store/contacts/contacts.ts';
import { loadContactResources } from '../contacts/load-contact.ts';
import type { ReadContext } from '../context.ts';

/** The contacts of invoices by id, read in one request; none unless `isRequested`. */
export async function loadInvoiceContacts(
  { store, caller, now }: ReadContext,
  invoices: readonly InvoiceRecord[],
  isRequested: boolean | null | undefined,
): Promise<ReadonlyMap<number, Contact>> {
  const ids = isRequested ? [...new Set(invoices.map(({ ContactId }) => ContactId))] : [];
  const records = await findContacts(store, ids, { consistent: false, asRecorded: true });
  const contacts = await loadContactResources(store, records, { caller, now });
  return new Map(contacts.map((contact) => [contact.Id, contact]));
}
