import { APPOINTMENT_STATUSES } from '../../entities/appointments.ts';

/** The name of a visit's state, in texts and in the style sheet. */
export type VisitStateName = Lowercase<(typeof APPOINTMENT_STATUSES)[number]>;

/** The name of a Status, a number of the interface. */
export const visitState = (status: number): VisitStateName =>
  (APPOINTMENT_STATUSES[status] ?? 'Queued').toLowerCase() as VisitStateName;
