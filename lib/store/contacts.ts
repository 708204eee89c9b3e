import type { CallRecord } from '../domain/calls.ts';
import { type ContactRecord, type FeedContact, feedFields } from '../domain/contacts/record.ts';
import { searchKeys } from '../domain/contacts/search.ts';
import { type CallerScope, isVisible } from './caller.ts';
import { UNNUMBERED, entryOf, indexEntryChanges } from './contact-index.ts';
import { notePageChanges } from './contact-notes.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import type { TableReader, TableWriter } from './dynamodb/client.ts';
import { reserveIds } from './dynamodb/ids.ts';
import { getList, toRecord, versionedChange } from './dynamodb/records.ts';
import { type Key, layout, padded } from './keys.ts';

/** Contacts by id, in the order of the ids, without those that do not exist. */
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
  const byId = new Map(items.flatMap((item) => (item ? [[item['Id'] as number, toRecord<ContactRecord>(item)]] : [])));
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
  const items = await table.getMany(keys, { attributes: ['Id', ...feedFields] });
  return new Map(items.map((item) => [item['Id'] as number, item as unknown as FeedContact]));
}

/** The contact, if it exists for the caller. */
export async function findContact(
  table: TableReader,
  scope: CallerScope,
  id: number,
): Promise<ContactRecord | undefined> {
  const [contact] = await findContacts(table, scope.accountId, [id]);
  return contact && isVisible(scope, contact) ? contact : undefined;
}

/**
 * The contacts in the partition of an e-mail or phone, and the number of its next entry. The numbers guard against
 * duplicates: of two calls that add the same one, one fails and looks again.
 */
export interface TakenKey {
  readonly ids: readonly number[];
  readonly next: number;
}

/** Reads the partition of an e-mail or phone. Of more than 100 contacts that share it, search finds 100. */
export async function findTaken(table: TableReader, partition: string): Promise<TakenKey> {
  const { items } = await table.query({ partition, descending: true, limit: 100, consistent: true });
  // In descending order, numbers come before all other entries.
  const numbered = items.find(({ SK }) => !SK.startsWith(UNNUMBERED));
  return { ids: [...new Set(items.map(({ Id }) => Id as number))], next: numbered ? Number(numbered.SK) + 1 : 0 };
}

/** The partitions of a contact's e-mail and phone, which guard against duplicates. */
export function guardPartitions(account: string, contact: ContactRecord): string[] {
  const { email, phone } = searchKeys(contact);
  return [
    ...(email ? [layout.contactEmail.of({ account, email })] : []),
    ...(phone ? [layout.contactPhone.of({ account, phone })] : []),
  ];
}

/** A contact to be stored. */
export interface ContactWrite {
  readonly before: ContactRecord | undefined;
  readonly after: ContactRecord;
  /** The partitions of its new e-mail and phone, as they were read. */
  readonly guards: readonly { readonly partition: string; readonly taken: TakenKey }[];
}

/** The guard partitions that a write enters, and therefore must have read. */
export function newGuardPartitions(account: string, { before, after }: Omit<ContactWrite, 'guards'>): string[] {
  const entered = before ? guardPartitions(account, before) : [];
  return guardPartitions(account, after).filter((partition) => !entered.includes(partition));
}

/**
 * A transaction takes 100 changes, some of them its caller's. Stale index entries that do not fit stay behind; searches
 * ignore them.
 */
export const MAX_CHANGES = 90;

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
  const removals: Key[] = [];
  const changes: Change[] = [...beside];
  /** How many contacts of this call have entered each partition. */
  const entered = new Map<string, number>();
  for (const { before, guards, ...write } of writes) {
    const { contact: after, changes: pages } = notePageChanges(account, { ...write.after, Updated: now.getTime() });
    const key = layout.contact.key({ account, id: after.Id });
    const { record: contact, change } = versionedChange('Contact', key, { before, after });
    const indexChanges = indexEntryChanges(account, before, contact);
    entries.push(...indexChanges.puts);
    removals.push(...indexChanges.removals);
    changes.push(change, ...pages);
    for (const { partition, taken } of guards) {
      const place = entered.get(partition) ?? 0;
      entered.set(partition, place + 1);
      const entry = entryOf({ PK: partition, SK: padded(taken.next + place) }, contact);
      changes.push({ put: entry, if: 'absent' });
    }
  }
  // One or two entries are cheaper in the transaction than a round of their own.
  if (entries.length <= 2) changes.push(...entries.map((put) => ({ put })));
  else await table.putMany(entries);
  return [...changes, ...removals.slice(0, Math.max(0, MAX_CHANGES - changes.length)).map((remove) => ({ remove }))];
}

/** Stores an existing contact, none if it is the same object. Its e-mail and phones must not have changed. */
export async function updateContactChanges(
  table: TableWriter,
  account: string,
  { before, after, now }: { before: ContactRecord; after: ContactRecord; now: Date },
): Promise<readonly Change[]> {
  return before === after ? [] : contactChanges(table, account, [{ before, after, guards: [] }], { now });
}

/** Stores a new call, with its reserved id. */
export async function callChanges(
  table: TableWriter,
  account: string,
  { now, ...call }: CallRecord & { readonly OrganizationId: number; readonly now: Date },
): Promise<{ id: number; change: Change }> {
  const [id = 0] = await reserveIds(table, account, 'Call', 1);
  const after = { Id: id, Created: now.getTime(), V: 0, ...call };
  return { id, change: versionedChange('Call', layout.call.key({ account, id }), { before: undefined, after }).change };
}
