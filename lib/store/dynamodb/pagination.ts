import { createHash } from 'node:crypto';
import { mapWithConcurrency } from '../../shared/concurrency.ts';
import { jsonByteLength } from '../../shared/limits.ts';
import { randomHandle } from '../../shared/random-handle.ts';
import { layout, padded } from '../keys.ts';
import type { Item } from './changes.ts';
import { type Range, type TablePager, type TableReader, ttlAfter } from './client.ts';
import { RangeTooLarge } from './errors.ts';
import { checkListBytes } from './records.ts';

/** Which records of a list are requested. */
export interface Page {
  readonly skip: number;
  readonly take: number;
}

interface PagedList<RecordType> extends Page {
  readonly account: string;
  /** Who reads: a list belongs to its reader, and other readers of the same query have lists of their own. */
  readonly reader?: string | undefined;
  /** The query in full: pages of the same query and reader share lists, for ten minutes. */
  readonly query: string;
  /** Reads the records of entries, in their order, without those that are gone or do not belong. */
  readonly read: (ids: readonly number[]) => Promise<RecordType[]>;
}

/** A list with its number of matches. The first page reads every entry, in the order of `place`, and fixes the list. */
export interface CountedList<RecordType> extends PagedList<RecordType> {
  /** Ranges of an index that together hold all matches; others that do too, in case the first are too large. */
  readonly alternatives: readonly (readonly Range[])[];
  /** What the list has, for its errors. */
  readonly noun: string;
  /** Where an entry is in the list, by its sort key in the index; `undefined` for one that does not belong. */
  readonly place: (sortKey: string) => string | undefined;
  readonly idAt: (place: string) => number;
}

/** Entries of a list, in its order. */
export interface FoundEntries {
  readonly entries: readonly ListEntry[];
  /** Whether the list goes on behind them. */
  readonly hasMore: boolean;
  /** A criterion that the entries leave open: records must be compared with it. */
  readonly undecided?: string | undefined;
}

interface ListEntry {
  readonly id: number;
  /** Orders the list, and a page continues behind it. */
  readonly place: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly at?: number;
}

/** A list without a number. */
export interface UncountedList<RecordType extends { readonly Id: number }> extends Page {
  readonly account: string;
  /** As in a counted list. */
  readonly reader?: string | undefined;
  readonly query: string;
  /** Entries behind a place: at least `count` and a few, unless the list ends. Throws RangeTooLarge. */
  readonly find: (after: string | undefined, count: number) => Promise<FoundEntries>;
  /** Reads the records of ids, in their order, without those that do not exist. */
  readonly read: (ids: readonly number[], options: { consistent: boolean }) => Promise<RecordType[]>;
  /** Whether a record belongs to the list. */
  readonly matches: (record: RecordType) => boolean;
  /** How many records may be read to compare them, or because an entry was outdated. */
  readonly maxCompared: () => number;
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
    /** The last entry of the page. */
    readonly Place?: string;
    /** Of a record of the page, on average. */
    readonly RecordBytes?: number;
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
  // Nothing is saved for a page that no other follows.
  const isPaged = ids.length > skip + take;
  const [records] = await Promise.all([
    read(ids.slice(skip, skip + take)),
    isPaged ? saveList(table, list, ids, now) : undefined,
  ]);
  return { count: ids.length, records };
}

/**
 * Index entries that a list reads at most, some 65 read units: with the 50 of a page of 100 records a first page stays
 * below 120. Where two ranges may be read, the first has two thirds.
 */
const MAX_LIST_ENTRIES = 3_000;
/** Entries of each of two ranges that are read at first: one of them is often short, as in a small organization. */
const MAX_FIRST_ENTRIES = 400;

/** The ids of all entries, in order. A record that moves in an index while it is read may be met twice. */
async function listIds(
  table: TableReader,
  { alternatives, noun, place, idAt }: CountedList<unknown>,
): Promise<number[]> {
  const sortKeys = await readAlternatives(table, alternatives);
  if (!sortKeys) throw new RangeTooLarge(noun, MAX_LIST_ENTRIES);
  return [
    ...new Set(
      sortKeys
        .flatMap((key) => place(key) ?? [])
        .sort()
        .map(idAt),
    ),
  ];
}

/** The sort keys of the ranges that end first, in at most three rounds; `undefined` if all have too many. */
async function readAlternatives(
  table: TableReader,
  [ranges = [], others]: CountedList<unknown>['alternatives'],
): Promise<readonly string[] | undefined> {
  const first = new RangesReader(table, ranges);
  if (!others) {
    for (let round = 0; round < 3 && !first.hasEnded; round++) await first.readUpTo(MAX_LIST_ENTRIES);
    return first.sortKeys;
  }
  const second = new RangesReader(table, others);
  await Promise.all([first.readUpTo(MAX_FIRST_ENTRIES), second.readUpTo(MAX_FIRST_ENTRIES)]);
  if (!first.hasEnded && !second.hasEnded) await first.readUpTo((MAX_LIST_ENTRIES * 2) / 3);
  if (!first.hasEnded && !second.hasEnded) await second.readUpTo(MAX_LIST_ENTRIES / 3);
  return first.sortKeys ?? second.sortKeys;
}

/** Reads ranges of an index side by side, a page of each a round. Entries that a filter leaves out count too. */
class RangesReader {
  readonly #table: TableReader;
  readonly #found: string[] = [];
  #open: readonly { readonly range: Range; readonly after: string | undefined }[];
  #entries = 0;

  constructor(table: TableReader, ranges: readonly Range[]) {
    this.#table = table;
    this.#open = ranges.map((range) => ({ range, after: undefined }));
  }

  get hasEnded(): boolean {
    return this.#open.length === 0;
  }

  /** The sort keys of all entries, once all ranges have ended. */
  get sortKeys(): readonly string[] | undefined {
    return this.hasEnded ? this.#found : undefined;
  }

  /** One round: the ranges that have not ended share what is left of `max` equally. */
  async readUpTo(max: number): Promise<void> {
    const limit = Math.ceil((max - this.#entries) / this.#open.length);
    if (limit <= 0) return;
    const pages = await Promise.all(
      this.#open.map(async ({ range, after }) => {
        const attribute = `${range.index}SK`;
        const { items, next, read } = await this.#table.query({ ...range, attributes: [attribute], after, limit });
        this.#found.push(...items.map((item) => item[attribute] as string));
        return { range, after: next, read: read ?? items.length };
      }),
    );
    this.#entries += pages.reduce((sum, { read }) => sum + read, 0);
    this.#open = pages.filter(({ after }) => after !== undefined);
  }
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

/** Entries that a list finds beyond a page, in case some of the page are outdated. */
export const SPARE_ENTRIES = 4;

/** Up to this many records are read consistently; of more, some may be a second old, at half the price. */
const FEW = 4;

/** Records of a list without a number. */
export interface UncountedPage<RecordType> {
  readonly records: RecordType[];
  /** Whether it has fewer records than requested although more follow, behind `skip + take`: entries were outdated. */
  readonly isShort: boolean;
}

/**
 * A page of a list without a number. Where a page ends is saved: the next one continues there. With it is saved the
 * size of its records, by which the next one is read at once. Three rounds, four of a later page: the bookmark, the
 * entries, the records and the next bookmark, and the records of outdated entries. A page whose outdated entries would
 * take more rounds is short; a first page of at most 100 never is. Throws RangeTooLarge.
 */
export async function paginateUncounted<RecordType extends { readonly Id: number }>(
  table: TablePager,
  list: UncountedList<RecordType>,
  now = new Date(),
): Promise<UncountedPage<RecordType>> {
  const { skip, take } = list;
  const bookmarks = skip ? await findAt(table, bookmarkPartition(list), skip, now) : [];
  const bookmark = chooseBookmark(bookmarks, now);
  const skipped = bookmark ? 0 : skip;
  const found = await list.find(bookmark?.['Place'] as string | undefined, skipped + take);
  const name = bookmark ? listNameOf(bookmark) : newListName(now);
  let isSaved = bookmark !== undefined;
  const saveEnd = async ({ end, isLast, recordBytes }: PageEnd): Promise<void> => {
    if (isLast && !isSaved) return;
    isSaved = true;
    const move = { name, from: bookmark, to: skip + take, finished: isLast };
    const positions = {
      ...(end ? { Place: end.place } : {}),
      ...(recordBytes === undefined ? {} : { RecordBytes: Math.round(recordBytes) }),
    };
    await moveBookmark(table, list, { ...move, ...positions }, now);
  };
  const recordBytes = bookmark?.['RecordBytes'] as number | undefined;
  return found.undecided === undefined
    ? readDecidedPage(list, { ...found, entries: found.entries.slice(skipped) }, { saveEnd, recordBytes, now })
    : readComparedPage(list, found, { skipped, saveEnd });
}

interface PageEnd {
  readonly end: ListEntry | undefined;
  readonly isLast: boolean;
  /** Of a record of the page on average, if that is known. */
  readonly recordBytes?: number | undefined;
}

type SaveEnd = (page: PageEnd) => Promise<void>;

/** An eventually consistent read may lack a record for so long. */
const LATE_MILLISECONDS = 10_000;

/** Records that are read without knowing how large they are. */
const MAX_UNKNOWN = 100;

/** Reads any number of records in one round. */
async function readAtOnce<RecordType>(
  { read }: Pick<UncountedList<RecordType & { readonly Id: number }>, 'read'>,
  entries: readonly ListEntry[],
  consistent: boolean,
): Promise<RecordType[]> {
  const ids = entries.map(({ id }) => id);
  const parts = Array.from({ length: Math.ceil(ids.length / MAX_UNKNOWN) }, (_, part) =>
    ids.slice(part * MAX_UNKNOWN, (part + 1) * MAX_UNKNOWN),
  );
  return (await Promise.all(parts.map((part) => read(part, { consistent })))).flat();
}

const averageBytes = (records: readonly object[]): number => jsonByteLength(records) / Math.max(1, records.length);

/**
 * A page whose entries decide: as a rule all their records belong to it. Of more than 100 records of unknown size, the
 * first 100 tell whether the others may be read. On a later page the others are then read together with what outdated
 * entries are replaced by, consistently, so that no further round is needed.
 */
async function readDecidedPage<RecordType extends { readonly Id: number }>(
  list: UncountedList<RecordType>,
  { entries, hasMore }: FoundEntries,
  { saveEnd, recordBytes, now }: { saveEnd: SaveEnd; recordBytes: number | undefined; now: Date },
): Promise<UncountedPage<RecordType>> {
  const { skip, take, matches, maxCompared } = list;
  const page = entries.slice(0, take);
  // Before the page is read, whose records cost what they cost.
  const max = maxCompared();
  const consistent = page.length <= FEW;
  const pageEnd = { end: page.at(-1), isLast: !hasMore && entries.length <= take };
  const isKnown = recordBytes !== undefined;
  if (isKnown) checkListBytes(page.length, recordBytes);
  const isProbed = page.length > MAX_UNKNOWN && !isKnown;
  const first = isProbed ? page.slice(0, MAX_UNKNOWN) : page;
  const others = page.slice(first.length);
  const [found] = await Promise.all([
    readAtOnce(list, first, consistent),
    isProbed ? undefined : saveEnd({ ...pageEnd, recordBytes }),
  ]);
  const bytes = isProbed || isKnown ? averageBytes(found) : undefined;
  if (isProbed) checkListBytes(page.length, bytes ?? 0);
  const unread = skip ? others : [];
  if (isProbed && !skip) {
    const end = { ...pageEnd, recordBytes: bytes };
    const [rest] = await Promise.all([readAtOnce(list, others, consistent), saveEnd(end)]);
    found.push(...rest);
  }
  const records = found.filter(matches);
  // The next page must not rely on a size that is outdated.
  const hasGrown = isKnown && (bytes ?? 0) > 2 * recordBytes;
  if (records.length === page.length) {
    if (hasGrown) await saveEnd({ ...pageEnd, recordBytes: bytes });
    return { records, isShort: page.length < take && hasMore };
  }
  // Entries of records that have just changed, or whose change was never made: those of old ones that do not exist.
  const [existing, known] = [found, records].map((some) => new Set(some.map(({ Id }) => Id)));
  const missing = page.slice(0, page.length - unread.length).filter(({ id }) => !known?.has(id));
  const isLate = ({ id, at = Infinity }: ListEntry) =>
    !consistent && (existing?.has(id) || at > now.getTime() - LATE_MILLISECONDS);
  const again = missing.filter(isLate);
  if (again.length > max) throw new RangeTooLarge('outdated', max);
  // A first page of at most 100 has a round left to be full; another ends where its bookmark does, and keeps a place
  // for each that may belong to it after all.
  const canCorrect = skip === 0 && !isProbed;
  const replaced = canCorrect ? missing.length : missing.length - again.length;
  const spare = missing.length ? Math.min(missing.length + SPARE_ENTRIES, max - again.length) : 0;
  const next = entries.slice(take, take + (canCorrect ? spare : Math.min(spare, replaced)));
  // As a rule the missing ones are gone and the next ones are not: then the page ends here.
  const end = next[replaced - 1] ?? next.at(-1) ?? page.at(-1);
  const isLast = !hasMore && entries.length <= take + Math.min(replaced, next.length);
  const [late] = await Promise.all([
    readAtOnce(list, [...again, ...unread, ...next], true),
    saveEnd({ end, isLast, recordBytes: bytes }),
  ]);
  const byId = new Map([...records, ...late.filter(matches)].map((record) => [record.Id, record]));
  const isEnd = !hasMore && entries.length <= take + next.length;
  const present = [...page, ...next].filter(({ id }) => byId.has(id));
  if (canCorrect && present.length < take && !isEnd) throw new RangeTooLarge('outdated', max);
  const answered = present.slice(0, take);
  // Some of the missing ones belong to the list after all: they have changed within the second.
  if (canCorrect && answered.at(-1)?.id !== end?.id)
    await saveEnd({ end: answered.at(-1), isLast: isEnd && present.length <= take, recordBytes: bytes });
  return {
    records: answered.flatMap(({ id }) => byId.get(id) ?? []),
    isShort: !canCorrect && answered.length < take && !isLast,
  };
}

/** A page of which the records decide; few enough are read to find it, or none is answered. */
async function readComparedPage<RecordType extends { readonly Id: number }>(
  { take, read, matches, maxCompared }: UncountedList<RecordType>,
  { entries, hasMore, undecided = '' }: FoundEntries,
  { skipped, saveEnd }: { readonly skipped: number; readonly saveEnd: SaveEnd },
): Promise<UncountedPage<RecordType>> {
  const max = maxCompared();
  const compared = entries.slice(0, max);
  const found = await read(
    compared.map(({ id }) => id),
    { consistent: true },
  );
  const records = found.filter(matches);
  const isEnd = !hasMore && entries.length <= max;
  if (records.length < skipped + take && !isEnd) throw new RangeTooLarge(undecided, max);
  const page = records.slice(skipped, skipped + take);
  const last = page.at(-1);
  await saveEnd({ end: compared.find(({ id }) => id === last?.Id), isLast: isEnd && records.length <= skipped + take });
  return { records: page, isShort: false };
}
