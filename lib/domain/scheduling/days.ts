import { DAY, MINUTE } from '../../shared/time/time.ts';
import { firstInstantAt, offsetAt, resolveWallTime } from '../../shared/time/zones.ts';
import type { Timeframe, Work } from './calendar.ts';
import type { Interval } from './intervals.ts';

/** A day of a zone's calendar: `start` inclusive to `end` exclusive in epoch milliseconds, 23 to 25 hours as a rule. */
export interface LocalDay extends Interval {
  /** `2026-03-08`. */
  readonly date: string;
  /** 0 Sunday to 6 Saturday. */
  readonly weekday: number;
  /** Its midnight as a wall-clock reading (see zones.ts). */
  readonly midnight: number;
  /** No clock changes on it: minute m of the clock is minute m of the day. */
  readonly plain: boolean;
  readonly zone: string;
}

function dayFrom(midnight: number, zone: string): LocalDay {
  const [start, end] = [firstInstantAt(midnight, zone), firstInstantAt(midnight + DAY, zone)];
  const date = new Date(midnight);
  const plain = end - start === DAY && offsetAt(start, zone) === offsetAt(end - 1, zone);
  return { date: date.toISOString().slice(0, 10), weekday: date.getUTCDay(), midnight, start, end, plain, zone };
}

/** The day an instant belongs to. */
export function dayAt(at: number, zone: string): LocalDay {
  const day = dayFrom(Math.floor((at + offsetAt(at, zone)) / DAY) * DAY, zone);
  // St. John's, until 2011: clocks went back over midnight, 0:01 → 23:01, and read yesterday although the day has
  // begun.
  return at < day.end ? day : dayAfter(day);
}

export const dayAfter = ({ midnight, zone }: LocalDay): LocalDay => dayFrom(midnight + DAY, zone);
export const dayBefore = ({ midnight, zone }: LocalDay): LocalDay => dayFrom(midnight - DAY, zone);

/** The instant of a minute of the clock of a day, 0 to 1440, as `firstInstantAt` reads it. */
export const instantAtMinute = (day: LocalDay, minute: number): number =>
  day.plain ? day.start + minute * MINUTE : firstInstantAt(day.midnight + minute * MINUTE, day.zone);

/**
 * The instants of a day at which its clock shows a multiple of `granularity` minutes after midnight, from minute `from`
 * to before minute `to`. A reading that occurs twice counts once, the first time, as does the same text without an
 * offset; one that is jumped over does not count: New York, 2026-03-08, 60 minutes from 0 to 240 are 0:00, 1:00, 3:00;
 * 2026-11-01, 30 minutes from 60 to 150 are 1:00 EDT, 1:30 EDT, 2:00 EST.
 */
export function gridStarts(day: LocalDay, granularity: number, { from, to }: Timeframe): number[] {
  const starts: number[] = [];
  for (let minute = Math.ceil(from / granularity) * granularity; minute < to; minute += granularity) {
    if (day.plain) {
      starts.push(day.start + minute * MINUTE);
      continue;
    }
    const resolved = resolveWallTime(day.midnight + minute * MINUTE, day.zone);
    if (resolved.exists) starts.push(resolved.at);
  }
  return starts;
}

/** Whether work may start on a day. */
export const isInSeason = (
  { date }: Pick<LocalDay, 'date'>,
  { seasonFirst, seasonLast }: Pick<Work, 'seasonFirst' | 'seasonLast'>,
): boolean => date >= (seasonFirst ?? date) && date <= (seasonLast ?? date);

/** The days on which work may start, and all days whose hours and jobs affect them. */
export interface VisitSpan {
  readonly days: readonly [LocalDay, ...LocalDay[]];
  /** The day before `days`, those days, and the days into which work that starts on the last may run. */
  readonly around: readonly [LocalDay, ...LocalDay[]];
  /** The end of the last of `days`. */
  readonly end: number;
}

/** `count` days of a zone, at least one, from the day of `from`, for work of so many minutes. */
export function visitSpan(zone: string, from: number, count: number, { minutes }: Pick<Work, 'minutes'>): VisitSpan {
  const days: [LocalDay, ...LocalDay[]] = [dayAt(from, zone)];
  let day = days[0];
  while (days.length < count) days.push((day = dayAfter(day)));
  const { end } = day;
  const around: VisitSpan['around'] & LocalDay[] = [dayBefore(days[0]), ...days];
  for (day = dayAfter(day); day.start < end + minutes * MINUTE; day = dayAfter(day)) around.push(day);
  return { days, around, end };
}

/**
 * The time whose jobs a calendar must hold for a search or, with one day, a check: New York, 14 days from 2026-03-08,
 * 2 hours: 03-07 0:00 to 03-23 0:00.
 */
export function reachableSpan(zone: string, from: number, count: number, work: Pick<Work, 'minutes'>): Interval {
  const { around } = visitSpan(zone, from, count, work);
  return { start: around[0].start, end: (around.at(-1) ?? around[0]).end };
}
