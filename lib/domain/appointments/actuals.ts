import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { FieldError } from '../../shared/failure.ts';
import { wholeSecond } from '../../shared/time/time.ts';
import { Status } from './record.ts';

/** Milliseconds since 1970; `undefined` leaves a value, `null` clears it. */
interface ActualsInput {
  readonly start: number | null | undefined;
  readonly finish: number | null | undefined;
}

type Actuals = Pick<AppointmentRecord, 'ActualStart' | 'ActualFinish' | 'Status'>;

/**
 * The actuals after a request and the resulting status: Completed if finished, else Started if started. A new start
 * alone reopens a Completed appointment and clears its finish.
 */
export function applyActuals(
  before: Actuals,
  { start, finish }: ActualsInput,
): { readonly actuals: Actuals; readonly errors: readonly FieldError[] } {
  const reopens =
    before.Status === Status.Completed && start != null && finish === undefined && start !== before.ActualStart;
  const ActualStart = start === undefined ? before.ActualStart : start;
  const ActualFinish = reopens ? null : finish === undefined ? before.ActualFinish : finish;
  const isReversed = ActualStart !== null && ActualFinish !== null && ActualFinish < ActualStart;
  const status = ActualFinish !== null ? Status.Completed : ActualStart !== null ? Status.Started : before.Status;
  return {
    actuals: { ActualStart, ActualFinish, Status: status },
    errors: isReversed ? [{ field: 'ActualFinish', code: 'range', message: 'must not be before ActualStart' }] : [],
  };
}

/** The actuals of an appointment whose status changes without times: unknown ones are set to this second. */
export function actualsForStatus(
  { ActualStart, ActualFinish }: Omit<Actuals, 'Status'>,
  status: number,
  now: number,
): Omit<Actuals, 'Status'> {
  const second = wholeSecond(now);
  if (status === Status.Started) return { ActualStart: ActualStart ?? second, ActualFinish: null };
  if (status === Status.Completed) return { ActualStart, ActualFinish: ActualFinish ?? second };
  return { ActualStart, ActualFinish };
}
