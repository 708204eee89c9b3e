import type { TimeSlot } from '../../resources/service-agents.ts';
import type { AgentCalendar, DayOff } from './calendar.ts';
import { minuteOf, type LocalDay } from './days.ts';
import { merge, subtract, type Interval } from './intervals.ts';

const MIDNIGHT = 1440;

const within = (date: string, from: string, through: string): boolean => (from === '' || from <= date) && (through === '' || date <= through);

/** Minutes `start` … `start + minutes` of the clock of a day, no further than its midnight. */
const stretchOf = (day: LocalDay, start: number, minutes: number): Interval => ({
  start: minuteOf(day, start),
  end: minuteOf(day, Math.min(start + minutes, MIDNIGHT)),
});

/** The time that holidays or time off take of the days, as merged intervals. */
export function timeOffOn(days: readonly LocalDay[], off: readonly DayOff[]): Interval[] {
  if (!off.length) return [];
  const taken = days.flatMap((day) =>
    off
      .filter(({ From, Through }) => From <= day.date && day.date <= Through)
      .map(({ StartMinute, Minutes }) => (StartMinute === null ? { start: day.start, end: day.end } : stretchOf(day, StartMinute, Minutes ?? MIDNIGHT))),
  );
  return merge(taken);
}

/**
 * The time weekly hours give on the days, as merged intervals: shifts that adjoin are one, also over midnight, so that a job may go through both. Hours
 * are those of the clock. A shift of Sunday 0:00–8:00 in New York lasts 7 hours on 2026-03-08, whose 2:00–3:00 does not exist, and 9 on 2026-11-01,
 * whose 1:00–2:00 comes twice; 2:00–3:00 is nothing on the former; 0:30–1:30 is one hour on the latter, as its end is the first 1:30 (see
 * `firstInstantOf`), and 1:30–2:30 is two. On Lord Howe the same shift has 7.5 and 8.5 hours.
 */
export function hoursOn(days: readonly LocalDay[], slots: readonly TimeSlot[], { StartDate, EndDate }: Pick<AgentCalendar['agent'], 'StartDate' | 'EndDate'>): Interval[] {
  const shifts: Interval[] = [];
  for (const day of days) {
    if (!within(day.date, StartDate, EndDate)) continue;
    for (const slot of slots) {
      if (slot.DayOfWeek !== null && slot.DayOfWeek !== day.weekday) continue;
      if (within(day.date, slot.StartDate, slot.EndDate)) shifts.push(stretchOf(day, slot.StartMinute, slot.Minutes));
    }
  }
  return merge(shifts);
}

/** When an agent works on the days: those hours, less the holidays (as `timeOffOn` gives them) and the agent's time off. */
export function workingTime(days: readonly LocalDay[], slots: readonly TimeSlot[], { agent, timeOff }: AgentCalendar, holidays: readonly Interval[]): Interval[] {
  return subtract(subtract(hoursOn(days, slots, agent), holidays), timeOffOn(days, timeOff));
}
