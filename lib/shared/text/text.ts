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
/** Marks of Latin, Greek and Cyrillic. Vowel signs of Indic scripts and sound marks of Japanese count as letters. */
const MARK = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
/** `'’‘‛ʼʻ`´′＇`, escaped as all regular expressions of functions are (infra/bundle/bundle.ts, `charset`). */
export const APOSTROPHE = /['\u2019\u2018\u201b\u02bc\u02bb`\u00b4\u2032\uff07]/g;
const OTHER_THAN_ASCII = /[^\0-\x7f]/g;

/** Words of a text and characters of a word that count: they bound the cost of the contact index. */
export const MAX_WORDS = 12;
export const MAX_WORD_LENGTH = 40;

/**
 * Text for comparing: lower case, accents and ligatures folded. `Ångström` → `angstrom`, `STRASSE` and `Straße` →
 * `strasse`, `Łódź` → `lodz`.
 */
export function fold(text: string): string {
  // Compatibility forms first: some are capitals (ᴬ → A). Marks last: İ in lower case is an i with a mark.
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
 * The distinct folded words of a text, in order, at most 12 of at most 40 characters: runs of letters and digits.
 * Apostrophes join, everything else separates: `O'Brien & Smith-Jones, Inc.` → `obrien`, `smith`, `jones`, `inc`.
 */
export function splitWords(text: string): string[] {
  return [...new Set(wordsOf(text).map((word) => [...word].slice(0, MAX_WORD_LENGTH).join('')))].slice(0, MAX_WORDS);
}

/**
 * Whether every query word starts a word of the text: `jo smi` finds `Smith-Jones`. Both come from splitWords; no
 * query words match any text.
 */
export function matchesWords(queryWords: readonly string[], textWords: readonly string[]): boolean {
  return queryWords.every((query) => textWords.some((word) => word.startsWith(query)));
}

/** Characters of a text in a key: keys have at most 1,024 bytes, and folding expands a character to up to 18 (ﷺ). */
const MAX_CHARACTERS = 150;

/** The part of a key that makes a name unique, ignoring case and accents; never empty unless the text is. */
export const toKeyText = (text: string): string => [...(fold(text) || text)].slice(0, MAX_CHARACTERS).join('');
