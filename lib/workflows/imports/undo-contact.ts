import { type ErasedContact, erasedContactEntity } from '../../entities/erased-contacts.ts';
import { nouns } from '../../entities/nouns.ts';
import { toErasedContact } from '../../domain/contacts/erasure.ts';
import { refusals } from '../../domain/contacts/merge.ts';
import { personOf } from '../../domain/contacts/person.ts';
import { isRunRequest } from '../../domain/imports/import-runs.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { isEqual, omit } from '../../shared/objects.ts';
import { entriesAhead } from '../../store/contacts/contact-entries.ts';
import { contactChanges, findContacts, findGuard, newGuardRanges } from '../../store/contacts/contacts.ts';
import {
  listContactRecordIds,
  listFirstEntries,
  listLinkedContacts,
  listSearchEntries,
} from '../../store/contacts/erasures.ts';
import type { Item } from '../../store/dynamodb/changes.ts';
import { listRange, versionedChange } from '../../store/dynamodb/records.ts';
import { givenBack } from '../../store/import-runs.ts';
import { layout, toKey } from '../../store/keys.ts';
import { type OwnRecord, type UndoContext, type Undoing, left } from './undo-records.ts';

/** Undoes what a run did to a contact: removes a contact that it made, and restores the fields of any other. */
export const undoContact = (record: OwnRecord, context: UndoContext): Promise<Undoing> =>
  record.own.isNew ? removeContact(record.item, context) : restoreContact(record, context);

/** The version of a record that has not changed since it was created. */
const FIRST_VERSION = 1;

/** The kinds of a contact's records, as sentences name them. */
const kinds = {
  appointment: ['Appointment', layout.appointment],
  proposal: ['Proposal', layout.proposal],
  invoice: ['Invoice', layout.invoice],
  payment: ['Payment', layout.payment],
  task: ['Task', layout.task],
  call: ['Call', layout.call],
  file: ['Upload', layout.upload],
} as const;

/** Why a contact cannot be removed: what else names it. */
async function findUse(contact: ContactRecord, { store }: UndoContext): Promise<string> {
  const counted = Object.entries(kinds).map(async ([noun, [kind, { key }]]) => {
    const ids = await listContactRecordIds(store, contact.Id, kind);
    // The index may show removed records for a second.
    const keys = ids.map((id) => key({ account: store.account, id }));
    const { length } = keys.length ? await store.table.getMany(keys, { attributes: ['PK'] }) : [];
    return length ? [`${length} ${noun}${length > 1 ? 's' : ''}`] : [];
  });
  const [records, linked] = await Promise.all([
    Promise.all(counted),
    listLinkedContacts(store, contact).then((ids) => findContacts(store, ids)),
  ]);
  const naming = linked.find(
    ({ ReferredByContactId, ManagedByContactId, ReferredByHash }) =>
      ReferredByContactId === contact.Id || ManagedByContactId === contact.Id || ReferredByHash === contact.Hash,
  );
  const found = records.flat();
  if (found.length) return `has ${found.join(', ')}`;
  return naming ? `is the referrer or manager of contact ${naming.Id}` : '';
}

/**
 * Leaves the same remains as an erasure does: nobody who read the contact before can store it, or anything for it. Its
 * search entries follow; a worker removes those that a kill leaves.
 */
async function removeContact(item: Item, context: UndoContext): Promise<Undoing> {
  const { store, now } = context;
  const account = store.account;
  const contact = nouns.Contact.read(item);
  const use = await findUse(contact, context);
  if (use) return left(use);
  const key = layout.contact.key({ account, id: contact.Id });
  // A large import made most of its contacts in one version, which saves ten reads of each.
  const isUnchanged = contact.V === FIRST_VERSION;
  const [entries, pages] = await Promise.all([
    (isUnchanged ? listFirstEntries : listSearchEntries)(store, contact),
    listRange(store.table, { partition: key.PK, consistent: true, attributes: ['PK', 'SK'] }),
  ]);
  const { change } = versionedChange<ErasedContact>(erasedContactEntity, key, {
    before: contact,
    after: toErasedContact(contact, personOf(contact, []), now.getTime()),
  });
  const found = entries.map((entry) => ({ ...entry, Id: contact.Id }));
  const { note } = entriesAhead({ account }, found, []);
  const others = pages.filter(({ SK }) => SK !== key.SK).map(toKey);
  return {
    kind: 'changes',
    outcome: { kind: 'removed' },
    changes: [change, { put: note }, ...others.map((remove) => ({ remove }))],
    finish: () => store.table.putMany([], [...entries, toKey(note)]),
  };
}

async function restoreContact({ item, own }: OwnRecord, context: UndoContext): Promise<Undoing> {
  const { store, now, run } = context;
  const account = store.account;
  const before = nouns.Contact.read(item);
  const former = nouns.Contact.read({ ...omit(item, ...own.added), ...own.was });
  const refused = refusals.filter((name) => before[name] && !former[name]);
  const after = { ...former, ...Object.fromEntries(refused.map((name) => [name, true])) };
  const isSame = isEqual(before, after);
  if (isSame && !isRunRequest(own.by)) return { kind: 'nothing' };
  const pages = Array.from({ length: Math.max(0, before.NotePages - after.NotePages) }, (_, index) => ({
    remove: layout.contactNotes.key({ account, id: before.Id, page: after.NotePages + index + 1 }),
  }));
  const ranges = newGuardRanges({ account }, { before, after });
  const guards = await Promise.all(ranges.map((range) => findGuard(store, range, after.OrganizationId, [])));
  const changes = contactChanges({ account }, [{ before, after, guards }], { now, beside: pages });
  return {
    kind: 'changes',
    outcome: isSame ? { kind: 'nothing' } : { kind: 'restored', refusals: refused },
    changes: changes.map((change) => givenBack(change, run, own.by)),
  };
}
