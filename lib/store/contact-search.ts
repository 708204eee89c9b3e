import { type ContactInput, applyContactInput } from '../domain/contacts/apply-input.ts';
import { type ContactRecord, blankContact } from '../domain/contacts/record.ts';
import { type ContactCriteria, matchesCriteria, searchKeys } from '../domain/contacts/search.ts';
import type { OrganizationRecord } from '../domain/organizations.ts';
import { fold, splitWords } from '../shared/text.ts';
import type { CallerScope } from './caller.ts';
import { SHARDS, sortable, indexRange } from './contact-index.ts';
import { type TakenKey, guardPartitions, findContacts, findTaken } from './contacts.ts';
import type { Range, TablePager, TableReader } from './dynamodb/client.ts';
import { paginateUncounted } from './dynamodb/pagination.ts';
import { layout } from './keys.ts';

/** A page of a search. `limit` contacts from the `skip`-th on, newest first. */
export interface SearchPage {
  readonly skip: number;
  readonly limit: number;
}

/** A range of more entries than this is not read whole to be cut with another. */
const MAX_ENTRIES = 500;

const upTo = (start: string) => ({ from: start, to: `${start}\u{10FFFF}` });

/** The ranges that name few contacts: each holds all that meet one criterion. */
function narrowRanges(
  account: string,
  { email, phone, tracking, names = [], addresses = [] }: ContactCriteria,
): Range[] {
  return [
    ...(email !== undefined ? [{ partition: layout.contactEmail.of({ account, email }) }] : []),
    ...(phone !== undefined ? [{ partition: layout.contactPhone.of({ account, phone }) }] : []),
    ...(tracking !== undefined ? [{ partition: layout.contactTracking.of({ account, tracking }) }] : []),
    ...names.map((word) => ({ partition: layout.contactName.of({ account, start: indexRange(word) }), ...upTo(word) })),
    ...addresses.map((word) => ({
      partition: layout.contactAddress.of({ account, start: indexRange(word) }),
      ...upTo(word),
    })),
  ];
}

const shards = (range: (shard: number) => Range): Range[] => Array.from({ length: SHARDS }, (_, shard) => range(shard));

/** The ranges, newest first, that together hold all contacts meeting the first of: tag, category, time of creation. */
function broadRanges(
  account: string,
  { tags, category, createdFrom = 0, createdThrough = Number.MAX_SAFE_INTEGER }: ContactCriteria,
): Range[] {
  const time = {
    from: sortable(createdFrom),
    to: `${sortable(Math.min(createdThrough, 99_999_999_999_999))}~`,
    descending: true,
    consistent: true,
  };
  const [tag] = tags ?? [];
  if (tag !== undefined)
    return shards((shard) => ({ partition: layout.contactTag.of({ account, tag, shard }), ...time }));
  if (category)
    return shards((shard) => ({ partition: layout.contactCategory.of({ account, category, shard }), ...time }));
  return shards((shard) => ({ partition: layout.contactCreated.of({ account, shard }), ...time }));
}

/** Ids in every one of the ranges that could be read whole, newest first; `undefined` when none could. */
async function narrowIds(table: TableReader, ranges: readonly Range[]): Promise<number[] | undefined> {
  const pages = await Promise.all(
    ranges.map((range) => table.query({ ...range, limit: MAX_ENTRIES, consistent: true })),
  );
  const whole = pages
    .filter(({ next }) => next === undefined)
    .map(({ items }) => new Map(items.map(({ Id, At }) => [Id as number, At as number])));
  const [first, ...others] = whole.sort((a, b) => a.size - b.size);
  const common = [...(first ?? [])].filter(([id]) => others.every((map) => map.has(id)));
  return first && common.sort(([id, at], [otherId, otherAt]) => otherAt - at || otherId - id).map(([id]) => id);
}

/**
 * Up to this many contacts are read as they are at this very moment; of a longer list some may be a second old, at half
 * the price.
 */
const FEW = 4;

/**
 * Whether the entries found promise all that can change of a contact: narrow ranges every word and address in them, a
 * broad one its tag or category.
 */
const promised = ({ tags = [], category }: ContactCriteria, narrow: readonly Range[]): boolean =>
  tags.length + (category ? 1 : 0) <= (narrow.length ? 0 : 1);

interface Entries {
  readonly ids: readonly number[];
  readonly promised: boolean;
}

/**
 * Contacts of entries found just now that meet the criteria. One that an eventually consistent read does not bring yet,
 * or not as its entry promises, is asked for again: it may have been added or changed a moment ago. Where contacts must
 * be read to know, they are read as they are now.
 */
async function readMet(
  table: TableReader,
  account: string,
  { ids, promised }: Entries,
  criteria: ContactCriteria,
): Promise<ContactRecord[]> {
  if (ids.length <= FEW || !promised)
    return (await findContacts(table, account, ids)).filter((contact) => matchesCriteria(contact, criteria));
  const { organizationId: _, ...changing } = criteria;
  const found = (await findContacts(table, account, ids, { consistent: false })).filter((contact) =>
    matchesCriteria(contact, changing),
  );
  const had = new Set(found.map(({ Id }) => Id));
  const late = await findContacts(
    table,
    account,
    ids.filter((id) => !had.has(id)),
  );
  const byId = new Map([...found, ...late].map((contact) => [contact.Id, contact]));
  return ids.flatMap((id) => byId.get(id) ?? []).filter((contact) => matchesCriteria(contact, criteria));
}

/** The contacts of `ids` that meet the criteria, as far as the page needs them. */
async function pageOf(
  table: TableReader,
  account: string,
  { ids, promised }: Entries,
  criteria: ContactCriteria,
  { skip, limit }: SearchPage,
): Promise<ContactRecord[]> {
  const met: ContactRecord[] = [];
  for (let start = 0; start < ids.length && met.length < skip + limit; start += 100) {
    met.push(...(await readMet(table, account, { ids: ids.slice(start, start + 100), promised }, criteria)));
  }
  return met.slice(skip, skip + limit);
}

/** Whether the entries of the walked range alone decide, so that contacts passed over need not be read. */
const decided = ({
  tags = [],
  category,
  createdFrom,
  createdThrough,
  names = [],
  addresses = [],
  organizationId,
}: ContactCriteria): boolean =>
  [...tags, ...(category ? [category] : []), ...names, ...addresses].length <= 1 &&
  (names.length + addresses.length === 0 || (createdFrom === undefined && createdThrough === undefined)) &&
  organizationId === undefined;

/**
 * Contacts that meet every criterion, newest first. A contact just added is found at once. Where every word criterion
 * begins the words of more than
 * 500 contacts, they come in the order of the word instead, newest last within a word.
 */
export async function searchContacts(
  table: TablePager,
  account: string,
  criteria: ContactCriteria,
  page: SearchPage,
): Promise<ContactRecord[]> {
  if (criteria.id !== undefined) return pageOf(table, account, { ids: [criteria.id], promised: false }, criteria, page);
  const narrow = narrowRanges(account, criteria);
  const ids = narrow.length ? await narrowIds(table, narrow) : undefined;
  const whole = promised(criteria, narrow);
  if (ids) return pageOf(table, account, { ids, promised: whole }, criteria, page);
  return paginateUncounted(table, {
    account,
    ranges: narrow.length
      ? narrow.slice(0, 1).map((range) => ({ ...range, consistent: true }))
      : broadRanges(account, criteria),
    query: JSON.stringify(['contacts', criteria]),
    skip: page.skip,
    take: page.limit,
    exact: decided(criteria),
    read: (found) => readMet(table, account, { ids: found, promised: whole }, criteria),
  });
}

/** The contact of an unguessable handle. */
export async function findContactByHash(
  table: TableReader,
  account: string,
  hash: string,
): Promise<number | undefined> {
  return (await table.get(layout.contactHash.key({ account, hash })))?.['Id'] as number | undefined;
}
