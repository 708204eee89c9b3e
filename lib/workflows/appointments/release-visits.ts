import { Status } from '../../domain/appointments/record.ts';
import type { BatchOptions } from '../../shared/batch.ts';
import { findAppointment, unchangedAppointment } from '../../store/appointments.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import type { PatientTable, TableWriter } from '../../store/dynamodb/table.ts';
import { accountCaller } from '../../store/requests/caller.ts';
import { RELEASE_SHARDS, type VisitRelease, listDueReleases } from '../../store/visit-releases.ts';
import { type ListOutcome, workOffList } from '../work-off-list.ts';
import { releaseTime } from '../booking/release.ts';
import { callerContext } from '../context.ts';
import { storeOf } from '../../store/store.ts';

/**
 * Cancels the visits of strangers that nobody confirmed in time, of all accounts. Writes at once. Safe to repeat, also
 * concurrently and after a kill: an entry goes with the change of its visit.
 */
export function releaseVisits(table: PatientTable, { now, deadline }: BatchOptions): Promise<ListOutcome> {
  const patient = table.until(deadline);
  const shards = Array.from(
    { length: RELEASE_SHARDS },
    (_, shard) => (after: string | undefined) => listDueReleases(patient, { shard, now, after }),
  );
  return workOffList(shards, { deadline }, (release) => releaseVisit(patient, release, now));
}

const NOT_CONFIRMED = { CancelReasonId: null, CancelReason: 'Not confirmed in time', CanceledBy: 'Booking page' };

/** Cancels a visit that still waits, and removes the entry; of any other only the entry. Whether it did. */
function releaseVisit(table: TableWriter, { PK, SK, Account, Id }: VisitRelease, now: Date): Promise<boolean> {
  const removal = { remove: { PK, SK } };
  const caller = accountCaller(Account, { keyName: NOT_CONFIRMED.CanceledBy });
  return retryOnConflict(async () => {
    const before = await findAppointment(storeOf(table, caller), Id);
    const isWaiting = before?.Status === Status.Tentative && (before.HeldUntil ?? Infinity) <= now.getTime();
    if (!isWaiting) {
      await table.commit([removal, ...(before ? [unchangedAppointment({ account: Account }, before)] : [])]);
      return false;
    }
    const CanceledAt = now.getTime();
    const after = { ...before, ...NOT_CONFIRMED, Status: Status.Canceled, HeldUntil: null, CanceledAt };
    const { changes } = await releaseTime(callerContext(table, caller, now), { before, after });
    await table.commit([...changes, removal]);
    return true;
  });
}
