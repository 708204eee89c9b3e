import { type ErasedContact, erasedContactEntity } from '../../entities/erased-contacts.ts';
import { toErasedContact } from '../../domain/contacts/erasure.ts';
import type { Person } from '../../domain/contacts/person.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { conflict } from '../../shared/failure.ts';
import { omit } from '../../shared/objects.ts';
import { findContacts } from '../../store/contacts/contacts.ts';
import { listSearchEntries } from '../../store/contacts/erasures.ts';
import { listFormerStates } from '../../store/contacts/former-entries.ts';
import { listAllMerges } from '../../store/contacts/merges.ts';
import { retryUnavailable } from '../../store/dynamodb/errors.ts';
import { listRange, versionedChange } from '../../store/dynamodb/records.ts';
import { layout, toKey } from '../../store/keys.ts';
import type { StoreReader, StoreWriter } from '../../store/store.ts';

/**
 * The contacts that were merged into one, and their former states. Throws conflict while a merge moves records, because
 * an erasure would miss some.
 */
export async function listMergedStates(
  store: StoreReader,
  contactId: number,
): Promise<{ readonly merged: readonly number[]; readonly states: readonly ContactRecord[] }> {
  const merges = await listAllMerges(store, contactId);
  const busy = merges.find(({ State }) => State !== 'merged');
  if (busy)
    throw conflict(
      'not_ready',
      `The merge of contact ${busy.MergedId} into contact ${busy.Id} is not done. Erase the contact in two minutes.`,
    );
  const merged = merges.map(({ MergedId }) => MergedId);
  const contacts = await findContacts(store, merged, { asRecorded: true });
  const former = await Promise.all(contacts.map((contact) => listFormerStates(store, contact)));
  return { merged, states: [...former.flat(), ...contacts] };
}

/** Erases what is left of a merged contact: its search entries, its partition, finally itself. Safe to repeat. */
export async function eraseMerged(
  store: StoreWriter,
  { id, person, now }: { readonly id: number; readonly person: Person; readonly now: Date },
): Promise<void> {
  const { table, account } = store;
  await retryUnavailable(async () => {
    const [contact] = await findContacts(store, [id], { asRecorded: true });
    if (!contact) return;
    const entries = await listSearchEntries(store, omit(contact, 'MergedInto') as ContactRecord);
    const key = layout.contact.key({ account, id });
    const items = await listRange(table, { partition: key.PK, consistent: true, attributes: ['PK', 'SK'] });
    const others = items.filter(({ SK }) => SK !== key.SK).map(toKey);
    await table.putMany([], [...entries, ...others]);
    const { change } = versionedChange<ErasedContact>(erasedContactEntity, key, {
      before: contact,
      after: toErasedContact(contact, person, now.getTime()),
    });
    await table.commit([change]);
  });
}
