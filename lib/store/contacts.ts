import type { CallRecord } from '../domain/calls.ts';
import { type ContactRecord, type FeedContact, feedFields } from '../domain/contacts/record.ts';
import { searchKeys } from '../domain/contacts/search.ts';
import { type CallerScope, isVisible } from './caller.ts';
import { UNNUMBERED, indexEntryChanges } from './contact-index.ts';
import { notePageChanges } from './contact-notes.ts';
import type { Change, Item } from './dynamodb/changes.ts';
import type { TableReader, TableWriter } from './dynamodb/client.ts';
import { reserveIds } from './dynamodb/ids.ts';
import { toRecord, versionedChange } from './dynamodb/records.ts';
import { type Key, layout, padded } from './keys.ts';

/**
 * Contacts by id, in the order of the ids; those that do not exist are left out. One contact is always read as it is
 * now.
 */
export async function findContacts(
  table: TableReader,
  account: string,
  ids: readonly number[],
  { consistent = true } = {},
): Promise<ContactRecord[]> {
  const [only] = ids;
  if (only === undefined) return [];
  if (ids.length === 1) {
    const item = await table.get(layout.contact.key({ account, id: only }), { consistent });
    return item ? [toRecord<ContactRecord>(item)] : [];
  }
  const items = await table.getMany(
    ids.map((id) => layout.contact.key({ account, id })),
    { consistent },
  );
  const byId = new Map(items.map((item) => [item['Id'] as number, toRecord<ContactRecord>(item)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** What the event feed tells of contacts, by their ids, as they are now; those that do not exist are left out. */
export async function findFeedContacts(
  table: TableReader,
  account: string,
  ids: readonly number[],
): Promise<Map<number, FeedContact>> {
  if (!ids.length) return new Map();
  const items = await table.getMany(
    ids.map((id) => layout.contact.key({ account, id })),
    { attributes: ['Id', ...feedFields] },
  );
  return new Map(items.map((item) => [item['Id'] as number, item as unknown as FeedContact]));
}

/** The contact, where it exists for a caller who sees one organization, or all (`null`). */
export async function findContact(
  table: TableReader,
  scope: CallerScope,
  id: number,
): Promise<ContactRecord | undefined> {
  const [contact] = await findContacts(table, scope.accountId, [id]);
  return contact && isVisible(scope, contact) ? contact : undefined;
}

/**
 * Which numbers, in an e-mail's or phone's partition, are taken by contacts. Numbers guard: of two calls that add the
 * same one, one must look again.
 */
export interface TakenKey {
  readonly ids: readonly number[];
  readonly next: number;
}

/**
 * The contacts of one e-mail or phone partition, and the number that the next one will have. At most 100 share one
 * before search leaves the rest out.
 */
export async function findTaken(table: TableReader, partition: string): Promise<TakenKey> {
  const { items } = await table.query({ partition, descending: true, limit: 100, consistent: true });
  // Numbers come before what else is there, however much that is.
  const numbered = items.find(({ SK }) => !SK.startsWith(UNNUMBERED));
  return { ids: [...new Set(items.map(({ Id }) => Id as number))], next: numbered ? Number(numbered.SK) + 1 : 0 };
}

interface Guard {
  readonly partition: string;
  readonly taken: TakenKey;
}

/** E-mail and phone partitions of a contact that guard against doubles. */
export function guardPartitions(account: string, contact: ContactRecord): string[] {
  const { email, phone } = searchKeys(contact);
  return [
    ...(email ? [layout.contactEmail.of({ account, email })] : []),
    ...(phone ? [layout.contactPhone.of({ account, phone })] : []),
  ];
}

/**
 * Beyond this many changes stale index entries stay behind, where searches pass over them; a transaction takes 100,
 * some are its caller's.
 */
export const MAX_CHANGES = 90;

/** A contact to be stored: its state before (if any) and after, and what its new e-mail and phone partitions hold. */
export interface ContactWrite {
  readonly before: ContactRecord | undefined;
  readonly after: ContactRecord;
  readonly guards: readonly Guard[];
}

const isNewGuard =
  ({ before }: ContactWrite, account: string) =>
  (partition: string): boolean =>
    !before || !guardPartitions(account, before).includes(partition);

/** Partitions into which this write puts an entry, and which it must have looked at. */
export const newGuardPartitions = (account: string, write: ContactWrite): string[] =>
  guardPartitions(account, write.after).filter(isNewGuard(write, account));

/**
 * Stores contacts: puts their new index entries at once (too many do no harm), and gives the changes for the
 * transaction: `beside` it already has, the contact where it is still the version that was read, the guards of its
 * e-mail and phone, and the removal of stale entries as far as they fit.
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
  /** How many contacts of this call have entered each partition already. */
  const entered = new Map<string, number>();
  for (const write of writes) {
    const { contact: after, changes: pages } = notePageChanges(account, { ...write.after, Updated: now.getTime() });
    const { record: contact, change } = versionedChange('Contact', layout.contact.key({ account, id: after.Id }), {
      before: write.before,
      after,
    });
    const moved = indexEntryChanges(account, write.before, contact);
    entries.push(...moved.puts);
    removals.push(...moved.removals);
    changes.push(change, ...pages);
    for (const { partition, taken } of write.guards) {
      const place = entered.get(partition) ?? 0;
      entered.set(partition, place + 1);
      changes.push({
        put: { PK: partition, SK: padded(taken.next + place), Id: contact.Id, At: contact.Created },
        if: 'absent',
      });
    }
  }
  // One or two entries are cheaper in the transaction than a round of their own.
  if (entries.length <= 2) changes.push(...entries.map((put) => ({ put })));
  else await table.putMany(entries);
  return [...changes, ...removals.slice(0, Math.max(0, MAX_CHANGES - changes.length)).map((remove) => ({ remove }))];
}

/**
 * The changes that store one contact in its new state; none when it is the same. Its e-mail and phones must not have
 * changed.
 */
export async function updateContactChanges(
  table: TableWriter,
  account: string,
  { before, after, now }: { before: ContactRecord; after: ContactRecord; now: Date },
): Promise<readonly Change[]> {
  if (before === after) return [];
  return contactChanges(table, account, [{ before, after, guards: [] }], { now });
}

/** The change that keeps a call, and the id it has. */
export async function callChanges(
  table: TableWriter,
  account: string,
  { now, ...call }: CallRecord & { readonly OrganizationId: number; readonly now: Date },
): Promise<{ id: number; change: Change }> {
  const [id = 0] = await reserveIds(table, account, 'Call', 1);
  const after = { Id: id, Created: now.getTime(), V: 0, ...call };
  return { id, change: versionedChange('Call', layout.call.key({ account, id }), { before: undefined, after }).change };
}
