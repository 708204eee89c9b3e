import { Status, appointmentDate, statusName } from '../../domain/appointments/record.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ExpectedInput } from '../../resources/appointments.ts';
import { conflict, orInvalid } from '../../shared/failure.ts';
import { parseMoment } from '../../shared/time/read-moments.ts';
import { toFriendly } from '../../shared/time/time.ts';

/**
 * Throws conflict if the appointment has another time or agent than the caller saw, or is canceled and a time is
 * expected; and says how it is now.
 */
export function requireExpected(
  appointment: AppointmentRecord,
  { ExpectedDateTime: expected, ExpectedServiceAgentId: agentId }: ExpectedInput,
  zone: string,
): void {
  const date = appointmentDate(appointment, zone);
  const isAsExpected = (): boolean => {
    if (!expected) return true;
    const { at } = orInvalid(parseMoment(expected, zone), 'ExpectedDateTime');
    return date === at && appointment.Status !== Status.Canceled;
  };
  if (isAsExpected() && (!agentId || agentId === appointment.ServiceAgentId)) return;
  const time = date === null ? 'no time' : toFriendly(date, zone);
  const agent = appointment.ServiceAgentName && `, ${appointment.ServiceAgentName}`;
  const now = `${statusName(appointment.Status)}, ${time}${agent}`;
  throw conflict('wrong_state', `Appointment ${appointment.Id} was changed since you saw it: it is ${now}.`);
}
