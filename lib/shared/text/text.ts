import { domainToUnicode } from 'node:url';

/**
 * Normal forms of texts for comparing: words, names, street addresses, postal codes and e-mail addresses; and numbers
 * as text.
 */

/** Letters that Unicode does not decompose, and their usual ASCII spelling. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ĸ: 'k',
  ς: 'σ',
};
/**
 * Combining marks of Latin, Greek and Cyrillic. Vowel signs of Indic scripts and sound marks of Japanese count as
 * letters.
 */
const MARK = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
/** `'’‘‛ʼʻ`´′＇`. */
export const APOSTROPHE = /['\u2019\u2018\u201b\u02bc\u02bb`\u00b4\u2032\uff07]/g;
const OTHER_THAN_ASCII = /[^\0-\x7f]/g;

/** The most words of a text, and characters of a word, that count: they bound the cost of the contact index. */
export const MAX_WORDS = 12;
export const MAX_WORD_LENGTH = 40;

/**
 * A text for comparing: lower case, with accents and ligatures folded. `Ångström` → `angstrom`, `STRASSE` and `Straße`
 * → `strasse`, `Łódź` → `lodz`.
 */
export function fold(text: string): string {
  // Compatibility forms first, because some are capitals (ᴬ → A). Marks last: İ in lower case is an i with a mark.
  const lower = text.normalize('NFKD').toLowerCase().normalize('NFKD');
  return lower
    .replace(MARK, '')
    .replace(OTHER_THAN_ASCII, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC');
}

/** All folded words of a text, in order. */
export const wordsOf = (text: string): string[] =>
  fold(text)
    .replace(APOSTROPHE, '')
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/**
 * The distinct folded words of a text in order, at most 12 of at most 40 characters: runs of letters and digits.
 * Apostrophes join, everything else separates: `O'Brien & Smith-Jones, Inc.` → `obrien`, `smith`, `jones`, `inc`.
 */
export function splitWords(text: string): string[] {
  return [...new Set(wordsOf(text).map((word) => [...word].slice(0, MAX_WORD_LENGTH).join('')))].slice(0, MAX_WORDS);
}

/**
 * Whether every query word starts some word of the text: `jo smi` finds `Smith-Jones`. Both come from splitWords; an
 * empty query matches any text.
 */
export function matchesWords(queryWords: readonly string[], textWords: readonly string[]): boolean {
  return queryWords.every((query) => textWords.some((word) => word.startsWith(query)));
}

/** Characters of a text in a key: keys are limited to 1,024 bytes, and folding expands a character to up to 18 (ﷺ). */
const MAX_KEY_CHARACTERS = 150;

/** The part of a key that makes a name unique regardless of case and accents; empty only for an empty text. */
export const toKeyText = (text: string): string => [...(fold(text) || text)].slice(0, MAX_KEY_CHARACTERS).join('');

/**
 * Full words and other abbreviations → the abbreviations of the US Postal Service (Publication 28, appendices B and C).
 */
export const ADDRESS_ABBREVIATIONS = new Map(
  Object.entries({
    street: 'st',
    str: 'st',
    avenue: 'ave',
    av: 'ave',
    road: 'rd',
    drive: 'dr',
    lane: 'ln',
    court: 'ct',
    boulevard: 'blvd',
    highway: 'hwy',
    circle: 'cir',
    place: 'pl',
    parkway: 'pkwy',
    terrace: 'ter',
    trail: 'trl',
    square: 'sq',
    crossing: 'xing',
    suite: 'ste',
    apartment: 'apt',
    building: 'bldg',
    floor: 'fl',
    saint: 'st',
    mount: 'mt',
    fort: 'ft',
    north: 'n',
    south: 's',
    east: 'e',
    west: 'w',
    northeast: 'ne',
    northwest: 'nw',
    southeast: 'se',
    southwest: 'sw',
  }),
);

/**
 * The words of a street address for matching, abbreviated: `12 North Main Street` and `12 N. Main St` both give `12`,
 * `n`, `main`, `st`. Use it for both stored and searched texts. At most 12 words of at most 40 characters.
 */
export function streetWords(address1: string, address2 = ''): string[] {
  const words = [...splitWords(address1), ...splitWords(address2)];
  return [...new Set(words.map((word) => ADDRESS_ABBREVIATIONS.get(word) ?? word))].slice(0, MAX_WORDS);
}

/**
 * A postal code for matching: a US ZIP code is its five digits (`62701-1234` → `62701`), others are upper case without
 * spaces and hyphens (`k1a 0b1` → `K1A0B1`, `SW1A 1AA` → `SW1A1AA`). The code need not exist; `""` stays `""`. At most
 * 40 characters.
 */
export function normalizePostalCode(text: string): string {
  const code = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]+/gu, '')
    .slice(0, MAX_WORD_LENGTH);
  return /^\d{5}(?:\d{4})?$/.test(code) ? code.slice(0, 5) : code;
}

const MAX_EMAIL = 254;
const MAX_LOCAL_PART = 64;
const DOMAIN_LETTER = String.raw`[\p{L}\p{N}\p{M}]`;
const DOMAIN_LABEL = String.raw`${DOMAIN_LETTER}(?:[\p{L}\p{N}\p{M}-]{0,61}${DOMAIN_LETTER})?`;
/**
 * One @. Before it, no spaces, control characters or characters that need quotes; after it, two or more labels, the
 * last of which has two or more letters.
 */
const EMAIL = new RegExp(String.raw`^([^\s\p{C}@<>()[\]\\,;:"]+)@(?:${DOMAIN_LABEL}\.)+(?=..)${DOMAIN_LABEL}$`, 'u');

/** An e-mail address as it is written: trimmed, composed (NFC), lower case: ` Ann@Example.COM ` → `ann@example.com`. */
export const writtenEmail = (text: string): string => text.trim().normalize('NFC').toLowerCase();

const INTERNATIONAL = /[^\0-\x7f]|xn--/;

/**
 * An e-mail address for matching: as written, but with the domain in Unicode. `ann@xn--bcher-kva.example` is
 * `ann@bücher.example` (RFC 5891).
 */
export function normalizeEmail(text: string): string {
  const email = writtenEmail(text);
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  if (at < 0 || email.length > MAX_EMAIL || !INTERNATIONAL.test(domain)) return email;
  return `${email.slice(0, at)}@${domainToUnicode(domain) || domain}`;
}

/**
 * Whether a text can be an e-mail address: one @, a local part of 1 to 64 characters without spaces or stray dots, a
 * domain of two or more labels, at most 254 characters (RFC 5321). Quoted local parts and IP addresses are rejected;
 * letters beyond ASCII are allowed.
 */
export function isEmail(text: string): boolean {
  const email = writtenEmail(text);
  if (email.length > MAX_EMAIL) return false;
  const localPart = EMAIL.exec(email)?.[1];
  return localPart !== undefined && localPart.length <= MAX_LOCAL_PART && !/^\.|\.\.|\.$/.test(localPart);
}

/** Characters around an address in a text: `Ann Lee <ann@example.com>`, `mailto:ann@example.com?subject=Hi`. */
const AROUND_EMAIL = /[\s<>()[\]\\,;:"|/?]+/;

/** The first e-mail address in a text, or `''`. */
export const firstEmailIn = (text: string): string =>
  text
    .split(AROUND_EMAIL)
    .map((part) => part.replaceAll(/^'{1,3}|['.]{1,3}$/g, ''))
    .find(isEmail) ?? '';

/** `350,000`. Without Intl, whose first use adds 8 ms to a cold start: modules make messages with numbers on load. */
export function formatInteger(value: number): string {
  let text = String(value);
  for (let at = text.length - 3; at > (value < 0 ? 1 : 0); at -= 3) text = `${text.slice(0, at)},${text.slice(at)}`;
  return text;
}

/** `350,000 bytes`. */
export const formatBytes = (bytes: number): string => `${formatInteger(bytes)} bytes`;

/** What a person typed on a page, as it is stored: without NUL and unpaired surrogates, cut to `most` characters. */
export const toTypedText = (sent: string | null, most: number): string =>
  (sent ?? '').replaceAll('\0', '').trim().slice(0, most).toWellFormed();
