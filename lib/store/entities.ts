import type { Change, Item } from './changes.ts';
import type { Key } from './layout.ts';

/** What every stored thing has: its version, 1 for a new one and one more with every change. */
export interface Versioned {
  readonly V: number;
}

/** Attributes of the table, not of the thing. */
const own = new Set(['PK', 'SK', 'E', 'W', 'TTL']);

/** The thing an item holds, without its keys. */
export const thingOf = <Thing>(item: Item): Thing =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !own.has(name) && !/^GSI\d/.test(name))) as Thing;

/**
 * The change that stores a thing in its next version, where it still is the one that was read (`before`), or does not exist yet. `entity` is the noun
 * of its events. `indexes` are the keys under which it stands in the table's indexes.
 */
export function nextVersion<Thing extends Versioned>(
  entity: string,
  key: Key,
  { before, after, indexes = {} }: { before: Thing | undefined; after: Thing; indexes?: Record<string, string> },
): { thing: Thing; change: Change } {
  const thing = { ...after, V: (before?.V ?? 0) + 1 };
  const item: Item = { ...key, E: entity, ...indexes, ...(thing as object), V: thing.V };
  return { thing, change: { put: item, if: before ? { equals: { V: before.V } } : 'absent' } };
}
