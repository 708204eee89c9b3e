import Big from 'big.js';
import { Fraction } from '../shared/money.ts';
import { nearest } from '../shared/text/suggestions.ts';

/*
 * The expression language of pricing bands: decimals, names, `+ − × ÷` (also `- * /`), parentheses, `min`, `max`,
 * `round(value, digits)`, `ceil`, `floor`, comparisons (`< <= > >= = == <> !=`), `and`, `or`, `not` and `if(condition,
 * then, otherwise)`. Text becomes a tree and the tree an exact fraction; nothing is ever run as code.
 */

/** Binary operators and their precedence. All are left-associative; comparisons do not chain. */
const BINDING = {
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

/** Between `and` and the comparisons: `not a = b and c` is `(not (a = b)) and c`. */
const NOT_BINDING = 3;

/** A minus sign before a value binds tighter than every binary operator. */
const MINUS_BINDING = 7;

type Operator = keyof typeof BINDING;

/** The minimum and maximum number of arguments of each function. */
const FUNCTIONS = {
  min: [1, Infinity],
  max: [1, Infinity],
  round: [1, 2],
  ceil: [1, 1],
  floor: [1, 1],
  if: [3, 3],
} as const;

type FunctionName = keyof typeof FUNCTIONS;

/** A parsed formula: a tree in which every number is a decimal; a condition is 1 if it holds and 0 if not. */
export type Formula =
  | { readonly kind: 'number'; readonly value: Big }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'minus' | 'not'; readonly operand: Formula }
  | { readonly kind: 'operation'; readonly operator: Operator; readonly left: Formula; readonly right: Formula }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly operands: readonly Formula[] };

/** Unwinds a recursion; parseFormula and evaluateFormula catch it and return it as a value. */
class FormulaError extends Error {
  readonly at: number;

  constructor(message: string, at = 0) {
    super(message);
    this.at = at;
  }
}

/** A name in the formula has no value. */
class MissingValue extends FormulaError {
  readonly variable: string;

  constructor(variable: string) {
    super(`The value of "${variable}" is missing.`);
    this.variable = variable;
  }
}

/** `at` counts characters from 1. Each symbol has one spelling: `*` for `×`. */
type Token = { readonly kind: 'number' | 'word' | 'symbol' | 'end'; readonly text: string; readonly at: number };

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

const PIECE =
  /(\s+)|([\d.][\p{L}\p{N}_.]*)|([\p{L}_][\p{L}\p{N}_]*)|(<=|>=|==|!=|<>|[-+*/<>=(),\u2212\u00d7\u00f7\u2264\u2265\u2260])/uy;
const NUMBER = /^(?:\d+(?:\.\d+)?|\.\d+)$/;

/** The tokens of a formula, followed by one of kind `end`. */
function lex(text: string): Token[] {
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

const MAX_LENGTH = 500;
/** The deepest nesting of parentheses, functions and signs. */
const MAX_DEPTH = 32;

/** A formula, or a sentence about what is wrong at character `at`, counted from 1. */
type ParsedFormula =
  | { readonly ok: true; readonly formula: Formula }
  | { readonly ok: false; readonly message: string; readonly at: number };

const OPERATORS: ReadonlyMap<string, Operator> = new Map(
  (Object.keys(BINDING) as Operator[]).map((operator) => [operator, operator]),
);
const FUNCTION_NAMES: ReadonlyMap<string, FunctionName> = new Map(
  (Object.keys(FUNCTIONS) as FunctionName[]).map((name) => [name, name]),
);

/**
 * Parses a formula over these names by precedence climbing (Pratt). Functions, `and`, `or`, `not`, and names that match
 * only one of the names ignore case. A text that is too long is refused unread.
 */
export function parseFormula(text: string, names: ReadonlySet<string>): ParsedFormula {
  try {
    if (text.length > MAX_LENGTH) {
      const message = `The formula has ${text.length} characters; at most ${MAX_LENGTH} are allowed.`;
      throw new FormulaError(message, MAX_LENGTH + 1);
    }
    if (text.trim() === '') throw new FormulaError('The formula is empty.', 1);
    return { ok: true, formula: new FormulaParser(lex(text), names).formula() };
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    return { ok: false, message: error.message, at: error.at };
  }
}

const END: Token = { kind: 'end', text: '', at: 0 };

const isSymbol = (token: Token, symbol: string): boolean => token.kind === 'symbol' && token.text === symbol;

function operatorAt(token: Token): Operator | undefined {
  if (token.kind === 'symbol') return OPERATORS.get(token.text);
  return token.kind === 'word' ? OPERATORS.get(token.text.toLowerCase()) : undefined;
}

/** Parses a formula by recursive descent. */
class FormulaParser {
  readonly #tokens: readonly Token[];
  readonly #names: ReadonlySet<string>;
  #position = 0;

  constructor(tokens: readonly Token[], names: ReadonlySet<string>) {
    this.#tokens = tokens;
    this.#names = names;
  }

  formula(): Formula {
    const formula = this.#expression(0, 0);
    if (this.#peek().kind !== 'end') throw misplaced(this.#peek(), 'an operator');
    return formula;
  }

  #peek(): Token {
    return this.#tokens[this.#position] ?? END;
  }

  #next(): Token {
    return this.#tokens[this.#position++] ?? END;
  }

  #close(): void {
    const token = this.#next();
    if (!isSymbol(token, ')')) throw misplaced(token, 'an operator or ")"');
  }

  /** A value followed by operators of at least this precedence. */
  #expression(binding: number, depth: number): Formula {
    let left = this.#operand(binding, depth);
    let compared = false;
    for (;;) {
      const token = this.#peek();
      const operator = operatorAt(token);
      if (operator === undefined || BINDING[operator] < binding) return left;
      const compares = BINDING[operator] === BINDING['='];
      if (compares && compared) {
        throw new FormulaError(
          `Comparisons do not chain: put "and" before the one at character ${token.at}.`,
          token.at,
        );
      }
      compared = compares;
      this.#next();
      left = { kind: 'operation', operator, left, right: this.#expression(BINDING[operator] + 1, depth) };
    }
  }

  #operand(binding: number, depth: number): Formula {
    const token = this.#next();
    if (depth > MAX_DEPTH) {
      const message = `The formula is nested deeper than ${MAX_DEPTH} levels at character ${token.at}.`;
      throw new FormulaError(message, token.at);
    }
    if (token.kind === 'number') return { kind: 'number', value: new Big(token.text) };
    if (isSymbol(token, '-')) return { kind: 'minus', operand: this.#expression(MINUS_BINDING, depth + 1) };
    if (isSymbol(token, '(')) {
      const inner = this.#expression(0, depth + 1);
      this.#close();
      return inner;
    }
    if (token.kind !== 'word' || operatorAt(token) !== undefined) throw misplaced(token, 'a value');
    if (token.text.toLowerCase() === 'not') {
      if (binding > NOT_BINDING) {
        throw new FormulaError(
          `Put parentheses around the expression that begins with "not" at character ${token.at}.`,
          token.at,
        );
      }
      return { kind: 'not', operand: this.#expression(NOT_BINDING, depth + 1) };
    }
    const isCall = isSymbol(this.#peek(), '(');
    return isCall ? this.#call(token, depth) : { kind: 'variable', name: this.#variable(token) };
  }

  #call(token: Token, depth: number): Formula {
    const name = FUNCTION_NAMES.get(token.text.toLowerCase());
    if (name === undefined) {
      if (resolve(token.text, this.#names) === undefined) throw unknown('function', token, FUNCTION_NAMES.keys());
      throw new FormulaError(
        `"${token.text}" at character ${token.at} is not a function; multiply with "*".`,
        token.at,
      );
    }
    this.#next();
    const operands = this.#operands(depth);
    const [min, max] = FUNCTIONS[name];
    if (operands.length < min || operands.length > max) {
      const expected = min === max ? `${min}` : max === Infinity ? `${min} or more` : `${min} or ${max}`;
      throw new FormulaError(
        `"${name}" at character ${token.at} takes ${expected} arguments, not ${operands.length}.`,
        token.at,
      );
    }
    return { kind: 'call', name, operands };
  }

  #operands(depth: number): Formula[] {
    const operands: Formula[] = [];
    if (isSymbol(this.#peek(), ')')) this.#next();
    else {
      do operands.push(this.#expression(0, depth + 1));
      while (isSymbol(this.#peek(), ',') && this.#next());
      this.#close();
    }
    return operands;
  }

  #variable(token: Token): string {
    const name = resolve(token.text, this.#names);
    if (name !== undefined) return name;
    if (!FUNCTION_NAMES.has(token.text.toLowerCase())) throw unknown('name', token, this.#names);
    throw new FormulaError(`"${token.text}" at character ${token.at} needs its arguments in parentheses.`, token.at);
  }
}

/** The known spelling of a name: the exact one, else the only one that differs just in case. */
function resolve(word: string, names: ReadonlySet<string>): string | undefined {
  if (names.has(word)) return word;
  const matches = [...names].filter((name) => name.toLowerCase() === word.toLowerCase());
  return matches.length === 1 ? matches[0] : undefined;
}

function unknown(what: 'name' | 'function', token: Token, candidates: Iterable<string>): FormulaError {
  const similar = nearest(token.text, candidates);
  const hint = similar === undefined ? '' : ` Did you mean "${similar}"?`;
  return new FormulaError(`Unknown ${what} "${token.text}" at character ${token.at}.${hint}`, token.at);
}

function misplaced(token: Token, expected: string): FormulaError {
  const message =
    token.kind === 'end'
      ? `The formula ends at character ${token.at}, where ${expected} is expected.`
      : `Found "${token.text}" at character ${token.at}, where ${expected} is expected.`;
  return new FormulaError(message, token.at);
}

/**
 * The number of values, operations and functions in a formula, a bound on the cost of evaluating it: 1 to 2 µs each.
 */
export function countSteps(formula: Formula): number {
  switch (formula.kind) {
    case 'number':
    case 'variable':
      return 1;
    case 'minus':
    case 'not':
      return 1 + countSteps(formula.operand);
    case 'operation':
      return 1 + countSteps(formula.left) + countSteps(formula.right);
    case 'call':
      return formula.operands.reduce((sum, operand) => sum + countSteps(operand), 1);
  }
}

/** No step may exceed ±1,000,000,000,000,000, because long numbers are slow. */
const LIMIT = Fraction.of(1e15);
const ZERO = Fraction.of(0);
const ONE = Fraction.of(1);

/** Values by name. A text must be a plain decimal number, as in custom fields. */
export type FormulaVariables = Readonly<Record<string, number | string | Big>>;

const PLAIN_NUMBER = /^\s*-?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})\s*$/;

/** The value, or a sentence about why it has no value. */
type EvaluatedFormula =
  | { readonly ok: true; readonly value: Fraction }
  /** `missing`: the name without a value, if that is the reason. */
  | { readonly ok: false; readonly message: string; readonly missing?: string };

/**
 * The exact value of a formula: `1 / 3 * 3` is 1. `if`, `and`, `or` evaluate only what they need, so `if(quantity = 0,
 * 0, base / quantity)` is safe. A condition yields 1 or 0; any value but 0 counts as true.
 */
export function evaluateFormula(formula: Formula, variables: FormulaVariables): EvaluatedFormula {
  try {
    return { ok: true, value: evaluate(formula, variables) };
  } catch (error) {
    if (error instanceof MissingValue) return { ok: false, message: error.message, missing: error.variable };
    if (!(error instanceof FormulaError)) throw error;
    return { ok: false, message: error.message };
  }
}

function evaluate(formula: Formula, variables: FormulaVariables): Fraction {
  switch (formula.kind) {
    case 'number':
      return bounded(Fraction.of(formula.value), 'A number in the formula');
    case 'variable':
      return variableValue(formula.name, variables);
    case 'minus':
      return bounded(evaluate(formula.operand, variables).negated());
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

function operate(operator: Operator, left: Fraction, right: () => Fraction): Fraction {
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
      if (divisor.isZero()) throw new FormulaError('The formula divides by zero.');
      return bounded(left.dividedBy(divisor));
    }
    default:
      return condition(COMPARE[operator](left.compareTo(right())));
  }
}

type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';
const COMPARE: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

function apply(name: FunctionName, operands: readonly (() => Fraction)[]): Fraction {
  const operand = (index: number): Fraction => operands[index]?.() ?? ZERO;
  switch (name) {
    case 'if':
      return isTrue(operand(0)) ? operand(1) : operand(2);
    case 'min':
      return operands.map((value) => value()).reduce((min, value) => (value.compareTo(min) < 0 ? value : min));
    case 'max':
      return operands.map((value) => value()).reduce((max, value) => (value.compareTo(max) > 0 ? value : max));
    case 'round':
      return bounded(operand(0).round(digits(operand(1))));
    case 'floor':
      return bounded(operand(0).floor());
    case 'ceil':
      return bounded(operand(0).ceil());
  }
}

function variableValue(name: string, variables: FormulaVariables): Fraction {
  const input = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (input === undefined) throw new MissingValue(name);
  const isNumber = typeof input === 'string' ? PLAIN_NUMBER.test(input) : Number.isFinite(Number(input));
  if (!isNumber) throw new FormulaError(`The value of "${name}" is not a number.`);
  return bounded(Fraction.of(new Big(typeof input === 'string' ? input.trim() : input)), `The value of "${name}"`);
}

function bounded(value: Fraction, what = 'A step of the formula'): Fraction {
  if (value.abs().compareTo(LIMIT) > 0) throw new FormulaError(`${what} is beyond ±1,000,000,000,000,000.`);
  return value;
}

function digits(value: Fraction): number {
  const count = value.toBig(1).toNumber();
  if (value.compareTo(value.round()) === 0 && Math.abs(count) <= 15) return count;
  throw new FormulaError('The second value of "round" must be a whole number from -15 to 15.');
}

const condition = (holds: boolean): Fraction => (holds ? ONE : ZERO);
const isTrue = (value: Fraction): boolean => !value.isZero();
