import { createHash } from 'node:crypto';
import { mapWithConcurrency } from '../../shared/concurrency.ts';
import { randomHandle } from '../../shared/random-handle.ts';
import { layout, padded } from '../keys.ts';
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
  /** Who reads: a list belongs to its reader, and other readers of the same query have lists of their own. */
  readonly reader?: string | undefined;
  /** The query in full: pages of the same query and reader share lists, for ten minutes. */
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

/** A reader has a list for each first page that it requested in the last ten minutes: the newest of them. */
const MAX_LISTS = 8;

/** For so long a list whose next page was not requested yet comes before newer lists. */
const WAITING_MILLISECONDS = 30_000;

type ListOfReader = Pick<PagedList<unknown>, 'account' | 'reader' | 'query'>;

const cursorPartition = ({ account, reader = '', query }: ListOfReader, part: string): string => {
  const name = [reader, query, part].join('\n');
  return layout.cursor.of({ account, fingerprint: createHash('sha256').update(name).digest('base64url') });
};

const isAlive = (cursor: Item, now: Date): boolean => (cursor['TTL'] as number) * 1000 > now.getTime();

/** The name of a new list; names order by time. */
const newListName = (now: Date): string => `${String(now.getTime()).padStart(14, '0')}-${randomHandle(6)}`;

const cursorSortKey = (skip: number, list: string): string => `${padded(skip)}#${list}`;
const listNameOf = ({ SK }: Item): string => SK.slice(SK.indexOf('#') + 1);

/** The living items of a partition at one place, of the newest list first. */
async function findAt(table: TableReader, partition: string, skip: number, now: Date): Promise<Item[]> {
  const bounds = { from: cursorSortKey(skip, ''), to: cursorSortKey(skip, '~') };
  const range = { partition, ...bounds, descending: true, limit: MAX_LISTS, consistent: true };
  return (await table.query(range)).items.filter((item) => isAlive(item, now));
}

/**
 * Where pages of lists ended, so that the next page continues the same list. `Continued` if its next page was
 * requested.
 */
const bookmarkPartition = (list: ListOfReader): string => cursorPartition(list, 'bookmarks');

/**
 * The bookmark of the list that a page continues; `bookmarks` are those where the page begins, newest list first. Two
 * readers may share a name. The one that waits longest is served first, so that the first page of another one does not
 * disturb it. Who waited too long has gone, and of a page requested again the newest list is meant.
 */
function chooseBookmark(bookmarks: readonly Item[], now: Date): Item | undefined {
  const since = (bookmark: Item) => bookmark['Since'] as number;
  const isWaiting = (bookmark: Item) =>
    !bookmark['Continued'] && now.getTime() - since(bookmark) <= WAITING_MILLISECONDS;
  return (
    bookmarks
      .filter(isWaiting)
      .reduceRight<Item | undefined>(
        (longest, bookmark) => (longest && since(longest) <= since(bookmark) ? longest : bookmark),
        undefined,
      ) ?? bookmarks[0]
  );
}

/** Moves a list's bookmark from where a page began to where it ended; a `finished` list waits for nobody. */
async function moveBookmark(
  table: TablePager,
  list: ListOfReader,
  {
    name,
    from,
    to,
    finished,
    ...positions
  }: {
    readonly name: string;
    readonly from: Item | undefined;
    readonly to: number;
    readonly finished: boolean;
    readonly Positions?: Positions;
  },
  now: Date,
): Promise<void> {
  const key = { PK: bookmarkPartition(list), SK: cursorSortKey(to, name) };
  const state = { Since: now.getTime(), Continued: finished, TTL: ttlAfter(now, CURSOR_SECONDS) };
  await Promise.all([
    from && table.writeCursor({ ...from, Continued: true }),
    table.writeCursor({ ...key, ...positions, ...state }),
  ]);
}

/**
 * A page of a list, and the exact number of its matches.
 *
 * The first page reads all entries once and saves their ids. Any later page is two rounds, two read units and half a
 * unit a record, and all pages together have each record once, however records change meanwhile and whoever else asks
 * the same query. Each record is returned as it is when its page is read.
 */
export async function paginateCounted<RecordType>(
  table: TablePager,
  list: CountedList<RecordType>,
  now: Date,
): Promise<{ count: number; records: RecordType[] }> {
  const { skip, take, read } = list;
  const saved = skip ? await findSavedPage(table, list, now) : undefined;
  if (saved) {
    const { name, bookmark: from, ids, count } = saved;
    if (!ids.length) return { count, records: [] };
    const move = { name, from, to: skip + take, finished: skip + take >= count };
    const [records] = await Promise.all([read(ids), moveBookmark(table, list, move, now)]);
    return { count, records };
  }
  const ids = await listIds(table, list);
  const isPaged = skip > 0 || ids.length > take;
  const [records] = await Promise.all([
    read(ids.slice(skip, skip + take)),
    isPaged ? saveList(table, list, ids, now) : undefined,
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
const blockPartition = (list: ListOfReader, block: number): string => cursorPartition(list, `${block}`);

const toBytes = (ids: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(ids).buffer);
const fromBytes = (bytes: Uint8Array): number[] => [...new Uint32Array(Uint8Array.from(bytes).buffer)];

/** Saves a new list with a bookmark behind its page. The last block is never full: the page behind the end is empty. */
async function saveList(table: TablePager, list: CountedList<unknown>, ids: readonly number[], now: Date) {
  const name = newListName(now);
  const TTL = ttlAfter(now, CURSOR_SECONDS);
  const blocks = Array.from({ length: Math.floor(ids.length / BLOCK) + 1 }, (_, block): Item => {
    const Ids = toBytes(ids.slice(block * BLOCK, (block + 1) * BLOCK));
    return { PK: blockPartition(list, block), SK: cursorSortKey(block * BLOCK, name), Ids, Count: ids.length, TTL };
  });
  const to = list.skip + list.take;
  const move = { name, from: undefined, to, finished: to >= ids.length };
  await Promise.all([
    mapWithConcurrency(blocks, MAX_BLOCKS_AT_ONCE, (block) => table.writeCursor(block)),
    moveBookmark(table, list, move, now),
  ]);
}

/** A page of a saved list, and the bookmark where it begins. */
interface SavedPage {
  readonly name: string;
  readonly bookmark: Item | undefined;
  readonly count: number;
  readonly ids: readonly number[];
}

/** The page of the list that it continues, else of the newest; in one round. `undefined` if no list is saved. */
async function findSavedPage(
  table: TableReader,
  list: CountedList<unknown>,
  now: Date,
): Promise<SavedPage | undefined> {
  const { skip, take } = list;
  const first = Math.floor(skip / BLOCK);
  const last = Math.floor((skip + take - 1) / BLOCK);
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const [bookmarks, ...blocks] = await Promise.all([
    findAt(table, bookmarkPartition(list), skip, now),
    ...numbers.map((block) => findAt(table, blockPartition(list, block), block * BLOCK, now)),
  ]);
  const living = new Map(blocks[0]?.map((item) => [listNameOf(item), item]));
  const bookmark = chooseBookmark(
    bookmarks.filter((item) => living.has(listNameOf(item))),
    now,
  );
  const [newest] = living.keys();
  const name = bookmark ? listNameOf(bookmark) : newest;
  if (name === undefined) return undefined;
  const count = living.get(name)?.['Count'] as number;
  const saved = blocks.flatMap((items) => items.find((item) => listNameOf(item) === name) ?? []);
  const ids = saved.flatMap((item) => fromBytes(item['Ids'] as Uint8Array));
  const page = ids.slice(skip - first * BLOCK, skip - first * BLOCK + take);
  return page.length < Math.min(take, count - skip) ? undefined : { name, bookmark, count, ids: page };
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
  const { ranges, skip, take } = list;
  const bookmarks = skip ? await findAt(table, bookmarkPartition(list), skip, now) : [];
  const bookmark = chooseBookmark(bookmarks, now);
  const saved = bookmark?.['Positions'] as Positions | undefined;
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
    if (!entries.length) break;
    const records = await list.read(entries.map(({ Id }) => Id as number));
    found.push(...records.slice(remaining));
    remaining = Math.max(0, remaining - records.length);
  }
  const name = bookmark ? listNameOf(bookmark) : newListName(now);
  const finished = found.length < take;
  if (finished && !skip) return found;
  const move = { name, from: bookmark, to: skip + take, finished, Positions: merge.positions };
  await moveBookmark(table, list, move, now);
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
