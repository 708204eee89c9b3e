import type { ArrivalWindow, OrganizationRecord } from '../../entities/organizations.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import { type FieldError, collectErrors } from '../../shared/failure.ts';
import {
  type Interval,
  type LocalDay,
  type Timeframe,
  ANYTIME,
  dayAt,
  gridStarts,
  instantAtMinute,
  parseTimeframe,
} from './calendar.ts';
import { formatDay, formatHours } from './explain.ts';

/**
 * Arrival windows, which clients see instead of the start. A window includes its beginning but not its end, which
 * belongs to the next one; the duration of the work does not matter.
 */

/** Decides which windows a client is offered. */
interface Offering {
  readonly organization: Pick<OrganizationRecord, 'ArrivalWindows' | 'Timezone'>;
  readonly service: Pick<ServiceRecord, 'ExactTimes'>;
}

/** The windows that clients of a service are offered, by their beginnings; empty for exact times. */
export const arrivalWindowsOf = ({ organization, service }: Offering): Timeframe[] =>
  service.ExactTimes ? [] : organization.ArrivalWindows.map(({ From: from, Through: to }) => ({ from, to }));

export const isWithin = (start: number, window: Interval): boolean => window.start <= start && start < window.end;

/**
 * The windows of a day that lie in a timeframe, by the clock: 1:00–3:00 in New York lasts an hour on 2026-03-08 and
 * three on 2026-11-01; 2:00–3:00 is not a window on the former.
 */
export const arrivalWindowsOn = (
  day: LocalDay,
  windows: readonly Timeframe[],
  timeframe: Timeframe = ANYTIME,
): Interval[] =>
  windows
    .filter(({ from, to }) => timeframe.from <= from && to <= timeframe.to)
    .map(({ from, to }) => ({ start: instantAtMinute(day, from), end: instantAtMinute(day, to) }))
    .filter(({ start, end }) => start < end);

function windowsAround(offering: Offering, start: number): Interval[] {
  const windows = arrivalWindowsOf(offering);
  return windows.length ? arrivalWindowsOn(dayAt(start, offering.organization.Timezone), windows) : [];
}

/** The first window that contains a start; `undefined` for a start outside all of them. */
export const arrivalWindowAround = (offering: Offering, start: number): Interval | undefined =>
  windowsAround(offering, start).find((window) => isWithin(start, window));

/** The window that begins at a moment. */
export const arrivalWindowAt = (offering: Offering, start: number): Interval | undefined =>
  windowsAround(offering, start).find((window) => window.start === start);

/** The grid starts of a window's day that lie in the window, in order. */
export const startsWithin = (window: Interval, zone: string, granularity: number): number[] =>
  gridStarts(dayAt(window.start, zone), granularity, ANYTIME).filter((at) => isWithin(at, window));

/** `Sun, Mar 8 2026 8:00 AM to 10:00 AM`. */
export const formatWindow = (window: Interval, zone: string): string =>
  `${formatDay(window.start, zone)} ${formatHours(window, zone)}`;

/** Why none of the starts in a window can be booked. */
export const describeFullWindow = (window: Interval, zone: string, reason: string): string =>
  `No time is free in the arrival window ${formatWindow(window, zone)}. ${reason}`;

/** As in the company file: `8:00` and `10:00`. */
export interface ArrivalWindowInput {
  readonly From?: string | null | undefined;
  readonly Through?: string | null | undefined;
}

const MAX_WINDOWS = 48;

/** Applies the windows of a company file; each has a different beginning, which identifies it. */
export function applyArrivalWindows(
  before: readonly ArrivalWindow[],
  input: readonly ArrivalWindowInput[] | null | undefined,
): { windows: readonly ArrivalWindow[]; errors: FieldError[] } {
  if (input === undefined) return { windows: before, errors: [] };
  const parsed = (input ?? []).map(({ From, Through }) => parseTimeframe(`${From ?? ''}-${Through ?? ''}`));
  const errors = parsed.flatMap((window, index) =>
    collectErrors(
      [
        `[${index}].Through`,
        !window && 'must be later than from; both are times of one day like 8:00 and 17:30, 24:00 at its end',
        'format',
      ],
      [
        `[${index}].From`,
        parsed.findIndex((other) => other && other.from === window?.from) < index && window && 'repeats another window',
        'duplicate',
      ],
    ),
  );
  const isLong = parsed.length > MAX_WINDOWS && `has ${parsed.length} windows, and may have ${MAX_WINDOWS}`;
  const windows = parsed.flatMap((window) => (window ? [{ From: window.from, Through: window.to }] : []));
  return {
    windows: windows.sort((one, other) => one.From - other.From),
    errors: [...errors, ...collectErrors(['', isLong, 'limit'])],
  };
}
