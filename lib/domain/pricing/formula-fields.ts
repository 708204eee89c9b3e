import type Big from 'big.js';
import { Fraction } from '../../shared/fraction.ts';
import { countSteps, evaluateFormula, parseFormula } from '../formula.ts';
import type { PricedField } from './types.ts';

/** Collects errors; the caller goes on with some amount, because all errors are reported at once. */
export type AddError = (field: string, message: string) => void;

/** What formulas and overrides read: numbers by id and by shortcode, and all names, with or without a value. */
export interface Fields {
  readonly values: ReadonlyMap<number, number>;
  readonly variables: Readonly<Record<string, number>>;
  readonly names: ReadonlySet<string>;
}

const BUILT_IN = ['quantity', 'base', 'unit'] as const;
export type BuiltIn = Readonly<Record<(typeof BUILT_IN)[number], Big | number>>;

/** Of two fields with one id or shortcode, the last with a value counts. */
export function readFields(...lists: readonly (readonly PricedField[] | undefined)[]): Fields {
  const values = new Map<number, number>();
  const variables: Record<string, number> = {};
  const names = new Set<string>(BUILT_IN);
  for (const { Id, Shortcode, Value } of lists.flatMap((list) => list ?? [])) {
    if (Shortcode) names.add(Shortcode);
    if (typeof Value !== 'number' || !Number.isFinite(Value)) continue;
    values.set(Id, Value);
    if (Shortcode) variables[Shortcode] = Value;
  }
  return { values, variables, names };
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
  source.addError(source.field, `cannot be priced by its ${source.name}: ${result.message}`);
  return Fraction.of(0);
}
