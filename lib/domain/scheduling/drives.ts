import { MINUTE } from '../../shared/time/time.ts';
import { type Position, miles } from '../postal/miles.ts';
import type { Calendar, DriveTimes, Interval, Job, LocalDay, Work } from './calendar.ts';
import type { Gap } from './plans.ts';

/** Miles of road for one great-circle mile. */
const DETOUR = 1.3;
/** Miles an hour. */
const DEFAULT_SPEED = 30;

/**
 * Driving by great-circle miles × 1.3, rounded up; addresses are centres of postal codes, so it is 0 within one. A
 * degree of latitude, 69.093 miles: 69.093 · 1.3 / 30 · 60 = 179.64, 180 minutes.
 */
export function greatCircleDriving(speed: number = DEFAULT_SPEED): DriveTimes {
  const minutesAMile = (DETOUR * 60) / speed;
  // A hair less, so that a product like 30.000000000000004 is not 31; and no minutes are 0, not −0.
  return (from, to) => (from && to ? Math.max(0, Math.ceil(miles(from, to) * minutesAMile - 1e-9)) : 0);
}

/** Less time to spare than this is a warning. */
const MIN_SPARE = 10 * MINUTE;

interface Arrival {
  /** When the time for the drive to the work begins. */
  readonly since: number;
  /** The appointment from which the agent comes; null: the first of the day, from StartAddress. */
  readonly from: Job | null;
}

/** When work may start in a gap on a day, drives included; never if `first` is after `last`. */
export interface StartRange extends Arrival {
  readonly first: number;
  readonly last: number;
  /** Minutes of the drive to the work. */
  readonly drive: number;
  /** Minutes of the drive from the work to the next appointment. */
  readonly driveOn: number;
}

/**
 * Where the agent comes from. The appointment before is one of the same day of work: the day of the calendar on which
 * the stretch began, so that a start just before midnight and one just after it have the same drive. A stretch counts
 * for at most one day back, so crews who never close have days too. Without an appointment before, the drive is from
 * StartAddress and takes working time of that day, from its first hour on: 8:00–12:00 and 13:00–17:00 with 20 minutes
 * from StartAddress allow 8:20 at the earliest, and 13:00.
 */
function arrivalIn(
  { windowStart, before }: Gap,
  working: readonly Interval[],
  [previousDay, day]: readonly [LocalDay, LocalDay],
): Arrival {
  const begins = windowStart < day.start ? previousDay.start : day.start;
  if (before && before.end > begins) return { since: before.end, from: before };
  const opens = working.find(({ start }) => start >= begins)?.start ?? windowStart;
  return { since: windowStart < begins ? begins : opens, from: null };
}

/**
 * The starts that a gap allows on the second of two days. An appointment of the day before must also be left in time.
 */
export function startRangeIn(
  gap: Gap,
  working: readonly Interval[],
  days: readonly [LocalDay, LocalDay],
  { startPosition, driveTimes }: Pick<Calendar, 'startPosition' | 'driveTimes'>,
  work: Work,
): StartRange {
  const minutes = (from: Position | null, to: Position | null) => (work.fixedLocation ? 0 : driveTimes(from, to));
  const arrival = arrivalIn(gap, working, days);
  const { before, after } = gap;
  const fromBefore = before ? minutes(before.position, work.position) : 0;
  const drive = arrival.from ? fromBefore : minutes(startPosition, work.position);
  const driveOn = after ? minutes(work.position, after.position) : 0;
  return {
    ...arrival,
    drive,
    driveOn,
    first: Math.max(gap.start, arrival.since + drive * MINUTE, before ? before.end + fromBefore * MINUTE : -Infinity),
    last: Math.min(gap.end, after ? after.start - driveOn * MINUTE : Infinity) - work.minutes * MINUTE,
  };
}

/** Less than 10 minutes to spare on the drive to work that starts then, or from it to the next appointment. */
export function isTightDrive(
  start: number,
  { since, drive, driveOn }: StartRange,
  { after }: Gap,
  { fixedLocation, minutes }: Work,
): boolean {
  if (fixedLocation) return false;
  const timeOn = after ? after.start - start - minutes * MINUTE : Infinity;
  return start - since < drive * MINUTE + MIN_SPARE || timeOn < driveOn * MINUTE + MIN_SPARE;
}
