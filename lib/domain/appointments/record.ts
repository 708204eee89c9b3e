import type { New } from '../../entities/declaration/entity.ts';
import { type AppointmentRecord, appointmentEntity } from '../../entities/appointments.ts';
import { toFriendly, toLocalDate } from '../../shared/time/format-moments.ts';
import { startOfDate } from '../../shared/time/zones.ts';
import { Status } from './status.ts';

/** A new appointment: queued, unless `input` says otherwise. */
export const blankAppointment = (
  input: Omit<New<typeof appointmentEntity.fields>, 'Status' | 'Start'> & Partial<AppointmentRecord>,
): AppointmentRecord => appointmentEntity.blank({ Status: Status.Queued, Start: null, ...input });

export const isOver = ({ Status: status }: Pick<AppointmentRecord, 'Status'>): boolean =>
  status === Status.Completed || status === Status.Canceled;

/** The start of an appointment, or of the day for which it is queued; null without either. */
export const appointmentDate = (
  { Start, QueueDate }: Pick<AppointmentRecord, 'Start' | 'QueueDate'>,
  zone: string,
): number | null => Start ?? (QueueDate ? startOfDate(QueueDate, zone) : null);

/** Without time and agents, for a date or else for the day of its former time. */
export const toQueued = (appointment: AppointmentRecord, date: string, now: number): AppointmentRecord => ({
  ...appointment,
  Status: Status.Queued,
  QueueDate: date || appointment.QueueDate || toLocalDate(appointment.Start ?? now, appointment.Zone),
  Start: null,
  ServiceAgentId: 0,
  ServiceAgentName: '',
  AdditionalAgents: [],
  DriveTimeMinutes: 0,
  DriveTimeWarning: false,
  CancelReasonId: null,
});

/** Appends a note on its own line, with the time: `Sun, Mar 8 2026 9:00 AM: Gate is open.` */
export function appendNote(
  appointment: AppointmentRecord,
  note: string | null | undefined,
  now: Date,
): AppointmentRecord {
  const text = note?.trim();
  if (!text) return appointment;
  const line = `${toFriendly(now.getTime(), appointment.Zone)}: ${text}`;
  return { ...appointment, Notes: appointment.Notes ? `${appointment.Notes}\n${line}` : line };
}
