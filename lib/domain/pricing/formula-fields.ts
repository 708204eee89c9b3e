import type Big from 'big.js';
import { Fraction } from '../../shared/fraction.ts';
import { evaluateFormula, parseFormula } from '../formula.ts';
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

/** Where a formula is from: `name` is what messages call it, `field` what they are about. */
export interface FormulaSource {
  readonly name: string;
  readonly field: string;
  readonly addError: AddError;
}

/** The value of a formula of the price book; 0 and an error if it has none. */
export function formulaValue(text: string, fields: Fields, builtIn: BuiltIn, source: FormulaSource): Fraction {
  const parsed = parseFormula(text, fields.names);
  const result = parsed.ok ? evaluateFormula(parsed.formula, { ...fields.variables, ...builtIn }) : parsed;
  if (result.ok) return result.value;
  source.addError(source.field, `cannot be priced by its ${source.name}: ${result.message}`);
  return Fraction.of(0);
}
