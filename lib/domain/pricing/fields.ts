import Big from 'big.js';
import { evaluateFormula, parseFormula } from '../formula.ts';
import type { PricedField } from './types.ts';

/** Takes down what is at fault; whoever finds it goes on with some amount, so that all faults are found in one go. */
export type AddError = (field: string, message: string) => void;

/** What formulas and overrides read: numbers by id and by shortcode, and the names there are, with or without a value. */
export interface Fields {
  readonly values: ReadonlyMap<number, number>;
  readonly variables: Readonly<Record<string, number>>;
  readonly names: ReadonlySet<string>;
}

const BUILT_IN = ['quantity', 'base', 'unit'] as const;

/** Of two fields with one id or shortcode, the last that has a value is read. */
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

/** The value of the field that an override names; `undefined` when it names none or nothing is said there. */
export const applyOverride = ({ values }: Fields, fieldId: number | null): number | undefined =>
  fieldId === null ? undefined : values.get(fieldId);

/** What a formula may read besides custom fields. */
export type BuiltIn = Readonly<Record<(typeof BUILT_IN)[number], Big | number>>;

/** The value of a formula of the price book; 0 when there is none, which is said of `field`, with `whose` formula it is. */
export function formulaValue(
  text: string,
  fields: Fields,
  builtIn: BuiltIn,
  fault: { say: AddError; field: string; whose: string },
): Big {
  const parsed = parseFormula(text, fields.names);
  const answer = parsed.ok ? evaluateFormula(parsed.formula, { ...fields.variables, ...builtIn }) : parsed;
  if (answer.ok) return answer.value;
  fault.say(fault.field, `cannot be priced: the ${fault.whose}. ${answer.message}`);
  return new Big(0);
}
