import type { CustomField } from '../../resources/custom-fields.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { fold } from '../../shared/text.ts';
import { numericFields } from './checks.ts';
import type { BookKind } from './record.ts';
import type { BookIdKind, PlanScope } from './types.ts';

/** What other things may name: the ids there are then, and folded name → id. */
export interface Referable {
  readonly what: string;
  readonly ids: { has(id: number): boolean };
  readonly names: ReadonlyMap<string, number>;
}

/** How an entry names another thing: by id, or by name. */
export interface Reference {
  readonly id?: number | null | undefined;
  readonly idField: string;
  readonly name?: string | null | undefined;
  readonly nameField: string;
}

/**
 * The id that an entry says: `undefined` where it says nothing, `null` where it clears. An id counts before a name;
 * what names nothing there is is a fault.
 */
export function resolveReference(
  { what, ids, names }: Referable,
  { id, idField, name, nameField }: Reference,
  errors: FieldError[],
): number | null | undefined {
  if (id) {
    if (!ids.has(id)) errors.push({ field: idField, message: `names no ${what} there is: ${id}` });
    return id;
  }
  const said = name?.trim();
  if (said) {
    const named = names.get(fold(said));
    if (named === undefined) errors.push({ field: nameField, message: `names no ${what} there is: ${said}` });
    return named;
  }
  return id === null || name === null || name === '' ? null : undefined;
}

/** The ids of a list that is given by ids or by names, ascending, each once; `undefined` where nothing is said. */
export function resolveReferences(
  of: Referable,
  input: { ids: readonly number[] | null | undefined; names: readonly string[] | null | undefined },
  fields: { ids: string; names: string },
  errors: FieldError[],
): number[] | undefined {
  const { ids, names } = input;
  if (ids === undefined && names === undefined) return undefined;
  const useIds = ids !== undefined && (names === undefined || ids !== null);
  const found = useIds
    ? (ids ?? []).map((id, index) =>
        resolveReference(of, { id, idField: `${fields.ids}[${index}]`, nameField: '' }, errors),
      )
    : (names ?? []).map((name, index) =>
        resolveReference(of, { name, idField: '', nameField: `${fields.names}[${index}]` }, errors),
      );
  return [...new Set(found.filter((id) => typeof id === 'number'))].sort((a, b) => a - b);
}

/** The numeric custom fields, named by shortcode or name: only a number can override a number. */
export function customFieldReferences(customFields: readonly CustomField[]): Referable {
  const numeric = numericFields(customFields);
  const names = new Map<string, number>();
  for (const { Id, Name } of numeric) names.set(fold(Name), Id);
  for (const { Id, Shortcode } of numeric) if (Shortcode) names.set(fold(Shortcode), Id);
  return { what: 'custom field of type Number', ids: new Set(numeric.map(({ Id }) => Id)), names };
}

/** Everything in the book that other things name, as it will be. */
export type References = Readonly<Record<BookKind | 'customFields' | 'partCategories', Referable>>;

/** An entry and where it stands (`Services[2]`). */
export interface EntryInput<Entry> {
  readonly field: string;
  readonly entry: Entry;
}

/** An entry, and the thing it speaks of: `before` undefined where it is new. */
export interface Identified<Entry, Thing> extends EntryInput<Entry> {
  readonly id: number;
  readonly before: Thing | undefined;
}

interface Kind<Entry, Thing> {
  /** `service`, for sentences. */
  readonly what: string;
  readonly ids: Ids;
  readonly idKind: BookIdKind;
  /** What the entries may speak of by Id. */
  readonly records: ReadonlyMap<number, Thing>;
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
  input: readonly EntryInput<Entry>[],
  { what, ids, idKind, records, names, nameOf, nameField }: Kind<Entry, Thing>,
): { found: Identified<Entry, Thing>[]; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const made = new Map<string, number>();
  const found = input.flatMap(({ field, entry }): Identified<Entry, Thing>[] => {
    if (entry.Id) {
      const before = records.get(entry.Id);
      if (before === undefined)
        errors.push({ field: `${field}.Id`, message: `names no ${what} there is: ${entry.Id}` });
      return before === undefined ? [] : [{ field, entry, id: entry.Id, before }];
    }
    const name = fold(nameOf(entry)?.trim() ?? '');
    if (!name) {
      errors.push({ field: `${field}.${nameField}`, message: 'is required, or Id' });
      return [];
    }
    const known = names.get(name);
    if (known !== undefined) return [{ field, entry, id: known, before: records.get(known) }];
    const id = made.get(name) ?? ids.take(idKind);
    made.set(name, id);
    return [{ field, entry, id, before: undefined }];
  });
  return { found, errors };
}

/** The name an entry's thing will have: the one said, else the one it has. */
const nameAfter = <Entry, Thing>(
  { entry, before }: Identified<Entry, Thing>,
  said: (entry: Entry) => string | null | undefined,
  kept: (record: Thing) => string,
): string => (said(entry) ?? (before === undefined ? '' : kept(before))).trim();

/** Folded name → id, of things there are and things told of, for those that are named by other things. */
export function namesAfter<Entry, Thing extends { readonly Id: number }>(
  records: Iterable<Thing>,
  found: readonly Identified<Entry, Thing>[],
  { said, kept }: { said: (entry: Entry) => string | null | undefined; kept: (record: Thing) => string },
): Map<string, number> {
  const names = new Map([...records].map((record) => [fold(kept(record)), record.Id]));
  for (const one of found) {
    const name = fold(nameAfter(one, said, kept));
    if (name && (!names.has(name) || one.before === undefined)) names.set(name, one.id);
  }
  return names;
}

const HIGHEST = 2 ** 31 - 1;

/**
 * New ids, from those at hand. Where they run out it goes on with numbers that no account reaches, so that a plan can be
 * made only to learn how many it takes.
 */
export class Ids {
  readonly needs: Partial<Record<BookIdKind, number>> = {};
  readonly #atHand: PlanScope['ids'];

  constructor(atHand: PlanScope['ids']) {
    this.#atHand = atHand;
  }

  take(kind: BookIdKind): number {
    const taken = this.needs[kind] ?? 0;
    this.needs[kind] = taken + 1;
    return this.#atHand[kind]?.[taken] ?? HIGHEST - taken;
  }
}
