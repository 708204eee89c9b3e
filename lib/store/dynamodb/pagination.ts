import { createHash } from 'node:crypto';
import { type CallerScope, isVisible } from '../caller.ts';
import { type Key, layout } from '../keys.ts';
import type { Item } from './changes.ts';
import type { Range, TablePager, TableReader } from './client.ts';
import {
  type Criteria,
  type Facts,
  type Where,
  listConditions,
  idInPlace,
  isDated,
  matchesFacts,
  placeInSortKey,
  indexRanges,
} from './indexes.ts';
import { toRecord } from './records.ts';

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
  return { account, name: JSON.stringify([kind, organization, contact, date, listConditions(allFacts(listing))]) };
};

/** The places (date and id) of the entries in a range, page after page of 1 MB. */
async function placesIn(table: TableReader, range: Range): Promise<string[]> {
  const sortKey = `${range.index}SK`;
  const places: string[] = [];
  let after: string | undefined;
  do {
    const { items, next } = await table.query({ ...range, attributes: [sortKey], after });
    for (const item of items) places.push(placeInSortKey(item[sortKey] as string));
    after = next;
  } while (after !== undefined);
  return places;
}

/**
 * The ids of all things that meet the criteria, in order. A thing that moves in an index while it is read may be met
 * twice.
 */
async function idsOf(table: TableReader, listing: Listing, now: Date): Promise<number[]> {
  const ranges = indexRanges(listing, now.getTime());
  const found = await Promise.all(ranges.map((range) => placesIn(table, { ...range, where: allFacts(listing) })));
  const places = found.flat().filter((place) => isDated(place, listing.date));
  return [...new Set(places.sort().map(idInPlace))];
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
  return ids.flatMap((id) => byId.get(id) ?? []).filter((item) => isVisible({ organizationId: organization }, item));
}

/** The one thing asked for by its id, read as it is at this moment. */
async function listOne(table: TableReader, listing: Listing, id: number): Promise<Listed> {
  const item = await table.get(listing.key(id));
  const isMet =
    item !== undefined &&
    matchesFacts(item['F'] as Facts, allFacts(listing)) &&
    isDated(placeInSortKey(item['GSI1SK'] as string), listing.date) &&
    (listing.contact === undefined || item['ContactId'] === listing.contact);
  const all = isMet ? [item] : [];
  return { count: all.length, items: all.slice(listing.skip, listing.skip + listing.take) };
}

async function answer(
  table: TablePager,
  listing: Listing,
  now: Date,
): Promise<ResultIds & { keep: () => Promise<void> }> {
  const { skip, take } = listing;
  const question = questionOf(listing);
  const known = skip ? await findSnapshot(table, question, listing, now) : undefined;
  if (known) return { ...known, keep: () => Promise.resolve() };
  const ids = await idsOf(table, listing, now);
  const isPaged = skip > 0 || ids.length > take;
  return {
    count: ids.length,
    ids: ids.slice(skip, skip + take),
    keep: async () => (isPaged ? writeSnapshot(table, question, ids, now) : undefined),
  };
}

/**
 * A page of the things that meet the criteria, by date, then id, those without date last, and their exact number.
 *
 * The first page reads the entries of the range asked for once, which is where the number comes from, and keeps their
 * ids for ten minutes: whatever page follows is two rounds, one read unit and half a unit a thing, and all pages
 * together have each thing once, however things change meanwhile. Each thing is shown as it is when its page is read.
 */
export async function listPage(table: TablePager, listing: Listing, now: Date): Promise<Listed> {
  if (listing.id !== undefined) return listOne(table, listing, listing.id);
  const { count, ids, keep } = await answer(table, listing, now);
  const [items] = await Promise.all([readThings(table, listing, ids), keep()]);
  return { count, items };
}

/** What a kind of things is asked for; each store's own criteria are facts (`where`). */
export type Query = Page & Pick<Listing, 'id' | 'contact' | 'date' | 'updated'>;

/** The same of things as a viewer sees them; `key` is where the kind stands in the table. */
export async function listRecords<Thing>(
  table: TablePager,
  { accountId: account, organizationId: organization }: CallerScope,
  asked: Query & Pick<Listing, 'kind' | 'where'> & { readonly key: (at: { account: string; id: number }) => Key },
  now: Date,
): Promise<{ count: number; records: Thing[] }> {
  const key = (id: number) => asked.key({ account, id });
  const { count, items } = await listPage(table, { ...asked, account, organization, key }, now);
  return { count, records: items.map((item) => toRecord<Thing>(item)) };
}

/** What a question was answered with when its first page was asked: how many things, and the ids of a page of them. */
export interface ResultIds {
  readonly count: number;
  readonly ids: readonly number[];
}

/** A question, in full: its pages share a snapshot. */
export interface Question {
  readonly account: string;
  readonly name: string;
}

/** Which things of an answer are wanted. */
export interface Page {
  readonly skip: number;
  readonly take: number;
}

const KEPT_SECONDS = 10 * 60;
/** Ids of 4 bytes: a block is an item below 4 KB, one read unit and four write units. */
const BLOCK = 900;
/** Blocks put side by side, which are all there are of 36,000 things: no more than a client has connections. */
const SIDE_BY_SIDE = 40;

/**
 * Each block has a partition of its own: 1,000,000 things are 1,112 blocks, and 4,448 write units are too many for one.
 */
function blockKey({ account, name }: Question, block: number): Key {
  const fingerprint = createHash('sha256').update(`${name}\n${block}`).digest('base64url');
  return layout.cursor.key({ account, fingerprint, skip: block * BLOCK });
}

const bytesOf = (ids: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(ids).buffer);
const idsOfOfSnapshot = (bytes: Uint8Array): number[] => [...new Uint32Array(Uint8Array.from(bytes).buffer)];

/**
 * Keeps an answer for ten minutes. The last block is never full, so that a page just behind the end is known to be
 * empty.
 */
export async function writeSnapshot(
  table: TablePager,
  question: Question,
  ids: readonly number[],
  now: Date,
): Promise<void> {
  const TTL = Math.floor(now.getTime() / 1000) + KEPT_SECONDS;
  const blocks = Array.from({ length: Math.floor(ids.length / BLOCK) + 1 }, (_, block): Item => {
    const Ids = bytesOf(ids.slice(block * BLOCK, (block + 1) * BLOCK));
    return { ...blockKey(question, block), Ids, Count: ids.length, TTL };
  });
  for (let start = 0; start < blocks.length; start += SIDE_BY_SIDE) {
    await Promise.all(blocks.slice(start, start + SIDE_BY_SIDE).map((block) => table.keep(block)));
  }
}

/** A page of an answer kept, in one round; `undefined` when it is not kept, or not any more. */
export async function findSnapshot(
  table: TableReader,
  question: Question,
  { skip, take }: Page,
  now: Date,
): Promise<ResultIds | undefined> {
  const first = Math.floor(skip / BLOCK);
  const last = Math.floor((skip + take - 1) / BLOCK);
  const keys = Array.from({ length: last - first + 1 }, (_, index) => blockKey(question, first + index));
  const items = await table.getMany(keys);
  const alive = keys.map(({ PK }) =>
    items.find((item) => item.PK === PK && (item['TTL'] as number) * 1000 > now.getTime()),
  );
  const count = alive[0]?.['Count'] as number | undefined;
  if (count === undefined) return undefined;
  const ids = alive.flatMap((block) => (block?.['Count'] === count ? idsOfOfSnapshot(block['Ids'] as Uint8Array) : []));
  const page = ids.slice(skip - first * BLOCK, skip - first * BLOCK + take);
  return page.length < Math.min(take, count - skip) ? undefined : { count, ids: page };
}

/** A long list, kept in several ranges whose sort keys are of one form, to be read in their common order. */
export interface IndexEntryList<Thing extends { readonly Id: number }> {
  readonly account: string;
  /** All ascending, or all descending. */
  readonly ranges: readonly Range[];
  /** What is asked, in full: pages of the same question share cursors. */
  readonly name: string;
  readonly skip: number;
  readonly take: number;
  /** The entries alone decide what belongs to the list, so that things passed over need not be read. */
  readonly exact: boolean;
  /** Whether an entry belongs to the list at all; every one does unless said otherwise. */
  readonly counts?: (entry: Item) => boolean;
  /** Reads the things of entries, in their order, leaving out those that do not belong. */
  readonly read: (ids: readonly number[]) => Promise<Thing[]>;
}

const CURSOR_SECONDS = 10 * 60;

/** Where each range goes on: behind a sort key, or from its start (`null`). */
type Positions = (string | null)[];

/** The entries of several ranges in their common order, one after another, remembering where each range stands. */
class Merge {
  readonly positions: Positions;
  readonly #ranges: readonly Range[];
  readonly #pages: { items: Item[]; next: string | undefined }[];
  readonly #table: TablePager;
  readonly #size: number;
  readonly #counts: (entry: Item) => boolean;

  constructor(
    table: TablePager,
    { ranges, counts = () => true }: Pick<IndexEntryList<never>, 'ranges' | 'counts'>,
    positions: Positions,
    size: number,
  ) {
    this.#table = table;
    this.#ranges = ranges;
    this.#counts = counts;
    this.positions = [...positions];
    this.#pages = positions.map((position) => ({ items: [], next: position ?? '' }));
    this.#size = size;
  }

  /** Fills every range that has run dry, side by side. */
  async #fill(): Promise<void> {
    await Promise.all(
      this.#ranges.map(async (range, index) => {
        for (let page = this.#pages[index]; page && !page.items.length && page.next !== undefined;) {
          const { items, next } = await this.#table.query({
            ...range,
            after: page.next || undefined,
            limit: this.#size,
          });
          page = { items: items.filter(this.#counts), next };
          this.#pages[index] = page;
        }
      }),
    );
  }

  /** The next `count` entries, fewer only at the end. The position moves behind each entry as it is taken. */
  async take(count: number): Promise<Item[]> {
    const taken: Item[] = [];
    while (taken.length < count) {
      await this.#fill();
      const best = this.#pages.reduce<number>(
        (least, { items }, index) => (items[0] && this.#before(items[0], this.#pages[least]?.items[0]) ? index : least),
        -1,
      );
      const entry = this.#pages[best]?.items.shift();
      if (!entry) return taken;
      this.positions[best] = entry.SK;
      taken.push(entry);
    }
    return taken;
  }

  #before(left: Item, right: Item | undefined): boolean {
    if (!right) return true;
    return this.#ranges[0]?.descending ? left.SK > right.SK : left.SK < right.SK;
  }
}

const cursorKey = (account: string, name: string, skip: number) =>
  layout.cursor.key({ account, fingerprint: createHash('sha256').update(name).digest('base64url'), skip });

async function start<Thing extends { readonly Id: number }>(
  table: TablePager,
  { account, name, skip, ranges }: IndexEntryList<Thing>,
  now: number,
) {
  const cursor = skip ? await table.get(cursorKey(account, name, skip)) : undefined;
  const alive = cursor && (cursor['TTL'] as number) > now / 1000 ? (cursor['Positions'] as Positions) : undefined;
  return { positions: alive ?? ranges.map(() => null), passOver: alive ? 0 : skip };
}

/**
 * The things of a list from the `skip`-th on, at most `take`. Page after page costs the same, because where each page
 * ended is kept for ten minutes under the question; a page asked for out of turn reads the entries before it (not the
 * things, where the entries alone decide).
 */
export async function listFromIndexEntries<Thing extends { readonly Id: number }>(
  table: TablePager,
  asked: IndexEntryList<Thing>,
): Promise<Thing[]> {
  const now = Date.now();
  const { positions, passOver } = await start(table, asked, now);
  const merge = new Merge(table, asked, positions, Math.max(asked.take, 25));
  let left = passOver;
  if (asked.exact) {
    while (left > 0) {
      const passed = (await merge.take(Math.min(left, 500))).length;
      if (!passed) return [];
      left -= passed;
    }
  }
  const found: Thing[] = [];
  while (found.length < asked.take) {
    const entries = await merge.take(Math.min(500, asked.take - found.length + left));
    if (!entries.length) return found;
    const records = await asked.read(entries.map(({ Id }) => Id as number));
    found.push(...records.slice(left));
    left = Math.max(0, left - records.length);
  }
  await table.keep({
    ...cursorKey(asked.account, asked.name, asked.skip + found.length),
    Positions: merge.positions,
    TTL: Math.floor(now / 1000) + CURSOR_SECONDS,
  });
  return found;
}
