import { Status } from '../../domain/appointments/record.ts';
import type { BatchOptions } from '../../shared/batch.ts';
import { mapWithConcurrency } from '../../shared/promises.ts';
import { findAppointment, unchangedAppointment } from '../../store/appointments.ts';
import { StoreUnavailable, retryOnConflict } from '../../store/dynamodb/errors.ts';
import type { PatientTable, TableWriter } from '../../store/dynamodb/table.ts';
import { accountCaller } from '../../store/requests/caller.ts';
import { RELEASE_SHARDS, type VisitRelease, listDueReleases } from '../../store/visit-releases.ts';
import { releaseTime } from './reserve-time.ts';

export interface ReleaseOutcome {
  readonly released: number;
  readonly failures: readonly unknown[];
  /** Whether due visits remain, because the time was up or the table is unavailable. */
  readonly isUnfinished: boolean;
}

/**
 * Cancels the visits of strangers that nobody confirmed in time, of all accounts. An entry that fails stays for the
 * next run, and holds up no other. Writes at once. Safe to repeat, also concurrently and after a kill: an entry goes
 * with the change of its visit.
 */
export async function releaseVisits(table: PatientTable, { now, deadline }: BatchOptions): Promise<ReleaseOutcome> {
  const failures: unknown[] = [];
  let released = 0;
  let isUnfinished = false;
  const patient = table.until(deadline);
  const workOff = async (shard: number): Promise<void> => {
    let after: string | undefined;
    do {
      const page = await listDueReleases(patient, { shard, now, after });
      for (const release of page.releases) {
        if (Date.now() > deadline) throw new StoreUnavailable('The time of the run is over.');
        const isReleased = await releaseVisit(patient, release, now).catch((error: unknown) => {
          if (error instanceof StoreUnavailable) throw error;
          failures.push(error);
          return false;
        });
        if (isReleased) released++;
      }
      after = page.next;
    } while (after !== undefined);
  };
  const shards = Array.from({ length: RELEASE_SHARDS }, (_, shard) => shard);
  await mapWithConcurrency(shards, RELEASE_SHARDS, (shard) =>
    workOff(shard).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error;
      isUnfinished = true;
    }),
  );
  return { released, failures, isUnfinished };
}

const NOT_CONFIRMED = { CancelReasonId: null, CancelReason: 'Not confirmed in time', CanceledBy: 'Booking page' };

/** Cancels a visit that still waits, and removes the entry; of any other only the entry. Whether it did. */
function releaseVisit(table: TableWriter, { PK, SK, Account, Id }: VisitRelease, now: Date): Promise<boolean> {
  const removal = { remove: { PK, SK } };
  const caller = accountCaller(Account, { keyName: NOT_CONFIRMED.CanceledBy });
  return retryOnConflict(async () => {
    const before = await findAppointment(table, caller, Id);
    const isWaiting = before?.Status === Status.Tentative && (before.HeldUntil ?? Infinity) <= now.getTime();
    if (!isWaiting) {
      await table.commit([removal, ...(before ? [unchangedAppointment(Account, before)] : [])]);
      return false;
    }
    const CanceledAt = now.getTime();
    const after = { ...before, ...NOT_CONFIRMED, Status: Status.Canceled, HeldUntil: null, CanceledAt };
    const { changes } = await releaseTime({ table, caller, now }, { before, after });
    await table.commit([...changes, removal]);
    return true;
  });
}
