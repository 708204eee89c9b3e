import type { ContactRecord } from '../domain/contacts/record.ts';
import type { Note } from '../resources/contacts.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import { checkListBytes } from './dynamodb/records.ts';
import { type Key, layout } from './keys.ts';

/**
 * Above this size older notes move to pages of their own: the contact's item stays cheap to read and far from 400 KB.
 */
const MAX_CHARACTERS = 48_000;
/** Characters of the names and ids around a note. */
const NOTE_OVERHEAD = 50;

const sizeOf = ({ Title, Body }: Note): number => Title.length + Body.length + NOTE_OVERHEAD;

/** The notes in order, on as few pages as possible of at most `maxSize` characters. */
function toPages(notes: readonly Note[], maxSize: number): Note[][] {
  const pages: Note[][] = [];
  let size = 0;
  for (const note of notes) {
    const page = pages.at(-1);
    size += sizeOf(note);
    if (page && size <= maxSize) page.push(note);
    else {
      pages.push([note]);
      size = sizeOf(note);
    }
  }
  return pages;
}

/** The contact with the newest notes that fit in half of its space; the changes store the older ones on new pages. */
export function notePageChanges(
  account: string,
  contact: ContactRecord,
): { contact: ContactRecord; changes: Change[] } {
  const { Id: id, Notes, NotePages } = contact;
  if (Notes.reduce((sum, note) => sum + sizeOf(note), 0) <= MAX_CHARACTERS) return { contact, changes: [] };
  const [newest = []] = toPages(Notes.toReversed(), MAX_CHARACTERS / 2);
  const pages = toPages(Notes.slice(0, -newest.length), MAX_CHARACTERS);
  const changes = pages.map((page, index): Change => ({
    put: { ...layout.contactNotes.key({ account, id, page: NotePages + index + 1 }), Notes: page },
  }));
  return { contact: { ...contact, Notes: newest.toReversed(), NotePages: NotePages + pages.length }, changes };
}

const pageKeys = (account: string, { Id, NotePages }: ContactRecord): Key[] =>
  Array.from({ length: NotePages }, (_, page) => layout.contactNotes.key({ account, id: Id, page: page + 1 }));

/**
 * The notes on pages outside the contacts' items, oldest first, by contact id. Reads nothing if no contact has pages.
 */
export async function listOlderNotes(
  table: TableReader,
  account: string,
  contacts: readonly ContactRecord[],
): Promise<Map<number, Note[]>> {
  const keys = contacts.flatMap((contact) => pageKeys(account, contact));
  checkListBytes(contacts.length, (keys.length * MAX_CHARACTERS) / Math.max(1, contacts.length));
  const items = keys.length ? await table.getMany(keys) : [];
  const pages = new Map(items.map((page) => [`${page.PK} ${page.SK}`, page['Notes'] as Note[]]));
  const notesOf = (contact: ContactRecord) =>
    pageKeys(account, contact).flatMap(({ PK, SK }) => pages.get(`${PK} ${SK}`) ?? []);
  return new Map(contacts.map((contact) => [contact.Id, notesOf(contact)]));
}
