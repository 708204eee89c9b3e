import { APOSTROPHE, wordsOf } from '../../shared/text/text.ts';
import { type Sought, formsOf, isTelling } from './person-words.ts';

/** How letters are written where they are missing on the keyboard. */
const SPELLINGS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

/** Other spellings of a name, itself first: `O Brien` and `Brien` of O'Brien, `Mueller` of Müller, `Annalena`. */
export function spellingsOf(name: string): string[] {
  const spelled = name.normalize('NFC').replaceAll(/[äöüøå]/giu, (letter) => SPELLINGS[letter.toLowerCase()] ?? letter);
  return [
    ...new Set([name, name.replaceAll(APOSTROPHE, ' '), spelled, name.replaceAll(/(?<=\p{L})\p{Pd}(?=\p{L})/gu, '')]),
  ];
}

const CONNECTORS = /[&+/]|\s(?:and|und|y|et)\s/i;
const connectors = new Set(['and', 'und', 'y', 'et']);
const TITLES = new Set('mr mrs ms dr'.split(' '));

/** Words between spaces; those of `Anna-Lena` are one unit. */
const unitsOf = (name: string): string[][] =>
  name
    .split(/[\s,]+/)
    .map(wordsOf)
    .filter((words) => words.length > 0);

const isFormOf = (word: string, name: string): boolean =>
  word === name || (word.startsWith(name) && formsOf(word).includes(name));

/** A name by its first and last unit; with one that tells, by all of it: `J. Smith`. */
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
 * What certainly means a person of a name, in any order: `Maria Kowalczyk`, `Kowalczyk, Maria J.`; of `Jan & Maria
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
