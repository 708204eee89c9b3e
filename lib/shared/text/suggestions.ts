/** The longest word to look up; anything longer is not a misspelt name. */
const MAX_WORD = 64;
/** The most candidates of one search, and the most character comparisons: together at most 2 ms of CPU. */
const MAX_CANDIDATES = 5_000;
const MAX_COMPARISONS = 100_000;

/** The share of letters of the longer word that may differ. */
const SHARE = 0.4;

/**
 * The edit distance (insert, delete, replace, swap neighbors) between two words; any number above `max` if it exceeds
 * `max`. Compares only characters whose indexes differ by at most `max`.
 */
function distance(a: string, b: string, max: number): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const line = Array.from<number>({ length: b.length + 1 }).fill(max + 1);
    line[0] = row;
    let fewest = row;
    for (let column = Math.max(1, row - max); column <= Math.min(b.length, row + max); column++) {
      const replace = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let edits = Math.min(replace, (last[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1);
      if (row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1);
      line[column] = edits;
      fewest = Math.min(fewest, edits);
    }
    if (fewest > max) return max + 1;
    [beforeLast, last] = [last, line];
  }
  return last[b.length] ?? 0;
}

/**
 * The nearest candidate, if at most 2 of 5 letters of the longer word differ: `Emial` → `Email`, `quantty` →
 * `quantity`. Looks only at the first ones if there are many or they are long.
 */
export function nearest(word: string, candidates: Iterable<string>, share = SHARE): string | undefined {
  if (!word || word.length > MAX_WORD) return undefined;
  const own = word.toLowerCase();
  let best: string | undefined;
  let fewest = Infinity;
  let [count, comparisons] = [0, 0];
  for (const candidate of candidates) {
    if (++count > MAX_CANDIDATES || comparisons > MAX_COMPARISONS) break;
    const tolerance = Math.floor(Math.max(word.length, candidate.length) * share);
    const max = Math.min(tolerance, fewest - 1);
    if (Math.abs(candidate.length - word.length) > max) continue;
    comparisons += (word.length + 1) * (2 * max + 2);
    const edits = distance(own, candidate.toLowerCase(), max);
    if (edits <= max) [best, fewest] = [candidate, edits];
  }
  return best;
}

/** The names here that other programs' words mean, likeliest first. Words are in lower case without separators. */
export type Meanings = Readonly<Record<string, readonly string[]>>;

const withoutSeparators = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]/g, '');

/** The share of letters that may differ in a misspelt word of another program: short words look alike. */
const WORD_SHARE = 0.25;

/**
 * The name that a word probably means. The first of these that exists:
 * - one that differs only in case or separators (`contact_id`),
 * - what the word or its plural means here (`FirstName` → `Name`),
 * - the nearest in spelling among the `similar` names,
 * - what the nearest of the known `words` means (`Emial` → `EmailSearch`), if its first letter is right.
 */
export function suggest(
  word: string,
  names: readonly string[],
  meanings: Meanings,
  {
    similar = names,
    words = Object.keys(meanings),
    share = SHARE,
  }: { readonly similar?: readonly string[]; readonly words?: readonly string[]; readonly share?: number } = {},
): string | undefined {
  if (word.length > MAX_WORD) return undefined;
  const plain = withoutSeparators(word);
  const same = names.find((name) => name.toLowerCase() === plain);
  if (same) return same;
  const meaningOf = (each: string) =>
    Object.hasOwn(meanings, each) ? meanings[each]?.find((name) => names.includes(name)) : undefined;
  const found = meaningOf(plain) ?? meaningOf(`${plain}s`) ?? nearest(word, similar, share);
  if (found !== undefined || Object.hasOwn(meanings, plain)) return found;
  const known = words.filter((each) => each[0] === plain[0] && meaningOf(each) !== undefined);
  return meaningOf(nearest(plain, known, WORD_SHARE) ?? '');
}

/** The shortest part that identifies a name: `mow` finds `Lawn mowing`. */
const MIN_PART = 3;
const MAX_NAME = 200;

/**
 * The name that an unknown text probably means: the nearest, else the first that contains the text or is contained in
 * it.
 */
export function nearestName(text: string, names: Iterable<string>): string | undefined {
  const own = text.trim().toLowerCase();
  if (own.length > MAX_WORD) return undefined;
  const candidates = [...take(names, MAX_CANDIDATES)];
  const near = nearest(own, candidates);
  if (near !== undefined || own.length < MIN_PART) return near;
  return candidates.find((name) => {
    if (name.length < MIN_PART || name.length > MAX_NAME) return false;
    const other = name.toLowerCase();
    return other.includes(own) || own.includes(other);
  });
}

function* take(names: Iterable<string>, count: number): Iterable<string> {
  let left = count;
  for (const name of names) {
    if (left-- <= 0) return;
    yield name;
  }
}

/** `Did you mean "Lawn mowing"?`, or an empty text. */
export function didYouMean(text: string, names: Iterable<string>): string {
  const near = nearestName(text, names);
  return near === undefined ? '' : `Did you mean ${JSON.stringify(near)}?`;
}
