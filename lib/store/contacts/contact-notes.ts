import type { ContactRecord, StoredNote } from '../../entities/contacts.ts';
import { NOTE_PAGE_CHARACTERS, noteSize } from '../../domain/contacts/record.ts';
import { noteAgePartitions, sortable } from './contact-index.ts';
import type { Change } from '../dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../dynamodb/client.ts';
import { checkListBytes } from '../dynamodb/records.ts';
import { type Key, layout } from '../keys.ts';

/** The notes in order, on as few pages as possible of at most `maxSize` characters. */
function toPages(notes: readonly StoredNote[], maxSize: number): StoredNote[][] {
  const pages: StoredNote[][] = [];
  let size = 0;
  for (const note of notes) {
    const page = pages.at(-1);
    size += noteSize(note);
    if (page && size <= maxSize) page.push(note);
    else {
      pages.push([note]);
      size = noteSize(note);
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
  if (Notes.reduce((sum, note) => sum + noteSize(note), 0) <= NOTE_PAGE_CHARACTERS) return { contact, changes: [] };
  const [newest = []] = toPages(Notes.toReversed(), NOTE_PAGE_CHARACTERS / 2);
  const pages = toPages(Notes.slice(0, -newest.length), NOTE_PAGE_CHARACTERS);
  const changes = pages.map((page, index): Change => ({
    put: { ...layout.contactNotes.key({ account, id, page: NotePages + index + 1 }), Notes: page },
  }));
  return { contact: { ...contact, Notes: newest.toReversed(), NotePages: NotePages + pages.length }, changes };
}

const pageKeys = (account: string, { Id, NotePages, NotePagesRemoved = 0 }: ContactRecord): Key[] =>
  Array.from({ length: NotePages - NotePagesRemoved }, (_, index) =>
    layout.contactNotes.key({ account, id: Id, page: NotePagesRemoved + index + 1 }),
  );

/** Pages never change. One that an eventually consistent read lacks is read again. */
async function findPages(table: TableReader, keys: readonly Key[]): Promise<Map<string, StoredNote[]>> {
  const toText = ({ PK, SK }: Key): string => `${PK} ${SK}`;
  const read = async (some: readonly Key[], consistent: boolean) =>
    some.length ? await table.getMany(some, { consistent }) : [];
  const early = await read(keys, false);
  const found = new Set(early.map(toText));
  const late = await read(
    keys.filter((key) => !found.has(toText(key))),
    true,
  );
  return new Map([...early, ...late].map((page) => [toText(page), page['Notes'] as StoredNote[]]));
}

/**
 * The notes on pages outside the contacts' items, oldest first, by contact id. Reads nothing if no contact has pages.
 */
export async function listOlderNotes(
  table: TableReader,
  account: string,
  contacts: readonly ContactRecord[],
): Promise<Map<number, StoredNote[]>> {
  const keys = contacts.flatMap((contact) => pageKeys(account, contact));
  checkListBytes(contacts.length, (keys.length * NOTE_PAGE_CHARACTERS) / Math.max(1, contacts.length));
  const pages = await findPages(table, keys);
  const notesOf = (contact: ContactRecord) =>
    pageKeys(account, contact).flatMap(({ PK, SK }) => pages.get(`${PK} ${SK}`) ?? []);
  return new Map(contacts.map((contact) => [contact.Id, notesOf(contact)]));
}

/** The pages of older notes that exist, oldest first, each with its key. */
export async function listOlderNotePages(
  table: TableReader,
  account: string,
  contact: ContactRecord,
): Promise<{ key: Key; page: number; notes: StoredNote[] }[]> {
  const keys = pageKeys(account, contact);
  const pages = await findPages(table, keys);
  return keys.flatMap((key) => {
    const notes = pages.get(`${key.PK} ${key.SK}`);
    return notes ? [{ key, page: Number(key.SK.split('#')[1]), notes }] : [];
  });
}

/** Replaces a page by what remains of it, or removes it. Safe to repeat. */
export const writeNotePage = (table: TableWriter, key: Key, Notes: readonly StoredNote[]): Promise<void> =>
  table.putMany(Notes.length ? [{ ...key, Notes }] : [], Notes.length ? [] : [key]);

/** An entry of a contact whose oldest note was added at `at`. */
export interface NoteAge extends Key {
  readonly id: number;
  readonly at: number;
}

const MAX_DUE = 25;

/** Contacts whose oldest note was added by then, oldest first: a page of each of 4 ranges. */
export async function findDueNotes(table: TableReader, account: string, through: number): Promise<NoteAge[]> {
  const pages = await Promise.all(
    noteAgePartitions(account).map((partition) =>
      table.query({ partition, to: `${sortable(through)}~`, limit: MAX_DUE, consistent: true }),
    ),
  );
  return pages
    .flatMap(({ items }) => items)
    .map(({ PK, SK }) => ({ PK, SK, at: Number(SK.split('#')[0]), id: Number(SK.split('#')[1]) }));
}

/** Removes an entry that a change of its contact left behind. Safe to repeat. */
export const writeStaleNoteAge = (table: TableWriter, { PK, SK }: NoteAge): Promise<void> =>
  table.putMany([], [{ PK, SK }]);
