import type { ContactRecord } from '../../entities/contacts.ts';
import { invalid, orNotFound } from '../../shared/failure.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import type { ReadContext } from '../context.ts';

/** The contact of a required field: 400 if the field is empty, 404 if the contact does not exist for the caller. */
export async function loadContact(
  { store }: Pick<ReadContext, 'store' | 'caller'>,
  contactId: number | null | undefined,
  field = 'ContactId',
): Promise<ContactRecord> {
  if (!contactId) throw invalid({ field, code: 'required', message: 'is required' });
  return orNotFound(await findContact(store, contactId), 'contact', field, contactId);
}
