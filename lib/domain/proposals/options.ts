import type { FieldError } from '../../shared/field-errors.ts';
import { formatMoney } from '../../shared/money.ts';
import type { OptionTotals } from '../pricing/types.ts';
import type { OptionRecord } from './record.ts';
import { type NamedReference, isSameName, hasReference, resolveReference } from './references.ts';

interface OptionInput extends NamedReference {
  readonly Selected?: boolean | null | undefined;
}

/** The options of a proposal while its lines name them, one after another. */
export interface OptionsUpdate {
  /** The id of the option that a line names: a known one, or a new one of that name; `null` for none. */
  told(input: OptionInput, path: string): number | null;
  /** Those that lines still have, and what is selected of them. */
  settled(
    used: ReadonlySet<number>,
    solution: NamedReference | null | undefined,
  ): { options: OptionRecord[]; errors: FieldError[] };
}

/**
 * The options kept, and what a request makes of them. `ids` are for new ones. In a proposal that is not stored yet
 * (`isNew`) unknown ids are numbers of the request's own, as a quote numbers its options.
 */
export function applyOptions(
  kept: readonly OptionRecord[],
  { ids, isNew }: { readonly ids: readonly number[]; readonly isNew: boolean },
): OptionsUpdate {
  const names = new Map(kept.map(({ Id, Name }) => [Id, Name]));
  const own = new Map<number, number>();
  const flags = new Map<number, boolean>();
  const errors: FieldError[] = [];
  const fresh = ids.values();
  const was = (id: number | null | undefined): OptionRecord | undefined => kept.find(({ Id }) => Id === id);
  const named = (name: string): number | undefined => [...names].find(([, each]) => isSameName(each, name))?.[0];

  function rename(id: number, name: string, path: string): void {
    if (!name || isSameName(name, was(id)?.Name ?? '')) return;
    const owner = named(name);
    if (owner === id) return;
    const wrong = (message: string) => errors.push({ field: `${path}.Name`, message });
    if (owner !== undefined) wrong(`is that of option ${owner}`);
    else if (names.get(id) !== was(id)?.Name) wrong(`is the second new name of option ${id}`);
    else names.set(id, name);
  }

  function idOf({ Id, Name }: OptionInput, path: string): number | null {
    const name = Name?.trim() ?? '';
    if (Id && was(Id)) {
      rename(Id, name, path);
      return Id;
    }
    if (Id && (!isNew || (!name && !own.has(Id)))) {
      errors.push({ field: `${path}.Id`, message: `names no option of the proposal: there is no ${Id}` });
      return null;
    }
    const id = (name ? named(name) : own.get(Id ?? 0)) ?? fresh.next().value ?? 0;
    if (Id) own.set(Id, id);
    if (!names.has(id)) names.set(id, name);
    return id;
  }

  function told(input: OptionInput, path: string): number | null {
    const id = hasReference(input) ? idOf(input, path) : null;
    // Lines that say what holds already say nothing; one that says otherwise is the change.
    const { Selected } = input;
    const isChange = typeof Selected === 'boolean' && Selected !== (was(id)?.Selected ?? false);
    if (id !== null && isChange) flags.set(id, Selected);
    return id;
  }

  function settled(
    lines: ReadonlySet<number>,
    solution: NamedReference | null | undefined,
  ): { options: OptionRecord[]; errors: FieldError[] } {
    const flagged = [...names]
      .filter(([id]) => lines.has(id))
      .map(([Id, Name]) => ({ Id, Name, Selected: flags.get(Id) ?? was(Id)?.Selected ?? false }));
    const first = kept.find(({ Selected }) => Selected) ?? null;
    const fault = (field: string, message: string) => ({ options: flagged, errors: [...errors, { field, message }] });
    const choose = (id: number | null) => {
      const options = flagged.map((option) => ({ ...option, Selected: option.Id === id }));
      const contradicts = [...flags].some(([of, selected]) => selected !== (of === id));
      if (contradicts) return fault('SelectedSolution', 'selects otherwise than the Selected of the lines does');
      return { options, errors };
    };
    if (solution === null && first) return choose(null);
    if (!solution) return { options: flagged, errors };
    const local = isNew && !was(solution.Id) ? { ...solution, Id: own.get(solution.Id ?? 0) ?? solution.Id } : solution;
    const picked = resolveReference(local, first, flagged, 'option of the proposal');
    if (picked.kind === 'fault') return fault(`SelectedSolution.${picked.field}`, picked.message);
    if (picked.kind === 'kept') return { options: flagged, errors };
    // Answered is the first one selected: a quote of several, sent to be made, says in it what its lines say.
    const isFirst = isNew && flags.size > 0 && flagged.find(({ Selected }) => Selected)?.Id === picked.record.Id;
    return isFirst ? { options: flagged, errors } : choose(picked.record.Id);
  }
  return { told, settled };
}

/**
 * What a proposal comes to with each of its options, in words; `""` where no line is of an option. `With one option
 * alone, and tax: Good 1,200.00, Better 1,450.00 (selected), Best 1,900.00.`
 */
export function describeOptions(options: readonly OptionRecord[], totals: readonly OptionTotals[]): string {
  const told = options.flatMap(({ Id, Name, Selected }) => {
    const of = totals.find(({ optionId }) => optionId === Id);
    return of ? [`${Name} ${formatMoney(of.total)}${Selected ? ' (selected)' : ''}`] : [];
  });
  return told.length ? `With one option alone, and tax: ${told.join(', ')}.` : '';
}
