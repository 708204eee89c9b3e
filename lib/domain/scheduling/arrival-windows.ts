import type { OrganizationRecord } from '../../entities/organizations.ts';
import {
  type Interval,
  type LocalDay,
  type Timeframe,
  ANYTIME,
  dayAt,
  gridStarts,
  instantAtMinute,
} from './calendar.ts';
import { formatDay, formatHours } from './explain.ts';

/**
 * Arrival windows: what clients see in place of the start. A start is in a window from its beginning on, and its
 * end belongs to the next; how long the work takes does not matter.
 */

/** The windows that clients are offered, by their beginnings; none: exact times. */
export const arrivalWindowsOf = ({ ArrivalWindows }: Pick<OrganizationRecord, 'ArrivalWindows'>): Timeframe[] =>
  ArrivalWindows.map(({ From: from, Through: to }) => ({ from, to }));

export const isWithin = (start: number, window: Interval): boolean => window.start <= start && start < window.end;

/**
 * The windows of a day that lie in a timeframe, by the clock: 1:00–3:00 in New York lasts an hour on 2026-03-08 and
 * three on 2026-11-01; 2:00–3:00 is no window on the former.
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

type Offering = Pick<OrganizationRecord, 'ArrivalWindows' | 'Timezone'>;

const windowsAround = (organization: Offering, start: number): Interval[] =>
  organization.ArrivalWindows.length
    ? arrivalWindowsOn(dayAt(start, organization.Timezone), arrivalWindowsOf(organization))
    : [];

/** The first window of an organization that holds a start; `undefined` for a start outside of all. */
export const arrivalWindowAround = (organization: Offering, start: number): Interval | undefined =>
  windowsAround(organization, start).find((window) => isWithin(start, window));

/** The window of an organization that begins at a moment. */
export const arrivalWindowAt = (organization: Offering, start: number): Interval | undefined =>
  windowsAround(organization, start).find((window) => window.start === start);

/** The starts on the grid of a day that a window of it holds, in order. */
export const startsWithin = (window: Interval, zone: string, granularity: number): number[] =>
  gridStarts(dayAt(window.start, zone), granularity, ANYTIME).filter((at) => isWithin(at, window));

/** `Sun, Mar 8 2026 8:00 AM to 10:00 AM`. */
export const formatWindow = (window: Interval, zone: string): string =>
  `${formatDay(window.start, zone)} ${formatHours(window, zone)}`;

/** Why none of the starts of a window is booked. */
export const describeFullWindow = (window: Interval, zone: string, reason: string): string =>
  `No time is free in the arrival window ${formatWindow(window, zone)}. ${reason}`;
