import { listAccountIds } from '../../store/administration/account-administration.ts';
import { endedBefore, writePendingEntriesSettled } from '../../store/contacts/contact-entries.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import { accountStore } from '../../store/store.ts';

/**
 * Compares the search entries that calls wrote before their transactions with the contacts, in all accounts, and
 * removes those left by a call that was killed in between. Ends at the deadline, in milliseconds since 1970; the next
 * run continues. One account does not stop the others, and no failure stops the worker's next task: failures are
 * returned. Writes at once. Safe to repeat, also concurrently and after a kill.
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
