import { StagedTable } from '../../../infra/cli/staged-table.ts';
import type { PatientTable } from '../../../lib/store/dynamodb/table.ts';
import type { Item } from '../../../lib/store/dynamodb/changes.ts';

/**
 * The table in memory of the demo, for what is not about the table: measuring a worker without its requests, or running
 * it on a clock that stands still. Each request waits for `delay`.
 */
export function memoryTable(delay: () => Promise<unknown> = async () => undefined): {
  table: PatientTable;
  items: () => readonly Item[];
} {
  const memory = new StagedTable();
  const table: PatientTable = {
    ...memory,
    until: () => table,
    get: (...request) => delay().then(() => memory.get(...request)),
    getMany: (...request) => delay().then(() => memory.getMany(...request)),
    query: (range) => delay().then(() => memory.query(range)),
    commit: (changes) => delay().then(() => memory.commit(changes)),
    update: (change) => delay().then(() => memory.update(change)),
    putMany: (...request) => delay().then(() => memory.putMany(...request)),
  };
  return { table, items: () => memory.items() };
}
