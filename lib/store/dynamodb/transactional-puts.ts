import { mapWithConcurrency } from '../../shared/promises.ts';
import { MAX_TRANSACTION_CHANGES } from '../../shared/limits.ts';
import type { Key } from '../keys.ts';
import { type Change, commitBehind, partChanges } from './changes.ts';
import { type TableWriter, chunks } from './table.ts';

/**
 * Neighbours in the table are put by one transaction, because the engine writes each page that a transaction changes:
 * an import of 2,000 contacts wrote 314 MB in the order of contacts, and 200 MB in that of keys.
 */
const byKey = (one: Key, other: Key): number => compare(one.PK, other.PK) || compare(one.SK, other.SK);
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/**
 * A table of the local engine that puts many items fast. The engine makes each put of a batch durable by itself, but a
 * transaction as a whole: 100 puts take 249 ms in batches and 33 ms in one. DynamoDB charges transactions twice.
 */
export function transactionalPuts(table: TableWriter): TableWriter {
  const putting: TableWriter = {
    ...table,
    async putMany(items, removals = []) {
      const changes: Change[] = [
        ...items.toSorted(byKey).map((put) => ({ put })),
        ...removals.map((remove) => ({ remove })),
      ];
      // The engine makes one after the other; meanwhile the next ones are prepared.
      await mapWithConcurrency(chunks(changes, MAX_TRANSACTION_CHANGES), 3, (chunk) => table.commit(chunk));
    },
    commit(changes, options) {
      const { transaction, ahead } = partChanges(changes);
      return commitBehind(putting, ahead, () => table.commit(transaction, options));
    },
  };
  return putting;
}
