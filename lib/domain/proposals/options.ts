import type { OptionRecord } from '../../entities/proposal-parts.ts';
import { type FieldError, prefixErrors } from '../../shared/failure.ts';
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

/** Collects the options of a proposal while the lines of a request refer to them one by one. */
export interface OptionsUpdate {
  /** The id of a line's option: an existing one, or a new one with that name; `null` for none. */
  resolve(input: OptionInput, path: string): number | null;
  /** The options still used by lines, with the requested selection. */
  finish(used: ReadonlySet<number>, solution: NamedReference | null | undefined): OptionsResult;
}

/**
 * Applies the options in a request. `ids` are for new ones. In a proposal that is not stored yet (`isNew`), unknown ids
 * are the request's own numbers, with which a quote numbers its options.
 */
export const updateOptions = (
  before: readonly OptionRecord[],
  { ids, isNew }: { readonly ids: readonly number[]; readonly isNew: boolean },
): OptionsUpdate => new RequestedOptions(before, ids.values(), isNew);

class RequestedOptions implements OptionsUpdate {
  readonly #before: readonly OptionRecord[];
  readonly #unusedIds: Iterator<number>;
  readonly #isNew: boolean;
  readonly #names: Map<number, string>;
  readonly #foldedNames: Map<number, string>;
  /** The request's number → the id of the new option. */
  readonly #newIds = new Map<number, number>();
  readonly #selections = new Map<number, boolean>();
  readonly #errors: FieldError[] = [];

  constructor(before: readonly OptionRecord[], unusedIds: Iterator<number>, isNew: boolean) {
    this.#before = before;
    this.#unusedIds = unusedIds;
    this.#isNew = isNew;
    this.#names = new Map(before.map(({ Id, Name }) => [Id, Name]));
    this.#foldedNames = new Map(before.map(({ Id, Name }) => [Id, foldName(Name)]));
  }

  resolve(input: OptionInput, path: string): number | null {
    const id = hasReference(input) ? this.#resolveId(input, path) : null;
    // A line that repeats the current selection changes nothing; one that differs changes it.
    const { Selected } = input;
    const isChange = typeof Selected === 'boolean' && Selected !== (this.#previous(id)?.Selected ?? false);
    if (id !== null && isChange) this.#selections.set(id, Selected);
    return id;
  }

  finish(used: ReadonlySet<number>, solution: NamedReference | null | undefined): OptionsResult {
    const options = [...this.#names]
      .filter(([id]) => used.has(id))
      .map(([Id, Name]) => ({ Id, Name, Selected: this.#selections.get(Id) ?? this.#previous(Id)?.Selected ?? false }));
    const current = this.#before.find(({ Selected }) => Selected) ?? null;
    const unchanged = { options, errors: this.#errors };
    if (solution === null && current) return this.#select(options, null);
    if (!solution) return unchanged;
    const isOwnNumber = this.#isNew && !this.#previous(solution.Id);
    const Id = isOwnNumber ? (this.#newIds.get(solution.Id ?? 0) ?? solution.Id) : solution.Id;
    const resolved = resolveReference({ ...solution, Id }, current, options, 'option of the proposal');
    if (resolved.kind === 'invalid') return this.#invalid(options, prefixErrors('SelectedSolution', [resolved.error]));
    if (resolved.kind === 'unchanged') return unchanged;
    // A quote with several selected options answers the first as SelectedSolution: in create it only repeats the lines.
    const isFirstSelected = this.#firstSelected(options)?.Id === resolved.record.Id;
    const repeatsLines = this.#isNew && this.#selections.size > 0 && isFirstSelected;
    return repeatsLines ? unchanged : this.#select(options, resolved.record.Id);
  }

  /**
   * Ordered by the request's own numbers, if it has any: a quote may list the items of an assembly before other lines.
   */
  #firstSelected(options: readonly OptionRecord[]): OptionRecord | undefined {
    const numbers = new Map([...this.#newIds].map(([number, id]) => [id, number]));
    const numberOf = ({ Id }: OptionRecord) => numbers.get(Id) ?? 0;
    return options.filter(({ Selected }) => Selected).toSorted((one, other) => numberOf(one) - numberOf(other))[0];
  }

  #previous(id: number | null | undefined): OptionRecord | undefined {
    return this.#before.find(({ Id }) => Id === id);
  }

  #setName(id: number, name: string): void {
    this.#names.set(id, name);
    this.#foldedNames.set(id, foldName(name));
  }

  #idByName(name: string): number | undefined {
    const folded = foldName(name);
    return [...this.#foldedNames].find(([, each]) => each === folded)?.[0];
  }

  #rename(id: number, name: string, path: string): void {
    const former = this.#previous(id)?.Name;
    if (!name || isSameName(name, former ?? '')) return;
    const owner = this.#idByName(name);
    if (owner === id) return;
    const fault = (message: string) => this.#errors.push({ field: `${path}.Name`, code: 'duplicate', message });
    if (owner !== undefined) fault(`is already the name of option ${owner}`);
    else if (this.#names.get(id) !== former) fault(`renames option ${id} a second time`);
    else this.#setName(id, name);
  }

  #resolveId({ Id, Name }: OptionInput, path: string): number | null {
    const name = Name?.trim() ?? '';
    if (Id && this.#previous(Id)) {
      this.#rename(Id, name, path);
      return Id;
    }
    if (Id && (!this.#isNew || (!name && !this.#newIds.has(Id)))) {
      const message = `must be an option of the proposal; ${Id} is not`;
      this.#errors.push({ field: `${path}.Id`, code: 'not_found', message });
      return null;
    }
    const id = (name ? this.#idByName(name) : this.#newIds.get(Id ?? 0)) ?? this.#unusedIds.next().value ?? 0;
    if (Id) this.#newIds.set(Id, id);
    if (!this.#names.has(id)) this.#setName(id, name);
    return id;
  }

  #invalid(options: OptionRecord[], errors: readonly FieldError[]): OptionsResult {
    return { options, errors: [...this.#errors, ...errors] };
  }

  #select(options: OptionRecord[], selectedId: number | null): OptionsResult {
    const contradicts = [...this.#selections].some(([id, selected]) => selected !== (id === selectedId));
    if (contradicts)
      return this.#invalid(options, [
        { field: 'SelectedSolution', code: 'mismatch', message: 'contradicts Selected on the lines' },
      ]);
    return {
      options: options.map((option) => ({ ...option, Selected: option.Id === selectedId })),
      errors: this.#errors,
    };
  }
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
