import { createHash } from 'node:crypto';
import { mapWithConcurrency } from '../../shared/concurrency.ts';
import { type Key, layout } from '../keys.ts';
import type { Item } from './changes.ts';
import { type Range, type TablePager, type TableReader, ttlAfter } from './client.ts';

/** Which records of a list are requested. */
export interface Page {
  readonly skip: number;
  readonly take: number;
}

/** A list whose order is that of the entries in its ranges. */
interface PagedList<RecordType> extends Page {
  readonly account: string;
  /** The query in full: pages of the same query share a cursor, for ten minutes. */
  readonly query: string;
  readonly ranges: readonly Range[];
  /** Reads the records of entries, in their order, without those that are gone or do not belong. */
  readonly read: (ids: readonly number[]) => Promise<RecordType[]>;
}

/** A list with its number of matches. The first page reads every entry, in the order of `place`, and fixes the list. */
export interface CountedList<RecordType> extends PagedList<RecordType> {
  /** The attribute of an entry that is read. */
  readonly attribute: string;
  /** Where an entry is in the list; `undefined` for one that does not belong. */
  readonly place: (value: string) => string | undefined;
  readonly idAt: (place: string) => number;
}

/** A list without a number, whose ranges are all ascending or all descending by sort keys of one form. */
export interface UncountedList<RecordType> extends PagedList<RecordType> {
  /** Whether entries alone decide what belongs to the list: skipped records need not be read then. */
  readonly exact: boolean;
  /** Whether an entry belongs to the list; all do by default. */
  readonly includes?: (entry: Item) => boolean;
}

const CURSOR_SECONDS = 10 * 60;

function cursorKey(account: string, name: string, skip: number): Key {
  return layout.cursor.key({ account, fingerprint: createHash('sha256').update(name).digest('base64url'), skip });
}

const isAlive = (cursor: Item, now: Date): boolean => (cursor['TTL'] as number) * 1000 > now.getTime();

/**
 * A page of a list, and the exact number of its matches.
 *
 * The first page reads all entries once and saves their ids. Any later page is two rounds, one read unit and half a
 * unit a record, and all pages together have each record once, however records change meanwhile. Each record is
 * returned as it is when its page is read.
 */
export async function paginateCounted<RecordType>(
  table: TablePager,
  list: CountedList<RecordType>,
  now: Date,
): Promise<{ count: number; records: RecordType[] }> {
  const { skip, take, read } = list;
  const saved = skip ? await findIds(table, list, now) : undefined;
  if (saved) return { count: saved.count, records: await read(saved.ids) };
  const ids = await listIds(table, list);
  const isPaged = skip > 0 || ids.length > take;
  const [records] = await Promise.all([
    read(ids.slice(skip, skip + take)),
    isPaged ? writeIds(table, list, ids, now) : undefined,
  ]);
  return { count: ids.length, records };
}

/** The ids of all entries, in order. A record that moves in an index while it is read may be met twice. */
async function listIds(table: TableReader, { ranges, attribute, place, idAt }: CountedList<unknown>) {
  const found = await Promise.all(
    ranges.map(async (range) => {
      const places: string[] = [];
      let after: string | undefined;
      do {
        const { items, next } = await table.query({ ...range, attributes: [attribute], after });
        places.push(...items.flatMap((item) => place(item[attribute] as string) ?? []));
        after = next;
      } while (after !== undefined);
      return places;
    }),
  );
  return [...new Set(found.flat().sort().map(idAt))];
}

/** Ids of 4 bytes: a block is an item below 4 KB, one read unit and four write units. */
const BLOCK = 900;
/** Blocks written at once: all of 36,000 records, and no more than a client has connections. */
const MAX_BLOCKS_AT_ONCE = 40;

/** Each block has its own partition: 1,000,000 records are 1,112 blocks, whose 4,448 write units exceed one's limit. */
const blockKey = ({ account, query }: CountedList<unknown>, block: number): Key =>
  cursorKey(account, `${query}\n${block}`, block * BLOCK);

const toBytes = (ids: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(ids).buffer);
const fromBytes = (bytes: Uint8Array): number[] => [...new Uint32Array(Uint8Array.from(bytes).buffer)];

/** The last block is never full: a page just behind the end is known to be empty. */
async function writeIds(table: TablePager, list: CountedList<unknown>, ids: readonly number[], now: Date) {
  const TTL = ttlAfter(now, CURSOR_SECONDS);
  const blocks = Array.from({ length: Math.floor(ids.length / BLOCK) + 1 }, (_, block): Item => {
    const Ids = toBytes(ids.slice(block * BLOCK, (block + 1) * BLOCK));
    return { ...blockKey(list, block), Ids, Count: ids.length, TTL };
  });
  await mapWithConcurrency(blocks, MAX_BLOCKS_AT_ONCE, (block) => table.writeCursor(block));
}

/** The ids of a page, in one round; `undefined` when they are not saved, or no longer. */
async function findIds(table: TableReader, list: CountedList<unknown>, now: Date) {
  const { skip, take } = list;
  const first = Math.floor(skip / BLOCK);
  const last = Math.floor((skip + take - 1) / BLOCK);
  const keys = Array.from({ length: last - first + 1 }, (_, index) => blockKey(list, first + index));
  const items = await table.getMany(keys);
  const blocks = keys.map(({ PK }) => items.find((item) => item.PK === PK && isAlive(item, now)));
  const count = blocks[0]?.['Count'] as number | undefined;
  if (count === undefined) return undefined;
  const ids = blocks.flatMap((block) => (block?.['Count'] === count ? fromBytes(block['Ids'] as Uint8Array) : []));
  const page = ids.slice(skip - first * BLOCK, skip - first * BLOCK + take);
  return page.length < Math.min(take, count - skip) ? undefined : { count, ids: page };
}

const MIN_PAGE = 25;
const MAX_PAGE = 500;

/**
 * A page of a list without a number. Every page costs the same when pages are requested in turn, because where each
 * ends is saved; one out of turn reads the entries before it, and their records unless entries alone decide.
 */
export async function paginateUncounted<RecordType>(
  table: TablePager,
  list: UncountedList<RecordType>,
  now = new Date(),
): Promise<RecordType[]> {
  const { account, query, ranges, skip, take } = list;
  const cursor = skip ? await table.get(cursorKey(account, query, skip)) : undefined;
  const saved = cursor && isAlive(cursor, now) ? (cursor['Positions'] as Positions) : undefined;
  const merge = new MergedEntries(table, list, saved ?? ranges.map(() => null));
  let remaining = saved ? 0 : skip;
  while (list.exact && remaining > 0) {
    const skipped = (await merge.take(Math.min(remaining, MAX_PAGE))).length;
    if (!skipped) return [];
    remaining -= skipped;
  }
  const found: RecordType[] = [];
  while (found.length < take) {
    const entries = await merge.take(Math.min(MAX_PAGE, take - found.length + remaining));
    if (!entries.length) return found;
    const records = await list.read(entries.map(({ Id }) => Id as number));
    found.push(...records.slice(remaining));
    remaining = Math.max(0, remaining - records.length);
  }
  await table.writeCursor({
    ...cursorKey(account, query, skip + found.length),
    Positions: merge.positions,
    TTL: ttlAfter(now, CURSOR_SECONDS),
  });
  return found;
}

/** Where each range continues: behind a sort key, or from its start (`null`). */
type Positions = (string | null)[];

/** The entries of several ranges in their common order, and how far each range has been read. */
class MergedEntries {
  readonly positions: Positions;
  readonly #table: TableReader;
  readonly #list: UncountedList<unknown>;
  readonly #pages: { items: Item[]; next: string | undefined }[];

  constructor(table: TableReader, list: UncountedList<unknown>, positions: Positions) {
    this.#table = table;
    this.#list = list;
    this.positions = [...positions];
    this.#pages = positions.map((position) => ({ items: [], next: position ?? '' }));
  }

  /** The next `count` entries, fewer only at the end. The position moves behind each entry as it is taken. */
  async take(count: number): Promise<Item[]> {
    const taken: Item[] = [];
    while (taken.length < count) {
      await Promise.all(this.#list.ranges.map((range, index) => this.#fill(range, index)));
      const next = this.#pages.reduce<number>(
        (least, { items }, index) => (items[0] && this.#before(items[0], this.#pages[least]?.items[0]) ? index : least),
        -1,
      );
      const entry = this.#pages[next]?.items.shift();
      if (!entry) return taken;
      this.positions[next] = entry.SK;
      taken.push(entry);
    }
    return taken;
  }

  /** Reads the next page of a range whose entries are all taken. */
  async #fill(range: Range, index: number): Promise<void> {
    const { take, includes = () => true } = this.#list;
    for (let page = this.#pages[index]; page && !page.items.length && page.next !== undefined;) {
      const after = page.next || undefined;
      const { items, next } = await this.#table.query({ ...range, after, limit: Math.max(take, MIN_PAGE) });
      page = { items: items.filter(includes), next };
      this.#pages[index] = page;
    }
  }

  #before(left: Item, right: Item | undefined): boolean {
    if (!right) return true;
    return this.#list.ranges[0]?.descending ? left.SK > right.SK : left.SK < right.SK;
  }
}
