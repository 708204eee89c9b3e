import type { StoredNote } from '../entities/contact-parts.ts';
import type { UploadRecord } from '../entities/uploads.ts';
import type { TaskRecord } from '../entities/tasks.ts';
import { type ContactRecord, contactEntity } from '../entities/contacts.ts';
import type { StoredCall } from '../entities/calls.ts';
import { withoutSecrets } from '../entities/declaration/marks.ts';
import { callToResource } from '../domain/calls.ts';
import { contactToResource, noteToResource } from '../domain/contacts/record.ts';
import { kindOfChange } from '../domain/event-kinds.ts';
import { taskToResource } from '../domain/tasks.ts';
import { uploadToResource } from '../domain/uploads/record.ts';
import { changedFields } from './change.ts';
import type { ChangedPart, EntityKind, Fields } from './entity-kind.ts';

/** A phone call, with or without a contact. No operation returns one: its resource exists only in its events. */
export const call: EntityKind<StoredCall> = {
  noun: 'call',
  resource: callToResource,
  contactId: ({ ContactId }) => ContactId,
};

const concealed = withoutSecrets(contactEntity.fields);
const hasPaymentOnFile = (resource: Fields): boolean => Object.keys(concealed).some((name) => resource[name] !== '');

/**
 * The note that is new or changed, if there is only one. A missing note has moved to a page of older notes, which is
 * not a change.
 */
function changedNote(before: readonly StoredNote[], after: readonly StoredNote[]): ChangedPart | undefined {
  const byId = new Map(before.map((note) => [note.Id, noteToResource(note)]));
  const changes = after.map(noteToResource).flatMap((note): ChangedPart[] => {
    const previous = byId.get(note.Id);
    const Kind = kindOfChange('note', previous, note);
    if (Kind === undefined) return [];
    if (!previous) return [{ Kind, Id: note.Id, Changed: [], Data: note }];
    const Changed = changedFields(previous, note);
    return Changed.length ? [{ Kind, Id: note.Id, Changed, Data: note }] : [];
  });
  return changes.length === 1 ? changes[0] : undefined;
}

/** If only one note is new or changed, the event is the note's. */
export const contact: EntityKind<ContactRecord> = {
  noun: 'contact',
  resource: (record, relations) => contactToResource(record, { ...relations, paymentOnFile: true }),
  // The record lacks older notes, which are on pages of their own, so the contact would only look complete.
  data: (resource, { NotePages }) =>
    NotePages ? null : hasPaymentOnFile(resource) ? { ...resource, ...concealed } : resource,
  contactId: ({ Id, MergedInto }) => MergedInto ?? Id,
  isStandIn: ({ MergedInto }) => MergedInto !== undefined,
  changedPart: (changed, before, after) =>
    changed.length === 1 && changed[0] === 'Notes'
      ? changedNote(before['Notes'] as StoredNote[], after['Notes'] as StoredNote[])
      : undefined,
};

export const task: EntityKind<TaskRecord> = {
  noun: 'task',
  resource: taskToResource,
  contactId: ({ ContactId }) => ContactId,
};

/** A file, without its content. No operation returns one: its resource is defined only here. */
export const upload: EntityKind<UploadRecord> = {
  noun: 'upload',
  resource: uploadToResource,
  contactId: ({ ContactId }) => ContactId,
};
