import { MAX_TRANSACTION_CHANGES } from '../../../lib/shared/limits.ts';
import type { Change, Item } from '../../../lib/store/dynamodb/changes.ts';
import type { Range, RangePage, TableReader, TableWriter } from '../../../lib/store/dynamodb/client.ts';
import { type Facts, matchesFacts } from '../../../lib/store/dynamodb/filters.ts';
import { type Key, attributes } from '../../../lib/store/keys.ts';

/** A table that writes nothing: it collects transactions, and reads as if they were committed. */
export interface PlannedTable extends TableWriter {
  /** The collected transactions, in order. */
  readonly transactions: readonly (readonly Change[])[];
}

const LAST_SORT_KEY = '\u{10FFFF}';
const itemKey = ({ PK, SK }: Key): string => `${PK}\n${SK}`;

function updateItem(before: Item | undefined, change: Extract<Change, { update: Key }>): Item {
  const { PK, SK } = change.update;
  const after: Item = { ...before, PK, SK, ...change.set };
  for (const [name, sum] of Object.entries(change.add ?? {}))
    after[name] = ((after[name] as number | undefined) ?? 0) + sum;
  for (const name of change.remove ?? []) delete after[name];
  return after;
}

/**
 * Ids are reserved for good, so a plan may leave gaps. A query of an index also returns the former state of a record.
 */
export function planOn(table: TableWriter): PlannedTable {
  const transactions: (readonly Change[])[] = [];
  /** `null` for a removed item. */
  const planned = new Map<string, Item | null>();

  const getPlanned = async (key: Key, options?: Parameters<TableReader['get']>[1]): Promise<Item | undefined> => {
    const item = planned.get(itemKey(key));
    return item === undefined ? await table.get(key, options) : (item ?? undefined);
  };
  const findPlanned = (matches: (item: Item) => boolean): Item[] =>
    [...planned.values()].filter((item): item is Item => item !== null && matches(item));

  async function apply(change: Change): Promise<void> {
    if ('put' in change) planned.set(itemKey(change.put), change.put);
    else if ('update' in change)
      planned.set(itemKey(change.update), updateItem(await getPlanned(change.update), change));
    else if ('remove' in change) planned.set(itemKey(change.remove), null);
  }

  /** The planned items of an index range follow those of the table, without an order. */
  async function queryIndex(range: Range): Promise<RangePage> {
    const { index, partition, from = '', to = LAST_SORT_KEY, where = {} } = range;
    const page = await table.query(range);
    if (page.next !== undefined) return page;
    const [PK, SK] = [`${index}PK`, `${index}SK`];
    const added = findPlanned(
      (item) =>
        item[PK] === partition &&
        (item[SK] as string) >= from &&
        (item[SK] as string) <= to &&
        matchesFacts((item[attributes.facts] ?? {}) as Facts, where),
    );
    return { ...page, items: [...page.items, ...added] };
  }

  async function query(range: Range): Promise<RangePage> {
    if (range.index) return await queryIndex(range);
    const { partition, from = '', to = LAST_SORT_KEY, after, descending = false, limit } = range;
    const page = await table.query(range);
    const follows = (a: string, b: string) => (descending ? a < b : a > b);
    // Planned items behind the last key of the page belong to a later page.
    const added = findPlanned(
      ({ PK, SK }) =>
        PK === partition &&
        SK >= from &&
        SK <= to &&
        (after === undefined || follows(SK, after)) &&
        (page.next === undefined || !follows(SK, page.next)),
    );
    const items = [...page.items.filter(({ SK }) => !planned.has(itemKey({ PK: partition, SK }))), ...added];
    items.sort((a, b) => (follows(a.SK, b.SK) ? 1 : -1));
    return limit !== undefined && items.length > limit
      ? { items: items.slice(0, limit), next: items[limit - 1]?.SK }
      : { items, next: page.next };
  }

  async function commit(changes: readonly Change[]): Promise<void> {
    if (!changes.length) return;
    for (const change of changes) await apply(change);
    transactions.push(changes);
  }

  return {
    transactions,
    meter: table.meter,
    get: getPlanned,
    async getMany(keys, options) {
      const unplanned = keys.filter((key) => !planned.has(itemKey(key)));
      const found = unplanned.length ? await table.getMany(unplanned, options) : [];
      return [...found, ...keys.flatMap((key) => planned.get(itemKey(key)) ?? [])];
    },
    query,
    writeCursor: (item) => apply({ put: item }),
    commit,
    update: (change) => table.update(change),
    async putMany(items, removals = []) {
      const changes = [...items.map((put) => ({ put })), ...removals.map((remove) => ({ remove }))];
      for (let first = 0; first < changes.length; first += MAX_TRANSACTION_CHANGES)
        await commit(changes.slice(first, first + MAX_TRANSACTION_CHANGES));
    },
  };
}
