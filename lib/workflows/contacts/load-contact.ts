import type { NamedTaxRate } from '../../entities/tax-rates.ts';
import type { ContactRecord, Contact } from '../../entities/contacts.ts';
import { invalid, orNotFound } from '../../shared/failure.ts';
import { findContact, listOlderNotes } from '../../store/contacts/contacts.ts';
import type { ReadContext } from '../context.ts';
import { contactToResource } from '../../domain/contacts/record.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { NO_LINKS, NO_PAYMENTS } from '../../domain/client-pages.ts';
import { findClientLinks } from '../../store/links.ts';
import { findTakesPayments } from '../../store/payment-providers.ts';
import type { Caller } from '../../store/requests/caller.ts';
import { settingsOf } from '../../store/settings.ts';
import type { StoreReader } from '../../store/store.ts';

/**
 * The contact that a required field names: 400 if the field is empty, 404 if the contact does not exist for the caller.
 */
export async function loadContact(
  { store }: Pick<ReadContext, 'store' | 'caller'>,
  contactId: number | null | undefined,
  field = 'ContactId',
): Promise<ContactRecord> {
  if (!contactId) throw invalid({ field, code: 'required', message: 'is required' });
  return orNotFound(await findContact(store, contactId), 'contact', field, contactId);
}

/** Contacts as resources, with all their notes. Reads the lists of the account only if a contact refers to them. */
export async function loadContactResources(
  store: StoreReader,
  records: readonly ContactRecord[],
  { caller, now, paymentOnFile = false }: { caller: Pick<Caller, 'role'>; now: Date; paymentOnFile?: boolean },
): Promise<Contact[]> {
  const hasCustomFields = records.some(({ CustomFields }) => CustomFields.length > 0);
  const hasTaxRates = records.some(({ NamedTaxRateId }) => NamedTaxRateId !== null);
  const [olderNotes, customFields, taxRates, link, takesPayments] = await Promise.all([
    listOlderNotes(store, records),
    hasCustomFields ? settingsOf<CustomField>(store, 'CustomField') : [],
    hasTaxRates ? settingsOf<NamedTaxRate>(store, 'NamedTaxRate') : [],
    records.length ? findClientLinks(store, caller.role, now) : NO_LINKS,
    records.length ? findTakesPayments(store) : NO_PAYMENTS,
  ]);
  const relations = { lists: { customFields, taxRates }, paymentOnFile, link, takesPayments };
  return records.map((record) =>
    contactToResource({ ...record, Notes: [...(olderNotes.get(record.Id) ?? []), ...record.Notes] }, relations),
  );
}
