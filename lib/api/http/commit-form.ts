import type { Change } from '../../store/dynamodb/changes.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import { requireCurrent } from '../perform.ts';

/**
 * Commits what a form changes, as an operation does: where a record has changed meanwhile, or the container remembers
 * another value than the table holds, `decide` runs again.
 */
export const commitForm = (table: TableWriter, decide: () => Promise<readonly Change[]>): Promise<void> =>
  retryOnConflict(async (count) => {
    if (count > 1) await table.beginAgain?.();
    const changes = await decide();
    await requireCurrent(table);
    if (changes.length) await table.commit(changes);
  });
