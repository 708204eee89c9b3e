import { type ErasedContact, erasedContactEntity } from '../../entities/erased-contacts.ts';
import { type CanceledVisit, type ErasureCount, type ErasureRecord, erasureEntity } from '../../entities/erasures.ts';
import { idOf, listRange, versionedChange, randomHash } from '../dynamodb/records.ts';
import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import type { StoredCall } from '../../entities/calls.ts';
import { toErasedContact } from '../../domain/contacts/erasure.ts';
import type { Identity } from '../../domain/contacts/former.ts';
import { statesOf } from '../../domain/contacts/merged-states.ts';
import type { Mention } from '../../domain/contacts/mentions.ts';
import { personOf } from '../../domain/contacts/person.ts';
import { normalizeEmail } from '../../shared/text/text.ts';
import { parseCall } from '../../domain/calls.ts';
import { findCalls, listCallIdsSince, listCallerCallIds } from './calls.ts';
import { findContacts } from './contacts.ts';
import { searchKeys } from '../../domain/contacts/search.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import { endedBefore, listEntriesUnderWay } from './contact-entries.ts';
import { contactEntryKeys, guardRanges, nameRange, parseEntry, wordRanges } from './contact-index.ts';
import { listFormerEntries, listFormerStates, listGuardPartitions } from './former-entries.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import { messageChange } from '../events/delayed-messages.ts';
import { idInOrderKey, orderKeyIn } from '../indexes.ts';
import { type Key, indexLayout, layout, toKey, keyText } from '../keys.ts';
import type { StoreAccount, StoreReader, StoreWriter } from '../store.ts';
import { ownKey } from '../visibility.ts';

/** Only the newest states: an item takes 400 KB, and the contact half of it. */
const MAX_FORMER = 300;

export const findErasure = (store: StoreReader, id: number): Promise<ErasureRecord | undefined> =>
  findErasureAt(store, layout.erasure.key({ account: store.account, id }));

/** The erasure that a queue message names. */
export async function findErasureAt(store: StoreReader, key: Key): Promise<ErasureRecord | undefined> {
  const item = await store.table.get(ownKey(store, key));
  return item && erasureEntity.readDeclared(item);
}

/** Erasures are rare, so they share the queue of merges. */
const QUEUE = 'merges';

/**
 * The changes that start an erasure, and with `handsOver` let the worker continue it: one transaction replaces the
 * contact, and keeps its data for the following steps. From then on the contact does not exist for any call, and no
 * earlier version of it can be stored.
 */
export function startErasureChanges(
  { account }: StoreAccount,
  contact: ContactRecord,
  {
    former,
    merged,
    removeSigned,
    redactMentions,
    handsOver,
    now,
  }: {
    former: readonly Identity[];
    merged: readonly number[];
    removeSigned: boolean;
    redactMentions: boolean;
    handsOver: boolean;
    now: Date;
  },
): { changes: Change[]; erasure: ErasureRecord } {
  const key = layout.contact.key({ account, id: contact.Id });
  const { record, change } = versionedChange<ErasedContact>(erasedContactEntity, key, {
    before: contact,
    after: toErasedContact(contact, personOf(contact, former), now.getTime()),
  });
  const erasure: ErasureRecord = {
    Id: contact.Id,
    OrganizationId: contact.OrganizationId,
    StartedAt: now.getTime(),
    RemoveSigned: removeSigned,
    RedactMentions: redactMentions,
    ...(handsOver ? { HandedOverAt: now.getTime() } : {}),
    Contact: contactEntity.readDeclared(contact),
    Former: former.slice(-MAX_FORMER),
    ...(merged.length ? { Merged: merged } : {}),
    Changes: { [`Contact.${contact.Id}.${record.V}`]: true },
  };
  const own = layout.erasure.key({ account, id: contact.Id });
  const messages = handsOver ? [messageChange({ queue: QUEUE, message: own }, now)] : [];
  return { changes: [change, { put: { ...own, ...erasure } }, ...messages], erasure };
}

/** The changes that let the worker continue a running erasure, whoever started it. */
export const handOverChanges = (
  { account }: StoreAccount,
  { Id: id }: Pick<ErasureRecord, 'Id'>,
  { redactMentions, now }: { redactMentions: boolean; now: Date },
): Change[] => {
  const key = layout.erasure.key({ account, id });
  const set = { HandedOverAt: now.getTime(), ...(redactMentions ? { RedactMentions: true } : {}) };
  return [{ update: key, set, if: 'present' }, messageChange({ queue: QUEUE, message: key }, now)];
};

/** Marks the first pass of an erasure as done; another one must follow. */
export const firstPassChange = ({ account }: StoreAccount, { Id: id }: ErasureRecord, now: Date): Change => ({
  update: layout.erasure.key({ account, id }),
  set: { FirstPassAt: now.getTime() },
  if: 'present',
});

/**
 * The change that lets an erasure also remove signed documents, and that erasure. A running one continues; a finished
 * one is reopened, with only the id of its contact.
 */
export function removeSignedChange(
  { account }: StoreAccount,
  erasure: ErasureRecord,
  now: Date,
): { change: Change; erasure: ErasureRecord } {
  const key = layout.erasure.key({ account, id: erasure.Id });
  if (erasure.Contact)
    return {
      change: { update: key, set: { RemoveSigned: true }, remove: ['FirstPassAt'], if: 'present' },
      erasure: { ...erasure, RemoveSigned: true },
    };
  const { Id, OrganizationId, FinishedAt, ...others } = erasure;
  const Contact = contactEntity.blank({
    Id,
    OrganizationId,
    Hash: randomHash(),
    LocationID: '',
    Created: erasure.StartedAt,
  });
  const set = { RemoveSigned: true, ReopenedAt: now.getTime(), Contact, Changes: {} };
  return {
    change: { update: key, set, remove: ['FinishedAt', 'FirstPassAt'], if: { equals: { FinishedAt } } },
    erasure: { Id, OrganizationId, ...others, ...set },
  };
}

/** A name takes some 25 bytes of an item of 400 KB, half of which the contact may take. */
const MAX_CHANGES = 5_000;

/** The change that counts what a transaction of an erasure removes, and remembers the versions that it writes. */
export function erasureProgressChange(
  { account }: StoreAccount,
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

/** Maximum number of mentions, and of canceled visits, in a report. */
const MAX_MENTIONS = 1_000;
const MAX_VISITS = 1_000;

/** Ends an erasure: its report stays, without the person. Safe to repeat. */
export const writeFinishedErasure = (
  { table, account }: StoreWriter,
  { Id: id }: ErasureRecord,
  {
    now,
    mentions,
    visits,
  }: { readonly now: Date; readonly mentions: readonly Mention[]; readonly visits: readonly CanceledVisit[] },
): Promise<Item> =>
  table.update({
    update: layout.erasure.key({ account, id }),
    setOnce: { FinishedAt: now.getTime(), Mentions: mentions.slice(0, MAX_MENTIONS) },
    set: { CanceledVisits: visits.slice(0, MAX_VISITS) },
    remove: ['Contact', 'Former', 'Changes', 'HandedOverAt', 'FirstPassAt'],
  });

/**
 * All stored search entries of a contact: those of its present and former states, whatever their facts, and the
 * numbered ones of its e-mails and phones.
 */
export async function listSearchEntries(store: StoreReader, contact: ContactRecord): Promise<Key[]> {
  const { table } = store;
  const keys = [
    ...contactEntryKeys(store, contact),
    ...(await listFormerEntries(store, contact)),
    ...(await listWordEntries(store, contact)),
  ];
  const unique = new Map(keys.map((key) => [keyText(key), toKey(key)]));
  const stored = await table.getMany([...unique.values()], { attributes: ['PK', 'SK'] });
  const guards = await Promise.all(
    (await listGuardPartitions(store, contact)).map((partition) =>
      listRange(table, { partition, consistent: true, attributes: ['PK', 'SK', 'Id'] }),
    ),
  );
  const found = [...stored, ...guards.flat().filter(({ Id }) => Id === contact.Id)].map(toKey);
  return [...new Map(found.map((key) => [keyText(key), key])).values()];
}

/**
 * All search entries of a contact that was never changed: its keys are known, so only the numbered ones are looked up.
 */
export async function listFirstEntries(store: StoreReader, contact: ContactRecord): Promise<Key[]> {
  const { table } = store;
  const guards = await Promise.all(
    guardRanges(store, contact).map(({ partition }) =>
      listRange(table, { partition, consistent: true, attributes: ['PK', 'SK', 'Id'] }),
    ),
  );
  return [...contactEntryKeys(store, contact), ...guards.flat().filter(({ Id }) => Id === contact.Id)].map(toKey);
}

/** Entries of the present and former words of a contact's name and address, by its id. */
async function listWordEntries(store: StoreReader, contact: ContactRecord): Promise<Key[]> {
  const { table } = store;
  const states = [contact, ...(await listFormerStates(store, contact))];
  const ranges = wordRanges(store, states);
  const found = await mapWithConcurrency(ranges, RANGES_AT_ONCE, (range) =>
    listRange(table, { ...range, consistent: true, attributes: ['PK', 'SK'] }),
  );
  return found.flat();
}

const RANGES_AT_ONCE = 20;

/**
 * Entries with a person's whole name, present or former, whose contacts do not exist, left by killed calls of earlier
 * versions. Reads the list of one word of each name.
 */
export async function listOrphanedEntries(store: StoreReader, contact: ContactRecord, now: Date): Promise<Key[]> {
  const { table } = store;
  const states = [contact, ...(await listFormerStates(store, contact))];
  const found = new Map<number, ContactRecord>();
  for (const state of states)
    for (const { id, at } of await listNamesakes(store, state))
      if (id !== contact.Id) found.set(id, { ...state, Id: id, Created: at });
  for (const { id } of await listEntriesUnderWay(store, endedBefore(now))) found.delete(id);
  const absent = await findAbsent(store, [...found.keys()]);
  const keys = await mapWithConcurrency(absent, RANGES_AT_ONCE, async (id) => {
    const orphan = found.get(id) as ContactRecord;
    const ranges = wordRanges(store, [orphan]);
    const entries = await Promise.all(ranges.map((range) => listRange(table, { ...range, consistent: true })));
    return entries.flat().map(toKey);
  });
  return keys.flat();
}

/** Contacts of the account whose entries have every word of a name. */
async function listNamesakes(
  { table, account }: StoreReader,
  contact: ContactRecord,
): Promise<{ readonly id: number; readonly at: number }[]> {
  const { names } = searchKeys(contact);
  const [longest] = names.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return [];
  const entries = await listRange(table, { ...nameRange(account, longest), consistent: true });
  return entries.map(parseEntry).filter(({ words = names }) => names.every((name) => words.includes(name)));
}

/** Other contacts with an e-mail or a phone that the person has or had. */
export async function listSharing(
  store: StoreReader,
  contactId: number,
  states: readonly Identity[],
): Promise<ContactRecord[]> {
  const { account, table } = store;
  const partitions = new Set(
    states.flatMap(({ Email, PhoneKey, AltPhoneKey }) => [
      ...(Email ? [layout.contactEmail.of({ account, email: normalizeEmail(Email) })] : []),
      ...[PhoneKey, AltPhoneKey].flatMap((phone) => (phone ? [layout.contactPhone.of({ account, phone })] : [])),
    ]),
  );
  const entries = await mapWithConcurrency([...partitions], RANGES_AT_ONCE, (partition) =>
    listRange(table, { partition, consistent: true }),
  );
  const ids = new Set(entries.flat().map(idOf));
  ids.delete(contactId);
  return (await findContacts(store, [...ids])).flatMap(statesOf);
}

/** The ids of contacts that do not exist. */
async function findAbsent({ account, table }: StoreReader, ids: readonly number[]): Promise<number[]> {
  const keys = ids.map((id) => layout.contact.key({ account, id }));
  const found = keys.length ? await table.getMany(keys, { attributes: ['PK'] }) : [];
  const present = new Set(found.map(({ PK }) => PK));
  return ids.filter((_, index) => !present.has(keys[index]?.PK ?? ''));
}

/** The other items in a contact's partition: older notes, and the list of entries that changes have left behind. */
export async function listContactPages(
  { table, account }: StoreReader,
  id: number,
): Promise<{ notes: Key[]; former: Key[] }> {
  const items = await listRange(table, {
    partition: layout.contactNotes.of({ account, id }),
    consistent: true,
    attributes: ['PK', 'SK'],
  });
  const begin = (start: string) => items.filter(({ SK }) => SK.startsWith(start)).map(toKey);
  return { notes: begin('NOTES#'), former: begin('FORMER#') };
}

/** The ids of contacts that name this one as their referrer or manager. Some may no longer do so. */
export async function listLinkedContacts(
  { table, account }: StoreReader,
  { Id, Hash }: Pick<ContactRecord, 'Id' | 'Hash'>,
): Promise<number[]> {
  const found = await Promise.all(
    [Id, Hash].map((target) =>
      listRange(table, { partition: layout.contactLink.of({ account, target }), consistent: true }),
    ),
  );
  return [...new Set(found.flat().map(idOf))];
}

export type PersonalKind = 'Task' | 'Appointment' | 'Proposal' | 'Invoice' | 'Payment' | 'Call';

/** The ids of a contact's records of a kind, by date. The index may be a second old. */
export async function listContactRecordIds(
  { account, table }: StoreReader,
  contact: number,
  kind: PersonalKind | 'Upload',
): Promise<number[]> {
  const partition = indexLayout.GSI4.of({ account, contact, kind });
  const entries = await listRange(table, { index: 'GSI4', partition, attributes: ['GSI4SK'] });
  return entries.map((entry) => idInOrderKey(orderKeyIn(String(entry['GSI4SK']))));
}

/**
 * The calls of a contact, and those without contact from or to its numbers, oldest first; and those logged for it
 * `since` then, when it may no longer have existed.
 */
export async function listPersonCalls(
  store: StoreReader,
  contact: ContactRecord,
  { since }: { readonly since?: number } = {},
): Promise<StoredCall[]> {
  const states = [contact, ...(await listFormerStates(store, contact))];
  const phones = [...new Set(states.flatMap(({ PhoneKey, AltPhoneKey }) => [PhoneKey, AltPhoneKey]))].filter(Boolean);
  const lists = await Promise.all([
    listContactRecordIds(store, contact.Id, 'Call'),
    ...phones.map((phone) => listCallerCallIds(store, phone)),
  ]);
  const recent = since === undefined ? [] : await listCallIdsSince(store, since);
  const own = new Set(lists.flat());
  const found = await findCalls(store, [...new Set([...own, ...recent])]);
  const calls = found.filter(({ Id, Text }) => own.has(Id) || parseCall(Text).ContactId === contact.Id);
  return calls.sort((a, b) => a.Created - b.Created || a.Id - b.Id);
}
