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
import { findContacts, findMeantContact } from './contacts.ts';
import type { TableReader } from '../dynamodb/table.ts';
import type { ListReader } from '../dynamodb/lists/list-reader.ts';
import type { FoundEntries, ListEntry, PageRecords, WholeList } from '../dynamodb/lists/lists.ts';
import { readFixedPage, readOrderedPage } from '../dynamodb/lists/pagination.ts';
import { RangesReader, readShortest } from '../dynamodb/lists/range-entries.ts';
import { findMatching } from '../dynamodb/records.ts';
import { layout } from '../keys.ts';
import type { StorePager, StoreReader } from '../store.ts';

/** `limit` contacts, starting with the `skip`-th. */
interface SearchPage {
  readonly skip: number;
  readonly limit: number;
  readonly reader?: ListReader | undefined;
}

/**
 * Contacts that meet every criterion, newest first. A contact just added is found at once. Throws RangeTooLarge with
 * the criterion if more entries or contacts would have to be read than one call may read.
 */
export async function searchContacts(
  store: StorePager,
  criteria: ContactCriteria,
  { skip, limit: take, reader }: SearchPage,
  now = new Date(),
): Promise<PageRecords<ContactRecord>> {
  const { account, table } = store;
  if (criteria.id !== undefined) {
    const contact = (await findMeantContact(store, criteria.id))?.contact;
    const isMatch = contact && matchesCriteria(contact, { ...criteria, id: contact.Id });
    const records = (isMatch ? [contact] : []).slice(skip, skip + take);
    return { records, hasMore: false };
  }
  const { createdFrom = -Infinity, createdThrough = Infinity } = criteria;
  if (createdFrom > createdThrough) return { records: [], hasMore: false };
  const narrow = narrowLists(store, criteria);
  const list = {
    account,
    reader,
    query: JSON.stringify(['contacts', criteria]),
    skip,
    take,
    read: (ids: readonly number[], isCompared: boolean) =>
      findMatching(ids, {
        read: (some, consistent) => findContacts(store, some, { consistent }),
        matches: (contact) => matchesCriteria(contact, criteria),
        isConsistent: isCompared || ids.length <= FEW,
      }),
  };
  if (narrow.length)
    return readFixedPage(
      table,
      { ...list, findAll: () => findInNarrowLists(table, { account, criteria, narrow }) },
      now,
    );
  const lists = timeLists(store, criteria);
  // Their entries do not know the category.
  const isUndecided = isOfShortList(criteria) && criteria.category !== undefined;
  const find = (after: string | undefined, count: number) =>
    findInTimeLists(table, { criteria, lists: lists.slice(0, MAX_TAG_LISTS), after, count });
  return readOrderedPage(table, { ...list, find, isCompared: lists.length > MAX_TAG_LISTS || isUndecided }, now);
}

/** Whether few contacts meet a criterion that has a list of its own. */
const isOfShortList = ({ hasEmailProblem, hasCredit }: ContactCriteria): boolean =>
  hasEmailProblem === true || hasCredit === true;

/** Up to this many contacts are read consistently; with more, some may be a second old at first, at half the price. */
const FEW = 4;

interface Search {
  readonly account: string;
  readonly criteria: ContactCriteria;
}

/** What is kept of an entry: the criteria that its contact was compared with. */
interface FoundEntry extends Pick<Entry, 'id' | 'orderKey' | 'organization'> {
  readonly hasCategory: boolean;
  readonly hasWords: boolean;
}

/** A list with those of its entries that do not contradict the criteria. */
interface ReadList {
  readonly list: EntryList;
  readonly reader: RangesReader<FoundEntry>;
}

/** Maximum number of lists that one search reads. */
const MAX_LISTS = 9;
/** Number of entries that cost as much as comparing one contact. */
const ENTRIES_A_CONTACT = 20;

/**
 * The contacts that are in every list that was read to its end: the shortest, and others as long as reading on is
 * cheaper than comparing its contacts. Lists by time help to decide tags and the creation time; facts of entries decide
 * a category.
 */
async function findInNarrowLists(
  table: TableReader,
  { account, criteria, narrow }: Search & { readonly narrow: readonly EntryList[] },
): Promise<WholeList> {
  const { tags, createdFrom, createdThrough } = criteria;
  const hasSpan = createdFrom !== undefined || createdThrough !== undefined;
  const lists = [
    ...narrow,
    ...(tags?.length || isOfShortList(criteria) ? timeLists({ account }, criteria) : []),
    ...(hasSpan ? timeLists({ account }, criteria, { createdOnly: true }) : []),
  ].slice(0, MAX_LISTS);
  const read = lists.map((list): ReadList => ({ list, reader: listReader(table, list, criteria) }));
  const readers = read.map(({ reader }) => reader);
  await readShortest(readers, lists[0]?.criterion ?? 'names');
  const ended = () => readers.filter(({ hasEnded }) => hasEnded);
  const worthReading = () => {
    const contacts = Math.min(...ended().map(({ entries }) => entries.length));
    return readers.filter((each) => !each.hasEnded && each.read < ENTRIES_A_CONTACT * contacts);
  };
  for (let others = worthReading(); others.length; others = worthReading())
    await Promise.all(others.map((each) => each.readOn()));
  const complete = read
    .filter(({ reader }) => reader.hasEnded)
    // A contact that is about to change has two entries, with the facts before and after.
    .map(({ list, reader }) => ({ list, entries: new Map(reader.entries.map((entry) => [entry.id, entry])) }))
    .sort((one, other) => one.entries.size - other.entries.size);
  const [smallest, ...others] = complete;
  const entries = [...(smallest?.entries.values() ?? [])]
    .filter(({ id }) => others.every((other) => other.entries.has(id)))
    .sort(newestFirst);
  return { ids: entries.map(({ id }) => id), isCompared: entries.some(({ id }) => isOpen(id, complete, criteria)) };
}

const newestFirst = (one: ListEntry, other: ListEntry): number => (one.orderKey < other.orderKey ? 1 : -1);

function listReader(table: TableReader, list: EntryList, criteria: ContactCriteria): RangesReader<FoundEntry> {
  const { partitions, from, to } = list;
  const bounds = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), consistent: true };
  const ranges = partitions.map((partition) => ({ partition, ...bounds }));
  return new RangesReader(table, ranges, (item) => {
    const entry = parseEntry(item);
    if (isExcluded(entry, list, criteria)) return undefined;
    const { id, orderKey, organization, category, words } = entry;
    return { id, orderKey, organization, hasCategory: category !== undefined, hasWords: words !== undefined };
  });
}

/**
 * Whether the entries leave a criterion undecided for a contact, so that the contact itself must be compared: a word or
 * tag whose list was not read to its end, or facts that are too long for a key.
 */
function isOpen(
  id: number,
  complete: readonly { readonly list: EntryList; readonly entries: ReadonlyMap<number, FoundEntry> }[],
  { names = [], addresses = [], tags = [], ...criteria }: ContactCriteria,
): boolean {
  const found = complete.flatMap(({ list, entries }) => {
    const entry = entries.get(id);
    return entry ? [{ list, entry }] : [];
  });
  const isListed = (criterion: Criterion, value: string) =>
    found.some(({ list }) => list.criterion === criterion && list.value === value && keyWord(value) === value);
  const hasWords = (criterion: Criterion) =>
    found.some(({ list, entry }) => list.criterion === criterion && entry.hasWords);
  return (
    (['email', 'phone', 'tracking'] as const).some(
      (criterion) => criteria[criterion] !== undefined && !found.some(({ list }) => list.criterion === criterion),
    ) ||
    (!hasWords('names') && !names.every((word) => isListed('names', word))) ||
    (!hasWords('addresses') && !addresses.every((word) => isListed('addresses', word))) ||
    (criteria.hasEmailProblem === true && !found.some(({ list }) => list.criterion === 'emailProblem')) ||
    (criteria.hasCredit === true && !found.some(({ list }) => list.criterion === 'credit')) ||
    !tags.every((tag) => found.some(({ list }) => list.criterion === 'tags' && list.value === tag)) ||
    (criteria.category !== undefined && !found.some(({ entry }) => entry.hasCategory)) ||
    // E-mail and phone entries stored by earlier versions have no organization.
    (criteria.organizationId !== undefined && !found.some(({ entry }) => entry.organization !== undefined))
  );
}

/** Number of tags whose lists are read; for further tags, contacts are compared. */
const MAX_TAG_LISTS = 4;
/** Minimum number of entries to read from lists that may have few entries in common. */
const MIN_ENTRIES = 400;

/** The newest contacts after an order key that are in every list by time: of the tags, of the category, or of all. */
async function findInTimeLists(
  table: TableReader,
  {
    criteria,
    lists,
    after,
    count,
  }: {
    readonly criteria: ContactCriteria;
    readonly lists: readonly EntryList[];
    readonly after: string | undefined;
    readonly count: number;
  },
): Promise<FoundEntries> {
  const { category } = criteria;
  const isFiltered = lists.length > 1 || (category !== undefined && lists[0]?.criterion !== 'category');
  const limit = isFiltered ? Math.max(MIN_ENTRIES, count) : count;
  const heads = await Promise.all(lists.map((list) => readNewest(table, list, { after, limit })));
  const [through] = heads
    .flatMap((head) => head.through ?? [])
    .sort()
    .reverse();
  const [first, ...others] = heads.map(({ entries }, index) => {
    const list = lists[index];
    const kept = entries.filter(
      (entry) => list && !isExcluded(entry, list, criteria) && (!through || entry.orderKey >= through),
    );
    return new Map(kept.map((entry) => [entry.id, entry]));
  });
  const entries = [...(first?.values() ?? [])].filter(({ id }) => others.every((other) => other.has(id)));
  return { entries, through, read: heads.reduce((sum, { read }) => sum + read, 0) };
}

/** From a list with several shards, this many entries are read from each: as many as all of them together must have. */
const WHOLE_SHARD = 250;
/** Entries in one request. */
const MAX_ENTRIES = 5_000;

/**
 * About `limit` of the newest entries of a list by time after an order key, down to `through`; `undefined` if the list
 * ends.
 */
async function readNewest(
  table: TableReader,
  { partitions, from, to }: EntryList,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<{ entries: Entry[]; through: string | undefined; read: number }> {
  const last = after !== undefined && (to === undefined || after < to) ? after : to;
  if (from !== undefined && last !== undefined && from > last) return { entries: [], through: undefined, read: 0 };
  const parts = limit <= WHOLE_SHARD ? 1 : Math.min(2, partitions.length);
  const range = {
    ...(from === undefined ? {} : { from }),
    ...(last === undefined ? {} : { to: last }),
    descending: true,
    consistent: true,
    // The entry with the order key itself may be read again.
    limit: Math.min(MAX_ENTRIES, Math.ceil(limit / parts)) + 1,
  };
  const shards = await Promise.all(
    partitions.map(async (partition) => {
      const { items, next } = await table.query({ partition, ...range });
      const entries = items.map(parseEntry);
      return { entries, end: next === undefined ? undefined : entries.at(-1)?.orderKey };
    }),
  );
  const [through] = shards
    .flatMap(({ end }) => end ?? [])
    .sort()
    .reverse();
  const read = shards.flatMap(({ entries }) => entries);
  const entries = read
    .filter(({ orderKey }) => (after === undefined || orderKey < after) && (!through || orderKey >= through))
    .sort(newestFirst);
  return { entries, through, read: read.length };
}

/** The id of the contact with an unguessable handle. */
export const findContactByHash = async ({ table, account }: StoreReader, hash: string): Promise<number | undefined> =>
  (await table.get(layout.contactHash.key({ account, hash })))?.['Id'] as number | undefined;
