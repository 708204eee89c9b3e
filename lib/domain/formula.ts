import Big from 'big.js';
import { nearest } from '../shared/text.ts';

/** Operators between two values, each with how tightly it binds. All group from the left; comparisons do not chain. */
export const BINDING = {
  or: 1,
  and: 2,
  '=': 4,
  '<>': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
} as const;

/** `not` binds between `and` and the comparisons: `not a = b and c` is `(not (a = b)) and c`. */
export const NOT_BINDING = 3;

/** A minus sign before a value binds tighter than every operator between two. */
export const MINUS_BINDING = 7;

export type Operator = keyof typeof BINDING;

/** Functions and how many values each takes, at least and at most. */
export const FUNCTIONS = {
  min: [1, Infinity],
  max: [1, Infinity],
  round: [1, 2],
  ceil: [1, 1],
  floor: [1, 1],
  if: [3, 3],
} as const;

export type FunctionName = keyof typeof FUNCTIONS;

/** A parsed formula: a tree whose every number is a decimal; a condition is 1 when it holds and 0 when not. */
export type Formula =
  | { readonly kind: 'number'; readonly value: Big }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'minus' | 'not'; readonly operand: Formula }
  | { readonly kind: 'operation'; readonly operator: Operator; readonly left: Formula; readonly right: Formula }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly operands: readonly Formula[] };

/**
 * Why a formula was not read or has no value: thrown in the depth of the recursion, caught by the two functions that
 * begin it and answered by them as a value. It never leaves this folder.
 */
export class FormulaError extends Error {
  readonly at: number;

  constructor(message: string, at = 0) {
    super(message);
    this.at = at;
  }
}

/** A piece of a formula; `at` counts its first character from 1. Each symbol has one spelling: `*` for `×`. */
export type Token = { readonly kind: 'number' | 'word' | 'symbol' | 'end'; readonly text: string; readonly at: number };

const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['−', '-'],
  ['×', '*'],
  ['÷', '/'],
  ['≤', '<='],
  ['≥', '>='],
  ['==', '='],
  ['!=', '<>'],
  ['≠', '<>'],
]);

const PIECE = /(\s+)|([\d.][\p{L}\p{N}_.]*)|([\p{L}_][\p{L}\p{N}_]*)|(<=|>=|==|!=|<>|[-+*/<>=(),−×÷≤≥≠])/uy;
const NUMBER = /^(?:\d+(?:\.\d+)?|\.\d+)$/;
const WORD = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Whether a text can be a name in a formula: letters, digits, `_`, not first a digit, and not `and`, `or`, `not`. */
export function isFormulaName(text: string): boolean {
  return WORD.test(text) && !/^(?:and|or|not)$/i.test(text);
}

/** The pieces of a formula, then one of kind `end`. @throws Refusal for a character or number that no formula has. */
export function lex(text: string): Token[] {
  const tokens: Token[] = [];
  for (PIECE.lastIndex = 0; PIECE.lastIndex < text.length;) {
    const start = PIECE.lastIndex;
    const at = start + 1;
    const [, space, number, word, symbol] = PIECE.exec(text) ?? [];
    if (number !== undefined) {
      if (!NUMBER.test(number))
        throw new FormulaError(`${JSON.stringify(number)} at character ${at} is not a number.`, at);
      tokens.push({ kind: 'number', text: number, at });
    } else if (word !== undefined) tokens.push({ kind: 'word', text: word, at });
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: SPELLINGS.get(symbol) ?? symbol, at });
    else if (space === undefined) {
      const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
      throw new FormulaError(`${JSON.stringify(character)} at character ${at} has no meaning in a formula.`, at);
    }
  }
  tokens.push({ kind: 'end', text: '', at: text.length + 1 });
  return tokens;
}

/** Longest formula in characters, and how deep parentheses, functions and signs may stand in one another. */
export const MAX_LENGTH = 500;
export const MAX_DEPTH = 32;

/** A formula, or why the text is none: a sentence, and the character that it complains of, counted from 1. */
export type ParsedFormula =
  | { readonly ok: true; readonly formula: Formula }
  | { readonly ok: false; readonly message: string; readonly at: number };

const OPERATORS: ReadonlyMap<string, Operator> = new Map(
  (Object.keys(BINDING) as Operator[]).map((operator) => [operator, operator]),
);
const FUNCTION_NAMES: ReadonlyMap<string, FunctionName> = new Map(
  (Object.keys(FUNCTIONS) as FunctionName[]).map((name) => [name, name]),
);

/**
 * Reads a formula over the given names, by precedence climbing (Pratt). Functions, `and`, `or`, `not` may be in
 * capitals, and a name too as long as only one of the names fits. Too long a text is refused before it is looked at.
 */
export function parseFormula(text: string, names: ReadonlySet<string>): ParsedFormula {
  try {
    if (text.length > MAX_LENGTH) {
      const message = `The formula has ${text.length} characters; at most ${MAX_LENGTH} are allowed.`;
      throw new FormulaError(message, MAX_LENGTH + 1);
    }
    if (text.trim() === '') throw new FormulaError('The formula is empty.', 1);
    return { ok: true, formula: parseTokens(lex(text), names) };
  } catch (refusal) {
    if (!(refusal instanceof FormulaError)) throw refusal;
    return { ok: false, message: refusal.message, at: refusal.at };
  }
}

function parseTokens(tokens: readonly Token[], names: ReadonlySet<string>): Formula {
  let position = 0;
  const end: Token = { kind: 'end', text: '', at: 0 };
  const peek = (): Token => tokens[position] ?? end;
  const next = (): Token => tokens[position++] ?? end;
  const isSymbol = (token: Token, symbol: string): boolean => token.kind === 'symbol' && token.text === symbol;

  function expect(symbol: string): void {
    const token = next();
    if (!isSymbol(token, symbol)) throw misplaced(token, symbol === ')' ? 'an operator or ")"' : `"${symbol}"`);
  }

  function operatorAt(token: Token): Operator | undefined {
    if (token.kind === 'symbol') return OPERATORS.get(token.text);
    return token.kind === 'word' ? OPERATORS.get(token.text.toLowerCase()) : undefined;
  }

  /** A value and the operators after it that bind at least so tightly. */
  function expression(binding: number, depth: number): Formula {
    let left = operand(binding, depth);
    let compared = false;
    for (;;) {
      const token = peek();
      const operator = operatorAt(token);
      if (operator === undefined || BINDING[operator] < binding) return left;
      const compares = BINDING[operator] === BINDING['='];
      if (compares && compared) {
        throw new FormulaError(`Comparisons do not chain: join the one at character ${token.at} with "and".`, token.at);
      }
      compared = compares;
      next();
      left = { kind: 'operation', operator, left, right: expression(BINDING[operator] + 1, depth) };
    }
  }

  function operand(binding: number, depth: number): Formula {
    const token = next();
    if (depth > MAX_DEPTH) {
      const message = `The formula is nested deeper than ${MAX_DEPTH} levels at character ${token.at}.`;
      throw new FormulaError(message, token.at);
    }
    if (token.kind === 'number') return { kind: 'number', value: new Big(token.text) };
    if (isSymbol(token, '-')) return { kind: 'minus', operand: expression(MINUS_BINDING, depth + 1) };
    if (isSymbol(token, '(')) {
      const inner = expression(0, depth + 1);
      expect(')');
      return inner;
    }
    if (token.kind !== 'word' || operatorAt(token) !== undefined) throw misplaced(token, 'a value');
    if (token.text.toLowerCase() === 'not') {
      if (binding > NOT_BINDING) {
        throw new FormulaError(`Put parentheses around what begins with "not" at character ${token.at}.`, token.at);
      }
      return { kind: 'not', operand: expression(NOT_BINDING, depth + 1) };
    }
    return isSymbol(peek(), '(') ? call(token, depth) : { kind: 'variable', name: variable(token) };
  }

  function call(token: Token, depth: number): Formula {
    const name = FUNCTION_NAMES.get(token.text.toLowerCase());
    if (name === undefined) {
      if (resolve(token.text, names) === undefined) throw unknown('function', token, FUNCTION_NAMES.keys());
      throw new FormulaError(
        `"${token.text}" at character ${token.at} is not a function; multiply with "*".`,
        token.at,
      );
    }
    next();
    const operands: Formula[] = [];
    if (isSymbol(peek(), ')')) next();
    else {
      do operands.push(expression(0, depth + 1));
      while (isSymbol(peek(), ',') && next());
      expect(')');
    }
    const [least, most] = FUNCTIONS[name];
    if (operands.length < least || operands.length > most) {
      const wanted = least === most ? `${least}` : most === Infinity ? `${least} or more` : `${least} or ${most}`;
      throw new FormulaError(
        `"${name}" at character ${token.at} takes ${wanted} values, not ${operands.length}.`,
        token.at,
      );
    }
    return { kind: 'call', name, operands };
  }

  function variable(token: Token): string {
    const name = resolve(token.text, names);
    if (name !== undefined) return name;
    if (!FUNCTION_NAMES.has(token.text.toLowerCase())) throw unknown('name', token, names);
    throw new FormulaError(`"${token.text}" at character ${token.at} needs its values in parentheses.`, token.at);
  }

  const formula = expression(0, 0);
  if (peek().kind !== 'end') throw misplaced(peek(), 'an operator');
  return formula;
}

/** The whitelisted spelling of a name: the exact one, else the only one that differs in capitals alone. */
function resolve(word: string, names: ReadonlySet<string>): string | undefined {
  if (names.has(word)) return word;
  const alike = [...names].filter((name) => name.toLowerCase() === word.toLowerCase());
  return alike.length === 1 ? alike[0] : undefined;
}

function unknown(what: 'name' | 'function', token: Token, candidates: Iterable<string>): FormulaError {
  const meant = nearest(token.text, candidates);
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return new FormulaError(`Unknown ${what} "${token.text}" at character ${token.at}.${hint}`, token.at);
}

function misplaced(token: Token, expected: string): FormulaError {
  const message =
    token.kind === 'end'
      ? `The formula ends at character ${token.at}, where ${expected} is expected.`
      : `Found "${token.text}" at character ${token.at}, where ${expected} is expected.`;
  return new FormulaError(message, token.at);
}

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
  { readonly ok: true; readonly value: Big } | { readonly ok: false; readonly message: string };

/**
 * The value of a formula, every step rounded to 20 decimals. `if`, `and`, `or` evaluate what they need and no more, so
 * that `if(quantity = 0, 0, base / quantity)` is safe. A condition is 1 or 0; any value but 0 counts as true.
 */
export function evaluateFormula(formula: Formula, variables: FormulaVariables): EvaluatedFormula {
  try {
    return { ok: true, value: evaluate(formula, variables) };
  } catch (refusal) {
    if (!(refusal instanceof FormulaError)) throw refusal;
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
      return apply(
        formula.name,
        formula.operands.map((operand) => () => evaluate(operand, variables)),
      );
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
      if (divisor.eq(ZERO)) throw new FormulaError('The formula divides by zero.');
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
  const input = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (input === undefined) throw new FormulaError(`The value of "${name}" is missing.`);
  const isNumber = typeof input === 'string' ? PLAIN_NUMBER.test(input) : Number.isFinite(Number(input));
  if (!isNumber) throw new FormulaError(`The value of "${name}" is not a number.`);
  return bounded(new Decimal(typeof input === 'string' ? input.trim() : input), `The value of "${name}"`);
}

/** A value within the limit and with no more decimals than are kept; never −0. */
function bounded(value: Big, what = 'A step of the formula'): Big {
  if (value.abs().gt(LIMIT)) throw new FormulaError(`${what} is beyond ±1,000,000,000,000,000.`);
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
  throw new FormulaError('The second value of "round" has to be a whole number from -15 to 15.');
}

const condition = (holds: boolean): Big => (holds ? ONE : ZERO);
const isTrue = (value: Big): boolean => !settle(value).eq(ZERO);

/**
 * The expression language of pricing bands: decimals, names, `+ − × ÷` (also `- * /`), parentheses, `min`, `max`,
 * `round(value, digits)`, `ceil`, `floor`, comparisons (`< <= > >= = == <> !=`), `and`, `or`, `not` and
 * `if(condition, then, otherwise)`. Text becomes a tree and the tree a decimal; nothing of it is ever run as code.
 */
