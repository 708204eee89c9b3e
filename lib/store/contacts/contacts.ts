import { type ErasedContact, erasedContactEntity, isErased, isGone } from '../../entities/erased-contacts.ts';
import type { OpenDocument, StoredNote } from '../../entities/contact-parts.ts';
import { formerState, isIdentityChanged } from '../../domain/contacts/former.ts';
import {
  type FeedContact,
  dateNotes,
  feedFields,
  NOTE_PAGE_CHARACTERS,
  noteSize,
  oldestPlainNote,
} from '../../domain/contacts/record.ts';
import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import { checkListBytes, getList, idOf, versionedChange } from '../dynamodb/records.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import type { TableReader } from '../dynamodb/table.ts';
import { type Key, layout, padded, keyText, sortable } from '../keys.ts';
import { isVisible, isVisited, ownKey } from '../visibility.ts';
import type { StoreAccount, StoreReader, StoreWriter } from '../store.ts';
import { entriesAhead } from './contact-entries.ts';
import {
  type GuardRange,
  entryOf,
  guardKey,
  guardRanges,
  indexEntryChanges,
  isInGuard,
  noteAgePartitions,
  parseGuard,
} from './contact-index.ts';

/**
 * Contacts by id, and their notes, of which older ones are on pages of their own.
 */

/**
 * Contacts by id, in the order of the ids, without those that do not exist or are erased. Merged contacts are included
 * with `asRecorded` only, because a record that has not moved yet names them.
 */
export async function findContacts(
  { account, table }: StoreReader,
  ids: readonly number[],
  { consistent = true, asRecorded = false } = {},
): Promise<ContactRecord[]> {
  const keys = ids.map((id) => layout.contact.key({ account, id }));
  const [only] = keys;
  if (!only) return [];
  const items = keys.length > 1 ? await getList(table, keys, { consistent }) : [await table.get(only, { consistent })];
  const isAbsent = asRecorded ? isErased : isGone;
  const existing = items.flatMap((item) => (item && !isAbsent(item) ? item : []));
  const byId = new Map(existing.map((item) => [idOf(item), contactEntity.read(item)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The contact data of events, by id, without missing contacts. */
export async function findFeedContacts(
  { account, table }: StoreReader,
  ids: readonly number[],
): Promise<Map<number, FeedContact>> {
  if (!ids.length) return new Map();
  const keys = ids.map((id) => layout.contact.key({ account, id }));
  const feed = contactEntity.part('Id', ...feedFields);
  const items = await table.getMany(keys, { attributes: ['ErasedAt', ...feed.names] });
  const existing = items.filter((item) => !isErased(item)).map(feed.read);
  return new Map(existing.map((contact) => [contact.Id, contact]));
}

/** Maximum length of a chain of merges. */
const MAX_MERGES = 50;

/**
 * The contact that an id means, following merges, with the Hashes of the contacts merged into it. One more round per
 * merge.
 */
export async function findMeantContact(
  { table, account }: StoreReader,
  id: number,
): Promise<{ readonly contact: ContactRecord; readonly formerHashes: readonly string[] } | undefined> {
  const formerHashes: string[] = [];
  let meant = id;
  for (let merges = 0; merges <= MAX_MERGES; merges++) {
    const item = await table.get(layout.contact.key({ account, id: meant }));
    if (!item || isErased(item)) return undefined;
    const contact = contactEntity.read(item);
    if (contact.MergedInto === undefined) return { contact, formerHashes };
    formerHashes.push(contact.Hash);
    meant = contact.MergedInto;
  }
  return undefined;
}

/** Whether an id means a contact: its own, or that of one merged into it. */
export const isMeant = async (store: StoreReader, id: number, contactId: number): Promise<boolean> =>
  id === contactId || (await findMeantContact(store, id))?.contact.Id === contactId;

/** The contact that an id means, if it exists for the caller. */
export async function findContact(store: StoreReader, id: number): Promise<ContactRecord | undefined> {
  const contact = (await findMeantContact(store, id))?.contact;
  const isOwn = contact && isVisible(store, contact) && (await isVisited(store, contact.Id));
  return isOwn ? contact : undefined;
}

/** The remainder of an erased contact, if it belonged to the caller: its money can still be refunded. */
export async function findErasedContact(store: StoreReader, id: number): Promise<ErasedContact | undefined> {
  const { table } = store;
  const item = await table.get(layout.contact.key({ account: store.account, id }));
  const contact = item && isErased(item) ? erasedContactEntity.read(item) : undefined;
  return contact && isVisible(store, contact) ? contact : undefined;
}

/** Entries that a search for the same person reads; with more, a new contact could be a duplicate. */
const MAX_ENTRIES = 100;
const MAX_ENTRIES_OF_ALL = 500;

/** The entries of an e-mail, or of a phone with a name, in one organization or (`null`) in all. */
export interface TakenKey {
  readonly range: GuardRange;
  readonly organizationId: number | null;
  readonly ids: readonly number[];
  /** The number of each organization's next entry. */
  readonly next: ReadonlyMap<number, number>;
  /** Whether these are all entries. */
  readonly isComplete: boolean;
}

/**
 * Reads the newest entries of the same e-mail, or phone with name, in one organization, or in all if `organizationId`
 * is null.
 */
export async function findTaken(
  { table }: StoreReader,
  range: GuardRange,
  organizationId: number | null,
): Promise<TakenKey> {
  const { partition, infix } = range;
  const prefix = organizationId === null ? undefined : `${padded(organizationId)}#${infix}`;
  const { items, next: more } = await table.query({
    partition,
    ...(prefix === undefined ? {} : { from: prefix, to: `${prefix}~` }),
    descending: true,
    limit: prefix === undefined ? MAX_ENTRIES_OF_ALL : MAX_ENTRIES,
    consistent: true,
  });
  const entries = items.filter(({ SK }) => isInGuard(SK, range));
  const next = new Map<number, number>();
  for (const { SK } of entries) {
    const { organization, ordinal } = parseGuard(SK, range);
    if (ordinal !== null) next.set(organization, Math.max(next.get(organization) ?? 0, ordinal + 1));
  }
  const ids = [...new Set(entries.map(idOf))];
  return { range, organizationId, ids, next, isComplete: more === undefined };
}

/** Whether the read entries include an organization's next number. */
const covers = ({ organizationId, isComplete }: TakenKey, organization: number): boolean =>
  organizationId === organization || (organizationId === null && isComplete);

const isSameRange = (one: GuardRange, other: GuardRange): boolean =>
  one.partition === other.partition && one.infix === other.infix;

/** The guard of an organization's e-mail or phone with name, from the earlier read if possible. */
export const findGuard = async (
  store: StoreReader,
  range: GuardRange,
  organizationId: number,
  read: readonly TakenKey[],
): Promise<TakenKey> =>
  read.find((taken) => isSameRange(taken.range, range) && covers(taken, organizationId)) ??
  (await findTaken(store, range, organizationId));

/** A contact to be stored. */
export interface ContactWrite {
  readonly before: ContactRecord | undefined;
  readonly after: ContactRecord;
  /** Its new e-mail and phone with name, as they were read. */
  readonly guards: readonly TakenKey[];
}

/** The guards that a write adds, and therefore must have read. */
export function newGuardRanges(store: StoreAccount, { before, after }: Omit<ContactWrite, 'guards'>): GuardRange[] {
  const entered = before ? guardRanges(store, before) : [];
  return guardRanges(store, after).filter((range) => !entered.some((other) => isSameRange(range, other)));
}

/**
 * A transaction takes 100 changes, some of them from its caller. Stale index entries that do not fit stay; searches
 * ignore them.
 */
export const MAX_CHANGES = 90;

const FEW_ITEMS = 2;

/** What a write does to a contact: its next version, and the items stored with it. */
interface Storing {
  readonly before: ContactRecord | undefined;
  readonly contact: ContactRecord;
  readonly changes: readonly Change[];
  readonly puts: readonly Item[];
  readonly removals: readonly Key[];
}

/** The next version of a contact with its note pages, and its search entries. */
function storeContact(store: StoreAccount, { before, after: input }: ContactWrite, now: Date): Storing {
  const { account } = store;
  const Notes = [...dateNotes(before?.Notes ?? [], input.Notes, now.getTime())];
  const OldestNote = input.OldestNote ?? oldestPlainNote(Notes, undefined);
  const age = OldestNote === undefined ? {} : { OldestNote };
  const current = { ...input, Notes, ...age, Updated: now.getTime() };
  const { contact: after, changes: pages } = notePageChanges(store, current);
  const key = layout.contact.key({ account, id: after.Id });
  const { record: contact, change } = versionedChange(contactEntity, key, { before, after });
  return { before, contact, changes: [change, ...pages], ...indexEntryChanges(store, before, contact) };
}

/** The guards that writes add, each under the next free number of its range. */
function guardChanges(store: StoreAccount, writes: readonly ContactWrite[], stored: readonly Storing[]): Change[] {
  /** How many contacts of this call were added to each range. */
  const entered = new Map<string, number>();
  return writes.flatMap(({ guards }, place) =>
    guards.map(({ range, next }): Change => {
      const { contact } = stored[place] as Storing;
      const first = next.get(contact.OrganizationId) ?? 0;
      const begin = keyText(guardKey(range, contact.OrganizationId, first));
      const index = entered.get(begin) ?? 0;
      entered.set(begin, index + 1);
      return { put: entryOf(guardKey(range, contact.OrganizationId, first + index), contact), if: 'absent' };
    }),
  );
}

/**
 * The changes that store contacts: `beside`, every contact if it is unchanged since it was read, the guards of its
 * e-mail and phone, and the removal of stale entries as far as they fit. More than two new search entries are put ahead
 * of the transaction.
 */
export function contactChanges(
  store: StoreAccount,
  writes: readonly ContactWrite[],
  { now, beside = [] }: { now: Date; beside?: readonly Change[] },
): Change[] {
  const stored = writes.map((write) => storeContact(store, write, now));
  const changes: Change[] = [
    ...beside,
    ...stored.flatMap((each) => each.changes),
    ...guardChanges(store, writes, stored),
  ];
  const entries = stored.flatMap(({ puts }) => puts);
  const removals = stored.flatMap(({ contact, removals: keys }) => keys.map((key) => ({ key, id: contact.Id })));
  // One or two items are cheaper in the transaction than in a round of their own.
  const areEntriesLate = entries.length <= FEW_ITEMS;
  if (areEntriesLate) changes.push(...entries.map((put) => ({ put })));
  const room = Math.max(0, MAX_CHANGES - FEW_ITEMS - changes.length);
  const formers = formerItems(store, stored, new Set(removals.slice(room).map(({ id }) => id)));
  const areFormersLate = formers.length <= FEW_ITEMS;
  if (areFormersLate) changes.push(...formers.map((put) => ({ put })));
  const early = areEntriesLate ? [] : entries;
  const others = areFormersLate ? [] : formers;
  return [
    ...(early.length || others.length ? [{ ahead: entriesAhead(store, early, others) }] : []),
    ...changes,
    ...removals.slice(0, room).map(({ key: remove }) => ({ remove })),
  ];
}

/**
 * What an erasure must know about former states: the texts that identified the person, and what finds leftover entries,
 * because their numbers are unknown without reading them or because they do not fit (`left`, by contact). Depends on
 * the previous state only, so the item is the same whichever call stores the next state.
 */
function formerItems({ account }: StoreAccount, stored: readonly Storing[], left: ReadonlySet<number>): Item[] {
  return stored.flatMap(({ before, contact: { Id: id, V: version }, contact }) =>
    before && (left.has(id) || isIdentityChanged(before, contact))
      ? [{ ...layout.contactFormer.key({ account, id, version }), Was: formerState(before) }]
      : [],
  );
}

/** Stores an existing contact, or nothing if it is the same object. Its e-mail and phones must not have changed. */
export const updateContactChanges = (
  store: StoreAccount,
  { before, after, now }: { before: ContactRecord; after: ContactRecord; now: Date },
): readonly Change[] => (before === after ? [] : contactChanges(store, [{ before, after, guards: [] }], { now }));

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
function notePageChanges(
  { account }: StoreAccount,
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

const pageKeys = ({ account }: StoreAccount, { Id, NotePages, NotePagesRemoved = 0 }: ContactRecord): Key[] =>
  Array.from({ length: NotePages - NotePagesRemoved }, (_, index) =>
    layout.contactNotes.key({ account, id: Id, page: NotePagesRemoved + index + 1 }),
  );

/** Pages never change. A page missing from an eventually consistent read is read again. */
async function findPages(table: TableReader, keys: readonly Key[]): Promise<Map<string, StoredNote[]>> {
  const read = async (some: readonly Key[], consistent: boolean) =>
    some.length ? await table.getMany(some, { consistent }) : [];
  const early = await read(keys, false);
  const found = new Set(early.map(keyText));
  const late = await read(
    keys.filter((key) => !found.has(keyText(key))),
    true,
  );
  return new Map([...early, ...late].map((page) => [keyText(page), page['Notes'] as StoredNote[]]));
}

/**
 * The notes on pages outside the contacts' items, oldest first, by contact id. Reads nothing if no contact has pages.
 */
export async function listOlderNotes(
  store: StoreReader,
  contacts: readonly ContactRecord[],
): Promise<Map<number, StoredNote[]>> {
  const { table } = store;
  const keys = contacts.flatMap((contact) => pageKeys(store, contact));
  checkListBytes(contacts.length, (keys.length * NOTE_PAGE_CHARACTERS) / Math.max(1, contacts.length));
  const pages = await findPages(table, keys);
  const notesOf = (contact: ContactRecord) => pageKeys(store, contact).flatMap((key) => pages.get(keyText(key)) ?? []);
  return new Map(contacts.map((contact) => [contact.Id, notesOf(contact)]));
}

/** The pages of older notes that exist, oldest first, each with its key. */
export async function listOlderNotePages(
  store: StoreReader,
  contact: ContactRecord,
): Promise<{ key: Key; page: number; notes: StoredNote[] }[]> {
  const { table } = store;
  const keys = pageKeys(store, contact);
  const pages = await findPages(table, keys);
  return keys.flatMap((key) => {
    const notes = pages.get(keyText(key));
    return notes ? [{ key, page: Number(key.SK.split('#')[1]), notes }] : [];
  });
}

/** Replaces a page by its remaining notes, or removes it. Safe to repeat. */
export const writeNotePage = (store: StoreWriter, key: Key, Notes: readonly StoredNote[]): Promise<void> => {
  const page = ownKey(store, key);
  return store.table.putMany(Notes.length ? [{ ...page, Notes }] : [], Notes.length ? [] : [page]);
};

/** The entry of a contact whose oldest note was added at `at`. */
export interface NoteAge extends Key {
  readonly id: number;
  readonly at: number;
}

const MAX_DUE = 25;

/** Contacts whose oldest note was added by then, oldest first: a page of each of 4 ranges. */
export async function findDueNotes(store: StoreReader, through: number): Promise<NoteAge[]> {
  const { table } = store;
  const pages = await Promise.all(
    noteAgePartitions(store).map((partition) =>
      table.query({ partition, to: `${sortable(through)}~`, limit: MAX_DUE, consistent: true }),
    ),
  );
  return pages
    .flatMap(({ items }) => items)
    .map(({ PK, SK }) => ({ PK, SK, at: Number(SK.split('#')[0]), id: Number(SK.split('#')[1]) }));
}

/** Removes an entry that a change of its contact left behind. Safe to repeat. */
export const writeStaleNoteAge = (store: StoreWriter, entry: NoteAge): Promise<void> =>
  store.table.putMany([], [ownKey(store, entry)]);

/** What an invoice, payment, proposal or appointment changes in its contact. */
export interface ContactSummary {
  /** By id: the document as it is open now, or `undefined` if it is no longer open. */
  readonly invoices?: Readonly<Record<string, OpenDocument | undefined>>;
  readonly proposals?: Readonly<Record<string, OpenDocument | undefined>>;
  /** Makes the contact a customer. */
  readonly customer?: boolean;
  /** An amount that the contact has paid; negative for a refund. */
  readonly paid?: number;
  /** Added to the contact's credit; negative for credit used, which must be available. */
  readonly credit?: number;
  /** Whether the credit may become negative. */
  readonly mayOverdraw?: boolean;
  /** Whether a merge that blocked the credit is done. */
  readonly releasesCredit?: boolean;
}

/** The credit of a contact, erased ones included; `isHeld` if a merge blocks it. */
export interface ContactCredit {
  readonly balance: number;
  readonly isHeld: boolean;
}

export async function findCredit({ table, account }: StoreReader, id: number): Promise<ContactCredit> {
  const item = await table.get(layout.contact.key({ account, id }), { consistent: true });
  return { balance: Number(item?.['CreditBalance'] ?? 0), isHeld: Number(item?.['CreditHolds'] ?? 0) > 0 };
}

/**
 * The change of a contact that accompanies a change of one of its records; none for an empty summary. It does not read
 * the contact, so that 100 invoices of one contact do not wait for each other. A transaction can contain at most one
 * such change per contact.
 */
export function contactSummaryChanges(
  { account }: StoreAccount,
  contactId: number,
  summary: ContactSummary,
  now: Date,
): Change[] {
  const { invoices = {}, proposals = {}, customer = false, paid = 0, credit = 0 } = summary;
  const { mayOverdraw = false, releasesCredit = false } = summary;
  const entries = Object.fromEntries(
    Object.entries({ OpenInvoices: invoices, OpenProposals: proposals }).filter(
      ([, documents]) => Object.keys(documents).length,
    ),
  );
  if (!Object.keys(entries).length && !customer && !paid && !credit && !releasesCredit) return [];
  const at = now.getTime();
  return [
    {
      update: layout.contact.key({ account, id: contactId }),
      entries,
      set: { Updated: at, ...(customer ? { IsCustomer: true } : {}) },
      setOnce: customer ? { CustomerSince: at } : {},
      add: {
        V: 1,
        ...(paid ? { LifetimeValue: paid } : {}),
        ...(credit ? { CreditBalance: credit } : {}),
        ...(releasesCredit ? { CreditHolds: -1 } : {}),
      },
      if: credit < 0 && !mayOverdraw ? { atLeast: { CreditBalance: -credit }, below: { CreditHolds: 1 } } : 'present',
    },
  ];
}
