import { jsonByteLength } from '../../../shared/limits.ts';
import { chunks } from '../table.ts';
import { RangeTooLarge } from '../errors.ts';
import { checkListBytes } from '../records.ts';
import { type FoundEntries, type ListEntry, type UncountedList, type UncountedPage, SPARE_ENTRIES } from './lists.ts';
import type { ReaderLists, SavedList } from './reader-lists.ts';

/**
 * Reads the page of a list of which the entries decide, and saves where it ends.
 */

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
export class DecidedPage<RecordType extends { readonly Id: number }> {
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
    return { records: this.#select(this.#requested), isShort, goesOn: !this.#plannedEnd.isLast };
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
    return { records, isShort: records.length < take && !isLast, goesOn: !isLast };
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
    const isLast = isEnd && present.length <= take;
    if (last?.id !== end?.id) await this.#ends.save({ end: last, isLast, recordBytes: this.#recordBytes });
    return { records: this.#select(page), isShort: false, goesOn: !isLast };
  }
}

/** Where a page ends, perhaps. */
interface PageEnd {
  readonly end: ListEntry | undefined;
  readonly isLast: boolean;
  /** Of a record of the page on average, if that is known. */
  readonly recordBytes?: number | undefined;
}

/** Saves where a page ends, perhaps again when its records show that it ends elsewhere. */
export class PageEnds {
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
    const mark = { Skip: this.#next, ...(end ? { OrderKey: end.orderKey } : {}) };
    await this.#lists.saveEnd(this.#list, mark, bytes);
  }
}
