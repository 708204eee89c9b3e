import type Big from 'big.js';
import type { FieldErrorCode } from '../../shared/failure-codes.ts';
import { Fraction } from '../../shared/money.ts';
import { countSteps, evaluateFormula, parseFormula } from '../formula.ts';
import type { PricedField } from './types.ts';

/** Collects errors; the caller goes on with some amount, because all errors are reported at once. */
export type AddError = (field: string, message: string, code: FieldErrorCode) => void;

/** What formulas and overrides read: numbers by id and by shortcode, and all names, with or without a value. */
export interface Fields {
  readonly values: ReadonlyMap<number, number>;
  readonly variables: Readonly<Record<string, number>>;
  readonly names: ReadonlySet<string>;
  /** By shortcode, for messages. */
  readonly definitions: ReadonlyMap<string, NonNullable<PricedField['definition']>>;
}

const BUILT_IN = ['quantity', 'base', 'unit'] as const;
export type BuiltIn = Readonly<Record<(typeof BUILT_IN)[number], Big | number>>;

/** Of two fields with one id or shortcode, the last with a value counts. */
export function readFields(...lists: readonly (readonly PricedField[] | undefined)[]): Fields {
  const values = new Map<number, number>();
  const variables: Record<string, number> = {};
  const names = new Set<string>(BUILT_IN);
  const definitions = new Map<string, NonNullable<PricedField['definition']>>();
  for (const { Id, Shortcode, Value, definition } of lists.flatMap((list) => list ?? [])) {
    if (Shortcode) names.add(Shortcode);
    if (Shortcode && definition) definitions.set(Shortcode, definition);
    if (typeof Value !== 'number' || !Number.isFinite(Value)) continue;
    values.set(Id, Value);
    if (Shortcode) variables[Shortcode] = Value;
  }
  return { values, variables, names, definitions };
}

/** The value of the field that an override refers to; `undefined` if it refers to none or to one without a value. */
export const overrideValue = ({ values }: Fields, fieldId: number | null): number | undefined =>
  fieldId === null ? undefined : values.get(fieldId);

/** The limit of one pricing: 0.1 s of CPU. 500 lines with a formula of 20 values each take 20,000. */
export const MAX_STEPS = 50_000;
/** What the quantity and the price of a line without a formula cost, beside a step of a formula. */
export const LINE_STEPS = 5;

/**
 * Counts what a pricing costs. Beyond the limit it is an error, and nothing more is calculated. It also keeps the
 * formulas that were read: many lines have the same.
 */
export class PricingSteps {
  readonly #addError: () => void;
  /** By the names that a formula may contain, and its text. */
  readonly #formulas = new Map<ReadonlySet<string>, Map<string, ReadFormula>>();
  #spent = 0;

  constructor(addError: () => void) {
    this.#addError = addError;
  }

  /** Whether so many more steps are within the limit. */
  spend(steps: number): boolean {
    const wasExhausted = this.isExhausted;
    this.#spent += steps;
    if (this.isExhausted && !wasExhausted) this.#addError();
    return !this.isExhausted;
  }

  get isExhausted(): boolean {
    return this.#spent > MAX_STEPS;
  }

  get spent(): number {
    return this.#spent;
  }

  /** The formula, if it may still be evaluated. */
  read(text: string, names: ReadonlySet<string>): ReturnType<typeof parseFormula> | undefined {
    const known = this.#formulas.get(names)?.get(text) ?? this.#parse(text, names);
    return this.spend(known.steps) ? known.parsed : undefined;
  }

  #parse(text: string, names: ReadonlySet<string>): ReadFormula {
    const parsed = parseFormula(text, names);
    const formula = { parsed, steps: parsed.ok ? countSteps(parsed.formula) : LINE_STEPS };
    this.spend(formula.steps);
    const sameNames = this.#formulas.get(names) ?? new Map<string, ReadFormula>();
    this.#formulas.set(names, sameNames.set(text, formula));
    return formula;
  }
}

interface ReadFormula {
  readonly parsed: ReturnType<typeof parseFormula>;
  readonly steps: number;
}

/** Which record has no value of a field that a formula reads, and where to set it. */
function missingValueMessage(shortcode: string, definition: PricedField['definition']): string {
  const field = definition?.Name ? `custom field "${definition.Name}" (${shortcode})` : `custom field ${shortcode}`;
  const value = `{"Shortcode": ${JSON.stringify(shortcode)}, "Value": 1}`;
  switch (definition?.TableType) {
    case 1:
      return `The appointment has no number as ${field}. Set it in CustomProperties of the slot: {"${shortcode}": 1}.`;
    case 2:
      return `The proposal has no number as ${field}. Set it in its CustomFields: [${value}].`;
    case 3:
      return `The line has no number as ${field}. Set it in CustomFields of the line: [${value}].`;
    default:
      return `The contact has no number as ${field}. Set it with contacts/addupdate in CustomFields: [${value}].`;
  }
}

/** Where a formula is from: `name` is what messages call it, `field` what they are about. */
export interface FormulaSource {
  readonly name: string;
  readonly field: string;
  readonly addError: AddError;
  readonly steps: PricingSteps;
}

/** The value of a formula of the price book; 0 and an error if it has none. */
export function formulaValue(text: string, fields: Fields, builtIn: BuiltIn, source: FormulaSource): Fraction {
  const parsed = source.steps.read(text, fields.names);
  if (!parsed) return Fraction.of(0);
  const result = parsed.ok ? evaluateFormula(parsed.formula, { ...fields.variables, ...builtIn }) : parsed;
  if (result.ok) return result.value;
  const missing = 'missing' in result ? result.missing : undefined;
  const reason = missing === undefined ? result.message : missingValueMessage(missing, fields.definitions.get(missing));
  source.addError(source.field, `cannot be priced by its ${source.name}: ${reason}`, 'invalid_value');
  return Fraction.of(0);
}
