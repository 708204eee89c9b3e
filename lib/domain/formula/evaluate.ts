import Big from 'big.js';
import { Refusal } from './refusal.ts';
import type { Formula, FunctionName, Operator } from './tree.ts';

/** A constructor of our own, so that nobody's change of big.js's global settings changes a price. */
const Decimal = Big();
/** Decimals kept by every step: what division cuts off, it rounds half away from zero. */
const DECIMALS = 20;
Decimal.DP = DECIMALS;
Decimal.RM = Big.roundHalfUp;

/** Nothing on the way to a result may go beyond 1,000,000,000,000,000 either way: it keeps every step short. */
const LIMIT = new Decimal('1e15');
const ZERO = new Decimal(0);
const ONE = new Decimal(1);

/** A value given to a formula by name. A text is a plain decimal number, as custom fields hold it. */
export type FormulaVariables = Readonly<Record<string, number | string | Big>>;

const PLAIN_NUMBER = /^\s*-?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})\s*$/;

/** The value, or a sentence that tells why there is none. */
export type EvaluatedFormula =
  | { readonly ok: true; readonly value: Big }
  | { readonly ok: false; readonly message: string };

/**
 * The value of a formula, every step rounded to 20 decimals. `if`, `and`, `or` evaluate what they need and no more, so
 * that `if(quantity = 0, 0, base / quantity)` is safe. A condition is 1 or 0; any value but 0 counts as true.
 */
export function evaluateFormula(formula: Formula, variables: FormulaVariables): EvaluatedFormula {
  try {
    return { ok: true, value: evaluate(formula, variables) };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { ok: false, message: refusal.message };
  }
}

function evaluate(formula: Formula, variables: FormulaVariables): Big {
  switch (formula.kind) {
    case 'number':
      return bounded(new Decimal(formula.value), 'A number in the formula');
    case 'variable':
      return valueOf(formula.name, variables);
    case 'minus':
      return bounded(evaluate(formula.operand, variables).neg());
    case 'not':
      return condition(!isTrue(evaluate(formula.operand, variables)));
    case 'operation':
      return operate(formula.operator, evaluate(formula.left, variables), () => evaluate(formula.right, variables));
    case 'call':
      return apply(formula.name, formula.operands.map((operand) => () => evaluate(operand, variables)));
  }
}

function operate(operator: Operator, left: Big, right: () => Big): Big {
  switch (operator) {
    case 'or':
      return condition(isTrue(left) || isTrue(right()));
    case 'and':
      return condition(isTrue(left) && isTrue(right()));
    case '+':
      return bounded(left.plus(right()));
    case '-':
      return bounded(left.minus(right()));
    case '*':
      return bounded(left.times(right()));
    case '/': {
      const divisor = right();
      if (divisor.eq(ZERO)) throw new Refusal('The formula divides by zero.');
      return bounded(left.div(divisor));
    }
    default:
      return condition(compares(operator, settle(left).cmp(settle(right()))));
  }
}

function compares(operator: '=' | '<>' | '<' | '<=' | '>' | '>=', order: number): boolean {
  switch (operator) {
    case '=':
      return order === 0;
    case '<>':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

function apply(name: FunctionName, operands: readonly (() => Big)[]): Big {
  const operand = (index: number): Big => operands[index]?.() ?? ZERO;
  switch (name) {
    case 'if':
      return isTrue(operand(0)) ? operand(1) : operand(2);
    case 'min':
      return operands.map((value) => value()).reduce((least, value) => (value.lt(least) ? value : least));
    case 'max':
      return operands.map((value) => value()).reduce((most, value) => (value.gt(most) ? value : most));
    case 'round':
      return bounded(settle(operand(0)).round(digits(operand(1)), Big.roundHalfUp));
    case 'floor': {
      const value = settle(operand(0));
      const whole = value.round(0, Big.roundDown);
      return bounded(whole.gt(value) ? whole.minus(ONE) : whole);
    }
    case 'ceil': {
      const value = settle(operand(0));
      const whole = value.round(0, Big.roundDown);
      return bounded(whole.lt(value) ? whole.plus(ONE) : whole);
    }
  }
}

function valueOf(name: string, variables: FormulaVariables): Big {
  const given = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (given === undefined) throw new Refusal(`The value of "${name}" is missing.`);
  const isNumber = typeof given === 'string' ? PLAIN_NUMBER.test(given) : Number.isFinite(Number(given));
  if (!isNumber) throw new Refusal(`The value of "${name}" is not a number.`);
  return bounded(new Decimal(typeof given === 'string' ? given.trim() : given), `The value of "${name}"`);
}

/** A value within the limit and with no more decimals than are kept; never −0. */
function bounded(value: Big, what = 'A step of the formula'): Big {
  if (value.abs().gt(LIMIT)) throw new Refusal(`${what} is beyond ±1,000,000,000,000,000.`);
  const rounded = value.round(DECIMALS, Big.roundHalfUp);
  return rounded.eq(ZERO) ? ZERO : rounded;
}

/**
 * A value as comparisons, conditions, `round`, `ceil` and `floor` see it: at 15 decimals, so that what division cut off
 * does not show. 1 / 3 × 3 is 0.99999999999999999999, which would not equal 1 and whose floor would be 0.
 */
function settle(value: Big): Big {
  return value.round(15, Big.roundHalfUp);
}

function digits(value: Big): number {
  const count = value.toNumber();
  if (Number.isInteger(count) && Math.abs(count) <= 15) return count;
  throw new Refusal('The second value of "round" has to be a whole number from -15 to 15.');
}

const condition = (holds: boolean): Big => (holds ? ONE : ZERO);
const isTrue = (value: Big): boolean => !settle(value).eq(ZERO);
