import type { TablePager } from '../client.ts';
import type { CountedList, CountedPage, Page } from './lists.ts';
import { listEntries } from './range-entries.ts';
import type { ReaderLists } from './reader-lists.ts';

/**
 * A page of a list, and the exact number of its matches.
 *
 * The first page reads all entries once and saves their ids. Any later page is two rounds, some read units and half a
 * unit a record, and all pages together have each record once, however records change meanwhile and whoever else asks
 * the same query. Each record is returned as it is when its page is read.
 */
export async function readCountedPage<RecordType>(
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
