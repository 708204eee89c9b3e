import type { StoredNote } from '../../entities/contact-parts.ts';
import type { AccountRetention } from '../../entities/accounts.ts';
import type { UploadRecord } from '../../entities/uploads.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { StoredCall } from '../../entities/calls.ts';
import { isPlainNote, oldestPlainNote } from '../../domain/contacts/record.ts';
import { dueThrough } from '../../domain/retention.ts';
import type { Files } from '../../files/s3.ts';
import { SECOND } from '../../shared/time/time.ts';
import { findDueCalls } from '../../store/contacts/calls.ts';
import {
  contactChanges,
  findContacts,
  findDueNotes,
  findMeantContact,
  listOlderNotePages,
  writeNotePage,
  writeStaleNoteAge,
} from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { type PatientTable, chunks } from '../../store/dynamodb/table.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import { layout } from '../../store/keys.ts';
import { findLastTurn, listRetentionsBehind, writeLastTurn } from '../../store/accounts/retention.ts';
import { findDueUploads } from '../../store/uploads.ts';
import { removeUpload } from '../uploads/remove-uploads.ts';
import { type PatientStore, accountStore } from '../../store/store.ts';

export interface RetentionOptions {
  readonly now: Date;
  /** Until when the run may continue, in milliseconds since 1970. */
  readonly deadline: number;
  /** Opened only for the first file. */
  readonly openFiles: () => Promise<Files>;
  readonly turnMilliseconds?: number;
}

export interface RetentionOutcome {
  /** Number of calls, notes and files. */
  readonly removed: number;
  readonly failures: readonly unknown[];
}

interface Run {
  readonly store: PatientStore;
  readonly now: Date;
  /** Until when the rule's turn lasts, in milliseconds since 1970. */
  readonly deadline: number;
  readonly openFiles: () => Promise<Files>;
  /** Called when something due is found, before any of it is removed. */
  readonly beforeRemoval: () => Promise<void>;
}

/** How long a rule of an account may work before the next one's turn, in milliseconds. */
const TURN = 10 * SECOND;
/** How long a run passes accounts with nothing due before it stores its progress. */
const UNSTORED = 10 * SECOND;

/**
 * Removes what is older than the rules of its account allow: calls with their notes, notes, and files. Reads only
 * accounts with rules, and only what is due, oldest first, a page at a time. Each rule of an account has a turn of 10
 * seconds, then the next account follows; those with more to remove get further turns while the run lasts. The next run
 * begins after the account that had the last turn, even if that turn ended the worker. Writes at once. Safe to repeat,
 * also concurrently and after a kill: what is due is found by its time until it is removed.
 */
export async function applyRetention(table: PatientTable, options: RetentionOptions): Promise<RetentionOutcome> {
  const turns = new Turns(table.until(options.deadline), options);
  try {
    let accounts: AsyncIterable<AccountRetention> | Iterable<AccountRetention> = await turns.accounts();
    for (let hasMore = true; hasMore && turns.hasTime;) {
      const unfinished: AccountRetention[] = [];
      for await (const rules of accounts) {
        if (!turns.hasTime) break;
        if (await turns.take(rules)) unfinished.push(rules);
      }
      accounts = unfinished;
      hasMore = unfinished.length > 0;
    }
    await turns.store();
  } catch (error) {
    turns.failures.push(error);
  }
  return { removed: turns.removed, failures: turns.failures };
}

class Turns {
  readonly #table: PatientTable;
  readonly #options: RetentionOptions;
  #last: string | undefined;
  #storedAt = Date.now();
  #isStored = true;
  removed = 0;
  readonly failures: unknown[] = [];

  constructor(table: PatientTable, options: RetentionOptions) {
    this.#table = table;
    this.#options = options;
  }

  get hasTime(): boolean {
    return Date.now() < this.#options.deadline;
  }

  async accounts(): Promise<AsyncIterable<AccountRetention>> {
    return listRetentionsBehind(this.#table, await findLastTurn(this.#table));
  }

  /** Stores which account had the last turn. An account with nothing due is not worth a write. */
  async store(): Promise<void> {
    if (this.#isStored || this.#last === undefined) return;
    await writeLastTurn(accountStore(this.#table, this.#last));
    this.#isStored = true;
    this.#storedAt = Date.now();
  }

  /**
   * Gives each rule of an account its turn; returns whether something may be left. One account does not stop the
   * others.
   */
  async take(rules: AccountRetention): Promise<boolean> {
    this.#last = rules.Account;
    this.#isStored = false;
    if (Date.now() >= this.#storedAt + UNSTORED) await this.store();
    let isUnfinished = false;
    const { now, openFiles, turnMilliseconds = TURN } = this.#options;
    for (const [days, remove] of tasksOf(rules)) {
      const deadline = Math.min(Date.now() + turnMilliseconds, this.#options.deadline);
      const store = accountStore(this.#table.until(deadline), rules.Account);
      const own = { store, now, deadline, openFiles };
      try {
        const run: Run = { ...own, beforeRemoval: () => this.store() };
        const { removed, isDone } = await removeDue(run, dueThrough(days, now), remove);
        this.removed += removed;
        isUnfinished ||= !isDone;
      } catch (error) {
        this.failures.push(error);
      }
    }
    return isUnfinished;
  }
}

/** Removes items that are due at a moment, at most one page and as much as the turn allows. */
type RemovePage = (run: Run, through: number) => Promise<{ readonly due: number; readonly removed: number }>;

const tasksOf = ({ CallDays, NoteDays, FileDays }: AccountRetention): [number, RemovePage][] => [
  ...(CallDays === undefined ? [] : [[CallDays, removeCalls] as [number, RemovePage]]),
  ...(NoteDays === undefined ? [] : [[NoteDays, removeNotes] as [number, RemovePage]]),
  ...(FileDays === undefined ? [] : [[FileDays, removeFiles] as [number, RemovePage]]),
];

/** Removes page after page, until nothing is due or the turn is over. The index may show removed items for a second. */
async function removeDue(
  run: Run,
  through: number,
  remove: RemovePage,
): Promise<{ readonly removed: number; readonly isDone: boolean }> {
  let total = 0;
  do {
    const { due, removed } = await remove(run, through);
    total += removed;
    if (due === 0 || removed === 0) return { removed: total, isDone: true };
  } while (Date.now() < run.deadline);
  return { removed: total, isDone: false };
}

/** Yields due items while the turn lasts: at least the first one, so that every turn makes progress. */
async function* duringTurn<Due>({ deadline, beforeRemoval }: Run, due: readonly Due[]): AsyncGenerator<Due, void> {
  for (const [index, each] of due.entries()) {
    if (index === 0) await beforeRemoval();
    else if (Date.now() >= deadline) return;
    yield each;
  }
}

const CALLS_AT_ONCE = 50;

async function removeCalls(run: Run, through: number) {
  const { store, now } = run;
  const calls = await findDueCalls(store, through);
  const byContact = Map.groupBy(calls, ({ ContactId }) => ContactId ?? 0);
  const parts = [...byContact].flatMap(([contactId, own]) =>
    chunks(own, CALLS_AT_ONCE).map((some) => ({ contactId, some })),
  );
  let removed = 0;
  for await (const { contactId, some } of duringTurn(run, parts)) {
    await removeContactCalls(store, contactId, some, now);
    removed += some.length;
  }
  return { due: calls.length, removed };
}

/** Removes calls with the notes that describe them. */
async function removeContactCalls(
  store: PatientStore,
  contactId: number,
  calls: readonly StoredCall[],
  now: Date,
): Promise<void> {
  const { account, table } = store;
  const ids = new Set(calls.map(({ Id }) => Id));
  const isDue = ({ CallId }: StoredNote) => CallId !== undefined && ids.has(CallId);
  const removals = calls.map(({ Id: id }): Change => ({ remove: layout.call.key({ account, id }) }));
  await retryOnConflict(async () => {
    const contact = contactId ? (await findMeantContact(store, contactId))?.contact : undefined;
    const changes = contact ? await noteRemovalChanges(store, contact, isDue, now) : [];
    await table.commit([...removals, ...changes]);
  });
}

async function removeNotes(run: Run, through: number) {
  const { store, now } = run;
  const entries = await findDueNotes(store, through);
  let removed = 0;
  for await (const entry of duringTurn(run, entries))
    await retryOnConflict(async () => {
      const [contact] = await findContacts(store, [entry.id]);
      // An entry may belong to a former state of its contact.
      if (!contact || contact.OldestNote !== entry.at) return writeStaleNoteAge(store, entry);
      const isDue = (note: StoredNote) => isPlainNote(note) && (note.At ?? entry.at) <= through;
      await store.table.commit(await noteRemovalChanges(store, contact, isDue, now));
      removed++;
    });
  return { due: entries.length, removed: Math.max(removed, entries.length ? 1 : 0) };
}

/**
 * The changes that remove notes from a contact. Its pages of older notes are written first and at once: a repeat finds
 * the rest through the contact, which changes last.
 */
async function noteRemovalChanges(
  store: PatientStore,
  contact: ContactRecord,
  isDue: (note: StoredNote) => boolean,
  now: Date,
): Promise<Change[]> {
  const older: StoredNote[] = [];
  let firstPage = contact.NotePages + 1;
  for (const page of await listOlderNotePages(store, contact)) {
    const notes = page.notes.filter((note) => !isDue(note));
    if (notes.length < page.notes.length) await writeNotePage(store, page.key, notes);
    if (notes.length) firstPage = Math.min(firstPage, page.page);
    older.push(...notes);
  }
  const Notes = contact.Notes.filter((note) => !isDue(note));
  const OldestNote = oldestPlainNote([...older, ...Notes], contact.OldestNote);
  const NotePagesRemoved = firstPage - 1;
  const isSame =
    Notes.length === contact.Notes.length &&
    OldestNote === contact.OldestNote &&
    NotePagesRemoved === (contact.NotePagesRemoved ?? 0);
  if (isSame) return [];
  const { OldestNote: _, ...others } = contact;
  const after = { ...others, Notes, NotePagesRemoved, ...(OldestNote === undefined ? {} : { OldestNote }) };
  return contactChanges(store, [{ before: contact, after, guards: [] }], { now });
}

async function removeFiles(run: Run, through: number) {
  const { store, openFiles } = run;
  const uploads = await findDueUploads(store, through);
  const files = uploads.length ? await openFiles() : undefined;
  let removed = 0;
  for await (const upload of duringTurn(run, uploads)) {
    await removeListedUpload(run, files, upload);
    removed++;
  }
  return { due: uploads.length, removed };
}

/** Removes a file and its entry in the contact. */
const removeListedUpload = ({ store, now }: Run, files: Files | undefined, { Id: id }: UploadRecord): Promise<void> =>
  retryOnConflict(() =>
    removeUpload(store, files, id, async (removal, { ContactId }) => {
      const before = (await findMeantContact(store, ContactId))?.contact;
      const changes = before
        ? contactChanges(store, [{ before, after: withoutFile(before, id), guards: [] }], { now })
        : [];
      await store.table.commit([...removal, ...changes]);
    }),
  );

const withoutFile = (contact: ContactRecord, id: number): ContactRecord => ({
  ...contact,
  ContactPictures: contact.ContactPictures.filter(({ Id }) => Id !== id),
  ContactDocuments: contact.ContactDocuments.filter(({ Id }) => Id !== id),
});
