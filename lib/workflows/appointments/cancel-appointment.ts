import type { AppointmentRecord } from '../../entities/appointments.ts';
import { Status } from '../../domain/appointments/record.ts';
import type { CancelInput, CancelReason } from '../../resources/appointments.ts';
import { invalid, orNotFound } from '../../shared/failure.ts';
import { findAppointment } from '../../store/appointments.ts';
import { settingsOf } from '../../store/settings.ts';
import { changeAppointmentStatus } from '../booking/place.ts';
import type { WriteContext } from '../context.ts';
import type { Booking } from '../booking/types.ts';
import { releaseTime } from '../booking/release.ts';
import { requireExpected } from './require-expected.ts';

/** Cancels an appointment for one of the account's reasons and releases its time. */
export async function cancelAppointment(
  { AppointmentId, CancelReasonId, UpdateNote, Notes, ...expected }: CancelInput,
  context: WriteContext,
): Promise<Booking> {
  const { store } = context;
  const [found, reasons] = await Promise.all([
    findAppointment(store, AppointmentId ?? 0),
    settingsOf<CancelReason>(store, 'CancelReason'),
  ]);
  const before = orNotFound(found, 'appointment', 'AppointmentId', AppointmentId);
  requireExpected(before, expected, before.Zone);
  const reason = reasons.find(({ Id }) => Id === CancelReasonId);
  if (!reason) {
    const choices = reasons.map(({ Id, Reason }) => `${Id} ${Reason}`).join(', ');
    const problem = CancelReasonId ? `${CancelReasonId} does not exist` : 'is required';
    throw invalid({
      field: 'CancelReasonId',
      code: CancelReasonId ? 'not_found' : 'required',
      message: `${problem}. Use one of: ${choices}.`,
    });
  }
  // A client that sends back the answer of appointments/find repeats the stored notes.
  const added = before.Notes.includes(Notes?.trim() ?? '') ? [UpdateNote] : [UpdateNote, Notes];
  const note = [...new Set(added.map((text) => text?.trim()))].filter(Boolean).join('\n');
  return cancelFor({ CancelReasonId: reason.Id, CancelReason: reason.Reason }, context, { before, note });
}

/** Cancels an appointment and releases its time. CancelReasonId is null for a reason that the account does not list. */
export function cancelFor(
  reason: Pick<AppointmentRecord, 'CancelReasonId' | 'CancelReason'>,
  context: WriteContext,
  { before, note }: { readonly before: AppointmentRecord; readonly note: string | null | undefined },
): Promise<Booking> {
  const { caller, now } = context;
  const canceled = changeAppointmentStatus(before, Status.Canceled, caller);
  const after = { ...canceled, ...reason, CanceledBy: caller.keyName, CanceledAt: now.getTime() };
  return releaseTime(context, { before, after, note });
}
