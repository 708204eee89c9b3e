import { jsonByteLength } from '../../shared/limits.ts';
import { type Range, type TablePager, type TableReader, chunks } from './client.ts';
import { RangeTooLarge } from './errors.ts';
import type { Facts } from './filters.ts';
import { attributes } from '../keys.ts';
import type { ListReader } from './list-reader.ts';
import { ReaderLists, type SavedList, nearestMark } from './reader-lists.ts';
import { checkListBytes } from './records.ts';

/** Which records of a list are requested. */
export interface Page {
  readonly skip: number;
  readonly take: number;
}

interface List extends Page {
  readonly account: string;
  /** Whose list it is. */
  readonly reader?: ListReader | undefined;
  /** The query in full: its pages share lists. */
  readonly query: string;
}

/** A list with its number of matches. The first page reads every entry, by `orderKey`, and fixes the list. */
export interface CountedList<RecordType> extends List {
  /** Ranges of an index that together hold all matches; others that do too, in case the first are too large. */
  readonly alternatives: readonly (readonly Range[])[];
  /** What the list has, for its errors. */
  readonly noun: string;
  /** Whether `orderKeys` needs the facts of entries. */
  readonly withFacts?: boolean;
  /** Where entries are in the list; without those that do not belong. */
  readonly orderKeys: (entries: readonly IndexEntry[]) => Promise<readonly string[]>;
  readonly idAt: (orderKey: string) => number;
  /** Reads the records of entries, in their order, without those that are gone or do not belong. */
  readonly read: (ids: readonly number[]) => Promise<RecordType[]>;
}

/** An entry of an index, with its sort key there. */
export interface IndexEntry {
  readonly sortKey: string;
  /** Empty where the list does not need them. */
  readonly facts: Facts;
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
  readonly orderKey: string;
  /** When the record was made, in milliseconds since 1970. */
  readonly at?: number;
}

/** A list without a number. */
export interface UncountedList<RecordType extends { readonly Id: number }> extends List {
  /** Entries behind an order key: at least `count` and a few, unless the list ends. Throws RangeTooLarge. */
  readonly find: (after: string | undefined, count: number) => Promise<FoundEntries>;
  /** Reads the records of ids, in their order, without those that do not exist. */
  readonly read: (ids: readonly number[], options: { consistent: boolean }) => Promise<RecordType[]>;
  /** Whether a record belongs to the list. */
  readonly matches: (record: RecordType) => boolean;
  /** How many records may be read to compare them, or because an entry was outdated. */
  readonly maxCompared: () => number;
}

/**
 * A page of a list, and the exact number of its matches.
 *
 * The first page reads all entries once and saves their ids. Any later page is two rounds, some read units and half a
 * unit a record, and all pages together have each record once, however records change meanwhile and whoever else asks
 * the same query. Each record is returned as it is when its page is read.
 */
export async function paginateCounted<RecordType>(
  table: TablePager,
  list: CountedList<RecordType>,
  now: Date,
): Promise<{ count: number; records: RecordType[] }> {
  const lists = new ReaderLists(table, list, now);
  const saved = lists.begins(list.skip) ? undefined : await findSavedPage(lists, list);
  const { count, ids, save } = saved ?? (await beginCountedList(table, list, lists));
  const [records] = await Promise.all([list.read(ids), save()]);
  return { count, records };
}

/** A page of a fixed list; `save` saves where it ends. */
interface FixedPage {
  readonly count: number;
  readonly ids: readonly number[];
  readonly save: () => Promise<void>;
}

/** The page of a list that is saved, in one round. */
async function findSavedPage(lists: ReaderLists, { skip, take }: Page): Promise<FixedPage | undefined> {
  const [found, idsOf] = await Promise.all([lists.find(), lists.findIds(skip, take)]);
  const list = lists.choose(
    found.filter((each) => idsOf(each) !== undefined),
    skip,
  );
  if (!list) return undefined;
  const ids = idsOf(list) ?? [];
  // A page behind the end writes nothing.
  const save = async () => (ids.length ? lists.save({ ...list, End: skip + take }) : undefined);
  return { count: list.Count ?? 0, ids, save };
}

/**
 * Reads the whole list. It is saved where another page follows; and where the reader has another list, which a call
 * behind the end would continue.
 */
async function beginCountedList<RecordType>(
  table: TablePager,
  list: CountedList<RecordType>,
  lists: ReaderLists,
): Promise<FixedPage> {
  const [ids, others] = await Promise.all([listIds(table, list), lists.find()]);
  const [count, End] = [ids.length, list.skip + list.take];
  const isSaved = count > End || others.length > 0;
  const save = async () => (isSaved ? lists.saveIds({ ...lists.newList(others), Count: count, End }, ids) : undefined);
  return { count, ids: ids.slice(list.skip, End), save };
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
  { alternatives, noun, withFacts, orderKeys, idAt }: CountedList<unknown>,
): Promise<number[]> {
  const attributeNames = withFacts ? [attributes.facts] : [];
  const [first, others] = alternatives.map((ranges) => new RangesReader(table, ranges, attributeNames));
  const entries = first && (await readAlternatives(first, others));
  if (!entries) throw new RangeTooLarge(noun, MAX_LIST_ENTRIES);
  return [...new Set([...(await orderKeys(entries))].sort().map(idAt))];
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
          this.#found.push({ sortKey: item[name] as string, facts: (item[attributes.facts] ?? {}) as Facts });
        return { range, after: next, read: read ?? items.length };
      }),
    );
    this.#entries += pages.reduce((sum, { read }) => sum + read, 0);
    this.#open = pages.filter(({ after }) => after !== undefined);
  }
}

/** Entries that a list finds beyond a page, in case some of the page are outdated. */
export const SPARE_ENTRIES = 4;

/** Records of a list without a number. */
export interface UncountedPage<RecordType> {
  readonly records: RecordType[];
  /** Whether it has fewer records than requested although more follow, behind `skip + take`: entries were outdated. */
  readonly isShort: boolean;
}

/**
 * A page of a list without a number. Where a page ends is saved: the next one continues there. With it is saved the
 * size of its records, by which the next one is read at once. Three rounds, four of a later page: the lists of the
 * reader, the entries, the records and the end of the page, and the records of outdated entries. A page whose outdated
 * entries would take more rounds is short; a first page of at most 100 never is. Throws RangeTooLarge.
 */
export async function paginateUncounted<RecordType extends { readonly Id: number }>(
  table: TablePager,
  list: UncountedList<RecordType>,
  now = new Date(),
): Promise<UncountedPage<RecordType>> {
  const { skip, take } = list;
  const lists = new ReaderLists(table, list, now);
  const saved = lists.begins(skip) ? undefined : lists.choose(await lists.find(), skip);
  const start = saved ? nearestMark(saved, skip) : { Skip: 0 };
  const skipped = skip - start.Skip;
  const [found, others] = await Promise.all([list.find(start.OrderKey, skipped + take), saved ? [] : lists.find()]);
  const ends = new PageEnds(lists, saved ?? lists.newList(others), {
    next: skip + take,
    isSaved: saved !== undefined || others.length > 0,
  });
  if (found.undecided !== undefined) return readComparedPage(list, found, { skipped, ends });
  const entries = found.entries.slice(skipped);
  return new DecidedPage(list, { ...found, entries }, { ends, recordBytes: saved?.RecordBytes, now }).read();
}

interface PageEnd {
  readonly end: ListEntry | undefined;
  readonly isLast: boolean;
  /** Of a record of the page on average, if that is known. */
  readonly recordBytes?: number | undefined;
}

/** Saves where a page ends, perhaps again when its records show that it ends elsewhere. */
class PageEnds {
  readonly #lists: ReaderLists;
  readonly #list: SavedList;
  readonly #next: number;
  /** Nothing is saved of a list that has only one page, unless the reader has another list. */
  #isSaved: boolean;

  constructor(lists: ReaderLists, list: SavedList, { next, isSaved }: { next: number; isSaved: boolean }) {
    this.#lists = lists;
    this.#list = list;
    this.#next = next;
    this.#isSaved = isSaved;
  }

  async save({ end, isLast, recordBytes }: PageEnd): Promise<void> {
    if (isLast && !this.#isSaved) return;
    this.#isSaved = true;
    const bytes = recordBytes === undefined ? undefined : Math.round(recordBytes);
    await this.#lists.saveEnd(this.#list, { Skip: this.#next, OrderKey: end?.orderKey }, bytes);
  }
}

/** Up to this many records are read consistently; of more, some may be a second old, at half the price. */
const FEW = 4;

/** An eventually consistent read may lack a record for so long. */
const LATE_MILLISECONDS = 10_000;

/** Records that are read without knowing how large they are. */
const MAX_UNKNOWN = 100;

const averageBytes = (records: readonly object[]): number => jsonByteLength(records) / Math.max(1, records.length);

/** Reads any number of records in one round. */
async function readAtOnce<RecordType>(
  read: (ids: readonly number[], options: { consistent: boolean }) => Promise<RecordType[]>,
  entries: readonly ListEntry[],
  consistent: boolean,
): Promise<RecordType[]> {
  const parts = chunks(
    entries.map(({ id }) => id),
    MAX_UNKNOWN,
  );
  return (await Promise.all(parts.map((part) => read(part, { consistent })))).flat();
}

/**
 * How a page whose entries decide is read, as a rule in one round.
 * - `at once`: all records, for up to 100 or where their size is known. A first page has a round left to be full; a
 *   later one ends where it was saved, and keeps a place for each record that may belong to it after all.
 * - `in two rounds`: a first page of more records of unknown size; the first 100 tell whether the others may be read.
 * - `with its gaps`: the same on a later page: the others are read together with what outdated entries are replaced by,
 *   consistently, so that no further round is needed.
 */
type Way = 'at once' | 'in two rounds' | 'with its gaps';

/** A page whose entries decide: as a rule all their records belong to it. */
class DecidedPage<RecordType extends { readonly Id: number }> {
  readonly #list: UncountedList<RecordType>;
  readonly #found: FoundEntries;
  readonly #ends: PageEnds;
  /** Of a record of the page before, if there is one. */
  readonly #expectedBytes: number | undefined;
  readonly #now: Date;
  readonly #requested: readonly ListEntry[];
  readonly #way: Way;
  readonly #isConsistent: boolean;
  /** The records that exist, and of these the ones that belong to the list. */
  readonly #existing = new Set<number>();
  readonly #records = new Map<number, RecordType>();
  #recordBytes: number | undefined;

  constructor(
    list: UncountedList<RecordType>,
    found: FoundEntries,
    { ends, recordBytes, now }: { ends: PageEnds; recordBytes: number | undefined; now: Date },
  ) {
    this.#list = list;
    this.#found = found;
    this.#ends = ends;
    this.#expectedBytes = recordBytes;
    this.#now = now;
    this.#requested = found.entries.slice(0, list.take);
    const isKnown = this.#requested.length <= MAX_UNKNOWN || recordBytes !== undefined;
    this.#way = isKnown ? 'at once' : list.skip === 0 ? 'in two rounds' : 'with its gaps';
    this.#isConsistent = this.#requested.length <= FEW;
  }

  async read(): Promise<UncountedPage<RecordType>> {
    // Before the page is read, whose records cost what they cost.
    const max = this.#list.maxCompared();
    const unread = this.#way === 'at once' ? await this.#readAll() : await this.#readFirst();
    if (!unread.length && this.#requested.every(({ id }) => this.#records.has(id))) return this.#whole();
    return this.#readGaps(unread, max);
  }

  /** The page ends with its last entry, and its records are as large as those before it. */
  get #plannedEnd(): PageEnd {
    const { entries, hasMore } = this.#found;
    const isLast = !hasMore && entries.length <= this.#list.take;
    return { end: this.#requested.at(-1), isLast, recordBytes: this.#expectedBytes };
  }

  async #add(entries: readonly ListEntry[], consistent: boolean): Promise<readonly RecordType[]> {
    const found = await readAtOnce(this.#list.read, entries, consistent);
    for (const { Id } of found) this.#existing.add(Id);
    for (const record of found) if (this.#list.matches(record)) this.#records.set(record.Id, record);
    return found;
  }

  async #readAll(): Promise<readonly ListEntry[]> {
    if (this.#expectedBytes !== undefined) checkListBytes(this.#requested.length, this.#expectedBytes);
    const [found] = await Promise.all([
      this.#add(this.#requested, this.#isConsistent),
      this.#ends.save(this.#plannedEnd),
    ]);
    if (this.#expectedBytes !== undefined) this.#recordBytes = averageBytes(found);
    return [];
  }

  /** Returns the entries that are left to be read. */
  async #readFirst(): Promise<readonly ListEntry[]> {
    const found = await this.#add(this.#requested.slice(0, MAX_UNKNOWN), this.#isConsistent);
    this.#recordBytes = averageBytes(found);
    checkListBytes(this.#requested.length, this.#recordBytes);
    const others = this.#requested.slice(MAX_UNKNOWN);
    if (this.#way === 'with its gaps') return others;
    const end = { ...this.#plannedEnd, recordBytes: this.#recordBytes };
    await Promise.all([this.#add(others, this.#isConsistent), this.#ends.save(end)]);
    return [];
  }

  async #whole(): Promise<UncountedPage<RecordType>> {
    // The next page must not rely on a size that is outdated.
    if (this.#way === 'at once' && (this.#recordBytes ?? 0) > 2 * (this.#expectedBytes ?? 0))
      await this.#ends.save({ ...this.#plannedEnd, recordBytes: this.#recordBytes });
    const isShort = this.#requested.length < this.#list.take && this.#found.hasMore;
    return { records: this.#select(this.#requested), isShort };
  }

  #select(entries: readonly ListEntry[]): RecordType[] {
    return entries.flatMap(({ id }) => this.#records.get(id) ?? []);
  }

  /** Whether a record that was not found may belong to the page after all: an eventually consistent read is behind. */
  #mayBeLate({ id, at = Infinity }: ListEntry): boolean {
    if (this.#isConsistent) return false;
    return this.#existing.has(id) || at > this.#now.getTime() - LATE_MILLISECONDS;
  }

  /**
   * Reads what the page lacks: records that have just changed, entries that were not read yet, and the next entries in
   * place of outdated ones, whose records have changed or whose change was never made.
   */
  async #readGaps(unread: readonly ListEntry[], max: number): Promise<UncountedPage<RecordType>> {
    const { take, skip } = this.#list;
    const canFill = this.#way === 'at once' && skip === 0;
    const missing = this.#requested.filter((entry) => !unread.includes(entry) && !this.#records.has(entry.id));
    const again = missing.filter((entry) => this.#mayBeLate(entry));
    if (again.length > max) throw new RangeTooLarge('outdated', max);
    const replaced = canFill ? missing.length : missing.length - again.length;
    const spare = missing.length ? Math.min(missing.length + SPARE_ENTRIES, max - again.length) : 0;
    const next = this.#found.entries.slice(take, take + (canFill ? spare : Math.min(spare, replaced)));
    // As a rule the missing ones are gone and the next ones are not: then the page ends here.
    const end = next[replaced - 1] ?? next.at(-1) ?? this.#requested.at(-1);
    const isLast = this.#endsBehind(take + Math.min(replaced, next.length));
    await Promise.all([
      this.#add([...again, ...unread, ...next], true),
      this.#ends.save({ end, isLast, recordBytes: this.#recordBytes }),
    ]);
    const present = [...this.#requested, ...next].filter(({ id }) => this.#records.has(id));
    if (canFill) return this.#filled(present, { end, isEnd: this.#endsBehind(take + next.length), max });
    const records = this.#select(present.slice(0, take));
    return { records, isShort: records.length < take && !isLast };
  }

  /** Whether the list ends with so many of the entries. */
  #endsBehind(entries: number): boolean {
    return !this.#found.hasMore && this.#found.entries.length <= entries;
  }

  /** A first page that is full, or has all. */
  async #filled(
    present: readonly ListEntry[],
    { end, isEnd, max }: { readonly end: ListEntry | undefined; readonly isEnd: boolean; readonly max: number },
  ): Promise<UncountedPage<RecordType>> {
    const { take } = this.#list;
    if (present.length < take && !isEnd) throw new RangeTooLarge('outdated', max);
    const page = present.slice(0, take);
    const last = page.at(-1);
    // Some of the missing ones belong to the list after all: they have changed within the second.
    if (last?.id !== end?.id)
      await this.#ends.save({ end: last, isLast: isEnd && present.length <= take, recordBytes: this.#recordBytes });
    return { records: this.#select(page), isShort: false };
  }
}

/** A page of which the records decide; few enough are read to find it, or none is answered. */
async function readComparedPage<RecordType extends { readonly Id: number }>(
  { take, read, matches, maxCompared }: UncountedList<RecordType>,
  { entries, hasMore, undecided = '' }: FoundEntries,
  { skipped, ends }: { readonly skipped: number; readonly ends: PageEnds },
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
  await ends.save({
    end: compared.find(({ id }) => id === last?.Id),
    isLast: isEnd && records.length <= skipped + take,
  });
  return { records: page, isShort: false };
}
