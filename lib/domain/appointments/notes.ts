import { toFriendly } from '../moments-out.ts';
import type { AppointmentRecord } from './record.ts';

/** The appointment with a note appended on a line of its own, with the time: `Sun, Mar 8 2026 9:00 AM: Gate is open.` */
export function appendNote(appointment: AppointmentRecord, note: string | null | undefined, now: Date): AppointmentRecord {
  const text = note?.trim();
  if (!text) return appointment;
  const line = `${toFriendly(now.getTime(), appointment.Zone)}: ${text}`;
  return { ...appointment, Notes: appointment.Notes ? `${appointment.Notes}\n${line}` : line };
}
