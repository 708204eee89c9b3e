import type { ContactRecord } from '../../entities/contacts.ts';
import { type ContactCriteria, matchesCriteria } from '../../domain/contacts/search.ts';
import {
  type Criterion,
  type Entry,
  type EntryList,
  isExcluded,
  keyWord,
  narrowLists,
  parseEntry,
  timeLists,
} from './contact-index.ts';
import { findContacts } from './contacts.ts';
import type { TablePager, TableReader } from '../dynamodb/table.ts';
import { RangeTooLarge } from '../dynamodb/errors.ts';
import type { ListReader } from '../dynamodb/lists/list-reader.ts';
import { paginate } from '../dynamodb/lists/pagination.ts';
import { type FoundEntries, SPARE_ENTRIES, type UncountedPage } from '../dynamodb/lists/lists.ts';
import { layout } from '../keys.ts';

/** `limit` contacts from the `skip`-th on. */
interface SearchPage {
  readonly skip: number;
  readonly limit: number;
  readonly reader?: ListReader | undefined;
}

/** Entries that a search reads at most: some 30 read units, and 55 if every word and category is as long as can be. */
const MAX_ENTRIES = 900;
/** Entries of a list that are read at least, whatever the number of lists. */
const MIN_ENTRIES = 100;
const MAX_LISTS = MAX_ENTRIES / MIN_ENTRIES;
/** Read units of a search besides those of the contacts that it returns. */
const MAX_UNITS = 57;

/**
 * Contacts that meet every criterion, newest first. A contact just added is found at once. Throws RangeTooLarge with
 * the criterion where more entries would have to be read than a call may cost.
 */
export async function searchContacts(
  table: TablePager,
  account: string,
  criteria: ContactCriteria,
  { skip, limit: take, reader }: SearchPage,
): Promise<UncountedPage<ContactRecord>> {
  if (criteria.id !== undefined) {
    const contacts = await findContacts(table, account, [criteria.id]);
    const records = contacts.filter((contact) => matchesCriteria(contact, criteria)).slice(skip, skip + take);
    return { records, isShort: false, goesOn: false };
  }
  const { createdFrom = -Infinity, createdThrough = Infinity } = criteria;
  if (createdFrom > createdThrough) return { records: [], isShort: false, goesOn: false };
  const unitsBefore = table.meter.usage.readUnits;
  const narrow = narrowLists(account, criteria);
  return paginate(table, {
    account,
    reader,
    query: JSON.stringify(['contacts', criteria]),
    skip,
    take,
    find: (after, count) =>
      narrow.length
        ? findInNarrowLists(table, { account, criteria, narrow, after })
        : findInTimeLists(table, { account, criteria, after, count }),
    read: (ids, { consistent }) => findContacts(table, account, ids, { consistent }),
    matches: (contact) => matchesCriteria(contact, criteria),
    maxCompared: () => Math.max(MIN_COMPARED, Math.floor(MAX_UNITS - (table.meter.usage.readUnits - unitsBefore))),
  });
}

/** Contacts that a search can always compare with criteria that its entries do not decide. */
const MIN_COMPARED = 8;

interface Search {
  readonly account: string;
  readonly criteria: ContactCriteria;
  /** Entries up to this order key were on earlier pages. */
  readonly after: string | undefined;
}

/** A list that was read completely: its entries by contact, without those that contradict the criteria. */
interface CompleteList {
  readonly list: EntryList;
  readonly entries: ReadonlyMap<number, Entry>;
}

/**
 * The contacts that are in every list that could be read completely. Lists by time help to decide tags and the time of
 * creation; a category is decided by the facts of entries.
 */
async function findInNarrowLists(
  table: TableReader,
  { account, criteria, narrow, after }: Search & { readonly narrow: readonly EntryList[] },
): Promise<FoundEntries> {
  const { tags, createdFrom, createdThrough } = criteria;
  const hasSpan = createdFrom !== undefined || createdThrough !== undefined;
  const lists = [
    ...narrow,
    ...(tags?.length ? timeLists(account, criteria) : []),
    ...(hasSpan ? timeLists(account, criteria, { createdOnly: true }) : []),
  ].slice(0, MAX_LISTS);
  const limit = Math.floor(MAX_ENTRIES / lists.length);
  const complete = (await Promise.all(lists.map((list) => readWhole(table, list, criteria, limit)))).filter(
    (list) => list !== undefined,
  );
  const [smallest, ...others] = complete.toSorted((a, b) => a.entries.size - b.entries.size);
  if (!smallest) throw new RangeTooLarge(lists[0]?.criterion ?? 'names', limit);
  const entries = [...smallest.entries.values()]
    .filter(({ id, orderKey }) => others.every((other) => other.entries.has(id)) && (!after || orderKey < after))
    .sort(newestFirst);
  const open = (found: Entry | undefined) => found && openCriterion(found.id, complete, criteria);
  return { entries, hasMore: false, undecided: open(entries.find((entry) => open(entry) !== undefined)) };
}

const newestFirst = (one: Entry, other: Entry): number => (one.orderKey < other.orderKey ? 1 : -1);

/** A list as a whole; `undefined` if it has more entries than the limit. */
async function readWhole(
  table: TableReader,
  list: EntryList,
  criteria: ContactCriteria,
  limit: number,
): Promise<CompleteList | undefined> {
  const { partitions, from, to } = list;
  const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const shardLimit = Math.ceil(limit / partitions.length);
  const pages = await Promise.all(
    partitions.map((partition) => table.query({ partition, ...range, limit: shardLimit, consistent: true })),
  );
  if (pages.some(({ next }) => next !== undefined)) return undefined;
  const entries = pages.flatMap(({ items }) => items.map(parseEntry));
  return {
    list,
    // A contact that is about to change has two entries, with the facts before and after.
    entries: new Map(entries.filter((entry) => !isExcluded(entry, list, criteria)).map((entry) => [entry.id, entry])),
  };
}

/**
 * The criterion that the entries leave open for a contact, so that the contact must be compared with it: a word or tag
 * whose list was too long, and facts that are too long for a key.
 */
function openCriterion(
  id: number,
  complete: readonly CompleteList[],
  { names = [], addresses = [], tags = [], ...criteria }: ContactCriteria,
): Criterion | undefined {
  const found = complete.flatMap(({ list, entries }) => {
    const entry = entries.get(id);
    return entry ? [{ list, entry }] : [];
  });
  const isListed = (criterion: Criterion, value: string) =>
    found.some(({ list }) => list.criterion === criterion && list.value === value && keyWord(value) === value);
  const hasWords = (criterion: Criterion) =>
    found.some(({ list, entry }) => list.criterion === criterion && entry.words !== undefined);
  const open: [Criterion, boolean][] = [
    ...(['email', 'phone', 'tracking'] as const).map((criterion): [Criterion, boolean] => [
      criterion,
      criteria[criterion] !== undefined && !found.some(({ list }) => list.criterion === criterion),
    ]),
    ['names', !hasWords('names') && !names.every((word) => isListed('names', word))],
    ['addresses', !hasWords('addresses') && !addresses.every((word) => isListed('addresses', word))],
    ['tags', !tags.every((tag) => found.some(({ list }) => list.criterion === 'tags' && list.value === tag))],
    ['category', criteria.category !== undefined && !found.some(({ entry }) => entry.category !== undefined)],
    // E-mails and phones stored by earlier versions have entries without an organization.
    ['email', criteria.organizationId !== undefined && !found.some(({ entry }) => entry.organization !== undefined)],
  ];
  return open.find(([, isOpen]) => isOpen)?.[0];
}

/** Tags whose lists are read; contacts are compared with more. */
const MAX_TAG_LISTS = 4;

/** The newest contacts behind an order key that are in every list by time: of the tags, of the category, or of all. */
async function findInTimeLists(
  table: TableReader,
  { account, criteria, after, count }: Search & { readonly count: number },
): Promise<FoundEntries> {
  const lists = timeLists(account, criteria);
  const { tags = [], category } = criteria;
  const [only, ...others] = lists.slice(0, MAX_TAG_LISTS);
  if (!only) return { entries: [], hasMore: false, undecided: undefined };
  // Entries that all belong to the result are read as far as the page goes, others as far as a call may.
  const isFiltered = others.length > 0 || (tags.length > 0 && category !== undefined);
  const needed = count + SPARE_ENTRIES;
  if (needed > MAX_SKIPPED) throw new RangeTooLarge('skip', MAX_SKIPPED);
  const limit = isFiltered ? Math.floor(MAX_ENTRIES / (others.length + 1)) : needed;
  const heads = await Promise.all(
    [only, ...others].map((list) => readNewest(table, list, { after, limit, isWhole: !isFiltered })),
  );
  const marks = heads.flatMap(({ mark }) => mark ?? []);
  const mark = marks.sort().at(-1);
  const [first, ...rest] = heads.map(({ entries }, index) => {
    const list = [only, ...others][index] ?? only;
    const kept = entries.filter((entry) => !isExcluded(entry, list, criteria) && (!mark || entry.orderKey >= mark));
    return new Map(kept.map((entry) => [entry.id, entry]));
  });
  const entries = [...(first?.values() ?? [])].filter(({ id }) => rest.every((other) => other.has(id)));
  const hasMore = mark !== undefined;
  if (hasMore && entries.length < count) throw new RangeTooLarge(tags.length ? 'tags' : 'created', MAX_ENTRIES);
  const undecided =
    lists.length > MAX_TAG_LISTS
      ? 'tags'
      : tags.length > 0 && category !== undefined && entries.some((entry) => entry.category === undefined)
        ? 'category'
        : undefined;
  return { entries, hasMore, undecided };
}

/** Entries of a list by time up to the end of a page that continues no other. */
const MAX_SKIPPED = 600;

/** Of a list with several shards, so many entries are read from each in one round. */
const WHOLE_SHARD = 250;

/**
 * The newest entries of a list by time behind an order key; `mark` is the last one up to which they are complete. With
 * `isWhole` at least `limit`, unless the list ends; else about as many. One round; for more than 250 entries of shards
 * that fill unevenly two.
 */
async function readNewest(
  table: TableReader,
  { partitions, from, to }: EntryList,
  { after, limit, isWhole }: { readonly after: string | undefined; readonly limit: number; readonly isWhole: boolean },
): Promise<{ entries: Entry[]; mark: string | undefined }> {
  const parts = isWhole ? (limit <= WHOLE_SHARD ? 1 : Math.min(2, partitions.length)) : partitions.length;
  const size = Math.ceil(limit / parts);
  const last = after !== undefined && (to === undefined || after < to) ? after : to;
  const range = {
    ...(from === undefined ? {} : { from }),
    ...(last === undefined ? {} : { to: last }),
    descending: true,
    consistent: true,
    // The entry with the order key itself may be read again.
    limit: size + 1,
  };
  if (from !== undefined && last !== undefined && from > last) return { entries: [], mark: undefined };
  const shards = await Promise.all(
    partitions.map(async (partition) => {
      const { items, next } = await table.query({ partition, ...range });
      return { partition, next, entries: items.map(parseEntry) };
    }),
  );
  const markOf = () =>
    shards
      .flatMap(({ next, entries }) => (next === undefined ? [] : (entries.at(-1)?.orderKey ?? [])))
      .sort()
      .at(-1);
  const upToMark = () => {
    const mark = markOf();
    return shards.flatMap(({ entries }) => entries).filter(({ orderKey }) => mark === undefined || orderKey >= mark);
  };
  const mark = markOf();
  if (isWhole && mark !== undefined && upToMark().length < limit)
    await Promise.all(
      shards
        .filter(({ next, entries }) => next !== undefined && entries.at(-1)?.orderKey === mark)
        .map(async (shard) => {
          const { items, next } = await table.query({ partition: shard.partition, ...range, after: shard.next });
          shard.entries.push(...items.map(parseEntry));
          shard.next = next;
        }),
    );
  return {
    entries: upToMark()
      .filter(({ orderKey }) => after === undefined || orderKey < after)
      .sort(newestFirst),
    mark: markOf(),
  };
}

/** The id of the contact with an unguessable handle. */
export const findContactByHash = async (
  table: TableReader,
  account: string,
  hash: string,
): Promise<number | undefined> =>
  (await table.get(layout.contactHash.key({ account, hash })))?.['Id'] as number | undefined;
