import type { ContactRecord } from '../../entities/contacts.ts';
import { ADDRESS_ABBREVIATIONS } from '../../shared/text/addresses.ts';
import { fold, wordsOf } from '../../shared/text/text.ts';
import { type Identity, identityFields } from './former.ts';

/** Stands for what was removed. */
export const ERASED = '[erased]';

/** Tells whether texts are about a person. */
export interface Person {
  /** Whether a text of the person's own records has any word of names, streets, e-mails or phones. */
  isNamedIn(text: string): boolean;
  /** Whether a text of somebody else certainly means the person: by whole name, street with number, e-mail or phone. */
  isMeantIn(text: string): boolean;
  /** A text of somebody else, with `[erased]` for what means the person. */
  redact(text: string): string;
}

/** Words that many names and e-mails have. */
const COMMON = new Set(
  'the and of inc llc ltd co corp company mr mrs ms dr jr sr www com net org mail email info office contact sales admin'.split(
    ' ',
  ),
);
/** Of a number, without its country code; and without its area code, as people of one place write it. */
const PHONE_DIGITS = 10;
const LOCAL_DIGITS = 7;
/** Shorter handles and tracking ids are parts of other texts by chance. */
const MIN_HANDLE = 6;
const MIN_MAIL_WORD = 4;

const isTelling = (word: string): boolean => word.length > 1 && !COMMON.has(word) && /\p{L}/u.test(word);

/** `lane`, `ln`, `north` … */
const STREET_PARTS = new Set([...ADDRESS_ABBREVIATIONS].flat());

const isOfStreet = (word: string): boolean => isTelling(word) && !STREET_PARTS.has(word);

/** The words of a text; of `Maria’s` the name. */
const nameWordsOf = (text: string): string[] => wordsOf(text.replaceAll(/['\u2019]s(?![\p{L}\p{N}])/giu, ''));

/** A word of a text and where it stands, folded and abbreviated as in streets. */
interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}'\u2019]+/gu)].flatMap(({ 0: raw, index }) => {
    const [word = ''] = nameWordsOf(raw);
    return word ? [{ word, start: index, end: index + raw.length }] : [];
  });
}

/** Shorter words with an s are words of their own: `Al` and `als`, `Ros` and `Ross`. */
const MIN_PLURAL = 4;

/** A word and what it is the plural of, or the possessive without an apostrophe: `kowalczyks`, `gomezes`. */
const formsOf = (word: string): string[] => [
  word,
  ...['s', 'es']
    .filter((ending) => word.endsWith(ending) && word.length - ending.length >= MIN_PLURAL)
    .map((ending) => word.slice(0, -ending.length)),
];

const isFormOf = (word: string, name: string): boolean => formsOf(word).includes(name);

type Span = readonly [start: number, end: number];

/** Where words follow one another, with at most `gap` words of one letter between two. */
function sequences(
  tokens: readonly Token[],
  words: readonly string[],
  isSame: (word: string, wanted: string) => boolean,
): Span[] {
  return tokens.flatMap((first, begin): Span[] => {
    let at = begin;
    for (const [index, word] of words.entries()) {
      // A middle initial.
      if (index && tokens[at]?.word.length === 1 && tokens[at]?.word !== word) at++;
      const token = tokens[at];
      if (!token || !isSame(token.word, word)) return [];
      at++;
    }
    return [[first.start, (tokens[at - 1] as Token).end]];
  });
}

const abbreviated = (word: string): string => ADDRESS_ABBREVIATIONS.get(word) ?? word;

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** A number however its digits are grouped: `(217) 555-0143`, `+12175550143`. */
const numberPattern = (digits: string): string =>
  `(?<!\\d)(?:\\+?1[\\s.(-]{0,3})?\\(?${[...digits].join('[\\s().-]{0,3}')}(?!\\d)`;

/** An e-mail, handle or tracking id that is no part of a longer one. */
const textPattern = (text: string): string => `(?<![\\p{L}\\p{N}._%+-])${escapePattern(text)}(?![\\p{L}\\p{N}])`;

const anyOf = (sources: readonly string[]): RegExp | undefined =>
  sources.length ? new RegExp(sources.join('|'), 'giu') : undefined;

const spansOf = (text: string, pattern: RegExp | undefined): Span[] =>
  pattern ? [...text.matchAll(pattern)].map(({ 0: found, index }) => [index, index + found.length]) : [];

/** The values of a field in all states, once. */
const valuesOf = (states: readonly Identity[], ...names: (keyof Identity)[]): string[] => [
  ...new Set(states.flatMap((state) => names.map((name) => state[name].trim())).filter(Boolean)),
];

/** The first and last word of a name of several words, in both orders. */
function fullNames(name: string): string[][] {
  const words = wordsOf(name).filter(isTelling);
  const [first, last] = [words[0], words.at(-1)];
  return words.length > 1 && first !== undefined && last !== undefined && first !== last
    ? [[first, last], [last, first], words]
    : [];
}

/** A street with its number, up to its own name: `77 Blueberry`. */
function numberedStreet(address: string): string[] {
  const words = wordsOf(address).map(abbreviated);
  const own = words.findIndex(isOfStreet);
  return /^\d/.test(words[0] ?? '') && own > 0 ? words.slice(0, own + 1) : [];
}

/**
 * The person of a contact by its present and former names, streets, e-mails and phones. Worked: of Maria Kowalczyk,
 * 77 Blueberry Lane, an own line `Mowing for Maria` is about her, and a note of a neighbour if it has
 * `Kowalczyk, Maria` or `77 blueberry ln`.
 */
export function personOf(
  contact: Pick<ContactRecord, 'Hash' | 'DigitalTrackingId'> & Identity,
  former: readonly Identity[],
): Person {
  const states: Identity[] = [contact, ...former];
  const names = valuesOf(states, 'Name', 'Nickname', 'Company');
  const streets = valuesOf(states, 'Address1', 'Address2');
  const emails = valuesOf(states, 'Email').map((email) => email.toLowerCase());
  const digits = valuesOf(states, 'Phone', 'AltPhone').map((phone) => phone.replaceAll(/\D/g, '').slice(-PHONE_DIGITS));
  const phones = digits.filter(({ length }) => length >= LOCAL_DIGITS);
  const handles = [contact.Hash, contact.DigitalTrackingId].filter(({ length }) => length >= MIN_HANDLE);
  const mailWords = emails.flatMap((email) => wordsOf(email.split('@')[0] ?? ''));
  const own = new Set([
    ...names.flatMap(wordsOf).filter(isTelling),
    ...streets.flatMap((street) => wordsOf(street).map(abbreviated)).filter(isOfStreet),
    ...mailWords.filter((word) => word.length >= MIN_MAIL_WORD && isTelling(word)),
  ]);
  const ownSequences = [...names, ...streets]
    .map((text) => wordsOf(text).map(abbreviated))
    .filter((words) => words.length);
  const exact = [...emails, ...handles].map(textPattern);
  const ownNumbers = phones.flatMap((phone) => [phone, phone.slice(-LOCAL_DIGITS)]);
  const ownPattern = anyOf([...exact, ...ownNumbers.map(numberPattern)]);
  const pattern = anyOf([...exact, ...phones.filter(({ length }) => length === PHONE_DIGITS).map(numberPattern)]);
  const fullNamesOfAll = valuesOf(states, 'Name').flatMap(fullNames);
  const numbered = valuesOf(states, 'Address1')
    .map(numberedStreet)
    .filter(({ length }) => length);
  const spans = (text: string): Span[] => {
    const tokens = tokensOf(text);
    const isSameStreet = (one: string, other: string) => abbreviated(one) === other;
    return [
      ...spansOf(text, pattern),
      ...fullNamesOfAll.flatMap((words) => sequences(tokens, words, isFormOf)),
      ...numbered.flatMap((words) => sequences(tokens, words, isSameStreet)),
    ];
  };
  return {
    isNamedIn(text) {
      if (!text) return false;
      const words = nameWordsOf(text);
      const abbreviatedText = ` ${words.map(abbreviated).join(' ')} `;
      return (
        words.some((word) => own.has(abbreviated(word)) || formsOf(word).some((form) => own.has(form))) ||
        ownSequences.some((sequence) => abbreviatedText.includes(` ${sequence.join(' ')} `)) ||
        spansOf(fold(text), ownPattern).length > 0 ||
        spansOf(text, ownPattern).length > 0
      );
    },
    isMeantIn: (text) => spans(text).length > 0,
    redact: (text) => replaceSpans(text, spans(text)),
  };
}

/** The text with `[erased]` for each span; those that overlap are one. */
function replaceSpans(text: string, spans: readonly Span[]): string {
  let [result, end] = ['', 0];
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (from >= end) result += text.slice(end, from) + ERASED;
    end = Math.max(end, to);
  }
  return result + text.slice(end);
}

/** A person whose fields are already erased: any text that people wrote may name that person. */
export const forgottenPerson: Person = {
  isNamedIn: (text) => text !== '',
  isMeantIn: () => false,
  redact: (text) => text,
};

export const identityOf = (contact: ContactRecord): Identity =>
  Object.fromEntries(identityFields.map((name) => [name, contact[name]])) as Identity;
