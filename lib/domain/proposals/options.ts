import type { OptionRecord } from '../../entities/proposals.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { formatMoney } from '../../shared/money.ts';
import type { OptionTotals } from '../pricing/types.ts';
import { type NamedReference, foldName, hasReference, isSameName, resolveReference } from './references.ts';

interface OptionInput extends NamedReference {
  readonly Selected?: boolean | null | undefined;
}

interface OptionsResult {
  readonly options: OptionRecord[];
  readonly errors: FieldError[];
}

/** The options of a proposal while the lines of a request refer to them, one after another. */
export interface OptionsUpdate {
  /** The id of the option that a line refers to: an existing one, or a new one of that name; `null` for none. */
  resolve(input: OptionInput, path: string): number | null;
  /** The options that lines still use, with the requested selection. */
  finish(used: ReadonlySet<number>, solution: NamedReference | null | undefined): OptionsResult;
}

/**
 * Applies what a request says of options. `ids` are for new ones. In a proposal that is not stored yet (`isNew`)
 * unknown ids are the request's own numbers, like those with which a quote numbers its options.
 */
export function updateOptions(
  before: readonly OptionRecord[],
  { ids, isNew }: { readonly ids: readonly number[]; readonly isNew: boolean },
): OptionsUpdate {
  const names = new Map(before.map(({ Id, Name }) => [Id, Name]));
  /** By a number of the request, the id of the new option. */
  const newIds = new Map<number, number>();
  const selections = new Map<number, boolean>();
  const errors: FieldError[] = [];
  const unusedIds = ids.values();
  const previous = (id: number | null | undefined) => before.find(({ Id }) => Id === id);
  const foldedNames = new Map(before.map(({ Id, Name }) => [Id, foldName(Name)]));
  function setName(id: number, name: string): void {
    names.set(id, name);
    foldedNames.set(id, foldName(name));
  }
  function idByName(name: string): number | undefined {
    const folded = foldName(name);
    return [...foldedNames].find(([, each]) => each === folded)?.[0];
  }

  function rename(id: number, name: string, path: string): void {
    if (!name || isSameName(name, previous(id)?.Name ?? '')) return;
    const owner = idByName(name);
    if (owner === id) return;
    const field = `${path}.Name`;
    if (owner !== undefined)
      errors.push({ field, code: 'duplicate', message: `is already the name of option ${owner}` });
    else if (names.get(id) !== previous(id)?.Name)
      errors.push({ field, code: 'duplicate', message: `renames option ${id} a second time` });
    else setName(id, name);
  }

  function resolveId({ Id, Name }: OptionInput, path: string): number | null {
    const name = Name?.trim() ?? '';
    if (Id && previous(Id)) {
      rename(Id, name, path);
      return Id;
    }
    if (Id && (!isNew || (!name && !newIds.has(Id)))) {
      errors.push({
        field: `${path}.Id`,
        code: 'not_found',
        message: `must be an option of the proposal; ${Id} is not`,
      });
      return null;
    }
    const id = (name ? idByName(name) : newIds.get(Id ?? 0)) ?? unusedIds.next().value ?? 0;
    if (Id) newIds.set(Id, id);
    if (!names.has(id)) setName(id, name);
    return id;
  }

  function resolve(input: OptionInput, path: string): number | null {
    const id = hasReference(input) ? resolveId(input, path) : null;
    // A line that repeats the current selection changes nothing; a line that differs from it is the change.
    const { Selected } = input;
    const isChange = typeof Selected === 'boolean' && Selected !== (previous(id)?.Selected ?? false);
    if (id !== null && isChange) selections.set(id, Selected);
    return id;
  }

  function finish(used: ReadonlySet<number>, solution: NamedReference | null | undefined): OptionsResult {
    const options = [...names]
      .filter(([id]) => used.has(id))
      .map(([Id, Name]) => ({ Id, Name, Selected: selections.get(Id) ?? previous(Id)?.Selected ?? false }));
    const current = before.find(({ Selected }) => Selected) ?? null;
    const unchanged = { options, errors };
    const invalid = (field: string, message: string) => ({ options, errors: [...errors, { field, message }] });
    const select = (selectedId: number | null): OptionsResult => {
      const contradicts = [...selections].some(([id, selected]) => selected !== (id === selectedId));
      if (contradicts) return invalid('SelectedSolution', 'contradicts Selected on the lines');
      return { options: options.map((option) => ({ ...option, Selected: option.Id === selectedId })), errors };
    };
    if (solution === null && current) return select(null);
    if (!solution) return unchanged;
    const isOwnNumber = isNew && !previous(solution.Id);
    const reference = isOwnNumber ? { ...solution, Id: newIds.get(solution.Id ?? 0) ?? solution.Id } : solution;
    const resolved = resolveReference(reference, current, options, 'option of the proposal');
    if (resolved.kind === 'invalid') return invalid(`SelectedSolution.${resolved.field}`, resolved.message);
    if (resolved.kind === 'unchanged') return unchanged;
    // A quote with several selected options answers the first as SelectedSolution: in create it repeats the lines.
    const isFirstSelected = options.find(({ Selected }) => Selected)?.Id === resolved.record.Id;
    return isNew && selections.size > 0 && isFirstSelected ? unchanged : select(resolved.record.Id);
  }
  return { resolve, finish };
}

/**
 * The total of a proposal with each option alone selected, in words; `""` without options. `With one option alone, and
 * tax: Good 1,200.00, Better 1,450.00 (selected), Best 1,900.00.`
 */
export function describeOptions(options: readonly OptionRecord[], totals: readonly OptionTotals[]): string {
  const described = options.flatMap(({ Id, Name, Selected }) => {
    const option = totals.find(({ optionId }) => optionId === Id);
    return option ? [`${Name} ${formatMoney(option.total)}${Selected ? ' (selected)' : ''}`] : [];
  });
  return described.length ? `With one option alone, and tax: ${described.join(', ')}.` : '';
}
