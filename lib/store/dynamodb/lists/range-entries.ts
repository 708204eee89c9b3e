import type { Range, TableReader } from '../table.ts';
import { RangeTooLarge } from '../errors.ts';
import type { Facts } from '../filters.ts';
import { attributes } from '../../keys.ts';

/** An entry of an index, with its sort key there. */
export interface IndexEntry {
  readonly sortKey: string;
  /** Empty where the list does not need them. */
  readonly facts: Facts;
}

/**
 * Index entries that a list reads at most, some 65 read units: with the 50 of a page of 100 records a first page stays
 * below 120. Where two ranges may be read, the first has two thirds.
 */
const MAX_LIST_ENTRIES = 3_000;
/** Entries of each of two ranges that are read at first: one of them is often short, as in a small organization. */
const MAX_FIRST_ENTRIES = 400;

/** Ranges of an index in which a list is found. */
export interface ListRanges {
  /** Ranges that together hold all matches; others that do too, in case the first are too large. */
  readonly alternatives: readonly (readonly Range[])[];
  /** What the list has, for its errors. */
  readonly noun: string;
  /** Whether the facts of entries are needed. */
  readonly withFacts?: boolean;
}

/** All entries of a list. A record that moves in an index while it is read may be met twice. Throws RangeTooLarge. */
export async function listEntries(
  table: TableReader,
  { alternatives, noun, withFacts }: ListRanges,
): Promise<readonly IndexEntry[]> {
  const attributeNames = withFacts ? [attributes.facts] : [];
  const [first, others] = alternatives.map((ranges) => new RangesReader(table, ranges, attributeNames));
  const entries = first && (await readAlternatives(first, others));
  if (!entries) throw new RangeTooLarge(noun, MAX_LIST_ENTRIES);
  return entries;
}

/** The entries of the ranges that end first, in at most three rounds; `undefined` if all have too many. */
async function readAlternatives(
  first: RangesReader,
  second: RangesReader | undefined,
): Promise<readonly IndexEntry[] | undefined> {
  if (!second) {
    for (let round = 0; round < 3 && !first.hasEnded; round++) await first.readUpTo(MAX_LIST_ENTRIES);
    return first.all;
  }
  await Promise.all([first.readUpTo(MAX_FIRST_ENTRIES), second.readUpTo(MAX_FIRST_ENTRIES)]);
  if (!first.hasEnded && !second.hasEnded) await first.readUpTo((MAX_LIST_ENTRIES * 2) / 3);
  if (!first.hasEnded && !second.hasEnded) await second.readUpTo(MAX_LIST_ENTRIES / 3);
  return first.all ?? second.all;
}

/** Reads ranges of an index side by side, a page of each a round. Entries that a filter leaves out count too. */
class RangesReader {
  readonly #table: TableReader;
  readonly #attributes: readonly string[];
  readonly #found: IndexEntry[] = [];
  #open: readonly { readonly range: Range; readonly after: string | undefined }[];
  #entries = 0;

  constructor(table: TableReader, ranges: readonly Range[], attributeNames: readonly string[]) {
    this.#table = table;
    this.#attributes = attributeNames;
    this.#open = ranges.map((range) => ({ range, after: undefined }));
  }

  get hasEnded(): boolean {
    return this.#open.length === 0;
  }

  /** All entries, once all ranges have ended. */
  get all(): readonly IndexEntry[] | undefined {
    return this.hasEnded ? this.#found : undefined;
  }

  /** One round: the ranges that have not ended share what is left of `max` equally. */
  async readUpTo(max: number): Promise<void> {
    const limit = Math.ceil((max - this.#entries) / this.#open.length);
    if (limit <= 0) return;
    const pages = await Promise.all(
      this.#open.map(async ({ range, after }) => {
        const name = `${range.index}SK`;
        const page = { ...range, attributes: [name, ...this.#attributes], after, limit };
        const { items, next, read } = await this.#table.query(page);
        for (const item of items)
          this.#found.push({ sortKey: String(item[name]), facts: (item[attributes.facts] ?? {}) as Facts });
        return { range, after: next, read: read ?? items.length };
      }),
    );
    this.#entries += pages.reduce((sum, { read }) => sum + read, 0);
    this.#open = pages.filter(({ after }) => after !== undefined);
  }
}
