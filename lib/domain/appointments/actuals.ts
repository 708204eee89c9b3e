import type { FieldError } from '../../shared/field-errors.ts';
import type { AppointmentRecord } from './record.ts';
import { Status } from './status.ts';

/** When it really began and ended, as a request says it; `undefined` is not said, `null` is cleared. */
export interface Actuals {
  readonly start: number | null | undefined;
  readonly finish: number | null | undefined;
}

type Told = Pick<AppointmentRecord, 'ActualStart' | 'ActualFinish' | 'Status'>;

/**
 * The actuals after a request and the status that follows: Completed with a finish, else Started with a start. A start alone reopens what was Completed:
 * its finish is gone then.
 */
export function applyActuals(
  appointment: Told,
  { start, finish }: Actuals,
): { readonly told: Told; readonly errors: readonly FieldError[] } {
  const reopened =
    appointment.Status === Status.Completed &&
    start != null &&
    finish === undefined &&
    start !== appointment.ActualStart;
  const ActualStart = start === undefined ? appointment.ActualStart : start;
  const ActualFinish = reopened ? null : finish === undefined ? appointment.ActualFinish : finish;
  const backwards = ActualStart !== null && ActualFinish !== null && ActualFinish < ActualStart;
  const status = ActualFinish !== null ? Status.Completed : ActualStart !== null ? Status.Started : appointment.Status;
  return {
    told: { ActualStart, ActualFinish, Status: status },
    errors: backwards ? [{ field: 'ActualFinish', message: 'must not be before ActualStart' }] : [],
  };
}

/** The actuals of an appointment that is given another status without saying when: now, as far as they are not known. */
export const actualsForStatus = (
  { ActualStart, ActualFinish }: Omit<Told, 'Status'>,
  status: number,
  now: number,
): Omit<Told, 'Status'> =>
  status === Status.Started
    ? { ActualStart: ActualStart ?? now, ActualFinish: null }
    : status === Status.Completed
      ? { ActualStart, ActualFinish: ActualFinish ?? now }
      : { ActualStart, ActualFinish };
