/**
 * Letters that Unicode does not take apart into a base letter and a mark, and how people without them on the keyboard
 * write them.
 */
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
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');
/**
 * Marks of Latin, Greek and Cyrillic; the vowel signs of Indic scripts and the sound marks of Japanese are letters to
 * their readers and stay.
 */
const MARK = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu;
const APOSTROPHE = /['’‘‛ʼʻ`´′＇]/gu;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Words kept of one text, and characters kept of one word: what bounds the cost of finding a contact by them. */
export const MOST_WORDS = 12;
export const LONGEST_WORD = 40;

/**
 * Text for comparing: lower case, accents and ligatures folded. `Ångström` → `angstrom`, `STRASSE` and `Straße` →
 * `strasse`, `Łódź` → `lodz`.
 */
export function fold(text: string): string {
  // Folding compatibility forms first, since some hide capitals (ᴬ → A); İ in lower case is an i with a mark, hence the
  // marks last.
  const lower = text.normalize('NFKD').toLowerCase().normalize('NFKD');
  return lower
    .replace(MARK, '')
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC');
}

/**
 * The distinct folded words of a text, in order, at most 12 of at most 40 characters: runs of letters and digits.
 * Apostrophes join, everything else separates: `O'Brien & Smith-Jones, Inc.` → `obrien`, `smith`, `jones`, `inc`.
 */
export function wordsOf(text: string): string[] {
  const words = fold(text.replace(APOSTROPHE, '')).match(WORD) ?? [];
  return [...new Set(words.map((word) => [...word].slice(0, LONGEST_WORD).join('')))].slice(0, MOST_WORDS);
}

/**
 * Whether every query word begins some word of the text: `jo smi` finds `Smith-Jones`. Both as wordsOf gives them; no
 * query words match anything.
 */
export function matchesWords(queryWords: readonly string[], textWords: readonly string[]): boolean {
  return queryWords.every((query) => textWords.some((word) => word.startsWith(query)));
}
