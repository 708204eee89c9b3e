import type { Change } from '../../lib/store/dynamodb/changes.ts';
import type { TableWriter } from '../../lib/store/dynamodb/client.ts';

/** What a transaction holds. */
const MAX_CHANGES = 100;

/**
 * A table of the local engine for whoever writes much. The engine makes each put of a batch durable by itself, but a
 * transaction as a whole: 100 puts take 249 ms in batches and 33 ms in one. DynamoDB would take twice the units for it,
 * so that this is for the local engine only.
 */
export function quickPuts(table: TableWriter): TableWriter {
  return {
    ...table,
    async putMany(items, removals = []) {
      const changes: Change[] = [...items.map((put) => ({ put })), ...removals.map((remove) => ({ remove }))];
      for (let first = 0; first < changes.length; first += MAX_CHANGES) {
        await table.commit(changes.slice(first, first + MAX_CHANGES));
      }
    },
  };
}
