import type { Mark } from '../../../entities/requests.ts';
import { RangeTooLarge } from '../errors.ts';
import type { TablePager } from '../table.ts';
import type { FixedList, List, ListEntry, OrderedList, PageRecords } from './lists.ts';
import { MAX_LIST_ENTRIES } from './range-entries.ts';
import { ReaderLists, nearestMark } from './reader-lists.ts';

/**
 * Pages of lists: of those that their first page fixes, and of those that are read in index order. A page has as many
 * records as requested, unless the list ends.
 */

interface Identified {
  readonly Id: number;
}

/**
 * A page of a list that its first page fixes, and its number of entries. The first page reads all entries and saves
 * their ids. Any other page is three rounds: the reader's lists, the ids, the records. All pages together have each
 * record once, however records change meanwhile and whoever else sends the same query. Each record is returned as it is
 * when its page is read.
 */
export async function readFixedPage<RecordType extends Identified>(
  table: TablePager,
  list: FixedList<RecordType>,
  now: Date,
): Promise<PageRecords<RecordType> & { readonly count: number }> {
  const lists = new ReaderLists(table, list, now);
  const { count, ...page } = (await continueFixed(lists, list.skip)) ?? (await beginFixed(lists, list));
  return { ...(await readPage(list, page)), count };
}

type FixedPage = OpenPage & { readonly count: number };

async function continueFixed(lists: ReaderLists, skip: number): Promise<FixedPage | undefined> {
  if (lists.begins(skip)) return undefined;
  const found = await lists.find();
  const list = lists.choose(
    found.filter(({ Count }) => Count !== undefined),
    skip,
  );
  if (!list) return undefined;
  const { Count: count = 0, IsCompared: isCompared = false } = list;
  const { Skip, Position = Skip } = nearestMark(list, skip);
  const entries = new FixedEntries((from, end) => lists.findIds(list, from, end), { position: Position, count });
  return { count, entries, skipped: skip - Skip, isCompared, save: (mark) => lists.saveEnd(list, mark) };
}

async function beginFixed(lists: ReaderLists, { skip, findAll }: FixedList<unknown>): Promise<FixedPage> {
  const [{ ids, isCompared = false }, others] = await Promise.all([findAll(), lists.find()]);
  const count = ids.length;
  const list = { ...lists.newList(others), Count: count, ...(isCompared ? { IsCompared: isCompared } : {}) };
  let isSaved = false;
  return {
    count,
    entries: new FixedEntries(async (from, end) => ids.slice(from, end), { position: 0, count }),
    skipped: skip,
    isCompared,
    async save(mark, hasMore) {
      if (!isSaved && !isWorthSaving(others, hasMore)) return;
      if (!isSaved) await lists.saveIds(list, ids);
      isSaved = true;
      await lists.saveEnd(list, mark);
    },
  };
}

/** A list of one page is not saved, unless the reader has another list, which a call after the end would continue. */
const isWorthSaving = (others: readonly unknown[], hasMore: boolean): boolean => hasMore || others.length > 0;

/**
 * A page of a list in index order. The end of a page is saved, and the next page continues there. Three rounds: the
 * reader's lists, the entries, the records; more if many records do not belong to the list.
 */
export async function readOrderedPage<RecordType extends Identified>(
  table: TablePager,
  list: OrderedList<RecordType>,
  now = new Date(),
): Promise<PageRecords<RecordType>> {
  const { skip, take, isCompared = false } = list;
  const lists = new ReaderLists(table, list, now);
  const saved = lists.begins(skip) ? undefined : lists.choose(await lists.find(), skip);
  const { Skip, OrderKey }: Mark = saved ? nearestMark(saved, skip) : { Skip: 0 };
  const entries = new OrderedEntries(list, OrderKey);
  const skipped = skip - Skip;
  const [others] = await Promise.all([saved ? [saved] : lists.find(), entries.load(skipped + take)]);
  const current = saved ?? lists.newList(others);
  let isSaved = false;
  return readPage(list, {
    entries,
    skipped,
    isCompared,
    async save(mark, hasMore) {
      isSaved ||= isWorthSaving(others, hasMore);
      if (isSaved) await lists.saveEnd(current, mark);
    },
  });
}

/** An entry after which a page may end. */
interface PlacedEntry {
  readonly id: number;
  readonly place: Omit<Mark, 'Skip'>;
}

/** The entries of a list, from a place on. */
interface Entries {
  skip(count: number): Promise<void>;
  /** The next `count` entries, or all that are left. */
  next(count: number): Promise<readonly PlacedEntry[]>;
  /** Whether any are left. */
  readonly hasMore: boolean;
}

/** A page whose list was found. */
interface OpenPage {
  readonly entries: Entries;
  /** Entries before the page; if records are compared, records of the list. */
  readonly skipped: number;
  readonly isCompared: boolean;
  /** Saves where the page ends, if a page may follow. */
  readonly save: (mark: Mark, hasMore: boolean) => Promise<void>;
}

/** Number of records that are read at once, for comparison and for one page. */
const COMPARED_AT_ONCE = 100;
const MAX_COMPARED = 5_000;

/**
 * Reads records until the page is full. Usually the first entries are its records, and its end is saved in parallel
 * with the read; if some do not belong to the list, the next ones take their place. Throws RangeTooLarge if too many
 * would have to be compared.
 */
async function readPage<RecordType extends Identified>(
  { skip, take, read }: List<RecordType>,
  { entries, skipped, isCompared, save }: OpenPage,
): Promise<PageRecords<RecordType>> {
  if (!isCompared && skipped) await entries.skip(skipped);
  const markAt = ({ place }: PlacedEntry): Mark => ({ Skip: skip + take, ...place });
  const records: RecordType[] = [];
  let [toSkip, compared, spare] = [isCompared ? skipped : 0, 0, 0];
  let end: PlacedEntry | undefined;
  let saved: PlacedEntry | undefined;
  let hasMore = false;
  while (records.length < take) {
    const size = toSkip + take - records.length + spare;
    const part = await entries.next(isCompared ? Math.min(size, COMPARED_AT_ONCE) : size);
    const last = part.at(-1);
    if (!last) break;
    if (isCompared && (compared += part.length) > MAX_COMPARED) throw new RangeTooLarge('compared', MAX_COMPARED);
    const ids = part.map(({ id }) => id);
    if (!spare && !isCompared) saved = last;
    const [found] = await Promise.all([
      read(ids, isCompared),
      saved === last ? save(markAt(last), entries.hasMore) : undefined,
    ]);
    const byId = new Map(found.map((record) => [record.Id, record]));
    for (const entry of part) {
      const record = byId.get(entry.id);
      if (records.length === take) hasMore ||= record !== undefined;
      else {
        end = entry;
        if (record && toSkip > 0) toSkip--;
        else if (record) records.push(record);
      }
    }
    spare = Math.min(take, 2 * spare + 4);
  }
  hasMore ||= records.length === take && entries.hasMore;
  if (end && end !== saved) await save(markAt(end), hasMore);
  return { records, hasMore };
}

type FindIds = (from: number, end: number) => Promise<readonly number[]>;

/** The entries of a fixed list, by position. */
class FixedEntries implements Entries {
  readonly #findIds: FindIds;
  readonly #count: number;
  #position: number;

  constructor(findIds: FindIds, { position, count }: { readonly position: number; readonly count: number }) {
    this.#findIds = findIds;
    this.#position = position;
    this.#count = count;
  }

  get hasMore(): boolean {
    return this.#position < this.#count;
  }

  async skip(count: number): Promise<void> {
    this.#position += count;
  }

  async next(count: number): Promise<readonly PlacedEntry[]> {
    if (!this.hasMore) return [];
    const from = this.#position;
    this.#position = Math.min(from + count, this.#count);
    const ids = await this.#findIds(from, this.#position);
    return ids.map((id, index) => ({ id, place: { Position: from + index + 1 } }));
  }
}

/** The entries of a list after an order key, found part by part. */
class OrderedEntries implements Entries {
  readonly #find: OrderedList<unknown>['find'];
  readonly #found: ListEntry[] = [];
  #after: string | undefined;
  #hasEnded = false;
  #read = 0;

  constructor({ find }: Pick<OrderedList<unknown>, 'find'>, after: string | undefined) {
    this.#find = find;
    this.#after = after;
  }

  get hasMore(): boolean {
    return this.#found.length > 0;
  }

  /** Finds more than `count` entries, unless the list ends. Throws RangeTooLarge. */
  async load(count: number): Promise<void> {
    for (let size = count + 1; this.#found.length <= count && !this.#hasEnded; size *= 4) {
      const { entries, through, read } = await this.#find(this.#after, size);
      this.#found.push(...entries);
      this.#after = through;
      this.#hasEnded = through === undefined;
      this.#read += read;
      if (this.#read > MAX_LIST_ENTRIES) throw new RangeTooLarge('entries', MAX_LIST_ENTRIES);
    }
  }

  async skip(count: number): Promise<void> {
    await this.load(count);
    this.#found.splice(0, count);
  }

  async next(count: number): Promise<readonly PlacedEntry[]> {
    await this.load(count);
    return this.#found.splice(0, count).map(({ id, orderKey }) => ({ id, place: { OrderKey: orderKey } }));
  }
}
