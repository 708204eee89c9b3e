import type { ErasedContact } from '../../entities/contacts.ts';
import { type ContactRecord, contactEntity, erasedContactEntity } from '../../entities/contacts.ts';
import type { StoredCall } from '../../entities/calls.ts';
import { toErasedContact } from '../../domain/contacts/erasure.ts';
import { findCalls, listCallerCallIds } from './calls.ts';
import { contactEntryKeys, guardRanges } from './contact-index.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../dynamodb/client.ts';
import { listRange, versionedChange } from '../dynamodb/records.ts';
import { idInOrderKey, orderKeyIn } from '../indexes.ts';
import { randomHandle } from '../../shared/random-handle.ts';
import { type Key, indexLayout, layout } from '../keys.ts';

/** What an erasure counts, each in an attribute of its own. */
const erasureCounts = [
  'SearchEntries',
  'NotePages',
  'Calls',
  'Tasks',
  'Appointments',
  'Proposals',
  'SignedProposals',
  'Invoices',
  'Payments',
  'Links',
  'Files',
  'Callbacks',
  'Downloads',
  'SavedResponses',
  'Events',
  'ParkedRecords',
] as const;
export type ErasureCount = (typeof erasureCounts)[number];

/**
 * An erasure under way or done. While it is under way it holds the contact as it was: what is still to be removed is
 * found by it. `Changes` are the versions that the erasure wrote, whose events end the old ones.
 */
export interface ErasureRecord extends Readonly<Partial<Record<ErasureCount, number>>> {
  readonly Id: number;
  readonly OrganizationId: number;
  readonly StartedAt: number;
  readonly FinishedAt?: number;
  readonly RemoveSigned: boolean;
  /** When it was begun again for the signed documents, without knowing the person any more. */
  readonly ReopenedAt?: number;
  /** Absent once it is done. */
  readonly Contact?: ContactRecord;
  readonly Changes?: Readonly<Record<string, true>>;
}

const keyOf = ({ PK, SK }: Key): Key => ({ PK, SK });

export const findErasure = async (
  table: TableReader,
  account: string,
  id: number,
): Promise<ErasureRecord | undefined> =>
  (await table.get(layout.erasure.key({ account, id }))) as ErasureRecord | undefined;

/**
 * The changes that begin an erasure: one transaction replaces the contact and keeps what it was for the steps to come.
 * From then on it does not exist for any call, and no version of it that was read before can be stored.
 */
export function startErasureChanges(
  account: string,
  contact: ContactRecord,
  { removeSigned, now }: { removeSigned: boolean; now: Date },
): { changes: Change[]; erasure: ErasureRecord } {
  const key = layout.contact.key({ account, id: contact.Id });
  const { record, change } = versionedChange<ErasedContact>(erasedContactEntity, key, {
    // As it was read, with the marks of its saved responses.
    before: contact as unknown as ErasedContact,
    after: toErasedContact(contact, now.getTime()),
  });
  const { PK: _, SK: __, ...plain } = contact as ContactRecord & Partial<Key>;
  const erasure: ErasureRecord = {
    Id: contact.Id,
    OrganizationId: contact.OrganizationId,
    StartedAt: now.getTime(),
    RemoveSigned: removeSigned,
    Contact: plain,
    Changes: { [`Contact.${contact.Id}.${record.V}`]: true },
  };
  return { changes: [change, { put: { ...layout.erasure.key({ account, id: contact.Id }), ...erasure } }], erasure };
}

/**
 * The change by which an erasure removes signed documents too, and that erasure. One under way goes on; one that is
 * done begins again, with a contact of which only the id is known.
 */
export function removeSignedChange(
  account: string,
  erasure: ErasureRecord,
  now: Date,
): { change: Change; erasure: ErasureRecord } {
  const key = layout.erasure.key({ account, id: erasure.Id });
  if (erasure.Contact)
    return {
      change: { update: key, set: { RemoveSigned: true }, if: 'present' },
      erasure: { ...erasure, RemoveSigned: true },
    };
  const { Id, OrganizationId, FinishedAt, StartedAt, ...counts } = erasure;
  const Contact = contactEntity.blank({
    Id,
    OrganizationId,
    Hash: randomHandle(22),
    LocationID: '',
    Created: StartedAt,
  });
  const reopened = { Id, OrganizationId, StartedAt, ...counts, RemoveSigned: true, ReopenedAt: now.getTime() };
  const record: ErasureRecord = { ...reopened, Contact, Changes: {} };
  return { change: { put: { ...record, ...key }, if: { equals: { FinishedAt } } }, erasure: record };
}

/** A name takes some 25 bytes of an item of 400 KB, half of which the contact may take. */
const MAX_CHANGES = 5_000;

/** The change that counts what a transaction of an erasure removes, and remembers the versions that it writes. */
export function erasureProgressChange(
  account: string,
  { Id: id, Changes = {} }: ErasureRecord,
  counts: Partial<Record<ErasureCount, number>>,
  written: readonly string[] = [],
): Change {
  const key = layout.erasure.key({ account, id });
  const add = Object.fromEntries(Object.entries(counts).filter(([, count]) => count));
  const isFull = Object.keys(Changes).length >= MAX_CHANGES;
  const entries = isFull || !written.length ? {} : { Changes: Object.fromEntries(written.map((name) => [name, true])) };
  const isEmpty = !Object.keys(add).length && !Object.keys(entries).length;
  return isEmpty ? { check: key, if: 'present' } : { update: key, add, entries, if: 'present' };
}

/** Ends an erasure: its report stays, without the person. Safe to repeat. */
export const writeFinishedErasure = (
  table: TableWriter,
  account: string,
  { Id: id }: ErasureRecord,
  now: Date,
): Promise<Item> =>
  table.update({
    update: layout.erasure.key({ account, id }),
    setOnce: { FinishedAt: now.getTime() },
    remove: ['Contact', 'Changes'],
  });

/**
 * Every search entry of a contact that is stored: those of its present fields, the numbered ones of its e-mail and
 * phones, and those that changes have left behind.
 */
export async function listSearchEntries(table: TableReader, account: string, contact: ContactRecord): Promise<Key[]> {
  const { Id: id } = contact;
  const former = await listRange(table, {
    partition: layout.contactFormer.of({ account, id }),
    from: 'FORMER#',
    to: 'FORMER#~',
    consistent: true,
  });
  const keys = [...contactEntryKeys(account, contact), ...former.flatMap(({ Keys = [] }) => Keys as Key[])];
  const partitions = new Set([
    ...guardRanges(account, contact).map(({ partition }) => partition),
    ...former.flatMap(({ Partitions = [] }) => Partitions as string[]),
  ]);
  const guards = await Promise.all(
    [...partitions].map((partition) =>
      listRange(table, { partition, consistent: true, attributes: ['PK', 'SK', 'Id'] }),
    ),
  );
  const own = guards.flat().filter(({ Id }) => Id === id);
  const stored = keys.length ? await table.getMany(keys.map(keyOf), { attributes: ['PK', 'SK'] }) : [];
  return [...stored, ...own].map(keyOf);
}

/** What else the partition of a contact has: older notes, and the list of entries that changes have left behind. */
export async function listContactPages(
  table: TableReader,
  account: string,
  id: number,
): Promise<{ notes: Key[]; former: Key[] }> {
  const items = await listRange(table, {
    partition: layout.contactNotes.of({ account, id }),
    consistent: true,
    attributes: ['PK', 'SK'],
  });
  const begin = (start: string) => items.filter(({ SK }) => SK.startsWith(start)).map(keyOf);
  return { notes: begin('NOTES#'), former: begin('FORMER#') };
}

/** The ids of contacts that name this one as their referrer or manager. Some may do so no longer. */
export async function listLinkedContacts(
  table: TableReader,
  account: string,
  { Id, Hash }: Pick<ContactRecord, 'Id' | 'Hash'>,
): Promise<number[]> {
  const found = await Promise.all(
    [Id, Hash].map((target) =>
      listRange(table, { partition: layout.contactLink.of({ account, target }), consistent: true }),
    ),
  );
  return [...new Set(found.flat().map((entry) => entry['Id'] as number))];
}

export type PersonalKind = 'Task' | 'Appointment' | 'Proposal' | 'Invoice' | 'Payment' | 'Call';

/** The ids of a contact's records of a kind, by date. The index may be a second old. */
export async function listContactRecordIds(
  table: TableReader,
  account: string,
  contact: number,
  kind: PersonalKind,
): Promise<number[]> {
  const partition = indexLayout.GSI4.of({ account, contact, kind });
  const entries = await listRange(table, { index: 'GSI4', partition, attributes: ['GSI4SK'] });
  return entries.map((entry) => idInOrderKey(orderKeyIn(entry['GSI4SK'] as string)));
}

/** The calls of a contact, and those without contact from or to its numbers, oldest first. */
export async function listPersonCalls(
  table: TableReader,
  account: string,
  contact: ContactRecord,
): Promise<StoredCall[]> {
  const phones = [...new Set([contact.PhoneKey, contact.AltPhoneKey])].filter(Boolean);
  const lists = await Promise.all([
    listContactRecordIds(table, account, contact.Id, 'Call'),
    ...phones.map((phone) => listCallerCallIds(table, account, phone)),
  ]);
  const calls = await findCalls(table, account, [...new Set(lists.flat())]);
  return calls.sort((a, b) => a.Created - b.Created || a.Id - b.Id);
}
