import { normalizePhone, splitCallingCode } from '../../shared/text/phones.ts';
import { ADDRESS_ABBREVIATIONS, APOSTROPHE, wordsOf } from '../../shared/text/text.ts';

/** The words by which texts refer to a person: names, phone and house numbers, and streets. */

/** Words that occur in many names and e-mails. */
const COMMON = new Set(
  (
    'the and und et inc llc ltd co corp company mr mrs ms dr jr sr ii iii iv esq md phd ' +
    'www com net org mail email info office contact sales admin'
  ).split(' '),
);

export const isTelling = (word: string): boolean => word.length > 1 && !COMMON.has(word) && /\p{L}/u.test(word);

/** The words of a text; a possessive like `Maria’s` becomes the name. */
export const nameWordsOf = (text: string): string[] => wordsOf(text.replaceAll(/['\u2019]s(?![\p{L}\p{N}])/giu, ''));

/** A folded word of a text and its position. */
export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** Whether it begins with a capital, or its script has none. */
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

/** Shorter words with an s are often other words: `Al` and `als`, `Ros` and `Ross`. */
const MIN_PLURAL = 4;

/** A word and its singulars, or the name of a possessive without apostrophe: `kowalczyks`, `gomezes`. */
export const formsOf = (word: string): string[] => [
  word,
  ...['s', 'es']
    .filter((ending) => word.endsWith(ending) && word.length - ending.length >= MIN_PLURAL)
    .map((ending) => word.slice(0, -ending.length)),
];

export type Span = readonly [start: number, end: number];

/** Words that certainly mean a person if they are adjacent. */
interface Sought {
  /** The words that may occur. */
  readonly words: readonly string[];
  /** One word of each list must occur. */
  readonly core: readonly (readonly string[])[];
  /** Other words that may stand between them. */
  readonly between: ReadonlySet<string>;
  /** Whether short words count only with capitals: `Win May` is a name, `win may` is not. */
  readonly areShortCapital: boolean;
  isSame(word: string, sought: string): boolean;
}

/** Words up to this length may also be everyday words: `win`, `may`, `will`. */
const MAX_SHORT = 4;
/** Between two words: `, `, ` (`, `. `; for couples also ` & `. */
const GAP = /^[\s,.:;_#()\p{Pd}]{1,4}$/u;
const COUPLE_GAP = /^[\s,.:;_#()\p{Pd}&+/]{1,4}$/u;

/**
 * Finds adjacent sought words in any order: each short word once, and at most two initials or words like `and` between
 * two.
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

/** Substitutes for letters that a keyboard lacks. */
const SPELLINGS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

/** Spellings of a name, itself first: `O Brien` and `Brien` for O'Brien, `Mueller` for Müller, `Annalena`. */
export function spellingsOf(name: string): string[] {
  const spelled = name.normalize('NFC').replaceAll(/[äöüøå]/giu, (letter) => SPELLINGS[letter.toLowerCase()] ?? letter);
  return [
    ...new Set([name, name.replaceAll(APOSTROPHE, ' '), spelled, name.replaceAll(/(?<=\p{L})\p{Pd}(?=\p{L})/gu, '')]),
  ];
}

/** What joins two people with one name: `Ann & Bob Lee`. */
export const CONNECTORS = /[&+/]|\s(?:and|und|y|et)\s/i;
const connectors = new Set(['and', 'und', 'y', 'et']);
const TITLES = new Set('mr mrs ms dr'.split(' '));

/** Words between spaces; `Anna-Lena` is one unit. */
const unitsOf = (name: string): string[][] =>
  name
    .split(/[\s,]+/)
    .map(wordsOf)
    .filter((words) => words.length > 0);

const isFormOf = (word: string, name: string): boolean =>
  word === name || (word.startsWith(name) && formsOf(word).includes(name));

/** A name by its first and last distinctive unit; with only one of these, by all its words: `J. Smith`. */
function fullName(name: string, isCouple: boolean): Sought[] {
  const units = unitsOf(name);
  const words = units.flat();
  const telling = units.filter((unit) => unit.some(isTelling));
  const [first, last] = [telling[0], telling.at(-1)];
  if (!first || !last) return [];
  const others = words.filter((word) => !TITLES.has(word)).map((word) => [word]);
  const core = telling.length > 1 ? [first.filter(isTelling), last.filter(isTelling)] : others;
  if (core.length < 2) return [];
  return [{ words, core, between: isCouple ? connectors : new Set(), areShortCapital: true, isSame: isFormOf }];
}

/**
 * What certainly means a person with a name, in any order: `Maria Kowalczyk`, `Kowalczyk, Maria J.`; for `Jan & Maria
 * Kowalczyk` each of the two.
 */
export function fullNames(name: string): Sought[] {
  const parts = name.split(CONNECTORS).filter((part) => part.trim() !== '');
  const family = unitsOf(parts.at(-1) ?? '')
    .slice(1)
    .flat()
    .join(' ');
  const members = parts.map((part, index) =>
    index < parts.length - 1 && unitsOf(part).length === 1 ? `${part} ${family}` : part,
  );
  return [
    fullName(name, parts.length > 1),
    ...(parts.length > 1 ? members.map((each) => fullName(each, false)) : []),
  ].flat();
}

/** A phone number of a person. */
interface PersonNumber {
  /** Without calling code and national prefix. */
  readonly national: string;
  /** `""` if unknown. */
  readonly code: string;
}

/** Shorter national numbers occur in other texts by chance, for example in dates: they only count with their code. */
const MIN_CERTAIN = 9;
const MIN_DIGITS = 7;
/** A North American number without its area code, as local people write it. */
const LOCAL_DIGITS = 7;

/** Up to three in practice; a pattern that limits them takes 16 times as long to compile. */
const SEPARATOR = String.raw`[\s().\/\u2010-\u2015-]*`;
const TOO_FAR = /[\s()./\u2010-\u2015-]{4}/;

/** Finds each of several numbers in one field: `217-555-0143 or (217) 555-0144 x5`. */
const NUMBERS = /\+?\d(?:[\s()./\u2010-\u2015-]{0,3}\d){6,16}/g;

/** The numbers in a field: as the contact's country reads it, which gives `key` (E.164), and each number as written. */
export function numbersOf(text: string, key: string): PersonNumber[] {
  const written = (text.normalize('NFKC').match(NUMBERS) ?? []).map((found) =>
    found.startsWith('+')
      ? (normalizePhone(found) ?? found)
      : found.replaceAll(/\D/g, '').replace(/^(?:0+|1(?=\d{10}$))/, ''),
  );
  const found = [key, ...written].map(splitCallingCode).filter(({ national }) => national.length >= MIN_DIGITS);
  return [...new Map(found.map((number) => [`${number.code} ${number.national}`, number])).values()];
}

const grouped = (digits: string): string => [...digits].join(SEPARATOR);

const DIALLED = String.raw`(?:\+|00|011)`;

/** The calling code before a number; if unknown, any marked code or that of North America. */
const codePattern = (code: string): string =>
  code
    ? `(?:(?:${DIALLED}${SEPARATOR})?${grouped(code)}${SEPARATOR})`
    : `(?:${DIALLED}${SEPARATOR}\\d{1,3}${SEPARATOR}|1${SEPARATOR})`;

const EXTENSION = String.raw`(?:\s?,?\s?(?:[xX#]|[eE][xX][tT](?:[nN]|ension)?\.?)\s?\d{1,6}(?!\d))?`;

/**
 * Matches a number however its digits are grouped: `(217) 555-0143`, `+12175550143`, `020 7946 0958`, `+44 (0)20 …`.
 */
function pattern({ code, national }: PersonNumber, isCodeNeeded: boolean): string {
  const prefix = `${codePattern(code)}${isCodeNeeded ? '' : '?'}(?:\\(?0\\)?${SEPARATOR})?`;
  return `(?<!\\d)${prefix}\\(?${grouped(national)}(?!\\d)${EXTENSION}`;
}

/** Whether a match is one number: its digits are not too far apart. */
export const isOneNumber = (found: string): boolean => !TOO_FAR.test(found);

/** Patterns that certainly match the number. */
export const certainNumbers = (numbers: readonly PersonNumber[]): string[] =>
  numbers.flatMap((number) => {
    const isCertain = number.national.length >= MIN_CERTAIN;
    return isCertain || number.code ? [pattern(number, !isCertain)] : [];
  });

/** Patterns for texts that are about the person anyway. */
export const ownNumbers = (numbers: readonly PersonNumber[]): string[] =>
  numbers.flatMap((number) => {
    const { code, national } = number;
    const isLong = national.length === 10 && (code === '1' || code === '');
    return [
      pattern(number, false),
      ...(isLong ? [pattern({ code: '', national: national.slice(-LOCAL_DIGITS) }, false)] : []),
    ];
  });

/** `lane` → `ln`, `north` → `n`. */
export const abbreviated = (word: string): string => ADDRESS_ABBREVIATIONS.get(word) ?? word;

/** Words before a flat number, and other words that occur in many addresses. */
const UNITS = 'unit room rm lot no number rear box ste apt bldg fl'.split(' ');
const STREET_PARTS = new Set([...[...ADDRESS_ABBREVIATIONS].flat(), ...UNITS, 'po', 'way', 'loop', 'alley', 'plaza']);

export const isOfStreet = (word: string): boolean => isTelling(word) && !STREET_PARTS.has(word);

const isNumber = (word: string): boolean => /^\d/.test(word);

/** The words of an address, abbreviated. */
export const addressWords = (address: string): string[] => wordsOf(address).map(abbreviated);

/** True for `5th` in `350 W 5th Street`, false for `4b` in `Unit 4B`. */
const isNumberedStreet = (word: string, index: number, words: readonly string[]): boolean =>
  index > 0 && isOfStreet(word) && !UNITS.includes(words[index - 1] ?? '');

/** The number before the street (`77`, also `12 1/2`) or after it: `Blumenweg 7`. */
function houseNumber(words: readonly string[], street: number): string[] {
  let end = street;
  while (end > 0 && !isNumber(words[end - 1] ?? '')) end--;
  let begin = end;
  while (begin > 0 && isNumber(words[begin - 1] ?? '')) begin--;
  // `Unit 4 77 Blueberry`: the first number is that of the flat.
  if (end - begin > 1 && UNITS.includes(words[begin - 1] ?? '')) begin++;
  const isOfUnit = end - begin === 1 && UNITS.includes(words[begin - 1] ?? '');
  if (end > begin && !isOfUnit) return words.slice(begin, end);
  const after = words.slice(street).find((word, index, all) => isNumber(word) && !UNITS.includes(all[index - 1] ?? ''));
  return after === undefined ? [] : [after];
}

/** The street's number and its distinctive name: `77 Blueberry`, with or without `Lane` and the flat. */
export function numberedStreet(address: string, more = ''): Sought[] {
  const all = addressWords(`${address} ${more}`);
  return address.split(',').flatMap((part): Sought[] => {
    const words = addressWords(part);
    const street = words.findIndex((word) => isOfStreet(word) && !isNumber(word));
    const begin = street < 0 && isNumber(words[0] ?? '') ? words.findIndex(isNumberedStreet) : street;
    // `12 North Street` consists of common words only.
    if (begin < 0) return words.length > 2 && isNumber(words[0] ?? '') ? [sought(all, words)] : [];
    const number = houseNumber(words, begin);
    if (!number.length) return [];
    const rest = words.slice(begin);
    const end = rest.findIndex((word) => !isOfStreet(word) || isNumber(word));
    const name = end < 1 ? rest.slice(0, end < 0 ? undefined : 1) : rest.slice(0, end);
    return [sought(all, [...number, ...name])];
  });
}

const sought = (words: readonly string[], core: readonly string[]): Sought => ({
  words,
  core: core.map((word) => [word]),
  between: new Set(),
  areShortCapital: false,
  isSame: (word, other) => abbreviated(word) === other,
});
