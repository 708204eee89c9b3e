import { EXACT_TIME } from '../../domain/appointments/record.ts';
import { formatWindow, isWithin, startsWithin } from '../../domain/scheduling/arrival-windows.ts';
import { type Interval, dayAt } from '../../domain/scheduling/calendar.ts';
import { DEFAULT_GRANULARITY } from '../../domain/scheduling/slots.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { SlotInput } from '../../resources/appointments.ts';
import { invalid, orInvalid } from '../../shared/failure.ts';
import { parseMoment } from '../../shared/time/read-moments.ts';

/** The time and the arrival window that a request names. */

type WindowInput = Pick<SlotInput, 'ArrivalFrom' | 'ArrivalThrough'>;

/**
 * The arrival window of a request, both ends on one day: `null` for an exact time, `undefined` where the request says
 * nothing of it. `field` is what its fields are in: `Slots[0].`.
 */
export function parseWindow(
  { ArrivalFrom, ArrivalThrough }: WindowInput,
  zone: string,
  field = 'Slots[0].',
): Interval | null | undefined {
  if (ArrivalFrom === null || ArrivalThrough === null) return null;
  if (!ArrivalFrom && !ArrivalThrough) return undefined;
  const read = (name: keyof WindowInput, text: string | undefined): number => {
    if (!text) throw invalid({ field: `${field}${name}`, code: 'required', message: 'is required with the other end' });
    return orInvalid(parseMoment(text, zone), `${field}${name}`).at;
  };
  const window = { start: read('ArrivalFrom', ArrivalFrom), end: read('ArrivalThrough', ArrivalThrough) };
  const message = 'must be later than ArrivalFrom, on the same day';
  if (window.end <= window.start || window.end > dayAt(window.start, zone).end)
    throw invalid({ field: `${field}ArrivalThrough`, code: 'range', message });
  return window;
}

/** 400 for a start that its own request puts outside the window. */
export function requireWithin(start: number, window: Interval, zone: string, field = 'Slots[0].DateTime'): void {
  if (!isWithin(start, window))
    throw invalid({ field, code: 'mismatch', message: `is outside the arrival window ${formatWindow(window, zone)}` });
}

/** The window as an appointment has it. */
export const toArrival = (window: Interval | null | undefined) =>
  window ? { ArrivalFrom: window.start, ArrivalThrough: window.end } : EXACT_TIME;

/** The starts to try within a window: the one that is asked for, then those of the grid. */
export const startsToTry = (
  start: number | undefined,
  window: Interval,
  { Timezone, OpenTimeGranularity }: OrganizationRecord,
): number[] => {
  const grid = startsWithin(window, Timezone, OpenTimeGranularity ?? DEFAULT_GRANULARITY);
  return start === undefined && grid.length ? grid : [start ?? window.start, ...grid];
};

/** The start of a slot, in the organization's zone unless it has an offset. */
export function parseStart(text: string, zone: string): number {
  const field = 'Slots[0].DateTime';
  const { at, dateOnly } = orInvalid(parseMoment(text, zone), field);
  if (dateOnly) throw invalid({ field, code: 'format', message: 'must have a time of day' });
  return at;
}
