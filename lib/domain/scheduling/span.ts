import type { Work } from './calendar.ts';
import { dayAfter, dayAt, dayBefore, MINUTE, type LocalDay } from './days.ts';
import type { Interval } from './intervals.ts';

/** The days starts are looked for, and all whose hours and jobs bear on them: the day before, and those a job begun on the last may run into. */
export interface Span {
  readonly days: readonly [LocalDay, ...LocalDay[]];
  readonly around: readonly [LocalDay, ...LocalDay[]];
  /** The end of the last of `days`. */
  readonly end: number;
}

/** `count` days of a zone, one at least, from the one that holds `from`, for work of so many minutes. */
export function spanOf(zone: string, from: number, count: number, { minutes }: Pick<Work, 'minutes'>): Span {
  const days: [LocalDay, ...LocalDay[]] = [dayAt(from, zone)];
  let day = days[0];
  while (days.length < count) days.push((day = dayAfter(day)));
  const { end } = day;
  const around: Span['around'] & LocalDay[] = [dayBefore(days[0]), ...days];
  for (day = dayAfter(day); day.start < end + minutes * MINUTE; day = dayAfter(day)) around.push(day);
  return { days, around, end };
}

/** The time whose jobs a calendar must hold for a search or, with one day, a check: New York, 14 days from 2026-03-08, 2 hours: 03-07 0:00 to 03-23 0:00. */
export function reachOf(zone: string, from: number, count: number, work: Pick<Work, 'minutes'>): Interval {
  const { around } = spanOf(zone, from, count, work);
  return { start: around[0].start, end: (around.at(-1) ?? around[0]).end };
}
