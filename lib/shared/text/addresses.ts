import { MAX_WORD_LENGTH, MAX_WORDS, splitWords } from './text.ts';

/**
 * Full words and other abbreviations, as the US Postal Service abbreviates them (Publication 28, appendices B and C).
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
 * `n`, `main`, `st`. Apply it to stored texts and to searches. At most 12 words of at most 40 characters.
 */
export function streetWords(address1: string, address2 = ''): string[] {
  const words = [...splitWords(address1), ...splitWords(address2)];
  return [...new Set(words.map((word) => ADDRESS_ABBREVIATIONS.get(word) ?? word))].slice(0, MAX_WORDS);
}

/**
 * A postal code for matching: a US ZIP is its five digits (`62701-1234` → `62701`), others are upper case without
 * spaces and hyphens (`k1a 0b1` → `K1A0B1`, `SW1A 1AA` → `SW1A1AA`). Whether the code exists is not checked; `""`
 * stays `""`. At most 40 characters.
 */
export function normalizePostalCode(text: string): string {
  const code = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]+/gu, '')
    .slice(0, MAX_WORD_LENGTH);
  return /^\d{5}(?:\d{4})?$/.test(code) ? code.slice(0, 5) : code;
}
