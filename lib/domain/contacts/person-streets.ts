import { ADDRESS_ABBREVIATIONS, wordsOf } from '../../shared/text/text.ts';
import { type Sought, isTelling } from './person-words.ts';

/** `lane` is `ln`, `north` is `n`. */
export const abbreviated = (word: string): string => ADDRESS_ABBREVIATIONS.get(word) ?? word;

/** What comes before the number of a flat, and other words that many addresses have. */
const UNITS = 'unit room rm lot no number rear box ste apt bldg fl'.split(' ');
const STREET_PARTS = new Set([...[...ADDRESS_ABBREVIATIONS].flat(), ...UNITS, 'po', 'way', 'loop', 'alley', 'plaza']);

export const isOfStreet = (word: string): boolean => isTelling(word) && !STREET_PARTS.has(word);

const isNumber = (word: string): boolean => /^\d/.test(word);

/** The words of an address, abbreviated. */
export const addressWords = (address: string): string[] => wordsOf(address).map(abbreviated);

/** `5th` of `350 W 5th Street`, no `4b` of `Unit 4B`. */
const isNumberedStreet = (word: string, index: number, words: readonly string[]): boolean =>
  index > 0 && isOfStreet(word) && !UNITS.includes(words[index - 1] ?? '');

/** The number before the street, `12 1/2` as well as `77`, or after it: `Blumenweg 7`. */
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

/** The street with its number, as far as its own name goes: `77 Blueberry`, with or without `Lane` and the flat. */
export function numberedStreet(address: string, more = ''): Sought[] {
  const all = addressWords(`${address} ${more}`);
  return address.split(',').flatMap((part): Sought[] => {
    const words = addressWords(part);
    const street = words.findIndex((word) => isOfStreet(word) && !isNumber(word));
    const begin = street < 0 && isNumber(words[0] ?? '') ? words.findIndex(isNumberedStreet) : street;
    // `12 North Street` has no name but its parts.
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
