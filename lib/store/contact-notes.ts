import type { ContactRecord } from '../domain/contacts/record.ts';
import type { Note } from '../resources/contacts.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import { type Key, layout } from './keys.ts';

/**
 * Older notes leave the contact for pages of their own beyond this many characters: the item stays cheap to read and
 * far from 400 KB.
 */
const MAX_CHARACTERS = 48_000;
/** What the names and ids around a short note take. */
const AROUND_A_NOTE = 50;

const sizeOf = ({ Title, Body }: Note): number => Title.length + Body.length + AROUND_A_NOTE;
const sizeOfAll = (notes: readonly Note[]): number => notes.reduce((sum, note) => sum + sizeOf(note), 0);

/** The notes in their order, in as few runs as hold at most `most` characters each. */
function runsOf(notes: readonly Note[], most: number): Note[][] {
  const runs: Note[][] = [];
  let size = most;
  for (const note of notes) {
    size += sizeOf(note);
    const run = runs.at(-1);
    if (run && size <= most) run.push(note);
    else {
      runs.push([note]);
      size = sizeOf(note);
    }
  }
  return runs;
}

/**
 * A contact whose notes fit: the newest half of what it may hold stays, older ones go to the next pages, which are the
 * changes.
 */
export function notePageChanges(
  account: string,
  contact: ContactRecord,
): { contact: ContactRecord; changes: Change[] } {
  if (sizeOfAll(contact.Notes) <= MAX_CHARACTERS) return { contact, changes: [] };
  const [newest = []] = runsOf(contact.Notes.toReversed(), MAX_CHARACTERS / 2);
  const pages = runsOf(contact.Notes.slice(0, -newest.length), MAX_CHARACTERS);
  const changes = pages.map((Notes, index): Change => ({
    put: { ...layout.contactNotes.key({ account, id: contact.Id, page: contact.NotePages + index + 1 }), Notes },
  }));
  return { contact: { ...contact, Notes: newest.toReversed(), NotePages: contact.NotePages + pages.length }, changes };
}

const pageKeys = (account: string, { Id, NotePages }: ContactRecord): Key[] =>
  Array.from({ length: NotePages }, (_, page) => layout.contactNotes.key({ account, id: Id, page: page + 1 }));

/**
 * Notes older than those that the contacts themselves hold, oldest first, by contact. Nothing is read where no contact
 * has any.
 */
export async function listOlderNotes(
  table: TableReader,
  account: string,
  contacts: readonly ContactRecord[],
): Promise<Map<number, Note[]>> {
  const keys = contacts.flatMap((contact) => pageKeys(account, contact));
  const pages = new Map(
    (keys.length ? await table.getMany(keys) : []).map((page) => [`${page.PK} ${page.SK}`, page['Notes'] as Note[]]),
  );
  return new Map(
    contacts.map((contact) => [
      contact.Id,
      pageKeys(account, contact).flatMap(({ PK, SK }) => pages.get(`${PK} ${SK}`) ?? []),
    ]),
  );
}
