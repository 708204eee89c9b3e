import { toLocalDate } from '../moments-out.ts';
import type { DayOff } from '../scheduling/calendar.ts';
import { dayAt } from '../scheduling/days.ts';
import type { Holiday, TimeOff } from '../time-off.ts';
import { offsetAt } from '../zones.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

const wholeDays = (Name: string, From: string, Through: string): DayOff => ({ Name, From, Through, StartMinute: null, Minutes: null });

/** Holidays as the calendar has them. */
export const holidaysOff = (holidays: readonly Holiday[]): DayOff[] => holidays.map(({ Date, Name }) => wholeDays(Name || 'holiday', Date, Date));

/** Minute of the clock, 0 to 1439. */
const clockMinute = (at: number, zone: string): number => Math.floor((((at + offsetAt(at, zone)) % DAY) + DAY) % DAY / MINUTE);

/**
 * A stretch of time off as the calendar has it: whole days as one, else the rest of the first day, the days between, and the beginning of the last. New
 * York, 03-06 12:00 until 03-09 9:00: 03-06 from minute 720, 03-07 to 03-08 whole, 03-09 540 minutes from midnight.
 */
export function timeOffDays({ From, Until, Reason }: TimeOff, zone: string): DayOff[] {
  if (Until <= From) return [];
  const Name = Reason || 'time off';
  const [first, last] = [dayAt(From, zone), dayAt(Until - 1, zone)];
  const beginsAtMidnight = From <= first.start;
  const endsAtMidnight = Until >= last.end;
  const StartMinute = beginsAtMidnight ? 0 : clockMinute(From, zone);
  if (beginsAtMidnight && endsAtMidnight) return [wholeDays(Name, first.date, last.date)];
  // Rounded up: a minute begun is off.
  const endMinute = Math.ceil((((Until + offsetAt(Until - 1, zone)) % DAY) + DAY) % DAY / MINUTE) || 1440;
  if (first.date === last.date) {
    const Minutes = endsAtMidnight ? null : endMinute - StartMinute;
    return [{ Name, From: first.date, Through: first.date, StartMinute, Minutes }];
  }
  const between = toLocalDate(first.end, zone);
  const beforeLast = toLocalDate(last.start - 1, zone);
  const opening: DayOff[] = beginsAtMidnight ? [] : [{ Name, From: first.date, Through: first.date, StartMinute, Minutes: null }];
  const closing: DayOff[] = endsAtMidnight ? [] : [{ Name, From: last.date, Through: last.date, StartMinute: 0, Minutes: endMinute }];
  const from = beginsAtMidnight ? first.date : between;
  const through = endsAtMidnight ? last.date : beforeLast;
  return [...opening, ...(from <= through ? [wholeDays(Name, from, through)] : []), ...closing];
}
