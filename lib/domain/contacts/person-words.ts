import { APOSTROPHE, wordsOf } from '../../shared/text/text.ts';

/** Words that many names and e-mails have. */
const COMMON = new Set(
  (
    'the and und et inc llc ltd co corp company mr mrs ms dr jr sr ii iii iv esq md phd ' +
    'www com net org mail email info office contact sales admin'
  ).split(' '),
);

export const isTelling = (word: string): boolean => word.length > 1 && !COMMON.has(word) && /\p{L}/u.test(word);

/** The words of a text; of `Maria’s` the name. */
export const nameWordsOf = (text: string): string[] => wordsOf(text.replaceAll(/['\u2019]s(?![\p{L}\p{N}])/giu, ''));

/** A folded word of a text, and where it stands. */
export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** Whether it begins with a capital, or has a script without capitals. */
  readonly isCapital: boolean;
}

const RAW_WORD = new RegExp(`(?:[\\p{L}\\p{N}\\p{M}]|${APOSTROPHE.source})+`, 'gu');

const isLower = (letter: string): boolean => letter === letter.toLowerCase() && letter !== letter.toUpperCase();

export function tokensOf(text: string): Token[] {
  return [...text.matchAll(RAW_WORD)].flatMap(({ 0: raw, index }) => {
    const [word] = nameWordsOf(raw);
    return word ? [{ word, start: index, end: index + raw.length, isCapital: !isLower([...raw][0] ?? '') }] : [];
  });
}

/** Shorter words with an s are words of their own: `Al` and `als`, `Ros` and `Ross`. */
const MIN_PLURAL = 4;

/** A word and what it is the plural of, or the possessive without an apostrophe: `kowalczyks`, `gomezes`. */
export const formsOf = (word: string): string[] => [
  word,
  ...['s', 'es']
    .filter((ending) => word.endsWith(ending) && word.length - ending.length >= MIN_PLURAL)
    .map((ending) => word.slice(0, -ending.length)),
];

export type Span = readonly [start: number, end: number];

/** Words that certainly mean a person where they stand side by side. */
export interface Sought {
  /** What may stand there. */
  readonly words: readonly string[];
  /** Of each of these lists one must. */
  readonly core: readonly (readonly string[])[];
  /** Other words that may stand between them. */
  readonly between: ReadonlySet<string>;
  /** Whether the short ones count with capitals only: `Win May` is a name where `win may` is none. */
  readonly areShortCapital: boolean;
  isSame(word: string, sought: string): boolean;
}

/** Up to so long a word may be one of everyday language, too: `win`, `may`, `will`. */
const MAX_SHORT = 4;
/** Between two words: `, `, ` (`, `. `; of couples also ` & `. */
const GAP = /^[\s,.:;_#()\p{Pd}]{1,4}$/u;
const COUPLE_GAP = /^[\s,.:;_#()\p{Pd}&+/]{1,4}$/u;

/**
 * Where sought words stand side by side, in any order: each short one once, and at most two initials or words like
 * `and` between two.
 */
export function runsOf(
  text: string,
  tokens: readonly Token[],
  { words, core, between, areShortCapital, isSame }: Sought,
): Span[] {
  const spans: Span[] = [];
  const gap = between.size ? COUPLE_GAP : GAP;
  const isOf = ({ word }: Token, list: readonly string[]) => list.some((sought) => isSame(word, sought));
  const isCertain = (run: readonly Token[]): boolean => {
    if (run.length < core.length || !core.every((list) => run.some((token) => isOf(token, list)))) return false;
    if (!areShortCapital) return true;
    const ofCore = run.filter((token) => core.some((list) => isOf(token, list)));
    return ofCore.every(({ isCapital }) => isCapital) || ofCore.some(({ word }) => word.length > MAX_SHORT);
  };
  for (let begin = 0; begin < tokens.length; begin++) {
    if (!isOf(tokens[begin] as Token, words)) continue;
    const left = [...words];
    const run: Token[] = [];
    let [at, skipped] = [begin, 0];
    for (; at < tokens.length && skipped <= 2; at++) {
      const token = tokens[at] as Token;
      if (at > begin && !gap.test(text.slice(tokens[at - 1]?.end, token.start))) break;
      const index = left.findIndex((sought) => isSame(token.word, sought));
      const isBetween = run.length > 0 && (token.word.length === 1 || between.has(token.word));
      if (index < 0 && !isBetween) break;
      skipped = index < 0 ? skipped + 1 : 0;
      if (index < 0) continue;
      run.push(token);
      if ((left[index] ?? '').length <= MAX_SHORT) left.splice(index, 1);
    }
    const [first, last] = [run[0], run.at(-1)];
    if (!first || !last || !isCertain(run)) continue;
    spans.push([first.start, last.end]);
    while (tokens[begin + 1] && (tokens[begin + 1] as Token).start < last.end) begin++;
  }
  return spans;
}
