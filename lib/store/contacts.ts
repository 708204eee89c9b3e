import type { ContactRecord } from '../domain/contacts/record.ts';
import { searchKeys } from '../domain/contacts/search.ts';
import type { Note } from '../resources/notes.ts';
import type { Change, Item } from './changes.ts';
import type { TableReader, TableWriter } from './client.ts';
import { entryChanges } from './contact-index.ts';
import { nextVersion, thingOf } from './entities.ts';
import { layout, padded, type Key } from './layout.ts';

/** Contacts by id, in the order of the ids; those that do not exist are left out. One contact is always read as it is now. */
export async function readContacts(table: TableReader, account: string, ids: readonly number[], { consistent = true } = {}): Promise<ContactRecord[]> {
  const [only] = ids;
  if (only === undefined) return [];
  if (ids.length === 1) {
    const item = await table.get(layout.contact.key({ account, id: only }), { consistent });
    return item ? [thingOf<ContactRecord>(item)] : [];
  }
  const items = await table.getMany(ids.map((id) => layout.contact.key({ account, id })), { consistent });
  const byId = new Map(items.map((item) => [item['Id'] as number, thingOf<ContactRecord>(item)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The contact, where it exists for a caller who sees one organization, or all (`null`). */
export async function findContact(table: TableReader, { accountId, organizationId }: { accountId: string; organizationId: number | null }, id: number): Promise<ContactRecord | undefined> {
  const [contact] = await readContacts(table, accountId, [id]);
  return contact && (organizationId === null || contact.OrganizationId === organizationId) ? contact : undefined;
}

/** Notes older than those the contact itself holds, oldest first. */
export async function olderNotes(table: TableReader, account: string, { Id, NotePages }: ContactRecord): Promise<Note[]> {
  const keys = Array.from({ length: NotePages }, (_, page) => layout.contactNotes.key({ account, id: Id, page: page + 1 }));
  const pages = await table.getMany(keys);
  return pages.sort((a, b) => a.SK.localeCompare(b.SK)).flatMap((page) => page['Notes'] as Note[]);
}

/** Which numbers, in an e-mail's or phone's partition, are taken by contacts. Numbers guard: of two calls that add the same one, one must look again. */
export interface Taken {
  readonly ids: readonly number[];
  readonly next: number;
}

/** The contacts of one e-mail or phone partition, and the number that the next one will have. At most 100 share one before search leaves the rest out. */
export async function takenIn(table: TableReader, partition: string): Promise<Taken> {
  const { items } = await table.query({ partition, descending: true, limit: 100, consistent: true });
  const numbered = items.find(({ SK }) => !SK.startsWith('~'));
  return { ids: [...new Set(items.map(({ Id }) => Id as number))], next: numbered ? Number(numbered.SK) + 1 : 0 };
}

interface Guard {
  readonly partition: string;
  readonly taken: Taken;
}

/** E-mail and phone partitions of a contact that guard against doubles. */
export function guardPartitions(account: string, contact: ContactRecord): string[] {
  const { email, phone } = searchKeys(contact);
  return [...(email ? [layout.contactEmail.of({ account, email })] : []), ...(phone ? [layout.contactPhone.of({ account, phone })] : [])];
}

/** Older notes leave the contact for a page of their own beyond this many characters: the item stays cheap to read and far from 400 KB. */
const MOST_NOTE_CHARACTERS = 48_000;

function spilled(account: string, contact: ContactRecord): { contact: ContactRecord; changes: Change[] } {
  const size = contact.Notes.reduce((sum, { Title, Body }) => sum + Title.length + Body.length, 0);
  if (size <= MOST_NOTE_CHARACTERS || contact.Notes.length < 2) return { contact, changes: [] };
  const kept = Math.floor(contact.Notes.length / 2);
  const page = contact.NotePages + 1;
  const put: Item = { ...layout.contactNotes.key({ account, id: contact.Id, page }), Notes: contact.Notes.slice(0, -kept) };
  return { contact: { ...contact, Notes: contact.Notes.slice(-kept), NotePages: page }, changes: [{ put }] };
}

/** Beyond this many changes stale index entries stay behind, where searches pass over them; a transaction takes 100. */
const MOST_CHANGES = 90;

/** A contact to be stored: its state before (if any) and after, and what its new e-mail and phone partitions hold. */
export interface ContactWrite {
  readonly before: ContactRecord | undefined;
  readonly after: ContactRecord;
  readonly guards: readonly Guard[];
}

const isNewGuard = ({ before }: ContactWrite, account: string) => (partition: string): boolean => !before || !guardPartitions(account, before).includes(partition);

/** Partitions into which this write puts an entry, and which it must have looked at. */
export const newGuards = (account: string, write: ContactWrite): string[] => guardPartitions(account, write.after).filter(isNewGuard(write, account));

/**
 * Stores contacts: puts their new index entries at once (too many do no harm), and gives the changes for the transaction: the contact where it is
 * still the version that was read, the guards of its e-mail and phone, and the removal of stale entries as far as they fit.
 */
export async function writeContacts(table: TableWriter, account: string, writes: readonly ContactWrite[], now: number): Promise<{ records: ContactRecord[]; changes: Change[] }> {
  const entries: Item[] = [];
  const removals: Key[] = [];
  const changes: Change[] = [];
  const records: ContactRecord[] = [];
  for (const write of writes) {
    const { contact: after, changes: pages } = spilled(account, { ...write.after, Updated: now });
    const { thing: contact, change } = nextVersion('Contact', layout.contact.key({ account, id: after.Id }), { before: write.before, after });
    const moved = entryChanges(account, write.before, contact);
    entries.push(...moved.puts);
    removals.push(...moved.removals);
    records.push(contact);
    changes.push(change, ...pages);
    for (const { partition, taken } of write.guards) {
      changes.push({ put: { PK: partition, SK: padded(taken.next), Id: contact.Id, At: contact.Created }, if: 'absent' });
    }
  }
  // One or two entries are cheaper in the transaction than a round of their own.
  if (entries.length <= 2) changes.push(...entries.map((put) => ({ put })));
  else await table.putMany(entries);
  return { records, changes: [...changes, ...removals.slice(0, Math.max(0, MOST_CHANGES - changes.length)).map((remove) => ({ remove }))] };
}
