import { Refusal } from './refusal.ts';

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
  for (PIECE.lastIndex = 0; PIECE.lastIndex < text.length; ) {
    const start = PIECE.lastIndex;
    const at = start + 1;
    const [, space, number, word, symbol] = PIECE.exec(text) ?? [];
    if (number !== undefined) {
      if (!NUMBER.test(number)) throw new Refusal(`${JSON.stringify(number)} at character ${at} is not a number.`, at);
      tokens.push({ kind: 'number', text: number, at });
    } else if (word !== undefined) tokens.push({ kind: 'word', text: word, at });
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: SPELLINGS.get(symbol) ?? symbol, at });
    else if (space === undefined) {
      const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
      throw new Refusal(`${JSON.stringify(character)} at character ${at} has no meaning in a formula.`, at);
    }
  }
  tokens.push({ kind: 'end', text: '', at: text.length + 1 });
  return tokens;
}
