import { isDeepStrictEqual } from 'node:util';
import type { Key } from '../../../lib/store/keys.ts';
import { attributes } from '../../../lib/store/keys.ts';
import type { Change, Condition, Item } from '../../../lib/store/dynamodb/changes.ts';
import {
  type IndexName,
  type Range,
  type RangePage,
  type TableWriter,
  isAbandoned,
} from '../../../lib/store/dynamodb/client.ts';
import { StoreConflict } from '../../../lib/store/dynamodb/errors.ts';
import { type Facts, matchesFacts } from '../../../lib/store/dynamodb/filters.ts';
import { Meter } from '../../../lib/store/dynamodb/meter.ts';

const indexNames = ['GSI1', 'GSI2', 'GSI3', 'GSI4'] as const satisfies readonly IndexName[];

type Place = { readonly sortKey: string; readonly id: string };

const isBefore = (one: Place, other: Place): boolean =>
  one.sortKey < other.sortKey || (one.sortKey === other.sortKey && one.id < other.id);

/** Entries of one partition, in the order of their sort keys. */
class Partition {
  readonly #places: Place[] = [];

  /** The number of entries before a place. */
  countBefore(place: Place): number {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.#places[middle] as Place, place)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  add(place: Place): void {
    this.#places.splice(this.countBefore(place), 0, place);
  }

  remove(place: Place): void {
    this.#places.splice(this.countBefore(place), 1);
  }

  /** The ids from one sort key through another. */
  between(from: string | undefined, to: string | undefined): string[] {
    const start = from === undefined ? 0 : this.countBefore({ sortKey: from, id: '' });
    const end = to === undefined ? this.#places.length : this.countBefore({ sortKey: `${to}\0`, id: '' });
    return this.#places.slice(start, end).map(({ id }) => id);
  }
}

const idOf = ({ PK, SK }: Key): string => `${PK}\n${SK}`;

/** As the table stores it: without fields that are undefined, and shared with nobody. */
function copy<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(copy) as Value;
  if (value instanceof Set) return new Set(value) as Value;
  const copied: Record<string, unknown> = {};
  for (const name in value) if (value[name] !== undefined) copied[name] = copy(value[name]);
  return copied as Value;
}

function meets(item: Item | undefined, condition: Condition | undefined): boolean {
  if (condition === undefined) return true;
  if (condition === 'absent') return item === undefined;
  if (condition === 'present') return item !== undefined;
  if ('equals' in condition)
    return Object.entries(condition.equals).every(([name, value]) => isDeepStrictEqual(item?.[name], value));
  const isAtLeast = ([name, limit]: [string, number]) => Number(item?.[name] ?? -Infinity) >= limit;
  const isBelow = ([name, limit]: [string, number]) => Number(item?.[name] ?? -Infinity) < limit;
  return Object.entries(condition.atLeast).every(isAtLeast) && Object.entries(condition.below).every(isBelow);
}

/** The table adds decimals: 0.1 + 0.2 is 0.3. */
const sum = (one: number, other: number): number => Number((one + other).toPrecision(15));

function updated(item: Item | undefined, change: Extract<Change, { update: Key }>): Item {
  const { update, set = {}, setOnce = {}, entries = {}, add = {}, remove = [] } = change;
  const next: Item = { ...setOnce, ...item, ...set, PK: update.PK, SK: update.SK };
  for (const [name, values] of Object.entries(entries)) next[name] = { ...(next[name] as object), ...values };
  for (const [name, value] of Object.entries(add)) next[name] = sum((next[name] as number | undefined) ?? 0, value);
  for (const name of remove) delete next[name];
  return copy(next);
}

const keyOf = (change: Change): Key => {
  if ('put' in change) return change.put;
  if ('update' in change) return change.update;
  return 'remove' in change ? change.remove : change.check;
};

/** A table in memory, for a program that makes much of an account by itself before anyone can see it. */
export interface MemoryTable extends TableWriter {
  /** Everything in it, in the order of creation. */
  items(): Item[];
}

/**
 * Opens an empty table in memory that keeps the contract of `openTable`: operations run on it as on the real one, 20
 * times as fast. Sort keys are compared as UTF-16, which is the order of the real table for all but rare characters.
 */
export function openMemoryTable(): MemoryTable {
  const items = new Map<string, Item>();
  const partitions = new Map<string, Partition>();

  const partition = (index: IndexName | '', name: string): Partition => {
    const key = index + name;
    let found = partitions.get(key);
    if (!found) partitions.set(key, (found = new Partition()));
    return found;
  };

  function move(index: IndexName | '', id: string, before: Item | undefined, after: Item | undefined): void {
    const [nameKey, sortKey] = [`${index}PK`, `${index}SK`] as const;
    const [from, to] = [before?.[nameKey], after?.[nameKey]] as [string | undefined, string | undefined];
    const [fromSort, toSort] = [before?.[sortKey], after?.[sortKey]] as [string, string];
    if (from === to && fromSort === toSort) return;
    if (from !== undefined) partition(index, from).remove({ sortKey: fromSort, id });
    if (to !== undefined) partition(index, to).add({ sortKey: toSort, id });
  }

  function replace(key: Key, item: Item | undefined): void {
    const id = idOf(key);
    const previous = items.get(id);
    if (item) items.set(id, item);
    else items.delete(id);
    for (const index of ['', ...indexNames] as const) move(index, id, previous, item);
  }

  function make(change: Change): void {
    if ('put' in change) replace(change.put, copy(change.put));
    else if ('update' in change) replace(change.update, updated(items.get(idOf(change.update)), change));
    else if ('remove' in change) replace(change.remove, undefined);
  }

  /** What an index holds of an item. */
  function project(item: Item, { index, attributes: names = [] }: Pick<Range, 'index' | 'attributes'>): Item {
    if (names.length) return Object.fromEntries(names.map((name) => [name, item[name]])) as Item;
    if (!index) return { ...item };
    const held = ['PK', 'SK', attributes.facts, ...indexNames.flatMap((name) => [`${name}PK`, `${name}SK`])];
    const present = held.filter((name) => item[name] !== undefined);
    return Object.fromEntries(present.map((name) => [name, item[name]])) as Item;
  }

  function select(range: Range): { read: Item[]; next: string | undefined } {
    const { index, partition: name, from, to, after, descending = false, limit = Infinity } = range;
    const ids = partition(index ?? '', name).between(from || undefined, to);
    if (descending) ids.reverse();
    const last = after === undefined ? undefined : idOf(index ? (JSON.parse(after) as Key) : { PK: name, SK: after });
    const sortKeyAt = (id: string) => items.get(id)?.[`${index ?? ''}SK`] as string;
    const isBehind = (id: string) =>
      last === undefined || (descending ? sortKeyAt(id) < (after as string) : sortKeyAt(id) > (after as string));
    const place = last === undefined ? -1 : ids.indexOf(last);
    // A page of the table may continue behind a key that no item has.
    const rest = place < 0 && last !== undefined ? ids.filter(isBehind) : ids.slice(place + 1);
    const read = rest.slice(0, limit).map((id) => items.get(id) as Item);
    const end = read.at(-1);
    if (!end || rest.length <= read.length) return { read, next: undefined };
    if (!index) return { read, next: end.SK };
    const names = ['PK', 'SK', `${index}PK`, `${index}SK`];
    return { read, next: JSON.stringify(Object.fromEntries(names.map((each) => [each, end[each]]))) };
  }

  const matching = (read: readonly Item[], { where = {} }: Range): Item[] =>
    read.filter((item) => matchesFacts((item[attributes.facts] ?? {}) as Facts, where));

  return {
    meter: new Meter(),
    async get(key, { abandoned = false } = {}) {
      const item = items.get(idOf(key));
      return item && (abandoned || !isAbandoned(item)) ? { ...item } : undefined;
    },
    async getMany(keys, { attributes: names = [] } = {}) {
      const found = keys.flatMap((key) => items.get(idOf(key)) ?? []).filter((item) => !isAbandoned(item));
      return found.map((item) => project(item, { attributes: names }));
    },
    async query(range): Promise<RangePage> {
      const { read, next } = select(range);
      const found = matching(read, range).filter((item) => !isAbandoned(item));
      return { items: found.map((item) => project(item, range)), next, read: read.length };
    },
    async writeCursor() {
      // It may be lost: nobody turns pages here.
    },
    async commit(changes) {
      const failed = changes.flatMap((change, index) =>
        meets(items.get(idOf(keyOf(change))), change.if) ? [] : [index],
      );
      if (failed.length) throw new StoreConflict('A condition does not hold.', { failed });
      changes.forEach(make);
    },
    async update(change) {
      if (!meets(items.get(idOf(change.update)), change.if)) throw new StoreConflict('A condition does not hold.');
      make(change);
      return { ...(items.get(idOf(change.update)) as Item) };
    },
    async putMany(puts, removals = []) {
      for (const put of puts) replace(put, copy(put));
      for (const removal of removals) replace(removal, undefined);
    },
    items: () => [...items.values()],
  };
}
