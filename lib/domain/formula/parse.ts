import Big from 'big.js';
import { lex, type Token } from './lex.ts';
import { nearest } from '../../nearest.ts';
import { Refusal } from './refusal.ts';
import type { Formula, FunctionName, Operator } from './tree.ts';
import { BINDING, FUNCTIONS, MINUS_BINDING, NOT_BINDING } from './tree.ts';

/** Longest formula in characters, and how deep parentheses, functions and signs may stand in one another. */
export const MAXIMUM_LENGTH = 500;
export const MAXIMUM_DEPTH = 32;

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
    if (text.length > MAXIMUM_LENGTH) {
      const message = `The formula has ${text.length} characters; at most ${MAXIMUM_LENGTH} are allowed.`;
      throw new Refusal(message, MAXIMUM_LENGTH + 1);
    }
    if (text.trim() === '') throw new Refusal('The formula is empty.', 1);
    return { ok: true, formula: parseTokens(lex(text), names) };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
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
        throw new Refusal(`Comparisons do not chain: join the one at character ${token.at} with "and".`, token.at);
      }
      compared = compares;
      next();
      left = { kind: 'operation', operator, left, right: expression(BINDING[operator] + 1, depth) };
    }
  }

  function operand(binding: number, depth: number): Formula {
    const token = next();
    if (depth > MAXIMUM_DEPTH) {
      const message = `The formula is nested deeper than ${MAXIMUM_DEPTH} levels at character ${token.at}.`;
      throw new Refusal(message, token.at);
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
        throw new Refusal(`Put parentheses around what begins with "not" at character ${token.at}.`, token.at);
      }
      return { kind: 'not', operand: expression(NOT_BINDING, depth + 1) };
    }
    return isSymbol(peek(), '(') ? call(token, depth) : { kind: 'variable', name: variable(token) };
  }

  function call(token: Token, depth: number): Formula {
    const name = FUNCTION_NAMES.get(token.text.toLowerCase());
    if (name === undefined) {
      if (resolve(token.text, names) === undefined) throw unknown('function', token, FUNCTION_NAMES.keys());
      throw new Refusal(`"${token.text}" at character ${token.at} is not a function; multiply with "*".`, token.at);
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
      throw new Refusal(`"${name}" at character ${token.at} takes ${wanted} values, not ${operands.length}.`, token.at);
    }
    return { kind: 'call', name, operands };
  }

  function variable(token: Token): string {
    const name = resolve(token.text, names);
    if (name !== undefined) return name;
    if (!FUNCTION_NAMES.has(token.text.toLowerCase())) throw unknown('name', token, names);
    throw new Refusal(`"${token.text}" at character ${token.at} needs its values in parentheses.`, token.at);
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

function unknown(what: 'name' | 'function', token: Token, candidates: Iterable<string>): Refusal {
  const meant = nearest(token.text, candidates);
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return new Refusal(`Unknown ${what} "${token.text}" at character ${token.at}.${hint}`, token.at);
}

function misplaced(token: Token, expected: string): Refusal {
  const message =
    token.kind === 'end'
      ? `The formula ends at character ${token.at}, where ${expected} is expected.`
      : `Found "${token.text}" at character ${token.at}, where ${expected} is expected.`;
  return new Refusal(message, token.at);
}
