import type { TtlCache } from '../shared/ttl-cache.ts';
import type { TableReader } from './dynamodb/client.ts';
import type { Read } from './dynamodb/recollection.ts';

/** A value that the container may remember; verified in a write. */
export const recall = <Value>(
  table: TableReader,
  cache: TtlCache<Value>,
  key: string,
  now: Date,
  read: Read<TableReader, Value>,
): Promise<Value> =>
  table.recollection
    ? table.recollection.take(table, { cache, key, read })
    : cache.recall(key, now, () => read(table, { consistent: false }));

/** The value as it is now; what recalls it later in the same write gets the same, without another read. */
export const readCurrent = <Value>(
  table: TableReader,
  cache: TtlCache<Value>,
  key: string,
  read: Read<TableReader, Value>,
): Promise<Value> =>
  table.recollection ? table.recollection.takeCurrent(table, { cache, key, read }) : read(table, { consistent: true });
