import type { Item } from './changes.ts';
import type { Range, TablePager, TableReader } from './client.ts';
import { thingOf } from './entities.ts';
import { conditionsOf, meets, type Facts, type Where } from './facts.ts';
import { idIn, isDated, placeIn, rangesOf, type Criteria } from './indexes.ts';
import type { Key } from './layout.ts';
import { findSnapshot, keepSnapshot, type Answered, type Page, type Question } from './snapshot.ts';
import { isSeen, type Viewer } from './viewer.ts';

/** A query of one kind of things: every criterion given must hold. */
export interface Listing extends Criteria, Page {
  /** The thing of this id alone, where it meets the other criteria too. */
  readonly id?: number | undefined;
  /** What the facts of the things must be. */
  readonly where: Where;
  /** Where a thing of the kind is in the table. */
  readonly key: (id: number) => Key;
}

/** A page of things, by date, then id; and how many there are in all. */
export interface Listed {
  readonly count: number;
  readonly items: Item[];
}

/** Facts that every thing has, beside those of its kind. */
const allFacts = ({ organization, updated, where }: Listing): Where => ({
  ...where,
  O: organization ?? undefined,
  U: updated,
});

const questionOf = (listing: Listing): Question => {
  const { account, organization, kind, contact = null, date = {} } = listing;
  return { account, name: JSON.stringify([kind, organization, contact, date, conditionsOf(allFacts(listing))]) };
};

/** The places (date and id) of the entries in a range, page after page of 1 MB. */
async function placesIn(table: TableReader, range: Range): Promise<string[]> {
  const sortKey = `${range.index}SK`;
  const places: string[] = [];
  let after: string | undefined;
  do {
    const { items, next } = await table.query({ ...range, attributes: [sortKey], after });
    for (const item of items) places.push(placeIn(item[sortKey] as string));
    after = next;
  } while (after !== undefined);
  return places;
}

/**
 * The ids of all things that meet the criteria, in order. A thing that moves in an index while it is read may be met
 * twice.
 */
async function idsOf(table: TableReader, listing: Listing, now: Date): Promise<number[]> {
  const ranges = rangesOf(listing, now.getTime());
  const found = await Promise.all(ranges.map((range) => placesIn(table, { ...range, where: allFacts(listing) })));
  const places = found.flat().filter((place) => isDated(place, listing.date));
  return [...new Set(places.sort().map(idIn))];
}

/**
 * The things of ids, in their order. One that an eventually consistent read does not bring yet is asked for again; one
 * that is gone is left out.
 */
async function readThings(table: TableReader, { key, organization }: Listing, ids: readonly number[]): Promise<Item[]> {
  if (!ids.length) return [];
  const found = await table.getMany(ids.map(key), { consistent: false });
  const had = new Set(found.map(({ Id }) => Id));
  const missing = ids.filter((id) => !had.has(id));
  const late = missing.length ? await table.getMany(missing.map(key)) : [];
  const byId = new Map([...found, ...late].map((item) => [item['Id'] as number, item]));
  return ids.flatMap((id) => byId.get(id) ?? []).filter((item) => isSeen({ organizationId: organization }, item));
}

/** The one thing asked for by its id, read as it is at this moment. */
async function listOne(table: TableReader, listing: Listing, id: number): Promise<Listed> {
  const item = await table.get(listing.key(id));
  const isMet =
    item !== undefined &&
    meets(item['F'] as Facts, allFacts(listing)) &&
    isDated(placeIn(item['GSI1SK'] as string), listing.date) &&
    (listing.contact === undefined || item['ContactId'] === listing.contact);
  const all = isMet ? [item] : [];
  return { count: all.length, items: all.slice(listing.skip, listing.skip + listing.take) };
}

async function answer(
  table: TablePager,
  listing: Listing,
  now: Date,
): Promise<Answered & { keep: () => Promise<void> }> {
  const { skip, take } = listing;
  const question = questionOf(listing);
  const known = skip ? await findSnapshot(table, question, listing, now) : undefined;
  if (known) return { ...known, keep: () => Promise.resolve() };
  const ids = await idsOf(table, listing, now);
  const isPaged = skip > 0 || ids.length > take;
  return {
    count: ids.length,
    ids: ids.slice(skip, skip + take),
    keep: async () => (isPaged ? keepSnapshot(table, question, ids, now) : undefined),
  };
}

/**
 * A page of the things that meet the criteria, by date, then id, those without date last, and their exact number.
 *
 * The first page reads the entries of the range asked for once, which is where the number comes from, and keeps their
 * ids for ten minutes: whatever page follows is two rounds, one read unit and half a unit a thing, and all pages
 * together have each thing once, however things change meanwhile. Each thing is shown as it is when its page is read.
 */
export async function list(table: TablePager, listing: Listing, now: Date): Promise<Listed> {
  if (listing.id !== undefined) return listOne(table, listing, listing.id);
  const { count, ids, keep } = await answer(table, listing, now);
  const [items] = await Promise.all([readThings(table, listing, ids), keep()]);
  return { count, items };
}

/** What a kind of things is asked for; each store's own criteria are facts (`where`). */
export type Query = Page & Pick<Listing, 'id' | 'contact' | 'date' | 'updated'>;

/** The same of things as a viewer sees them; `key` is where the kind stands in the table. */
export async function listThings<Thing>(
  table: TablePager,
  { accountId: account, organizationId: organization }: Viewer,
  asked: Query & Pick<Listing, 'kind' | 'where'> & { readonly key: (at: { account: string; id: number }) => Key },
  now: Date,
): Promise<{ count: number; things: Thing[] }> {
  const key = (id: number) => asked.key({ account, id });
  const { count, items } = await list(table, { ...asked, account, organization, key }, now);
  return { count, things: items.map((item) => thingOf<Thing>(item)) };
}
