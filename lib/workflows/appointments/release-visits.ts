import { Status } from '../../domain/appointments/record.ts';
import type { BatchOptions } from '../../shared/batch.ts';
import { findAppointment, unchangedAppointment } from '../../store/appointments.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import type { PatientTable } from '../../store/dynamodb/table.ts';
import { accountCaller } from '../../store/requests/caller.ts';
import { RELEASE_SHARDS, type VisitRelease, listDueReleases } from '../../store/visit-releases.ts';
import { type ListOutcome, workOffList } from '../work-off-list.ts';
import { releaseTime } from '../booking/release.ts';
import { type StoreWriter, accountStore } from '../../store/store.ts';
import { toKey } from '../../store/keys.ts';

/**
 * Cancels strangers' visits that nobody confirmed in time, in all accounts. Writes at once. Safe to repeat, also
 * concurrently and after a kill: the change of a visit also removes its entry.
 */
export function releaseVisits(table: PatientTable, { now, deadline }: BatchOptions): Promise<ListOutcome> {
  const patient = table.until(deadline);
  const shards = Array.from(
    { length: RELEASE_SHARDS },
    (_, shard) => (after: string | undefined) => listDueReleases(patient, { shard, now, after }),
  );
  return workOffList(shards, { deadline }, (release) =>
    releaseVisit(accountStore(patient, release.Account), release, now),
  );
}

const NOT_CONFIRMED = { CancelReasonId: null, CancelReason: 'Not confirmed in time', CanceledBy: 'Booking page' };

/**
 * Cancels a visit that still waits and removes its entry; for any other visit, removes only the entry. Returns whether
 * it canceled.
 */
function releaseVisit(store: StoreWriter, release: VisitRelease, now: Date): Promise<boolean> {
  const removal = { remove: toKey(release) };
  const caller = accountCaller(store.account, { keyName: NOT_CONFIRMED.CanceledBy });
  return retryOnConflict(async () => {
    const before = await findAppointment(store, release.Id);
    const isWaiting = before?.Status === Status.Tentative && (before.HeldUntil ?? Infinity) <= now.getTime();
    if (!isWaiting) {
      await store.table.commit([removal, ...(before ? [unchangedAppointment(store, before)] : [])]);
      return false;
    }
    const CanceledAt = now.getTime();
    const after = { ...before, ...NOT_CONFIRMED, Status: Status.Canceled, HeldUntil: null, CanceledAt };
    const { changes } = await releaseTime({ store, caller, now }, { before, after });
    await store.table.commit([...changes, removal]);
    return true;
  });
}
