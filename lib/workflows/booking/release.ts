import { timeReservations } from '../../domain/appointments/calendar.ts';
import { appendNote } from '../../domain/appointments/record.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { appointmentChanges } from '../../store/appointments.ts';
import { listCalendarDays, timeReservationChanges } from '../../store/calendars.ts';
import type { WriteContext } from '../context.ts';
import type { Booking } from './types.ts';

interface ReleaseRequest {
  readonly before: AppointmentRecord;
  readonly after: AppointmentRecord;
  /** Appended to the notes. */
  readonly note?: string | null | undefined;
}

/** Stores an appointment that takes no new time, and releases the time it gives up in the same transaction. */
export async function releaseTime(
  { store, now }: WriteContext,
  { before, after, note }: ReleaseRequest,
): Promise<Booking> {
  const { OrganizationId } = before;
  const [former, remaining] = [timeReservations(before), timeReservations(after)];
  const days = await listCalendarDays(store, OrganizationId, remaining.length ? [] : former);
  const { record, changes } = appointmentChanges(store, { before, after: appendNote(after, note, now), now });
  const released = timeReservationChanges(store, OrganizationId, days, {
    appointmentId: before.Id,
    before: former,
    after: remaining,
    watched: false,
    now,
  });
  return { appointment: record, changes: [...changes, ...released] };
}
