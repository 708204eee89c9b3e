import { InternalError } from '../../shared/failure.ts';
import { layout } from '../keys.ts';
import type { TableWriter } from './table.ts';

const LEASES = layout.lease.partition.slice(layout.lease.partition.lastIndexOf('#'));

/**
 * The table for a run whose changes are not committed: it reads and reserves ids. An operation fails if it writes in
 * any other way than by the changes that it returns.
 */
export function withoutChanges(table: TableWriter): TableWriter {
  const refuse = (): never => {
    throw new InternalError('An operation that writes at once has no preview.');
  };
  return {
    ...table,
    commit: refuse,
    putMany: refuse,
    writeCached: async () => undefined,
    update: (change) => (change.update.PK.endsWith(LEASES) ? table.update(change) : refuse()),
  };
}
