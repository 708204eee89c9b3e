import { toLocalDate } from '../moments-out.ts';
import { Status } from '../scheduling/lifecycle.ts';
import type { AppointmentRecord } from './record.ts';

/** An appointment in the queue: without time and agents, for the day it was to be on unless said otherwise. */
export const inQueue = (appointment: AppointmentRecord, date: string, now: number): AppointmentRecord => ({
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
