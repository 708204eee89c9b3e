import type { StoredCall } from '../../domain/calls.ts';
import { type StoredNote, isPlainNote, oldestPlainNote } from '../../domain/contacts/notes.ts';
import type { ContactRecord } from '../../domain/contacts/record.ts';
import { dueThrough } from '../../domain/retention.ts';
import type { UploadRecord } from '../../domain/uploads/record.ts';
import type { Files } from '../../files/s3.ts';
import { findDueCalls } from '../../store/contacts/calls.ts';
import {
  findDueNotes,
  listOlderNotePages,
  writeNotePage,
  writeStaleNoteAge,
} from '../../store/contacts/contact-notes.ts';
import { contactChanges, findContacts } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { type PatientTable, chunks } from '../../store/dynamodb/client.ts';
import { StoreUnavailable } from '../../store/dynamodb/errors.ts';
import { retryOnConflict } from '../../store/dynamodb/retry.ts';
import { layout } from '../../store/keys.ts';
import { type AccountRetention, listRetentions } from '../../store/accounts/retention.ts';
import { confirmMarkedResponses } from '../../store/requests/idempotency.ts';
import { findDueUploads, removeUploadChanges, uploadedFileKeys } from '../../store/uploads.ts';

export interface RetentionOptions {
  readonly now: Date;
  /** Until when the run may continue, in milliseconds since 1970. */
  readonly deadline: number;
  /** Opened for the first file only. */
  readonly openFiles: () => Promise<Files>;
}

export interface RetentionOutcome {
  /** Calls, notes and files. */
  readonly removed: number;
  readonly failures: readonly unknown[];
}

interface Run extends RetentionOptions {
  readonly table: PatientTable;
  readonly account: string;
}

/**
 * Removes what is older than the rules of its account keep it: calls with their notes, notes, and files. Reads only
 * accounts with rules, and of them what is due, oldest first, a page at a time; what does not fit in the time is left
 * to the next run. Writes at once. Safe to repeat, also concurrently and after a kill: what is due is found by its time
 * until it is removed.
 */
export async function applyRetention(table: PatientTable, options: RetentionOptions): Promise<RetentionOutcome> {
  const patient = table.until(options.deadline);
  let removed = 0;
  const failures: unknown[] = [];
  for (const rules of await listRetentions(patient)) {
    const run = { ...options, table: patient, account: rules.Account };
    for (const [days, remove] of tasksOf(rules)) {
      try {
        removed += await removeDue(run, dueThrough(days, options.now), remove);
      } catch (error) {
        // One account does not stop the others.
        failures.push(error);
        if (error instanceof StoreUnavailable) return { removed, failures };
      }
    }
  }
  return { removed, failures };
}

/** Removes one page of what is due through a moment; returns how many were due, and how many it removed. */
type RemovePage = (run: Run, through: number) => Promise<{ readonly due: number; readonly removed: number }>;

const tasksOf = ({ CallDays, NoteDays, FileDays }: AccountRetention): [number, RemovePage][] => [
  ...(CallDays === undefined ? [] : [[CallDays, removeCalls] as [number, RemovePage]]),
  ...(NoteDays === undefined ? [] : [[NoteDays, removeNotes] as [number, RemovePage]]),
  ...(FileDays === undefined ? [] : [[FileDays, removeFiles] as [number, RemovePage]]),
];

/** Page after page, until nothing is due or the time is up. The index may show for a second what is removed. */
async function removeDue(run: Run, through: number, remove: RemovePage): Promise<number> {
  let total = 0;
  for (let isDone = false; !isDone && Date.now() < run.deadline;) {
    const { due, removed } = await remove(run, through);
    total += removed;
    isDone = due === 0 || removed === 0;
  }
  return total;
}

const CALLS_AT_ONCE = 50;

async function removeCalls({ table, account, now }: Run, through: number) {
  const calls = await findDueCalls(table, account, through);
  const byContact = Map.groupBy(calls, ({ ContactId }) => ContactId ?? 0);
  for (const [contactId, own] of byContact)
    for (const some of chunks(own, CALLS_AT_ONCE)) await removeContactCalls(table, account, contactId, some, now);
  return { due: calls.length, removed: calls.length };
}

/** Removes calls with the notes that describe them. */
async function removeContactCalls(
  table: PatientTable,
  account: string,
  contactId: number,
  calls: readonly StoredCall[],
  now: Date,
): Promise<void> {
  const ids = new Set(calls.map(({ Id }) => Id));
  const isDue = ({ CallId }: StoredNote) => CallId !== undefined && ids.has(CallId);
  const removals = calls.map(({ Id: id }): Change => ({ remove: layout.call.key({ account, id }) }));
  await confirmMarkedResponses(table, account, calls);
  await retryOnConflict(async () => {
    const [contact] = contactId ? await findContacts(table, account, [contactId]) : [];
    const changes = contact ? await noteRemovalChanges(table, account, contact, isDue, now) : [];
    await table.commit([...removals, ...changes]);
  });
}

async function removeNotes({ table, account, now }: Run, through: number) {
  const entries = await findDueNotes(table, account, through);
  let removed = 0;
  for (const entry of entries)
    await retryOnConflict(async () => {
      const [contact] = await findContacts(table, account, [entry.id]);
      // An entry may be of a former state of its contact.
      if (!contact || contact.OldestNote !== entry.at) return writeStaleNoteAge(table, entry);
      const isDue = (note: StoredNote) => isPlainNote(note) && (note.At ?? entry.at) <= through;
      await table.commit(await noteRemovalChanges(table, account, contact, isDue, now));
      removed++;
    });
  return { due: entries.length, removed: Math.max(removed, entries.length ? 1 : 0) };
}

/**
 * The changes that remove notes from a contact. Its pages of older notes are written at once, before: a repeat finds
 * what is left by the contact, which changes last.
 */
async function noteRemovalChanges(
  table: PatientTable,
  account: string,
  contact: ContactRecord,
  isDue: (note: StoredNote) => boolean,
  now: Date,
): Promise<Change[]> {
  const older: StoredNote[] = [];
  let firstPage = contact.NotePages + 1;
  for (const page of await listOlderNotePages(table, account, contact)) {
    const notes = page.notes.filter((note) => !isDue(note));
    if (notes.length < page.notes.length) await writeNotePage(table, page.key, notes);
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
  return contactChanges(table, account, [{ before: contact, after, guards: [] }], { now });
}

async function removeFiles({ table, account, now, openFiles }: Run, through: number) {
  const uploads = await findDueUploads(table, account, through);
  const files = uploads.length ? await openFiles() : undefined;
  for (const upload of uploads) {
    for (const key of uploadedFileKeys(account, upload)) await files?.removeVersions(key);
    await removeUpload(table, account, upload, now);
  }
  return { due: uploads.length, removed: uploads.length };
}

/** Removes a file's record and its entry in the contact. */
const removeUpload = (table: PatientTable, account: string, upload: UploadRecord, now: Date): Promise<void> =>
  retryOnConflict(async () => {
    const [before] = await findContacts(table, account, [upload.ContactId]);
    const remains = ({ Id }: { readonly Id: number }) => Id !== upload.Id;
    const changes = before
      ? await contactChanges(
          table,
          account,
          [
            {
              before,
              after: {
                ...before,
                ContactPictures: before.ContactPictures.filter(remains),
                ContactDocuments: before.ContactDocuments.filter(remains),
              },
              guards: [],
            },
          ],
          { now },
        )
      : [];
    await table.commit([...removeUploadChanges(account, upload), ...changes]);
  });
