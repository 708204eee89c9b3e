import { describeEnd, endsSoon } from '../../domain/api-keys.ts';
import type { KeyEntry } from '../../entities/api-keys.ts';
import type { BatchOptions } from '../../shared/batch.ts';
import { callerOrganization } from '../../store/accounts/accounts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { StoreConflict } from '../../store/dynamodb/errors.ts';
import type { PatientTable } from '../../store/dynamodb/table.ts';
import { type KeyNotice, findKeyEntry, listDueNotices } from '../../store/requests/key-notices.ts';
import { officeTaskChange } from '../pages/office-task.ts';
import { type ListOutcome, workOffList } from '../work-off-list.ts';
import { type StoreWriter, accountStore, organizationStore } from '../../store/store.ts';
import { toKey } from '../../store/keys.ts';

/**
 * Makes a task for each API key that ends within 60 days, in all accounts, so that no program stops without warning.
 * Writes at once. Safe to repeat, also concurrently and after a kill: the task replaces the entry in one transaction.
 */
export function giveKeyNotices(table: PatientTable, { now, deadline }: BatchOptions): Promise<ListOutcome> {
  const patient = table.until(deadline);
  const listDue = (after: string | undefined) => listDueNotices(patient, { now, after });
  return workOffList([listDue], { deadline }, (notice) =>
    giveNotice(accountStore(patient, notice.Account), notice, now),
  );
}

/**
 * Makes the task of a key that ends soon and removes the entry; for any other key, removes only the entry. Returns
 * whether it made one.
 */
async function giveNotice(store: StoreWriter, notice: KeyNotice, now: Date): Promise<boolean> {
  const key = await findKeyEntry(store, notice.Public);
  const task = key && endsSoon(key, now.getTime()) ? [await taskChange(store, key, now)] : [];
  try {
    await store.table.commit([...task, { remove: toKey(notice), if: 'present' }]);
    return task.length > 0;
  } catch (error) {
    // Another run gave the notice.
    if (error instanceof StoreConflict) return false;
    throw error;
  }
}

/** The type of a task that is no call, visit or e-mail. */
const OTHER = 0;

async function taskChange(store: StoreWriter, key: KeyEntry, now: Date): Promise<Change> {
  const { Public, Name } = key;
  const { Id: OrganizationId } = await callerOrganization(organizationStore(store, key.OrganizationId));
  const Description =
    `API key ${Public} (${Name}) ${describeEnd(key, now.getTime())}. Its program stops then. ` +
    `Replace the key: npx fs key rotate ${Public} --expires never`;
  return officeTaskChange(
    { store, now },
    { OrganizationId, ContactId: null, Description, TaskType: OTHER, Category: 'API keys' },
  );
}
