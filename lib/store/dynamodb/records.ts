import type { Key } from '../keys.ts';
import type { Change, Item } from './changes.ts';
import { type Facts, indexKeys } from './indexes.ts';

/** What every stored thing has: its version, 1 for a new one and one more with every change. */
export interface Versioned {
  readonly V: number;
}

/** Attributes that are the table's: keys, indexes and marks. */
const own = new Set([
  'PK',
  'SK',
  'E',
  'F',
  'W',
  'TTL',
  ...[1, 2, 3, 4].flatMap((index) => [`GSI${index}PK`, `GSI${index}SK`]),
]);

/**
 * The thing an item holds. The table's own attributes stay on the object: taking them off fifty others costs 90 µs a
 * thing, as much as all else between table and answer; what is answered is cut to its declared fields anyway, and what
 * is stored loses them in nextVersion.
 */
export const toRecord = <Thing>(item: Item): Thing => item as Thing;

/**
 * The change that stores a thing in its next version, where it still is the one that was read (`before`), or does not
 * exist yet. `entity` is the noun of its events. `indexes` are the keys under which it stands in the table's indexes
 * and the facts `F`: see indexes.ts.
 */
export function versionedChange<Thing extends Versioned>(
  entity: string,
  key: Key,
  { before, after, indexes = {} }: { before: Thing | undefined; after: Thing; indexes?: Record<string, unknown> },
): { record: Thing; change: Change } {
  const fields = Object.fromEntries(Object.entries(after).filter(([name]) => !own.has(name)));
  const record = { ...(fields as Thing), V: (before?.V ?? 0) + 1 };
  const item: Item = { ...key, E: entity, ...indexes, ...(record as object) };
  return { record, change: { put: item, if: before ? { equals: { V: before.V } } : 'absent' } };
}

/** Where a thing stands in the table and its four indexes. */
interface Place {
  readonly kind: string;
  readonly key: Key;
  readonly of: {
    readonly Id: number;
    readonly OrganizationId: number;
    readonly ContactId: number | null;
    /** When it was last changed, in milliseconds since 1970. */
    readonly Updated: number;
  };
  /** By which lists of the kind are ordered. */
  readonly date: number | null;
  readonly facts: Facts;
}

/**
 * The change that stores a thing in its next version, in the table and in its indexes, and the thing with that version,
 * as it is kept.
 */
export function indexedRecordChange<Thing extends Versioned>(
  account: string,
  { kind, key, of, date, facts }: Place,
  { before, after }: { before: Thing | undefined; after: Thing },
): { record: Thing; change: Change } {
  const { Id: id, OrganizationId: organization, ContactId: contact, Updated: updated } = of;
  const indexes = indexKeys({ account, kind, id, organization, contact, date, updated, facts });
  return versionedChange(kind, key, { before, after, indexes });
}
