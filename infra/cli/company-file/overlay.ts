import type { Change, Item } from '../../../lib/store/dynamodb/changes.ts';
import type { IndexName, Range, RangePage, TableWriter } from '../../../lib/store/dynamodb/client.ts';
import { type Facts, matchesFacts } from '../../../lib/store/dynamodb/filters.ts';
import type { Key } from '../../../lib/store/keys.ts';

/** A table of which nothing is written: what would be is laid over what is read. */
export interface Overlay extends TableWriter {
  /** The transactions that were to be committed, in order. */
  readonly transactions: readonly (readonly Change[])[];
}

const textOf = ({ PK, SK }: Key): string => `${PK}\n${SK}`;

function changed(before: Item | undefined, change: Extract<Change, { update: Key }>): Item {
  const { PK, SK } = change.update;
  const after: Item = { ...before, PK, SK, ...change.set };
  for (const [name, sum] of Object.entries(change.add ?? {}))
    after[name] = ((after[name] as number | undefined) ?? 0) + sum;
  for (const name of change.remove ?? []) delete after[name];
  return after;
}

/**
 * Lays the writes of a plan over a table, so that every rule sees what was planned before as if it were there. Ids are
 * leased for good: gaps are allowed. An index tells of a planned change of a thing beside what it told of it before.
 */
export function overlay(table: TableWriter): Overlay {
  const transactions: (readonly Change[])[] = [];
  /** `null` where an item goes. */
  const laid = new Map<string, Item | null>();

  const over = (key: Key, found: Item | undefined): Item | undefined => {
    const above = laid.get(textOf(key));
    return above === undefined ? found : (above ?? undefined);
  };

  async function apply(change: Change): Promise<void> {
    if ('put' in change) laid.set(textOf(change.put), change.put);
    else if ('remove' in change && !('update' in change)) laid.set(textOf(change.remove), null);
    else if ('update' in change)
      laid.set(textOf(change.update), changed(over(change.update, await table.get(change.update)), change));
  }

  /** The planned items of a range, in its order, as far as a page of the table reaches. */
  function planned(
    { partition, from = '', to = '\u{10FFFF}', after, descending = false }: Range,
    end: string | undefined,
  ): Item[] {
    const items = [...laid.values()].filter(
      (item): item is Item => item !== null && item.PK === partition && item.SK >= from && item.SK <= to,
    );
    const follows = (a: string, b: string) => (descending ? a < b : a > b);
    return items.filter(
      ({ SK }) => (after === undefined || follows(SK, after)) && (end === undefined || !follows(SK, end)),
    );
  }

  /** The planned items of a range of an index; they follow what the table has, whatever their order. */
  function indexed(index: IndexName, { partition, from = '', to = '\u{10FFFF}', where = {} }: Range): Item[] {
    const [PK, SK] = [`${index}PK`, `${index}SK`];
    const within = (item: Item) => item[PK] === partition && (item[SK] as string) >= from && (item[SK] as string) <= to;
    return [...laid.values()].filter(
      (item): item is Item => item !== null && within(item) && matchesFacts((item['F'] ?? {}) as Facts, where),
    );
  }

  async function query(range: Range): Promise<RangePage> {
    const page = await table.query(range);
    if (range.index)
      return page.next === undefined ? { ...page, items: [...page.items, ...indexed(range.index, range)] } : page;
    const above = planned(range, page.next);
    const items = [...page.items.filter((item) => !laid.has(textOf({ PK: range.partition, SK: item.SK }))), ...above];
    items.sort((a, b) => (a.SK < b.SK ? -1 : 1) * (range.descending ? -1 : 1));
    const most = range.limit ?? items.length;
    return items.length > most
      ? { items: items.slice(0, most), next: items[most - 1]?.SK }
      : { items, next: page.next };
  }

  return {
    transactions,
    meter: table.meter,
    get: async (key, options) => over(key, await table.get(key, options)),
    async getMany(keys, options) {
      const below = keys.filter((key) => !laid.has(textOf(key)));
      const found = below.length ? await table.getMany(below, options) : [];
      return [...found, ...keys.flatMap((key) => laid.get(textOf(key)) ?? [])];
    },
    query,
    async count(range) {
      let total = 0;
      let after = range.after;
      do {
        const page = await query({ ...range, after });
        total += page.items.length;
        after = page.next;
      } while (after !== undefined);
      return total;
    },
    writeCursor: (item) => apply({ put: item }),
    async commit(changes) {
      if (!changes.length) return;
      for (const change of changes) await apply(change);
      transactions.push(changes);
    },
    update: (change) => table.update(change),
    async putMany(items, removals = []) {
      const changes: Change[] = [...items.map((put) => ({ put })), ...removals.map((remove) => ({ remove }))];
      for (let first = 0; first < changes.length; first += 90) await this.commit(changes.slice(first, first + 90));
    },
  };
}
