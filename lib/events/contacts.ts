import { type StoredCall, callToResource } from '../domain/calls.ts';
import { type StoredNote, noteToResource } from '../domain/contacts/notes.ts';
import type { ContactRecord } from '../domain/contacts/record.ts';
import { contactToResource } from '../domain/contacts/to-resource.ts';
import { type TaskRecord, taskToResource } from '../domain/tasks.ts';
import { type UploadRecord, uploadToResource } from '../domain/uploads/record.ts';
import { changedFields } from './change.ts';
import { type ChangedPart, type EntityKind, type Fields, kindsOf } from './entity-kind.ts';

/** A call with or without a contact. No operation returns one: its resource is that of its events. */
export const call: EntityKind = {
  kinds: { ...kindsOf('call'), created: 'call.logged' },
  resource: (image) => ({ ...callToResource(image as unknown as StoredCall) }),
  contactId: ({ ContactId }) => (ContactId as number | null | undefined) || null,
};

const concealed = { PmtOnFileKind: '', PmtOnFileLast4: '', PmtOnFileExpDate: '' };
const hasPaymentOnFile = (resource: Fields): boolean => Object.keys(concealed).some((name) => resource[name] !== '');

/** The only note that is new or different. A missing note has moved to a page of older notes, which is no change. */
function changedNote(before: readonly StoredNote[], after: readonly StoredNote[]): ChangedPart | undefined {
  const byId = new Map(before.map((note) => [note.Id, noteToResource(note)]));
  const changes = after.map(noteToResource).flatMap((note): ChangedPart[] => {
    const previous = byId.get(note.Id);
    if (!previous) return [{ Kind: 'note.created', Id: note.Id, Changed: [], Data: note }];
    const Changed = changedFields(previous, note);
    return Changed.length ? [{ Kind: 'note.updated', Id: note.Id, Changed, Data: note }] : [];
  });
  return changes.length === 1 ? changes[0] : undefined;
}

/** Where only one note is new or different, the event is the note's. */
export const contact: EntityKind = {
  kinds: kindsOf('contact'),
  resource: (image, relations) =>
    contactToResource(image as unknown as ContactRecord, { ...relations, paymentOnFile: true }),
  // The record lacks older notes, which are on pages of their own: the contact would look complete.
  data: (resource, { NotePages }) =>
    NotePages ? null : hasPaymentOnFile(resource) ? { ...resource, ...concealed } : resource,
  contactId: ({ Id }) => Id as number,
  changedPart: (changed, before, after) =>
    changed.length === 1 && changed[0] === 'Notes'
      ? changedNote(before['Notes'] as StoredNote[], after['Notes'] as StoredNote[])
      : undefined,
};

const isDone = ({ CompletedAt }: Fields): boolean => typeof CompletedAt === 'number';

export const task: EntityKind = {
  kinds: kindsOf('task'),
  resource: (image) => taskToResource(image as unknown as TaskRecord),
  contactId: ({ ContactId }) => (ContactId as number | null | undefined) || null,
  updated: (before, after) => (isDone(after) && !isDone(before) ? 'task.completed' : undefined),
};

/** A file, without its content. No operation returns one: its resource is defined here only. */
export const upload: EntityKind = {
  kinds: kindsOf('upload'),
  resource: (image) => uploadToResource(image as unknown as UploadRecord),
  contactId: ({ ContactId }) => ContactId as number,
};
