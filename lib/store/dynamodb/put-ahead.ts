import { MAX_BATCH_WRITES } from '../../shared/limits.ts';
import type { Ahead, RemovalTable } from './changes.ts';
import { isRefusal } from './errors.ts';

/**
 * Puts what is ahead of a transaction, and makes it; takes that back where nothing was changed for certain. The note is
 * in the first request, so that nothing is put without it; what cannot be taken back now is found by it.
 */
export async function commitBehind(
  table: RemovalTable,
  ahead: readonly Ahead[],
  transact: () => Promise<void>,
): Promise<void> {
  let isSent = false;
  try {
    for (const { note, items } of ahead) {
      await table.putMany([note, ...items.slice(0, MAX_BATCH_WRITES - 1)], []);
      await table.putMany(items.slice(MAX_BATCH_WRITES - 1), []);
    }
    isSent = true;
    await transact();
  } catch (error) {
    if (!isSent || isRefusal(error))
      await Promise.all(ahead.map(({ takeBack }) => takeBack(table).catch(() => undefined)));
    throw error;
  }
}
