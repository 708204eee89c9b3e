import type { CustomField } from '../../resources/custom-fields.ts';
import type { Fault } from '../faults.ts';
import { fold } from '../words.ts';
import { numericFields } from './formulas.ts';
import type { BookKind } from './records.ts';

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
export function referred({ what, ids, names }: Referable, { id, idField, name, nameField }: Reference, faults: Fault[]): number | null | undefined {
  if (id) {
    if (!ids.has(id)) faults.push({ field: idField, message: `names no ${what} there is: ${id}` });
    return id;
  }
  const said = name?.trim();
  if (said) {
    const named = names.get(fold(said));
    if (named === undefined) faults.push({ field: nameField, message: `names no ${what} there is: ${said}` });
    return named;
  }
  return id === null || name === null || name === '' ? null : undefined;
}

/** The ids of a list that is given by ids or by names, ascending, each once; `undefined` where nothing is said. */
export function referredList(
  of: Referable,
  given: { ids: readonly number[] | null | undefined; names: readonly string[] | null | undefined },
  fields: { ids: string; names: string },
  faults: Fault[],
): number[] | undefined {
  const { ids, names } = given;
  if (ids === undefined && names === undefined) return undefined;
  const useIds = ids !== undefined && (names === undefined || ids !== null);
  const found = useIds
    ? (ids ?? []).map((id, index) => referred(of, { id, idField: `${fields.ids}[${index}]`, nameField: '' }, faults))
    : (names ?? []).map((name, index) => referred(of, { name, idField: '', nameField: `${fields.names}[${index}]` }, faults));
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
