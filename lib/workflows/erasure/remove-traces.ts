import type { StoredCall } from '../../entities/calls.ts';
import { parseCall } from '../../domain/calls.ts';
import { type Mention, mentionsIn } from '../../domain/contacts/mentions.ts';
import type { Person } from '../../domain/contacts/person.ts';
import { removePdfs } from '../../files/pdfs.ts';
import { isEqual } from '../../shared/objects.ts';
import { normalizeEmail } from '../../shared/text/text.ts';
import { DAY, MINUTE } from '../../shared/time/time.ts';
import { listAppointments } from '../../store/appointments.ts';
import { identity, listPlaces } from '../../store/client-places.ts';
import { writePendingEntriesSettled } from '../../store/contacts/contact-entries.ts';
import { contactChanges, findContacts } from '../../store/contacts/contacts.ts';
import { retryUnavailable } from '../../store/dynamodb/errors.ts';
import {
  listContactPages,
  listContactRecordIds,
  listLinkedContacts,
  listOrphanedEntries,
  listPersonCalls,
  listSearchEntries,
} from '../../store/contacts/erasures.ts';
import { listMerges, removedMergeChange } from '../../store/contacts/merges.ts';
import { listImportedOf } from '../../store/imported-records.ts';
import { findHasher } from '../../store/links.ts';
import { type Key, layout } from '../../store/keys.ts';
import { listAllMessages, listNotices, messageKey } from '../../store/messages.ts';
import { addressPlaceKey } from '../../store/roads.ts';
import { removeUploads } from '../uploads/remove-uploads.ts';
import { eraseMerged } from './erase-merged.ts';
import { type Work, idsOf, findSharing, personToOthers, commit, removeKeys } from './erasure-work.ts';

/** Entries of the contact, and those that carry its name for contacts that were never made. */
export async function listEntriesLeft({ store, contact, now }: Work): Promise<Key[]> {
  const own = await listSearchEntries(store, contact);
  return [...own, ...(await listOrphanedEntries(store, contact, now()))];
}

export async function removeSearchEntries(work: Work): Promise<void> {
  const { store, now, settleMilliseconds } = work;
  const through = new Date(now().getTime() - settleMilliseconds);
  await retryUnavailable(() => writePendingEntriesSettled(store, { through }));
  await removeKeys(work, await listEntriesLeft(work), 'SearchEntries');
}

/** Former states go last, because they find the entries. */
export async function removeFormerStates(work: Work): Promise<void> {
  await removeKeys(work, (await listContactPages(work.store, work.contactId)).former);
}

/** Removes what is left of contacts that were merged into the person's, so that their Ids find nobody. */
export async function removeMerged(work: Work): Promise<void> {
  const { store, contactId, erasure, person, now } = work;
  for (const id of erasure.Merged ?? []) await eraseMerged(store, { id, person, now: now() });
  const merges = await listMerges(store, contactId);
  if (merges.length) await store.table.commit(merges.map((merge) => removedMergeChange(store, merge)));
}

export async function removeNotes(work: Work): Promise<void> {
  const { store, contactId } = work;
  await removeKeys(work, (await listContactPages(store, contactId)).notes, 'NotePages');
}

/** The notice of a changed visit is decided within this time. */
const NOTICE_AGE = DAY;

/** Removes the messages to the person, and the notices of changed visits. */
export async function removeMessages(work: Work): Promise<void> {
  const { store, contactId, now } = work;
  const sent = await Promise.all(idsOf(work).map((id) => listAllMessages(store, id)));
  await removeKeys(
    work,
    sent.flat().map((message) => messageKey(store, message)),
    'Messages',
  );
  const visits = await listAppointments(store, await listContactRecordIds(store, contactId, 'Appointment'));
  const recent = visits.filter(({ Updated }) => (Updated ?? 0) > now().getTime() - NOTICE_AGE);
  const groups = [...new Set(recent.map(({ Id, SeriesId }) => SeriesId || Id))];
  const own = new Set(recent.map(({ Id }) => Id));
  const notices = await Promise.all(groups.map((group) => listNotices(store, group)));
  await removeKeys(
    work,
    notices.flat().flatMap(({ key, visitId }) => (own.has(visitId) ? key : [])),
  );
}

/** The clock difference allowed between two machines. */
const MAX_SKEW = 5 * MINUTE;

/** A call from a number that another contact shares may be that contact's: it stays unless it names the person. */
const mayBeOfAnother = (call: StoredCall, { contactId }: Work, others: Person): boolean =>
  call.ContactId === null && parseCall(call.Text).ContactId !== contactId && !mentionsIn('Call', call, others).length;

export async function removeCalls(work: Work): Promise<void> {
  const { store, contact, erasure } = work;
  const calls = await listPersonCalls(store, contact, { since: erasure.StartedAt - MAX_SKEW });
  const sharing = calls.length ? await findSharing(work) : [];
  const shared = new Set(sharing.flatMap(({ PhoneKey, AltPhoneKey }) => [PhoneKey, AltPhoneKey]));
  const others = personToOthers(work, sharing);
  for (const call of calls) {
    const { Id, V, PhoneKey } = call;
    if (shared.has(PhoneKey) && mayBeOfAnother(call, work, others)) continue;
    await retryUnavailable(async () => {
      await commit(
        work,
        [{ remove: layout.call.key({ account: store.account, id: Id }), if: { equals: { V } } }],
        { Calls: 1 },
        [`Call.${Id}.${V + 1}`],
      );
    });
  }
}

/** Removes the counters of visits that were booked on pages with the person's e-mails and phones, or for the person. */
export async function removePlaces(work: Work): Promise<void> {
  const { store, contact, former } = work;
  const hash = await findHasher(store);
  if (!hash) return;
  const identities = [
    ...idsOf(work).flatMap((id) => [identity.ofContact(id), identity.ofClient(id)]),
    ...[contact, ...former].flatMap(({ Email, PhoneKey, AltPhoneKey }) => [
      identity.ofEmail(normalizeEmail(Email)),
      ...[PhoneKey, AltPhoneKey].map(identity.ofPhone),
    ]),
  ];
  await removeKeys(work, await listPlaces(store, identities.map(hash)));
}

/** Removes where the person's addresses are. */
export async function removeAddressPlaces(work: Work): Promise<void> {
  const keys = idsOf(work).map((contact) => addressPlaceKey(work.store, { contact }));
  await removeKeys(work, keys);
}

/** Removes the link from contacts that the person referred or manages. */
export async function removeLinks(work: Work): Promise<void> {
  const { store, contactId, contact } = work;
  for (const id of await listLinkedContacts(store, contact))
    await retryUnavailable(async () => {
      const [before] = await findContacts(store, [id]);
      if (!before) return;
      const after = {
        ...before,
        ReferredByContactId: before.ReferredByContactId === contactId ? null : before.ReferredByContactId,
        ManagedByContactId: before.ManagedByContactId === contactId ? null : before.ManagedByContactId,
        ReferredByHash: before.ReferredByHash === contact.Hash ? '' : before.ReferredByHash,
      };
      if (isEqual(before, after)) return;
      const changes = contactChanges(store, [{ before, after, guards: [] }], { now: work.now() });
      await commit(work, changes, { Links: 1 }, [`Contact.${id}.${before.V + 1}`]);
    });
}

/** Removes what imports noted about the person, which an undo of them would need. */
export async function removeImported(work: Work): Promise<void> {
  const { store, contactId } = work;
  const tasks = await listContactRecordIds(store, contactId, 'Task');
  await removeKeys(work, await listImportedOf(store, 'Contact', idsOf(work)));
  await removeKeys(work, await listImportedOf(store, 'Task', [...new Set(tasks)]));
}

/** Removes files in the bucket first; the record that finds them goes last. */
export async function removeFiles(work: Work): Promise<void> {
  const { store, files, contactId } = work;
  await removeUploads(store, files, { contactId, now: work.now() }, (changes, removed) =>
    commit(work, changes, { Files: 1 }, removed && [`Upload.${removed.Id}.${removed.V + 1}`]),
  );
  if (!files) return;
  const [invoices, proposals] = await Promise.all([
    listContactRecordIds(store, contactId, 'Invoice'),
    listContactRecordIds(store, contactId, 'Proposal'),
  ]);
  await removePdfs(files, store.account, { invoices, proposals });
}

/** Removes the PDFs of other people's records from before the person was removed from their texts. */
export async function removeMentioningPdfs({ files, store }: Work, mentions: readonly Mention[]): Promise<void> {
  const idsOfKind = (kind: Mention['Kind']) => mentions.filter(({ Kind }) => Kind === kind).map(({ Id }) => Id);
  if (files)
    await removePdfs(files, store.account, { invoices: idsOfKind('Invoice'), proposals: idsOfKind('Proposal') });
}
