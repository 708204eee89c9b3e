import { listAccountIds } from '../../store/administration/account-administration.ts';
import { endedBefore, writePendingEntriesSettled } from '../../store/contacts/contact-entries.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import { accountStore } from '../../store/store.ts';

/**
 * Compares the search entries that calls of all accounts have put before their transactions with the contacts: what a
 * call left that was killed in between is removed. Ends at the deadline, milliseconds since 1970; the next run goes on.
 * One account does not stop the others, and nothing stops what the worker does next: failures are returned. Writes at
 * once. Safe to repeat, also concurrently and after a kill.
 */
export async function settleEntries(
  table: TableWriter,
  { now, deadline }: { readonly now: Date; readonly deadline: number },
): Promise<{ readonly removed: number; readonly failures: readonly unknown[] }> {
  const failures: unknown[] = [];
  let removed = 0;
  try {
    for (const account of await listAccountIds(table)) {
      if (Date.now() >= deadline) break;
      try {
        removed += await writePendingEntriesSettled(accountStore(table, account), {
          through: endedBefore(now),
          deadline,
        });
      } catch (error) {
        failures.push(error);
      }
    }
  } catch (error) {
    failures.push(error);
  }
  return { removed, failures };
}
