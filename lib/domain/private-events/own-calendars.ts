import type { CalendarState } from '../../entities/agent-calendars.ts';
import { DAY, HOUR, MINUTE, SECOND, firstInstantAt } from '../../shared/time/time.ts';
import { type Interval, dayAt } from '../scheduling/calendar.ts';

/** The rules of reading agents' own calendars. */

/** Days after today for which private events are read. */
const DAYS_AHEAD = 366;

/** How long the last times of a calendar that cannot be read stay, and how long one may fail that never was read. */
const GRACE = DAY;
const FIRST_GRACE = HOUR;

/** The time that is read: from the beginning of yesterday. */
export function readWindow(now: number, zone: string): Interval {
  const { midnight } = dayAt(now, zone);
  return { start: firstInstantAt(midnight - DAY, zone), end: firstInstantAt(midnight + (DAYS_AHEAD + 1) * DAY, zone) };
}

/** The days whose times may have to go because they are over, or because the calendar is removed. */
const CLEARED_BACK = 40 * DAY;
export const clearedWindow = ({ start, end }: Interval): Interval => ({ start: start - CLEARED_BACK, end });

export const newState = (Id: string): CalendarState => ({
  Id,
  ETag: '',
  Modified: '',
  Digest: '',
  Day: '',
  Zone: '',
  Times: 0,
  Minutes: 0,
  TriedAt: null,
  ReadAt: null,
  FailingSince: null,
  Reason: '',
  TaskId: 0,
});

/** How many times, and minutes, are busy. */
export const sizeOf = (times: readonly Interval[]) => ({
  Times: times.length,
  Minutes: Math.round(times.reduce((sum, { start, end }) => sum + end - start, 0) / MINUTE),
});

/** The state after a failure. */
export const afterFailure = (state: CalendarState, reason: string, now: number): CalendarState => ({
  ...state,
  TriedAt: now,
  FailingSince: state.FailingSince ?? now,
  Reason: reason,
});

/** Whether the office must know that a calendar cannot be read, and its times go. */
export const isGivenUp = ({ ReadAt, FailingSince }: CalendarState, now: number): boolean =>
  FailingSince !== null && now - FailingSince >= (ReadAt === null ? FIRST_GRACE : GRACE) - SECOND;
