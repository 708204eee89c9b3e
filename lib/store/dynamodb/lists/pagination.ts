import type { TablePager } from '../client.ts';
import { readCountedPage } from './counted-pages.ts';
import type { CountedList, CountedPage, UncountedList, UncountedPage } from './lists.ts';
import { ReaderLists } from './reader-lists.ts';
import { readUncountedPage } from './uncounted-pages.ts';

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
