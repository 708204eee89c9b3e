import { Status, appointmentDate, statusName } from '../../domain/appointments/record.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { conflict, orInvalid } from '../../shared/failure.ts';
import { parseMoment } from '../../shared/time/read-moments.ts';
import { toFriendly } from '../../shared/time/time.ts';

/** Throws conflict if the appointment is canceled, or has another time than the caller saw, and says which. */
export function requireExpectedTime(
  appointment: AppointmentRecord,
  expected: string | null | undefined,
  zone: string,
): void {
  if (!expected) return;
  const { at } = orInvalid(parseMoment(expected, zone), 'ExpectedDateTime');
  const date = appointmentDate(appointment, zone);
  if (date === at && appointment.Status !== Status.Canceled) return;
  const time = date === null ? 'no time' : toFriendly(date, zone);
  const now = `${statusName(appointment.Status)}, ${time}`;
  throw conflict('wrong_state', `Appointment ${appointment.Id} was changed since you saw it: it is ${now}.`);
}
