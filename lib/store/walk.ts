import { createHash } from 'node:crypto';
import type { Item } from './changes.ts';
import type { Range, TablePager } from './client.ts';
import { layout } from './layout.ts';

/** A long list, kept in several ranges whose sort keys are of one form, to be read in their common order. */
export interface Walk<Thing extends { readonly Id: number }> {
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
    { ranges, counts = () => true }: Pick<Walk<never>, 'ranges' | 'counts'>,
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
  { account, name, skip, ranges }: Walk<Thing>,
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
export async function walk<Thing extends { readonly Id: number }>(
  table: TablePager,
  asked: Walk<Thing>,
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
    const things = await asked.read(entries.map(({ Id }) => Id as number));
    found.push(...things.slice(left));
    left = Math.max(0, left - things.length);
  }
  await table.keep({
    ...cursorKey(asked.account, asked.name, asked.skip + found.length),
    Positions: merge.positions,
    TTL: Math.floor(now / 1000) + CURSOR_SECONDS,
  });
  return found;
}
