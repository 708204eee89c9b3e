import type { ContactRecord } from '../domain/contacts/record.ts';
import { contactOf } from '../domain/contacts/resource.ts';
import type { Note } from '../resources/notes.ts';
import { changedFields } from './changed.ts';
import type { EntityKind, Part } from './kinds.ts';

const concealed = { PmtOnFileKind: '', PmtOnFileLast4: '', PmtOnFileExpDate: '' };
const hasPaymentOnFile = (resource: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(concealed).some((name) => resource[name] !== '');

/**
 * The one note that is new or different. Notes that are gone have moved to a page of older notes, which changes
 * nothing.
 */
function changedNote(before: readonly Note[], after: readonly Note[]): Part | undefined {
  const known = new Map(before.map((note) => [note.Id, note]));
  const touched = after.flatMap((note) => {
    const was = known.get(note.Id);
    const Changed = was ? changedFields(was, note) : [];
    return was && !Changed.length
      ? []
      : [{ Kind: was ? 'note.updated' : 'note.created', Id: note.Id, Changed, Data: note }];
  });
  return touched.length === 1 ? touched[0] : undefined;
}

/** Changes of contacts. Where nothing but one note is new or different, the event is the note's. */
export const contact: EntityKind = {
  kinds: { created: 'contact.created', updated: 'contact.updated', deleted: 'contact.deleted' },
  resource: (image, view) => contactOf(image as unknown as ContactRecord, { ...view, paymentOnFile: true }),
  // Older notes on pages of their own are not in the record: the contact would look complete and would not be.
  shown: (resource, { NotePages }) =>
    NotePages ? null : hasPaymentOnFile(resource) ? { ...resource, ...concealed } : resource,
  contactId: ({ Id }) => Id as number,
  part: (changed, before, after) =>
    changed.length === 1 && changed[0] === 'Notes'
      ? changedNote(before['Notes'] as Note[], after['Notes'] as Note[])
      : undefined,
};
