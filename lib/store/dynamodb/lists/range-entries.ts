import { mapWithConcurrency } from '../../../shared/promises.ts';
import type { Item } from '../changes.ts';
import { RangeTooLarge } from '../errors.ts';
import type { Range, TableReader } from '../table.ts';

/** Maximum number of index entries that one call reads, matching or not: some 12,500 read units and 100 requests. */
export const MAX_LIST_ENTRIES = 500_000;

/** Entries of a range in one request: DynamoDB ends a page at 1 MB, and entries have 100 to 250 bytes. */
const PAGE = 5_000;

/** Entries of each of several alternatives that are read first: one is often short, as in a small organization. */
const FIRST_ENTRIES = 400;

const RANGES_AT_ONCE = 50;

/** Reads ranges in parallel, and keeps of each item what `toEntry` returns, if anything. */
export class RangesReader<Entry> {
  readonly entries: Entry[] = [];
  /** Number of items read, including those that a filter excludes. */
  read = 0;
  readonly #table: TableReader;
  readonly #toEntry: (item: Item, range: Range) => Entry | undefined;
  #open: readonly Range[];

  constructor(table: TableReader, ranges: readonly Range[], toEntry: (item: Item, range: Range) => Entry | undefined) {
    this.#table = table;
    this.#open = ranges;
    this.#toEntry = toEntry;
  }

  get hasEnded(): boolean {
    return this.#open.length === 0;
  }

  /** Reads a page of each range that has not ended, about `limit` entries in total. */
  async readOn(limit = Infinity): Promise<void> {
    const size = Math.min(PAGE, Math.ceil(limit / this.#open.length));
    const left = await mapWithConcurrency(this.#open, RANGES_AT_ONCE, async (range) => {
      const { items, next, read = items.length } = await this.#table.query({ ...range, limit: size });
      this.read += read;
      for (const item of items) {
        const entry = this.#toEntry(item, range);
        if (entry !== undefined) this.entries.push(entry);
      }
      return next === undefined ? [] : [{ ...range, after: next }];
    });
    this.#open = left.flat();
  }
}

/**
 * Reads until one of the readers has ended, and returns its entries. All read at the same pace: together they cost a
 * few times as much as the shortest, however long the others are. Throws RangeTooLarge if all are too long.
 */
export async function readShortest<Entry>(
  readers: readonly RangesReader<Entry>[],
  noun: string,
): Promise<readonly Entry[]> {
  for (let limit = readers.length > 1 ? FIRST_ENTRIES : Infinity; ; limit *= 4) {
    const ended = readers.find(({ hasEnded }) => hasEnded);
    if (ended) return ended.entries;
    const open = readers.filter(({ read }) => read < MAX_LIST_ENTRIES);
    if (!open.length) throw new RangeTooLarge(noun, MAX_LIST_ENTRIES);
    await Promise.all(open.map((each) => each.readOn(limit)));
  }
}
