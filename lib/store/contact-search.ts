import type { ContactRecord } from '../domain/contacts/record.ts';
import { type ContactCriteria, matchesCriteria } from '../domain/contacts/search.ts';
import { SHARDS, indexRange, sortable } from './contact-index.ts';
import { findContacts } from './contacts.ts';
import type { Range, TablePager, TableReader } from './dynamodb/client.ts';
import { paginateUncounted } from './dynamodb/pagination.ts';
import { layout } from './keys.ts';

/** `limit` contacts from the `skip`-th on. */
interface SearchPage {
  readonly skip: number;
  readonly limit: number;
  readonly reader?: string | undefined;
}

/** Larger ranges are not read completely to be intersected with others. */
const MAX_ENTRIES = 500;

/** The narrow ranges: each holds all contacts that meet one criterion. */
function narrowRanges(
  account: string,
  { email, phone, tracking, names = [], addresses = [] }: ContactCriteria,
): Range[] {
  const wordRange = (index: 'contactName' | 'contactAddress', word: string): Range => ({
    partition: layout[index].of({ account, start: indexRange(word) }),
    from: word,
    to: `${word}\u{10FFFF}`,
  });
  return [
    ...(email === undefined ? [] : [{ partition: layout.contactEmail.of({ account, email }) }]),
    ...(phone === undefined ? [] : [{ partition: layout.contactPhone.of({ account, phone }) }]),
    ...(tracking === undefined ? [] : [{ partition: layout.contactTracking.of({ account, tracking }) }]),
    ...names.map((word) => wordRange('contactName', word)),
    ...addresses.map((word) => wordRange('contactAddress', word)),
  ];
}

/**
 * The ranges, newest first, that together hold all contacts of the first tag, else the category, else the time of
 * creation.
 */
function broadRanges(
  account: string,
  { tags: [tag] = [], category, createdFrom = 0, createdThrough = Number.MAX_SAFE_INTEGER }: ContactCriteria,
): Range[] {
  const partitionOf = (shard: number): string => {
    if (tag !== undefined) return layout.contactTag.of({ account, tag, shard });
    if (category) return layout.contactCategory.of({ account, category, shard });
    return layout.contactCreated.of({ account, shard });
  };
  return Array.from({ length: SHARDS }, (_, shard) => ({
    partition: partitionOf(shard),
    from: sortable(createdFrom),
    to: `${sortable(Math.min(createdThrough, 99_999_999_999_999))}~`,
    descending: true,
    consistent: true,
  }));
}

/** The ids in all ranges that could be read completely, newest first; `undefined` if none could. */
async function intersectRanges(table: TableReader, ranges: readonly Range[]): Promise<number[] | undefined> {
  const pages = await Promise.all(
    ranges.map((range) => table.query({ ...range, limit: MAX_ENTRIES, consistent: true })),
  );
  const [smallest, ...others] = pages
    .filter(({ next }) => next === undefined)
    .map(({ items }) => new Map(items.map(({ Id, At }) => [Id as number, At as number])))
    .sort((left, right) => left.size - right.size);
  if (!smallest) return undefined;
  const common = [...smallest].filter(([id]) => others.every((ids) => ids.has(id)));
  return common.sort(([id, at], [otherId, otherAt]) => otherAt - at || otherId - id).map(([id]) => id);
}

/** Up to this many contacts are read consistently; of more, some may be a second old, at half the price. */
const FEW = 4;

/** Ids from index entries. */
interface FoundIds {
  readonly ids: readonly number[];
  /** Whether the entries cover every criterion that a contact can cease to meet. */
  readonly isCovering: boolean;
}

/** Narrow ranges cover every word and address, a broad one its tag or category. */
const isCovering = ({ tags = [], category }: ContactCriteria, narrow: readonly Range[]): boolean =>
  tags.length + (category ? 1 : 0) <= (narrow.length ? 0 : 1);

/**
 * The contacts of entries that meet the criteria. A contact that an eventually consistent read lacks, or that does not
 * match its entry, may just have been added or changed, and is read again consistently. So is every contact if entries
 * do not cover the criteria.
 */
async function readMatches(
  table: TableReader,
  account: string,
  { ids, isCovering: covering }: FoundIds,
  criteria: ContactCriteria,
): Promise<ContactRecord[]> {
  const matching = (contacts: readonly ContactRecord[], all: ContactCriteria) =>
    contacts.filter((contact) => matchesCriteria(contact, all));
  if (ids.length <= FEW || !covering) return matching(await findContacts(table, account, ids), criteria);
  const { organizationId: _, ...changeable } = criteria;
  const found = matching(await findContacts(table, account, ids, { consistent: false }), changeable);
  const foundIds = new Set(found.map(({ Id }) => Id));
  const missing = ids.filter((id) => !foundIds.has(id));
  const late = await findContacts(table, account, missing);
  const byId = new Map([...found, ...late].map((contact) => [contact.Id, contact]));
  return matching(
    ids.flatMap((id) => byId.get(id) ?? []),
    criteria,
  );
}

const BLOCK = 100;

/** A page of the contacts that meet the criteria; reads only as many as it needs. */
async function readPage(
  table: TableReader,
  account: string,
  { ids, isCovering: covering }: FoundIds,
  criteria: ContactCriteria,
  { skip, limit }: SearchPage,
): Promise<ContactRecord[]> {
  const matches: ContactRecord[] = [];
  for (let start = 0; start < ids.length && matches.length < skip + limit; start += BLOCK) {
    const block = { ids: ids.slice(start, start + BLOCK), isCovering: covering };
    matches.push(...(await readMatches(table, account, block, criteria)));
  }
  return matches.slice(skip, skip + limit);
}

/** Whether the entries of one range alone decide, so that skipped contacts need not be read. */
function entriesDecide(criteria: ContactCriteria): boolean {
  const { tags = [], category, createdFrom, createdThrough, names = [], addresses = [], organizationId } = criteria;
  const words = names.length + addresses.length;
  return (
    tags.length + (category ? 1 : 0) + words <= 1 &&
    (words === 0 || (createdFrom === undefined && createdThrough === undefined)) &&
    organizationId === undefined
  );
}

/**
 * Contacts that meet every criterion, newest first. A contact just added is found at once. If every criterion is a word
 * that begins words of more than 500 contacts, they come in the order of the word, newest last within a word.
 */
export async function searchContacts(
  table: TablePager,
  account: string,
  criteria: ContactCriteria,
  page: SearchPage,
): Promise<ContactRecord[]> {
  if (criteria.id !== undefined)
    return readPage(table, account, { ids: [criteria.id], isCovering: false }, criteria, page);
  const narrow = narrowRanges(account, criteria);
  const covering = isCovering(criteria, narrow);
  const ids = narrow.length ? await intersectRanges(table, narrow) : undefined;
  if (ids) return readPage(table, account, { ids, isCovering: covering }, criteria, page);
  return paginateUncounted(table, {
    account,
    reader: page.reader,
    ranges: narrow.length
      ? narrow.slice(0, 1).map((range) => ({ ...range, consistent: true }))
      : broadRanges(account, criteria),
    query: JSON.stringify(['contacts', criteria]),
    skip: page.skip,
    take: page.limit,
    exact: entriesDecide(criteria),
    read: (found) => readMatches(table, account, { ids: found, isCovering: covering }, criteria),
  });
}

/** The id of the contact with an unguessable handle. */
export const findContactByHash = async (
  table: TableReader,
  account: string,
  hash: string,
): Promise<number | undefined> =>
  (await table.get(layout.contactHash.key({ account, hash })))?.['Id'] as number | undefined;
