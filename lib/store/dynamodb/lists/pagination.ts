import type { TablePager } from '../table.ts';
import { RangeTooLarge } from '../errors.ts';
import { DecidedPage, PageEnds } from './decided-page.ts';
import type { CountedList, CountedPage, FoundEntries, Page, UncountedList, UncountedPage } from './lists.ts';
import { listEntries } from './range-entries.ts';
import { ReaderLists, nearestMark } from './reader-lists.ts';

/**
 * Pages of lists: of those that are counted and fixed at the first page, and of those without a number.
 */

/**
 * A page of a list. One of ranges of an index is counted and fixed when its first page is read; one that is found from
 * an order key on has no number, and each page continues where the last one ended. What a page needs of a reader's
 * earlier ones is in `lists`.
 */
export function paginate<RecordType extends { readonly Id: number }>(
  table: TablePager,
  list: UncountedList<RecordType>,
  now?: Date,
): Promise<UncountedPage<RecordType>>;
export function paginate<RecordType>(
  table: TablePager,
  list: CountedList<RecordType>,
  now: Date,
): Promise<CountedPage<RecordType>>;
export function paginate<RecordType extends { readonly Id: number }>(
  table: TablePager,
  list: CountedList<RecordType> | UncountedList<RecordType>,
  now = new Date(),
): Promise<CountedPage<RecordType> | UncountedPage<RecordType>> {
  const lists = new ReaderLists(table, list, now);
  return 'find' in list ? readUncountedPage(list, lists, now) : readCountedPage(table, list, lists);
}

/**
 * A page of a list, and the exact number of its matches.
 *
 * The first page reads all entries once and saves their ids. Any later page is two rounds, some read units and half a
 * unit a record, and all pages together have each record once, however records change meanwhile and whoever else asks
 * the same query. Each record is returned as it is when its page is read.
 */
async function readCountedPage<RecordType>(
  table: TablePager,
  list: CountedList<RecordType>,
  lists: ReaderLists,
): Promise<CountedPage<RecordType>> {
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
  const [entries, others] = await Promise.all([listEntries(table, list), lists.find()]);
  const ids = [...new Set([...(await list.orderKeys(entries))].sort().map(list.idAt))];
  const [count, End] = [ids.length, list.skip + list.take];
  const isSaved = count > End || others.length > 0;
  const save = async () => (isSaved ? lists.saveIds({ ...lists.newList(others), Count: count, End }, ids) : undefined);
  return { count, ids: ids.slice(list.skip, End), save };
}

/**
 * A page of a list without a number. Where a page ends is saved: the next one continues there. With it is saved the
 * size of its records, by which the next one is read at once. Three rounds, four of a later page: the lists of the
 * reader, the entries, the records and the end of the page, and the records of outdated entries. A page whose outdated
 * entries would take more rounds is short; a first page of at most 100 never is. Throws RangeTooLarge.
 */
async function readUncountedPage<RecordType extends { readonly Id: number }>(
  list: UncountedList<RecordType>,
  lists: ReaderLists,
  now: Date,
): Promise<UncountedPage<RecordType>> {
  const { skip, take } = list;
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
  const isLast = isEnd && records.length <= skipped + take;
  await ends.save({ end: compared.find(({ id }) => id === last?.Id), isLast });
  return { records: page, isShort: false, goesOn: !isLast };
}
