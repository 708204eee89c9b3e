import { describeEnd, endsSoon } from '../../domain/api-keys.ts';
import type { KeyEntry } from '../../entities/api-keys.ts';
import type { BatchOptions } from '../../shared/batch.ts';
import { callerOrganization } from '../../store/accounts/accounts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { StoreConflict, StoreUnavailable } from '../../store/dynamodb/errors.ts';
import type { PatientTable, TableWriter } from '../../store/dynamodb/table.ts';
import { type KeyNotice, findKeyEntry, listDueNotices } from '../../store/requests/key-notices.ts';
import { officeTaskChange } from '../pages/office-task.ts';

export interface NoticeOutcome {
  readonly given: number;
  readonly failures: readonly unknown[];
  /** Whether due entries remain, because the time was up or the table is unavailable. */
  readonly isUnfinished: boolean;
}

/**
 * Makes a task for each API key that ends in 60 days, of all accounts, so that no program stops without a word. An
 * entry that fails stays for the next run, and holds up no other. Writes at once. Safe to repeat, also concurrently and
 * after a kill: an entry goes with the task.
 */
export async function giveKeyNotices(table: PatientTable, { now, deadline }: BatchOptions): Promise<NoticeOutcome> {
  const failures: unknown[] = [];
  const patient = table.until(deadline);
  let given = 0;
  let after: string | undefined;
  try {
    do {
      const page = await listDueNotices(patient, { now, after });
      for (const notice of page.notices) {
        if (Date.now() > deadline) return { given, failures, isUnfinished: true };
        try {
          if (await giveNotice(patient, notice, now)) given++;
        } catch (error) {
          if (error instanceof StoreUnavailable) throw error;
          // Another run gave it.
          if (!(error instanceof StoreConflict)) failures.push(error);
        }
      }
      after = page.next;
    } while (after !== undefined);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return { given, failures, isUnfinished: true };
  }
  return { given, failures, isUnfinished: false };
}

/** Makes the task of a key that ends soon, and removes the entry; of any other key only the entry. Whether it did. */
async function giveNotice(table: TableWriter, notice: KeyNotice, now: Date): Promise<boolean> {
  const key = await findKeyEntry(table, notice);
  const task = key && endsSoon(key, now.getTime()) ? [await taskChange(table, key, now)] : [];
  await table.commit([...task, { remove: { PK: notice.PK, SK: notice.SK }, if: 'present' }]);
  return task.length > 0;
}

/** No call, visit or e-mail: the type of a task that names none. */
const OTHER = 0;

async function taskChange(table: TableWriter, key: KeyEntry, now: Date): Promise<Change> {
  const { Account: account, OrganizationId: organizationId, Public, Name } = key;
  const { Id: OrganizationId } = await callerOrganization(table, { accountId: account, organizationId });
  const Description =
    `API key ${Public} (${Name}) ${describeEnd(key, now.getTime())}. Its program stops then. ` +
    `Replace the key: npx fs key rotate ${Public} --expires never`;
  const context = { table, target: { account }, now };
  return officeTaskChange(context, {
    OrganizationId,
    ContactId: null,
    Description,
    TaskType: OTHER,
    Category: 'API keys',
  });
}
