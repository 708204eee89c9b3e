import type { Caller } from '../../lib/api/context.ts';
import { conflict, forbidden } from '../../lib/api/failure.ts';
import type { AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import { moveStatus } from '../../lib/domain/scheduling/lifecycle.ts';

/** The appointment in another status; 409 where the table of transitions has no such change, 403 where the role may not make it. */
export function moved(appointment: AppointmentRecord, to: number, { role }: Caller): AppointmentRecord {
  const move = moveStatus(appointment.Status, to, role);
  if (move.ok) return { ...appointment, Status: to };
  throw move.kind === 'forbidden' ? forbidden(move.message) : conflict(move.message);
}
