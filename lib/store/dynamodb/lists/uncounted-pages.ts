import { DecidedPage } from './decided-page.ts';
import { RangeTooLarge } from '../errors.ts';
import { PageEnds } from './page-ends.ts';
import type { FoundEntries, UncountedList, UncountedPage } from './lists.ts';
import { type ReaderLists, nearestMark } from './reader-lists.ts';

/**
 * A page of a list without a number. Where a page ends is saved: the next one continues there. With it is saved the
 * size of its records, by which the next one is read at once. Three rounds, four of a later page: the lists of the
 * reader, the entries, the records and the end of the page, and the records of outdated entries. A page whose outdated
 * entries would take more rounds is short; a first page of at most 100 never is. Throws RangeTooLarge.
 */
export async function readUncountedPage<RecordType extends { readonly Id: number }>(
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
