import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import { dateNotes, oldestPlainNote } from '../../domain/contacts/notes.ts';
import { type FeedContact, feedFields } from '../../domain/contacts/record.ts';
import { type CallerScope, isVisible } from '../requests/caller.ts';
import {
  type GuardRange,
  entryOf,
  guardKey,
  guardRanges,
  indexEntryChanges,
  isInGuard,
  parseGuard,
} from './contact-index.ts';
import { notePageChanges } from './contact-notes.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../dynamodb/client.ts';
import { getList, versionedChange } from '../dynamodb/records.ts';
import { type Key, layout, padded } from '../keys.ts';

/** Contacts by id, in the order of the ids, without those that do not exist or are erased. */
export async function findContacts(
  table: TableReader,
  account: string,
  ids: readonly number[],
  { consistent = true } = {},
): Promise<ContactRecord[]> {
  const keys = ids.map((id) => layout.contact.key({ account, id }));
  const [only] = keys;
  if (!only) return [];
  const items = keys.length > 1 ? await getList(table, keys, { consistent }) : [await table.get(only, { consistent })];
  const existing = items.flatMap((item) => (item && !isErased(item) ? item : []));
  const byId = new Map(existing.map((item) => [item['Id'] as number, contactEntity.read(item)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** What events have of their contacts, by id, without those that do not exist. */
export async function findFeedContacts(
  table: TableReader,
  account: string,
  ids: readonly number[],
): Promise<Map<number, FeedContact>> {
  if (!ids.length) return new Map();
  const keys = ids.map((id) => layout.contact.key({ account, id }));
  const feed = contactEntity.part('Id', ...feedFields);
  const items = await table.getMany(keys, { attributes: ['ErasedAt', ...feed.names] });
  const existing = items.filter((item) => !isErased(item)).map(feed.read);
  return new Map(existing.map((contact) => [contact.Id, contact]));
}

/** Whether an item is what stays of an erased contact (lib/store/contacts/erasures.ts). */
export const isErased = (item: Readonly<Record<string, unknown>>): boolean => item['ErasedAt'] !== undefined;

/** The contact, if it exists for the caller. */
export async function findContact(
  table: TableReader,
  scope: CallerScope,
  id: number,
): Promise<ContactRecord | undefined> {
  const [contact] = await findContacts(table, scope.accountId, [id]);
  return contact && isVisible(scope, contact) ? contact : undefined;
}

/** Entries that a look for the same person reads; of more, a new contact could be a duplicate. */
const MAX_ENTRIES = 100;
const MAX_ENTRIES_OF_ALL = 500;

/** The entries of an e-mail, or of a phone with a name, in one organization or (`null`) in all. */
export interface TakenKey {
  readonly range: GuardRange;
  readonly organizationId: number | null;
  readonly ids: readonly number[];
  /** By organization, the number of its next entry. */
  readonly next: ReadonlyMap<number, number>;
  /** Whether these are all entries. */
  readonly isComplete: boolean;
}

/** Reads the newest entries of the same e-mail, or phone with name; those of other organizations only without one. */
export async function findTaken(
  table: TableReader,
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
  const ids = [...new Set(entries.map(({ Id }) => Id as number))];
  return { range, organizationId, ids, next, isComplete: more === undefined };
}

/** Whether what was read holds the next number of an organization. */
const covers = ({ organizationId, isComplete }: TakenKey, organization: number): boolean =>
  organizationId === organization || (organizationId === null && isComplete);

const isSameRange = (one: GuardRange, other: GuardRange): boolean =>
  one.partition === other.partition && one.infix === other.infix;

/** What guards an organization's e-mail or phone with name: as it was read already, or read now. */
export const findGuard = async (
  table: TableReader,
  range: GuardRange,
  organization: number,
  read: readonly TakenKey[],
): Promise<TakenKey> =>
  read.find((taken) => isSameRange(taken.range, range) && covers(taken, organization)) ??
  (await findTaken(table, range, organization));

/** A contact to be stored. */
export interface ContactWrite {
  readonly before: ContactRecord | undefined;
  readonly after: ContactRecord;
  /** Its new e-mail and phone with name, as they were read. */
  readonly guards: readonly TakenKey[];
}

/** The guards that a write enters, and therefore must have read. */
export function newGuardRanges(account: string, { before, after }: Omit<ContactWrite, 'guards'>): GuardRange[] {
  const entered = before ? guardRanges(account, before) : [];
  return guardRanges(account, after).filter((range) => !entered.some((other) => isSameRange(range, other)));
}

/**
 * A transaction takes 100 changes, some of them its caller's. Stale index entries that do not fit stay behind; searches
 * ignore them.
 */
export const MAX_CHANGES = 90;

const FEW_ITEMS = 2;

/**
 * Stores contacts. Writes their new index entries at once, which is safe to repeat, and returns the changes of the
 * transaction: `beside`, every contact if it is still the version that was read, the guards of its e-mail and phone,
 * and the removal of stale entries as far as they fit.
 */
export async function contactChanges(
  table: TableWriter,
  account: string,
  writes: readonly ContactWrite[],
  { now, beside = [] }: { now: Date; beside?: readonly Change[] },
): Promise<Change[]> {
  const entries: Item[] = [];
  const removals: { key: Key; id: number }[] = [];
  /** What stays behind of a contact: an erasure removes it. */
  const formers = new Map<number, { version: number; Partitions: string[]; Keys: Key[] }>();
  const changes: Change[] = [...beside];
  /** How many contacts of this call have entered each range. */
  const entered = new Map<string, number>();
  for (const { before, guards, ...write } of writes) {
    const Notes = [...dateNotes(before?.Notes ?? [], write.after.Notes, now.getTime())];
    const OldestNote = write.after.OldestNote ?? oldestPlainNote(Notes, undefined);
    const age = OldestNote === undefined ? {} : { OldestNote };
    const current = { ...write.after, Notes, ...age, Updated: now.getTime() };
    const { contact: after, changes: pages } = notePageChanges(account, current);
    const key = layout.contact.key({ account, id: after.Id });
    const { record: contact, change } = versionedChange(contactEntity, key, { before, after });
    const indexChanges = indexEntryChanges(account, before, contact);
    entries.push(...indexChanges.puts);
    removals.push(...indexChanges.removals.map((key) => ({ key, id: contact.Id })));
    const Partitions = before ? formerPartitions(account, before, contact) : [];
    if (Partitions.length || indexChanges.removals.length)
      formers.set(contact.Id, { version: contact.V, Partitions, Keys: [] });
    changes.push(change, ...pages);
    for (const { range, next } of guards) {
      const { OrganizationId: organization } = contact;
      const first = next.get(organization) ?? 0;
      const { PK, SK } = guardKey(range, organization, first);
      const index = entered.get(PK + SK) ?? 0;
      entered.set(PK + SK, index + 1);
      changes.push({ put: entryOf(guardKey(range, organization, first + index), contact), if: 'absent' });
    }
  }
  // One or two items are cheaper in the transaction than a round of their own.
  const areEntriesLate = entries.length <= FEW_ITEMS;
  const areFormersLate = formers.size <= FEW_ITEMS;
  if (areEntriesLate) changes.push(...entries.map((put) => ({ put })));
  const room = Math.max(0, MAX_CHANGES - (areFormersLate ? formers.size : 0) - changes.length);
  for (const { key, id } of removals.slice(room)) formers.get(id)?.Keys.push(key);
  const kept = [...formers].flatMap(([id, { version, ...former }]) =>
    former.Partitions.length || former.Keys.length
      ? [{ ...layout.contactFormer.key({ account, id, version }), ...former }]
      : [],
  );
  if (areFormersLate) changes.push(...kept.map((put) => ({ put })));
  // Only an erasure reads what stays behind: an item of a call that fails after this does no harm.
  const early = [...(areEntriesLate ? [] : entries), ...(areFormersLate ? [] : kept)];
  if (early.length) await table.putMany(early);
  return [...changes, ...removals.slice(0, room).map(({ key: remove }) => ({ remove }))];
}

/** Where entries of a former e-mail or phone stay: their numbers are not known without reading them. */
function formerPartitions(account: string, before: ContactRecord, after: ContactRecord): string[] {
  const present = new Set(guardRanges(account, after).map(({ partition, infix }) => `${partition} ${infix}`));
  const former = guardRanges(account, before).filter(({ partition, infix }) => !present.has(`${partition} ${infix}`));
  return former.map(({ partition }) => partition);
}

/** Stores an existing contact, none if it is the same object. Its e-mail and phones must not have changed. */
export async function updateContactChanges(
  table: TableWriter,
  account: string,
  { before, after, now }: { before: ContactRecord; after: ContactRecord; now: Date },
): Promise<readonly Change[]> {
  return before === after ? [] : contactChanges(table, account, [{ before, after, guards: [] }], { now });
}
