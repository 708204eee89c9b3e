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
export const MAX_WORDS = 12;
export const MAX_WORD_LENGTH = 40;

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
export function splitWords(text: string): string[] {
  const words = fold(text).replace(APOSTROPHE, '').match(WORD) ?? [];
  return [...new Set(words.map((word) => [...word].slice(0, MAX_WORD_LENGTH).join('')))].slice(0, MAX_WORDS);
}

/**
 * Whether every query word begins some word of the text: `jo smi` finds `Smith-Jones`. Both as wordsOf gives them; no
 * query words match anything.
 */
export function matchesWords(queryWords: readonly string[], textWords: readonly string[]): boolean {
  return queryWords.every((query) => textWords.some((word) => word.startsWith(query)));
}

/**
 * Characters of a text that count in a key: keys have at most 1,024 bytes, and folding can make 18 characters of one
 * (ﷺ).
 */
const MAX_CHARACTERS = 150;

/**
 * A text by which a thing is unique whatever its case and accents, as part of a key: never empty where the text is not.
 */
export const toKeyText = (text: string): string => [...(fold(text) || text)].slice(0, MAX_CHARACTERS).join('');

/** Edits (insert, drop, replace, swap neighbours) between two words, letters compared without case. */
function distance(left: string, right: string): number {
  const a = left.toLowerCase();
  const b = right.toLowerCase();
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const replace = (rows[row - 1]?.[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let least = Math.min(replace, (rows[row - 1]?.[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1);
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, (rows[row - 2]?.[column - 2] ?? Infinity) + 1);
      line.push(least);
    }
    rows.push(line);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

/**
 * The candidate most like `word`, if it is like it: at most 2 of 5 letters of the longer word differ (`Emial` →
 * `Email`, `quantty` → `quantity`).
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > 64) return undefined;
  let best: string | undefined;
  let least = Infinity;
  for (const candidate of candidates) {
    const edits = distance(word, candidate);
    if (edits < least && edits <= Math.max(word.length, candidate.length) * 0.4) [best, least] = [candidate, edits];
  }
  return best;
}
