import type { Change } from '../../store/dynamodb/changes.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';

/**
 * Commits what a form changes, as an operation does: where a record has changed meanwhile, `decide` runs again.
 */
export const commitForm = (table: TableWriter, decide: () => Promise<readonly Change[]>): Promise<void> =>
  retryOnConflict(async (count) => {
    if (count > 1) table.currentValues?.clear();
    const changes = await decide();
    if (changes.length) await table.commit(changes);
  });
