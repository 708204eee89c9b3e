import type { Position } from '../postal/miles.ts';
import type { Calendar, Job, Work } from './calendar.ts';
import { MINUTE, type LocalDay } from './days.ts';
import type { Gap } from './gaps.ts';
import type { Interval } from './intervals.ts';

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
function arrivalOf({ windowStart, before }: Gap, working: readonly Interval[], day: LocalDay, dayBefore: LocalDay): Arrival {
  const isOvernight = windowStart < day.start;
  const begins = isOvernight ? Math.max(windowStart, dayBefore.start) : day.start;
  if (before && before.end > begins) return { since: before.end, from: before };
  const opens = isOvernight ? begins : (working.find(({ start }) => start >= day.start)?.start ?? windowStart);
  return { since: opens, from: null };
}

/** The room of a gap for starts on `day`. An appointment of the day before, too, must be left in time to arrive. */
export function roomIn(gap: Gap, working: readonly Interval[], [dayBefore, day]: readonly [LocalDay, LocalDay], { startPosition, driveTimes }: Pick<Calendar, 'startPosition' | 'driveTimes'>, work: Work): Room {
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
export function isTight(start: number, { since, drive, driveOn }: Room, { after }: Gap, { fixedLocation, minutes }: Work): boolean {
  if (fixedLocation) return false;
  const timeOn = after ? after.start - start - minutes * MINUTE : Infinity;
  return start - since < drive * MINUTE + SPARE || timeOn < driveOn * MINUTE + SPARE;
}
