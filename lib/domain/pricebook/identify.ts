import type { Fault } from '../faults.ts';
import { fold } from '../words.ts';
import type { Ids } from './ids.ts';
import type { BookIdKind } from './plan-types.ts';

/** An entry and where it stands (`Services[2]`). */
export interface Given<Entry> {
  readonly field: string;
  readonly entry: Entry;
}

/** An entry, and the thing it speaks of: `before` undefined where it is new. */
export interface Identified<Entry, Thing> extends Given<Entry> {
  readonly id: number;
  readonly before: Thing | undefined;
}

interface Kind<Entry, Thing> {
  /** `service`, for sentences. */
  readonly what: string;
  readonly ids: Ids;
  readonly idKind: BookIdKind;
  /** What the entries may speak of by Id. */
  readonly things: ReadonlyMap<number, Thing>;
  /** Folded name → id of those that entries may speak of by name. */
  readonly names: ReadonlyMap<string, number>;
  readonly nameOf: (entry: Entry) => string | null | undefined;
  /** The field that holds the name. */
  readonly nameField: string;
}

/**
 * Which thing each entry speaks of: by Id, else by name, whatever its case and accents; else a new one. Entries of one
 * new name speak of the same thing.
 */
export function identify<Entry extends { readonly Id?: number | null | undefined }, Thing>(
  given: readonly Given<Entry>[],
  { what, ids, idKind, things, names, nameOf, nameField }: Kind<Entry, Thing>,
): { found: Identified<Entry, Thing>[]; faults: Fault[] } {
  const faults: Fault[] = [];
  const made = new Map<string, number>();
  const found = given.flatMap(({ field, entry }): Identified<Entry, Thing>[] => {
    if (entry.Id) {
      const before = things.get(entry.Id);
      if (before === undefined) faults.push({ field: `${field}.Id`, message: `names no ${what} there is: ${entry.Id}` });
      return before === undefined ? [] : [{ field, entry, id: entry.Id, before }];
    }
    const name = fold(nameOf(entry)?.trim() ?? '');
    if (!name) {
      faults.push({ field: `${field}.${nameField}`, message: 'is required, or Id' });
      return [];
    }
    const known = names.get(name);
    if (known !== undefined) return [{ field, entry, id: known, before: things.get(known) }];
    const id = made.get(name) ?? ids.take(idKind);
    made.set(name, id);
    return [{ field, entry, id, before: undefined }];
  });
  return { found, faults };
}

/** The name an entry's thing will have: the one said, else the one it has. */
const nameAfter = <Entry, Thing>(
  { entry, before }: Identified<Entry, Thing>,
  said: (entry: Entry) => string | null | undefined,
  kept: (thing: Thing) => string,
): string => (said(entry) ?? (before === undefined ? '' : kept(before))).trim();

/** Folded name → id, of things there are and things told of, for those that are named by other things. */
export function namesAfter<Entry, Thing extends { readonly Id: number }>(
  things: Iterable<Thing>,
  found: readonly Identified<Entry, Thing>[],
  { said, kept }: { said: (entry: Entry) => string | null | undefined; kept: (thing: Thing) => string },
): Map<string, number> {
  const names = new Map([...things].map((thing) => [fold(kept(thing)), thing.Id]));
  for (const one of found) {
    const name = fold(nameAfter(one, said, kept));
    if (name && (!names.has(name) || one.before === undefined)) names.set(name, one.id);
  }
  return names;
}
