import type { ContactRecord } from '../domain/contacts/record.ts';
import { searchKeys } from '../domain/contacts/search.ts';
import type { Item } from './dynamodb/changes.ts';
import { type Key, layout } from './keys.ts';

/** Partitions of a list that many contacts share: 8 take 8,000 writes a second, and are read in parallel. */
export const SHARDS = 8;

/** A moment in a sort key: 14 digits order every millisecond until the year 5138. */
export const sortable = (milliseconds: number): string => String(Math.max(0, milliseconds)).padStart(14, '0');

/** The part of a word's partition: its first character, so that any prefix is one range of one partition. */
export const indexRange = (word: string): string => [...word][0] ?? '';

/** Begins the sort keys of entries without number; sorts before every number. */
export const UNNUMBERED = '!';

/**
 * The index entries of a contact, one item each. An entry is written before its contact and removed after it: entries
 * may be stale but never missing, and a search compares every contact that it finds with the criteria.
 */
function entryKeys(account: string, contact: ContactRecord): Key[] {
  const keys = searchKeys(contact);
  const at = { account, id: contact.Id, created: sortable(contact.Created), shard: contact.Id % SHARDS };
  return [
    layout.contactHash.key({ account, hash: contact.Hash }),
    layout.contactCreated.key(at),
    ...keys.names.map((word) => layout.contactName.key({ ...at, start: indexRange(word), word })),
    ...keys.addresses.map((word) => layout.contactAddress.key({ ...at, start: indexRange(word), word })),
    ...(keys.tracking ? [layout.contactTracking.key({ ...at, tracking: keys.tracking })] : []),
    ...(keys.category ? [layout.contactCategory.key({ ...at, category: keys.category })] : []),
    ...keys.tags.map((tag) => layout.contactTag.key({ ...at, tag })),
    ...(keys.altPhone
      ? [{ PK: layout.contactPhone.of({ account, phone: keys.altPhone }), SK: `${UNNUMBERED}${at.created}#${at.id}` }]
      : []),
  ];
}

/** The entries to put before a contact changes, and those that may be removed after it. */
export function indexEntryChanges(
  account: string,
  before: ContactRecord | undefined,
  after: ContactRecord,
): { puts: Item[]; removals: Key[] } {
  const oldKeys = before ? entryKeys(account, before) : [];
  const newKeys = entryKeys(account, after);
  const without = (keys: readonly Key[], others: readonly Key[]) => {
    const texts = new Set(others.map(({ PK, SK }) => `${PK}\n${SK}`));
    return keys.filter(({ PK, SK }) => !texts.has(`${PK}\n${SK}`));
  };
  return {
    puts: without(newKeys, oldKeys).map((key) => ({ ...key, Id: after.Id, At: after.Created })),
    removals: without(oldKeys, newKeys),
  };
}
