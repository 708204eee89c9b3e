import type { Change, Condition, Item } from '../../lib/store/dynamodb/changes.ts';
import type { PatientTable } from '../../lib/store/dynamodb/client.ts';
import { StoreConflict } from '../../lib/store/dynamodb/errors.ts';
import { Meter } from '../../lib/store/dynamodb/meter.ts';
import type { Key } from '../../lib/store/keys.ts';

function holds(item: Item | undefined, condition: Condition | undefined): boolean {
  if (condition === undefined) return true;
  if (condition === 'absent') return !item;
  if (condition === 'present') return !!item;
  if ('equals' in condition) return Object.entries(condition.equals).every(([name, value]) => item?.[name] === value);
  const isAtLeast = ([name, limit]: [string, number]) => ((item?.[name] as number | undefined) ?? NaN) >= limit;
  const isBelow = ([name, limit]: [string, number]) => ((item?.[name] as number | undefined) ?? -Infinity) < limit;
  return Object.entries(condition.atLeast).every(isAtLeast) && Object.entries(condition.below).every(isBelow);
}

/**
 * A table in memory, for what is not about the table: measuring a worker without its requests, or running it on a
 * clock that stands still. It knows puts, removals, and updates that set attributes.
 */
export function memoryTable(delay: () => Promise<unknown> = async () => undefined): {
  table: PatientTable;
  partitions: ReadonlyMap<string, ReadonlyMap<string, Item>>;
} {
  const partitions = new Map<string, Map<string, Item>>();
  const partition = (PK: string) => partitions.get(PK) ?? partitions.set(PK, new Map<string, Item>()).get(PK);
  const put = (item: Item) => void partition(item.PK)?.set(item.SK, item);
  const find = ({ PK, SK }: Key) => partitions.get(PK)?.get(SK);
  const keyOf = (change: Change): Key =>
    'put' in change
      ? change.put
      : 'update' in change
        ? change.update
        : 'remove' in change
          ? change.remove
          : change.check;
  function apply(change: Change): Item {
    const key = keyOf(change);
    if ('update' in change) {
      const item: Item = { ...find(key), ...key, ...change.set };
      for (const name of change.remove ?? []) delete item[name];
      put(item);
      return item;
    }
    if ('put' in change) put(change.put);
    if ('remove' in change) partitions.get(key.PK)?.delete(key.SK);
    return { ...key };
  }
  function write(changes: readonly Change[]): Item[] {
    const isRefused = (change: Change) => !holds(find(keyOf(change)), change.if);
    const failed = changes.flatMap((change, index) => (isRefused(change) ? [index] : []));
    if (failed.length) throw new StoreConflict('a condition failed', { failed });
    return changes.map(apply);
  }
  const table: PatientTable = {
    meter: new Meter(),
    until: () => table,
    get: (key) => delay().then(() => find(key)),
    getMany: (keys) => delay().then(() => keys.flatMap((key) => find(key) ?? [])),
    async query({ partition: PK, from = '', to = '~' }) {
      await delay();
      const items = [...(partitions.get(PK)?.values() ?? [])].filter(({ SK }) => SK >= from && SK <= to);
      return { items, next: undefined };
    },
    count: async () => 0,
    writeCursor: async () => undefined,
    commit: (changes) => delay().then(() => void write(changes)),
    update: (change) => delay().then(() => write([change])[0] ?? change.update),
    putMany: (items) => delay().then(() => items.forEach(put)),
  };
  return { table, partitions };
}
