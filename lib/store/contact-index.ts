import type { ContactRecord } from '../domain/contacts/record.ts';
import { searchKeys } from '../domain/contacts/search.ts';
import type { Item } from './dynamodb/changes.ts';
import { type Key, layout } from './keys.ts';

/**
 * How many partitions a list shared by many contacts is spread over: 8 take 8,000 writes a second, and are read side by
 * side.
 */
export const SHARDS = 8;

/** A moment in a sort key: 14 digits order every millisecond until the year 5138. */
export const sortable = (milliseconds: number): string => String(Math.max(0, milliseconds)).padStart(14, '0');

/** Words are spread by their first character, so that any prefix, even of one letter, is one range of one partition. */
export const indexRange = (word: string): string => [...word][0] ?? '';

/** Begins the sort keys of entries that have no number; sorts before every number. */
export const UNNUMBERED = '!';

/**
 * The index entries of a contact, one item each. They may be more than the truth (an entry is written before its
 * contact and dropped after it), never less: a search compares every contact it finds with the criteria again.
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

const textOf = ({ PK, SK }: Key): string => `${PK}\n${SK}`;

/** What must be put before, and may be removed after, a contact changes from one state to another. */
export function indexEntryChanges(
  account: string,
  before: ContactRecord | undefined,
  after: ContactRecord,
): { puts: Item[]; removals: Key[] } {
  const old = before ? entryKeys(account, before) : [];
  const next = entryKeys(account, after);
  const had = new Set(old.map(textOf));
  const has = new Set(next.map(textOf));
  return {
    puts: next.filter((key) => !had.has(textOf(key))).map((key) => ({ ...key, Id: after.Id, At: after.Created })),
    removals: old.filter((key) => !has.has(textOf(key))),
  };
}
