import { offsetAt, resolveWallTime } from '../../shared/zones.ts';
import { DAY, MINUTE } from '../../shared/time.ts';

/** A day of the calendar of a zone: `start` inclusive to `end` exclusive in epoch milliseconds, 23 to 25 hours as a rule. */
export interface LocalDay {
  /** `2026-03-08`. */
  readonly date: string;
  /** 0 Sunday to 6 Saturday. */
  readonly weekday: number;
  /** Its midnight as a wall-clock reading (see zones.ts). */
  readonly midnight: number;
  readonly start: number;
  readonly end: number;
  /** Whether no clock is changed on it: then minute m of the clock is minute m of the day. */
  readonly plain: boolean;
  readonly zone: string;
}

/**
 * The first instant at which the clock of the zone shows the reading or a later one: the one rule by which every edge of a working time, a day off or a
 * day is placed. A reading that occurs twice is its first occurrence, one that clocks jump over is the end of the jump. Later readings are never
 * earlier instants, hence hours that adjoin on the clock adjoin in time.
 *
 * New York, 2026-03-08: 2:30 is 3:00 EDT (07:00Z). 2026-11-01: 1:30 is 1:30 EDT (05:30Z). Lord Howe, 2026-10-04, half an hour forward at 2:00: 2:15 is
 * 2:30 (15:30Z of the 3rd). Cairo, 2026-04-24, no midnight: the day begins at 1:00 (22:00Z of the 23rd).
 */
export function firstInstantOf(wall: number, zone: string): number {
  const placed = resolveWallTime(wall, zone);
  return placed.exists ? placed.at : placed.resumes;
}

function dayOf(midnight: number, zone: string): LocalDay {
  const [start, end] = [firstInstantOf(midnight, zone), firstInstantOf(midnight + DAY, zone)];
  const date = new Date(midnight);
  const plain = end - start === DAY && offsetAt(start, zone) === offsetAt(end - 1, zone);
  return { date: date.toISOString().slice(0, 10), weekday: date.getUTCDay(), midnight, start, end, plain, zone };
}

/** The day an instant belongs to. */
export function dayAt(at: number, zone: string): LocalDay {
  const day = dayOf(Math.floor((at + offsetAt(at, zone)) / DAY) * DAY, zone);
  // Clocks that went back over midnight (St. John's until 2011, 0:01 → 23:01) read yesterday again although the day has begun.
  return at < day.end ? day : dayAfter(day);
}

export const dayAfter = ({ midnight, zone }: LocalDay): LocalDay => dayOf(midnight + DAY, zone);
export const dayBefore = ({ midnight, zone }: LocalDay): LocalDay => dayOf(midnight - DAY, zone);

/** The instant of a minute of the clock of a day, 0 to 1440, placed as above. */
export const minuteOf = (day: LocalDay, minute: number): number =>
  day.plain ? day.start + minute * MINUTE : firstInstantOf(day.midnight + minute * MINUTE, day.zone);

/**
 * Every instant of a day at which its clock shows a multiple of `granularity` minutes after midnight, from minute `from` to before minute `to`. A
 * reading that occurs twice counts once, the first time, so that what is written without an offset means the same moment; one that is jumped over not
 * at all: New York, 2026-03-08, 60 minutes from 0 to 240 are 0:00, 1:00, 3:00; 2026-11-01, 30 minutes from 60 to 150 are 1:00 EDT, 1:30 EDT, 2:00 EST.
 */
export function gridOf(
  day: LocalDay,
  granularity: number,
  { from, to }: { readonly from: number; readonly to: number },
): number[] {
  const grid: number[] = [];
  for (let minute = Math.ceil(from / granularity) * granularity; minute < to; minute += granularity) {
    if (day.plain) {
      grid.push(day.start + minute * MINUTE);
      continue;
    }
    const placed = resolveWallTime(day.midnight + minute * MINUTE, day.zone);
    if (placed.exists) grid.push(placed.at);
  }
  return grid;
}
