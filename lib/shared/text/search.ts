import { nearest } from './suggestions.ts';
import { TRADE_WORDS } from './trade-words.ts';

/** What a search looks through. */
export interface Searched {
  readonly title: string;
  readonly place: string;
  readonly text: string;
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** `rescheduled`, `reschedules` and `reschedule` share a stem, and so do `jobs` and `job`. */
const stemOf = (word: string): string =>
  word.length > 4 ? word.replace(/(?:ing|ed|es|s|e)$/, '') : word.length > 3 ? word.replace(/s$/, '') : word;

/** Stop words: they say nothing about what is searched for. */
const SILENT: ReadonlySet<string> = new Set(
  (
    'a an and are at be by can do does for from get has have how i in is it list make me my need of on or see set ' +
    'show that the their to use was want what when where which who why with you your'
  ).split(' '),
);

/** Corrects a word that is probably misspelt by one letter: added, missing, replaced, or two swapped. */
const correct = (word: string, words: Iterable<string>): string | undefined =>
  word.length < 4 ? undefined : nearest(word, words, 1.01 / word.length);

const synonyms = new Map(
  Object.entries(TRADE_WORDS).map(([words, meanings]) => [wordsOf(words).map(stemOf).join(' '), wordsOf(meanings)]),
);

const partsOfSynonyms = new Set([...synonyms.keys()].flatMap((words) => words.split(' ')));

/** The words of a query, each with the stems that match it: `card on file` → `card`, `technicans` → `agent`. */
function meaningsOf(query: string, known: readonly string[]): string[][] {
  const words = wordsOf(query);
  const isKnown = (word: string) => known.some((each) => each.startsWith(stemOf(word)));
  const spelled = words.map((word) =>
    partsOfSynonyms.has(stemOf(word)) || isKnown(word)
      ? word
      : (correct(stemOf(word), synonyms.keys()) ?? correct(word, known) ?? word),
  );
  const meanings: string[][] = [];
  for (let at = 0; at < spelled.length;) {
    const length =
      [3, 2].find((many) =>
        synonyms.has(
          spelled
            .slice(at, at + many)
            .map(stemOf)
            .join(' '),
        ),
      ) ?? 1;
    const stem = spelled
      .slice(at, at + length)
      .map(stemOf)
      .join(' ');
    const own = length === 1 ? [stem] : [];
    if (length > 1 || !SILENT.has(spelled[at] ?? '') || words.length === 1)
      meanings.push([...own, ...(synonyms.get(stem) ?? []).map(stemOf)]);
    at += length;
  }
  return meanings;
}

const IN_TITLE = 10;
/** Words of a short title share this weight, so a title that is only the word ranks highest. */
const SHORT_TITLE = 4;
const IN_PLACE = 6;
/** A synonym counts less than the word itself. */
const SYNONYM = 0.8;

/** Counts the words of a text that start with the stem, up to three. */
const timesIn = (words: readonly string[], stem: string): number =>
  Math.min(3, words.filter((word) => word.startsWith(stem)).length);

/**
 * Searches entries. Each query word scores by its best match in an entry: titles most, and rare words more than common
 * ones. Entries that match more of the words come first.
 */
export function searcher<Entry extends Searched>(entries: readonly Entry[], most: number): (query: string) => Entry[] {
  const indexed = entries.map((entry) => ({
    entry,
    title: wordsOf(entry.title),
    place: wordsOf(entry.place),
    text: wordsOf(entry.text),
  }));
  const known = [...new Set(indexed.flatMap(({ title, place, text }) => [...title, ...place, ...text]))];
  const scoreOf = ({ title, place, text }: (typeof indexed)[number], stems: readonly string[]): number =>
    Math.max(
      ...stems.map((stem, index) => {
        const inTitle = timesIn(title, stem) && IN_TITLE + SHORT_TITLE / title.length;
        return (inTitle + (timesIn(place, stem) && IN_PLACE) + timesIn(text, stem)) * (index ? SYNONYM : 1);
      }),
    );
  return (query) => {
    const ranks = indexed.map(({ entry }) => ({ entry, words: 0, rank: 0 }));
    for (const stems of meaningsOf(query, known)) {
      const scores = indexed.map((each) => scoreOf(each, stems));
      const rarity = Math.log(1 + entries.length / scores.filter((score) => score > 0).length);
      for (const [index, each] of ranks.entries()) {
        const score = scores[index] ?? 0;
        if (score) [each.words, each.rank] = [each.words + 1, each.rank + score * rarity];
      }
    }
    return ranks
      .filter(({ rank }) => rank > 0)
      .sort((one, other) => other.rank * other.words - one.rank * one.words)
      .slice(0, most)
      .map(({ entry }) => entry);
  };
}
