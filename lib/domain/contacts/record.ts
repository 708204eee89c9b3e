import { type ContactRecord, type StoredNote, contactEntity } from '../../entities/contacts.ts';
import { inputNames } from '../../entities/declaration/marks.ts';
import type { IndexedError } from '../../shared/field-errors.ts';
import { formatInteger, jsonByteLength } from '../../shared/limits.ts';
import { fold } from '../../shared/text/text.ts';
import { LIST_LIMITS, describeLimit } from '../list-limits.ts';

/** Fields that callers set as they are: texts as typed, flags, and ids of another contact or user. */
export const { texts: textFields, flags: flagFields, ids: referenceFields } = inputNames(contactEntity.fields);

/** The fields of a contact in events of its invoices, appointments and proposals. */
export const feedFields = [
  'Name',
  'Nickname',
  'Company',
  'Phone',
  'AltPhone',
  'CustomerSince',
  'LifetimeValue',
] as const satisfies readonly (keyof ContactRecord)[];
export type FeedContact = Pick<ContactRecord, (typeof feedFields)[number]>;

/** Street, and either zip or city and state. */
const hasAddress = ({ Address1, City, State, Zip }: ContactRecord): boolean =>
  Address1 !== '' && (Zip !== '' || (City !== '' && State !== ''));

/** A name or company, and a way to reach it: e-mail, phone or full address. */
export const isValid = (contact: ContactRecord): boolean =>
  (contact.Name !== '' || contact.Company !== '') &&
  (contact.Email !== '' || contact.Phone !== '' || contact.AltPhone !== '' || hasAddress(contact));

export const hasIdentifyingInfo = (contact: ContactRecord): boolean =>
  (['Name', 'Company', 'Email', 'Phone', 'AltPhone', 'Address1', 'DigitalTrackingId'] as const).some(
    (field) => contact[field] !== '',
  );

/** An item holds 400 KB: 48,000 characters of notes, at most 3 bytes each, and this. */
const MAX_BYTES_BESIDES_NOTES = 200_000;
/** A transaction holds 4 MB. */
const MAX_BYTES = 3_000_000;

/**
 * Above this size older notes move to pages of their own: the contact's item stays cheap to read and far from 400 KB.
 */
export const NOTE_PAGE_CHARACTERS = 48_000;
/** Characters of the names and ids around a note. */
const NOTE_OVERHEAD = 50;
export const noteSize = ({ Title, Body }: Pick<StoredNote, 'Title' | 'Body'>): number =>
  Title.length + Body.length + NOTE_OVERHEAD;

/** Pages that are read with a contact. */
const MAX_NOTE_PAGES = 80;

/** Why a contact with these notes cannot be stored. */
export function notesError({
  Notes,
  NotePages,
  NotePagesRemoved = 0,
}: Pick<ContactRecord, 'Notes' | 'NotePages' | 'NotePagesRemoved'>): string | undefined {
  const pages =
    NotePages - NotePagesRemoved + Notes.reduce((sum, note) => sum + noteSize(note), 0) / NOTE_PAGE_CHARACTERS;
  if (pages <= MAX_NOTE_PAGES) return undefined;
  const max = formatInteger(MAX_NOTE_PAGES * NOTE_PAGE_CHARACTERS);
  return `are too many: the notes of a contact have about ${max} characters at most`;
}

/** Errors of contacts that are too large to be stored: alone, or together with those before them. */
export function contactSizeErrors(contacts: readonly ContactRecord[]): IndexedError[] {
  let total = 0;
  return contacts.flatMap((contact, index): IndexedError[] => {
    // Open documents come from invoices and proposals: the sender of a contact cannot make them fewer.
    const { Notes, OpenInvoices: _invoices, OpenProposals: _proposals, ...others } = contact;
    const besidesNotes = jsonByteLength(others);
    const previousTotal = total;
    total += besidesNotes + jsonByteLength(Notes);
    if (besidesNotes > MAX_BYTES_BESIDES_NOTES) {
      const message = `make the contact too large: at most ${MAX_BYTES_BESIDES_NOTES} bytes besides its notes`;
      return [{ index, field: 'CustomFields', code: 'limit', message }];
    }
    const tooManyNotes = notesError(contact);
    if (tooManyNotes) return [{ index, field: 'Notes', code: 'limit', message: tooManyNotes }];
    if (previousTotal > MAX_BYTES || total <= MAX_BYTES) return [];
    const message = `make the call too large: one call stores at most ${MAX_BYTES} bytes of contacts and notes`;
    return [{ index, field: 'Notes', code: 'limit', message }];
  });
}

export const MAX_TAGS = 100;

/** Why tags with new names cannot be added where the account has as many as it may have. */
const tagLimit = describeLimit(LIST_LIMITS.tags);
export const TAGS_FULL = `would make new tags, but an account has ${tagLimit}. Use one of its tags`;

/** Characters compared: a name has 100, but one character may unfold to 18 (U+FDFA), and a key holds 1,024 bytes. */
const MAX_KEY_CHARACTERS = 200;

/** A tag's or category's name for comparing, without case and accents; `""` for a blank name. */
export const tagNameKey = (name: string): string => [...fold(name.trim())].slice(0, MAX_KEY_CHARACTERS).join('');
