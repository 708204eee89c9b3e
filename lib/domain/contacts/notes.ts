import type { Note } from '../../resources/contacts.ts';
import type { ContactError, ContactInput } from './apply-input.ts';

type GivenNote = NonNullable<ContactInput['Notes']>[number];
type NewNote = Pick<Note, 'Title' | 'Body'>;

/**
 * What a request makes of a contact's notes: those there are, as they are then, those to be added, which have no ids
 * yet, and what is at fault.
 */
export interface NoteMerge {
  readonly notes: Note[];
  readonly added: NewNote[];
  readonly errors: ContactError[];
}

/** A note over what it was: absent means unchanged, `null` clears. */
const overlaid = (was: NewNote, { Title, Body }: GivenNote): NewNote => ({
  Title: Title === undefined ? was.Title : (Title ?? '').trim(),
  Body: Body === undefined ? was.Body : (Body ?? '').trim(),
});

const blank: NewNote = { Title: '', Body: '' };

/**
 * Notes with an Id change the note of that Id, the others are added. `older` are the notes that no longer stand in the
 * contact itself: they may be sent back as they are, but not changed.
 */
export function mergeNotes(notes: readonly Note[], older: readonly Note[], noteInput: readonly GivenNote[]): NoteMerge {
  const merged = new Map(notes.map((note) => [note.Id, note]));
  const kept = new Map(older.map((note) => [note.Id, note]));
  const added: NewNote[] = [];
  const errors: ContactError[] = [];
  for (const [index, input] of noteInput.entries()) {
    const { Id } = input;
    const was = Id ? (merged.get(Id) ?? kept.get(Id)) : blank;
    const next = overlaid(was ?? blank, input);
    if (!was)
      errors.push({
        field: `Notes[${index}].Id`,
        message: 'must be the Id of a note of this contact, or absent for a new one',
      });
    else if (!next.Title && !next.Body)
      errors.push({ field: `Notes[${index}].Body`, message: 'is required, or Title' });
    else if (!Id) added.push(next);
    else if (merged.has(Id)) merged.set(Id, { ...was, ...next, Id });
    else if (next.Title !== was.Title || next.Body !== was.Body)
      errors.push({ field: `Notes[${index}]`, message: 'is too old to be changed; add another' });
  }
  return { notes: [...merged.values()], added, errors };
}
