import { type Position, miles } from '../postal/miles.ts';
import type { Calendar, DriveTimes, Job, Work } from './calendar.ts';
import { type LocalDay, dayAfter, dayAt, dayBefore } from './days.ts';
import type { Gap } from './hours.ts';
import type { Interval } from './intervals.ts';
import { MINUTE } from '../../shared/time.ts';

/** A gap is warned of when it is less than this longer than the drive. */
const SPARE = 10 * MINUTE;

/** Where the agent comes from, and when the time for that drive begins. */
interface Arrival {
  readonly since: number;
  /** The appointment before; null: the first of the day, from StartAddress. */
  readonly from: Job | null;
}

/** Between which moments work may start in a gap on a day, driving included; none when `first` is after `last`. */
export interface Room extends Arrival {
  readonly first: number;
  readonly last: number;
  /** Minutes from where the agent comes to the work, and from there to the appointment after. */
  readonly drive: number;
  readonly driveOn: number;
}

/**
 * Where the agent comes from. The agent's day begins at midnight, or, where the working time runs on from the evening before, at its beginning (at most
 * one day back, so that crews who never close have days too). The appointment before is that of the same day; without one the drive is from
 * StartAddress and takes working time: hours 8:00–17:00 and 20 minutes from StartAddress allow 8:20 at the earliest.
 */
function arrivalOf(
  { windowStart, before }: Gap,
  working: readonly Interval[],
  day: LocalDay,
  dayBefore: LocalDay,
): Arrival {
  const isOvernight = windowStart < day.start;
  const begins = isOvernight ? Math.max(windowStart, dayBefore.start) : day.start;
  if (before && before.end > begins) return { since: before.end, from: before };
  const opens = isOvernight ? begins : (working.find(({ start }) => start >= day.start)?.start ?? windowStart);
  return { since: opens, from: null };
}

/** The room of a gap for starts on `day`. An appointment of the day before, too, must be left in time to arrive. */
export function roomInGap(
  gap: Gap,
  working: readonly Interval[],
  [dayBefore, day]: readonly [LocalDay, LocalDay],
  { startPosition, driveTimes }: Pick<Calendar, 'startPosition' | 'driveTimes'>,
  work: Work,
): Room {
  const drives = (from: Position | null, to: Position | null) => (work.fixedLocation ? 0 : driveTimes(from, to));
  const arrival = arrivalOf(gap, working, day, dayBefore);
  const { before, after } = gap;
  const fromBefore = before ? drives(before.position, work.position) : 0;
  const drive = arrival.from ? fromBefore : drives(startPosition, work.position);
  const driveOn = after ? drives(work.position, after.position) : 0;
  const length = work.minutes * MINUTE;
  return {
    ...arrival,
    drive,
    driveOn,
    first: Math.max(gap.start, arrival.since + drive * MINUTE, before ? before.end + fromBefore * MINUTE : -Infinity),
    last: Math.min(gap.end, after ? after.start - driveOn * MINUTE : Infinity) - length,
  };
}

/** Whether there is little time to spare, under 10 minutes, on the way to work that starts then or from it to the next; never where nobody drives. */
export function isTight(
  start: number,
  { since, drive, driveOn }: Room,
  { after }: Gap,
  { fixedLocation, minutes }: Work,
): boolean {
  if (fixedLocation) return false;
  const timeOn = after ? after.start - start - minutes * MINUTE : Infinity;
  return start - since < drive * MINUTE + SPARE || timeOn < driveOn * MINUTE + SPARE;
}

/** Miles of road a great-circle mile takes. */
const DETOUR = 1.3;
export const DEFAULT_SPEED = 30;

/**
 * Driving by great-circle miles × 1.3 at a speed in miles an hour, rounded up; places are centres of postal codes, so that it is 0 within one. A degree
 * of latitude, 69.093 miles: 69.093 · 1.3 / 30 · 60 = 179.64, 180 minutes.
 */
export function greatCircleDriving(speed: number = DEFAULT_SPEED): DriveTimes {
  const minutesAMile = (DETOUR * 60) / speed;
  // A hair less, so that a product like 30.000000000000004 is not 31; and no minutes are 0, not −0.
  return (from, to) => (from && to ? Math.max(0, Math.ceil(miles(from, to) * minutesAMile - 1e-9)) : 0);
}

/** The days starts are looked for, and all whose hours and jobs bear on them: the day before, and those a job begun on the last may run into. */
export interface Span {
  readonly days: readonly [LocalDay, ...LocalDay[]];
  readonly around: readonly [LocalDay, ...LocalDay[]];
  /** The end of the last of `days`. */
  readonly end: number;
}

/** `count` days of a zone, one at least, from the one that holds `from`, for work of so many minutes. */
export function visitSpan(zone: string, from: number, count: number, { minutes }: Pick<Work, 'minutes'>): Span {
  const days: [LocalDay, ...LocalDay[]] = [dayAt(from, zone)];
  let day = days[0];
  while (days.length < count) days.push((day = dayAfter(day)));
  const { end } = day;
  const around: Span['around'] & LocalDay[] = [dayBefore(days[0]), ...days];
  for (day = dayAfter(day); day.start < end + minutes * MINUTE; day = dayAfter(day)) around.push(day);
  return { days, around, end };
}

/** The time whose jobs a calendar must hold for a search or, with one day, a check: New York, 14 days from 2026-03-08, 2 hours: 03-07 0:00 to 03-23 0:00. */
export function reachableSpan(zone: string, from: number, count: number, work: Pick<Work, 'minutes'>): Interval {
  const { around } = visitSpan(zone, from, count, work);
  return { start: around[0].start, end: (around.at(-1) ?? around[0]).end };
}
