import type { CustomField } from '../../resources/custom-fields.ts';
import type { FieldErrorCode } from '../../shared/failure-codes.ts';
import type { FieldError } from '../../shared/failure.ts';
import { jsonByteLength } from '../../shared/objects.ts';
import { isFormulaName } from '../formula-names.ts';
import { parseFormula } from '../formula.ts';
import type { BookIdKind } from './id-kinds.ts';

/** Collects the invalid fields of an entry or a part of one. */
export class EntryErrors {
  /** `Services[2].PricingBands`. */
  readonly path: string;
  readonly #errors: FieldError[];

  constructor(path: string, errors: FieldError[]) {
    this.path = path;
    this.#errors = errors;
  }

  get count(): number {
    return this.#errors.length;
  }

  /** Adds an error of a field (`''` for the entry itself). A valid field has no message. */
  add(field: string, message: string | false | undefined, code: FieldErrorCode): void {
    if (message) this.#errors.push({ field: this.#pathOf(field), code, message });
  }

  at(field: string): EntryErrors {
    return new EntryErrors(this.#pathOf(field), this.#errors);
  }

  #pathOf(field: string): string {
    return field === '' || field.startsWith('[') ? `${this.path}${field}` : `${this.path}.${field}`;
  }
}

const HIGHEST = 2 ** 31 - 1;

/** Reserved ids, by kind. */
export type ReservedIds = Partial<Record<BookIdKind, readonly number[]>>;

/** Hands out new ids. Once the reserved ones are used up, it returns numbers that no account can reach. */
export class NewIds {
  /** How many ids of each kind were needed. */
  readonly needs: Partial<Record<BookIdKind, number>> = {};
  readonly #reserved: ReservedIds;

  constructor(reserved: ReservedIds) {
    this.#reserved = reserved;
  }

  take(kind: BookIdKind): number {
    const taken = this.needs[kind] ?? 0;
    this.needs[kind] = taken + 1;
    return this.#reserved[kind]?.[taken] ?? HIGHEST - taken;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields with another name in the base variant of a resource: name in the record → name in the base variant. */
export type Aliases = Readonly<Record<string, string>>;

/** The name by which an entry gives a field: the record's name takes precedence over its alias. */
export function inputName(entry: object, name: string, aliases: Aliases): string {
  const alias = aliases[name];
  return (entry as Fields)[name] === undefined && alias && (entry as Fields)[alias] !== undefined ? alias : name;
}

/** Spaces around names and categories never matter. */
const TRIMMED: ReadonlySet<string> = new Set(['Name', 'Category', 'Group', 'OptionName', 'UnitOfMeasure']);

/** Applies the fields `names` of an entry: absent leaves a field, `null` resets it to its value in `blank`. */
export function applyFields<Of extends object>(
  record: Of,
  entry: object,
  { names, blank, aliases = {} }: { names: readonly (keyof Of & string)[]; blank: Of; aliases?: Aliases },
): Of {
  const changed: Record<string, unknown> = {};
  for (const name of names) {
    const value = (entry as Fields)[inputName(entry, name, aliases)];
    if (value === undefined) continue;
    changed[name] = value === null ? blank[name] : TRIMMED.has(name) ? (value as string).trim() : value;
  }
  return { ...record, ...changed };
}

/** The fields of a record that take an entry's value unchanged: all except `others`. */
export function plainFields<Of extends object>(blank: Of, others: readonly string[]): readonly (keyof Of & string)[] {
  return (Object.keys(blank) as (keyof Of & string)[]).filter((name) => !others.includes(name));
}

/** A band of a service or a quantity price of a part. It applies if AtLeast ≤ quantity < LessThan. */
export interface Band {
  readonly Id: number;
  readonly AtLeast: number;
  readonly LessThan: number | null;
  readonly Price: number;
  readonly Formula: string;
}

/** Keeps a record within one item of the table, and readable for a person. */
const MAX_BANDS = 100;

interface BandContext<Of extends Band> {
  readonly blank: Of;
  readonly idKind: BookIdKind;
  readonly ids: NewIds;
  /** The errors of the list. */
  readonly errors: EntryErrors;
  readonly formulaNames: ReadonlySet<string>;
}

/** Replaces the bands by those of an entry, sorted by AtLeast. A band matches by Id, else by AtLeast. */
export function applyBands<Of extends Band>(
  input: readonly object[] | null | undefined,
  before: readonly Of[],
  { blank, idKind, ids, errors, formulaNames }: BandContext<Of>,
): readonly Of[] {
  if (input === undefined) return before;
  const entries = (input ?? []) as readonly { readonly Id?: number | null; readonly AtLeast?: number | null }[];
  const names = Object.keys(blank).filter((name) => name !== 'Id') as (keyof Of & string)[];
  const indexById = new Map<number, number>();
  const bands = entries.map((entry, index) => {
    const { Id } = entry;
    const match = Id
      ? before.find((band) => band.Id === Id)
      : before.find((band) => band.AtLeast === (entry.AtLeast ?? 0) && !entries.some((other) => other.Id === band.Id));
    const earlier = match && indexById.get(match.Id);
    errors.add(`[${index}].Id`, Boolean(Id) && !match && `names an unknown band: ${Id}`, 'not_found');
    errors.add(
      `[${index}].Id`,
      Boolean(Id) && earlier !== undefined && `repeats that of ${errors.path}[${earlier}]`,
      'duplicate',
    );
    if (match) indexById.set(match.Id, index);
    const band = match && earlier === undefined ? match : { ...blank, Id: Id && !match ? Id : ids.take(idKind) };
    return applyFields<Of>(band, entry, { names, blank });
  });
  checkBands(bands, errors, formulaNames);
  return [...bands].sort((a, b) => a.AtLeast - b.AtLeast);
}

function checkBands(bands: readonly Band[], errors: EntryErrors, formulaNames: ReadonlySet<string>): void {
  errors.add('', bands.length > MAX_BANDS && `must have at most ${MAX_BANDS} elements`, 'too_long');
  bands.forEach(({ AtLeast, LessThan, Price, Formula }, index) => {
    const own = errors.at(`[${index}]`);
    own.add('AtLeast', AtLeast < 0 && 'must be at least 0', 'range');
    own.add(
      'LessThan',
      LessThan !== null && LessThan <= AtLeast && `must be more than AtLeast, which is ${AtLeast}`,
      'range',
    );
    // The base variant has a double, the detailed one a decimal: only values that both can express survive both.
    own.add('Price', Number(Price.toFixed(4)) !== Price && 'must have at most 4 decimals', 'range');
    own.add('Formula', formulaError(Formula, formulaNames), 'format');
  });
  addOverlaps(bands, errors);
}

/** An overlap is an error of the band that begins later. Gaps are allowed: the plain price applies there. */
function addOverlaps(bands: readonly Band[], errors: EntryErrors): void {
  const sorted = bands.map((band, index) => ({ band, index })).sort((a, b) => a.band.AtLeast - b.band.AtLeast);
  let furthest: { readonly index: number; readonly end: number } | undefined;
  for (const { band, index } of sorted) {
    if (furthest && band.AtLeast < furthest.end) {
      const reach = furthest.end === Infinity ? 'has no end' : `goes to ${furthest.end}`;
      errors.add(`[${index}].AtLeast`, `overlaps ${errors.path}[${furthest.index}], which ${reach}`, 'mismatch');
    }
    const end = band.LessThan ?? Infinity;
    if (!furthest || end > furthest.end) furthest = { index, end };
  }
}

/** A record is one item of the table, and 100 of them one transaction of at most 4 MB. */
const MAX_RECORD_BYTES = 40_000;

export function checkSize(record: object, errors: EntryErrors): void {
  const bytes = jsonByteLength(record);
  errors.add('', bytes > MAX_RECORD_BYTES && `is too large: ${bytes} bytes. The limit is ${MAX_RECORD_BYTES}`, 'limit');
}

/**
 * Checks that services and parts share. A formula is only checked if the entry gives it, because custom fields may
 * change later.
 */
export function checkPriced(
  record: { readonly Name: string; readonly QuantityFormula: string },
  entry: { readonly QuantityFormula?: string | null | undefined },
  errors: EntryErrors,
  names: ReadonlySet<string>,
): void {
  errors.add('Name', !record.Name && 'is required', 'required');
  if (entry.QuantityFormula !== undefined)
    errors.add('QuantityFormula', formulaError(record.QuantityFormula, names), 'format');
  checkSize(record, errors);
}

export function checkNotNegative<Of extends object>(
  record: Of,
  names: readonly (keyof Of & string)[],
  errors: EntryErrors,
): void {
  for (const name of names)
    errors.add(name, ((record[name] as number | null) ?? 0) < 0 && 'must be at least 0', 'range');
}

const NUMBER = 1;

export const numericFields = (customFields: readonly CustomField[]): CustomField[] =>
  customFields.filter(({ Type }) => Type === NUMBER);

/** The names that a formula of the price book may use: quantity, base, unit, and numeric custom fields by shortcode. */
export const formulaNames = (customFields: readonly CustomField[]): ReadonlySet<string> =>
  new Set([
    'quantity',
    'base',
    'unit',
    ...numericFields(customFields).flatMap(({ Shortcode }) => (isFormulaName(Shortcode) ? [Shortcode] : [])),
  ]);

/** Why a text is not a formula over these names; an empty text is valid. */
function formulaError(text: string, names: ReadonlySet<string>): string | undefined {
  if (text.trim() === '') return undefined;
  const parsed = parseFormula(text, names);
  return parsed.ok ? undefined : `must be a formula. ${parsed.message}`;
}
