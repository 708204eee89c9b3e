import type { StreamRecord } from '../../events/change.ts';
import type { BatchOptions } from '../../shared/batch.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import type { PatientTable } from '../../store/dynamodb/table.ts';
import {
  findOldestEntry,
  listBacklogAccounts,
  writeAccountRemoval,
  writeEntryRemoval,
} from '../../store/events/event-backlog.ts';
import { queueWaitingChanges } from './queue-events.ts';
import { type PatientStore, accountStore } from '../../store/store.ts';

export interface DrainOutcome {
  /** Number of events. */
  readonly queued: number;
  readonly failures: readonly unknown[];
  /** Records that cannot become an event; they are kept whole. */
  readonly parked: number;
  /** Whether a backlog remains for a later run. */
  readonly isUnfinished: boolean;
}

const ACCOUNTS_AT_ONCE = 8;

/**
 * Queues the events of changes that wait in the backlogs of accounts, in order. Writes at once. Safe to repeat, also
 * concurrently and after a kill: an entry is removed once its changes are events, and a change becomes one event
 * however often it is queued.
 */
export async function drainBacklogs(table: PatientTable, options: BatchOptions): Promise<DrainOutcome> {
  const patient = table.until(options.deadline);
  try {
    const accounts = await listBacklogAccounts(patient);
    const outcomes = await mapWithConcurrency(accounts, ACCOUNTS_AT_ONCE, ({ account, changedAt }) =>
      drainBacklog(accountStore(patient, account), changedAt, options),
    );
    return {
      queued: outcomes.reduce((sum, { queued }) => sum + queued, 0),
      failures: outcomes.flatMap(({ failures }) => failures),
      parked: outcomes.reduce((sum, { parked }) => sum + parked, 0),
      isUnfinished: outcomes.some(({ isUnfinished }) => isUnfinished),
    };
  } catch (error) {
    return { queued: 0, failures: [error], parked: 0, isUnfinished: true };
  }
}

/** Does the same for one account. */
export async function drainAccountBacklog(
  { table, account }: PatientStore,
  options: BatchOptions,
): Promise<DrainOutcome> {
  const patient = table.until(options.deadline);
  const listed = (await listBacklogAccounts(patient)).find((each) => each.account === account);
  if (!listed) return { queued: 0, failures: [], parked: 0, isUnfinished: false };
  return drainBacklog(accountStore(patient, account), listed.changedAt, options);
}

async function drainBacklog(store: PatientStore, changedAt: number, options: BatchOptions): Promise<DrainOutcome> {
  let queued = 0;
  let parked = 0;
  try {
    while (Date.now() < options.deadline) {
      const entry = await findOldestEntry(store);
      if (!entry) {
        await writeAccountRemoval(store, changedAt);
        return { queued, failures: [], parked, isUnfinished: false };
      }
      const records = JSON.parse(entry.text) as StreamRecord[];
      const outcome = await queueWaitingChanges(store, records, options);
      queued += outcome.queued;
      parked += outcome.parked.length;
      await writeEntryRemoval(store, entry);
    }
  } catch (error) {
    return { queued, failures: [error], parked, isUnfinished: true };
  }
  return { queued, failures: [], parked, isUnfinished: true };
}
