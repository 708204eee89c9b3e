import type { TimeSlot } from '../../resources/organizations.ts';
import type { AgentCalendar, DayOff, Job, Timeframe } from './calendar.ts';
import { type LocalDay, instantAtMinute } from './days.ts';
import { type Interval, merge, subtract } from './intervals.ts';

const MIDNIGHT = 1440;

const isWithin = (date: string, from: string, through: string): boolean =>
  (from === '' || from <= date) && (through === '' || date <= through);

/** Minutes `start` … `start + minutes` of the clock of a day, no further than its midnight. */
const shiftOn = (day: LocalDay, start: number, minutes: number): Interval => ({
  start: instantAtMinute(day, start),
  end: instantAtMinute(day, Math.min(start + minutes, MIDNIGHT)),
});

/** Holidays or time off on the days, as merged intervals. */
export function timeOffOn(days: readonly LocalDay[], off: readonly DayOff[]): Interval[] {
  if (!off.length) return [];
  const taken = days.flatMap((day) =>
    off
      .filter(({ From, Through }) => From <= day.date && day.date <= Through)
      .map(({ StartMinute, Minutes }) =>
        StartMinute === null ? { start: day.start, end: day.end } : shiftOn(day, StartMinute, Minutes ?? MIDNIGHT),
      ),
  );
  return merge(taken);
}

/**
 * Weekly hours on the days, as merged intervals: shifts that adjoin are one, also over midnight, as a job may go
 * through both. Hours are those of the clock. A shift of Sunday 0:00–8:00 in New York lasts 7 hours on 2026-03-08,
 * whose 2:00–3:00 does not exist, and 9 on 2026-11-01, whose 1:00–2:00 comes twice; 2:00–3:00 is nothing on the former;
 * 0:30–1:30 is one hour on the latter, as its end is the first 1:30 (see `firstInstantAt`), and 1:30–2:30 is two. On
 * Lord Howe the same shift has 7.5 and 8.5 hours.
 */
export function workingHoursOn(
  days: readonly LocalDay[],
  slots: readonly TimeSlot[],
  { StartDate, EndDate }: Pick<AgentCalendar['agent'], 'StartDate' | 'EndDate'>,
): Interval[] {
  const shifts: Interval[] = [];
  for (const day of days) {
    if (!isWithin(day.date, StartDate, EndDate)) continue;
    for (const slot of slots) {
      if (slot.DayOfWeek !== null && slot.DayOfWeek !== day.weekday) continue;
      if (isWithin(day.date, slot.StartDate, slot.EndDate)) shifts.push(shiftOn(day, slot.StartMinute, slot.Minutes));
    }
  }
  return merge(shifts);
}

/** Those hours without the holidays (as `timeOffOn` returns them) and the agent's time off. */
export function workingTime(
  days: readonly LocalDay[],
  slots: readonly TimeSlot[],
  { agent, timeOff }: AgentCalendar,
  holidays: readonly Interval[],
): Interval[] {
  return subtract(subtract(workingHoursOn(days, slots, agent), holidays), timeOffOn(days, timeOff));
}

/** Working time without jobs, and the jobs around it, wherever in time they are. */
export interface Gap extends Interval {
  /** The start of the working time that holds the gap. */
  readonly windowStart: number;
  /** The last job that ends by then; of several that end at once the one that began last, then the greater id. */
  readonly before: Job | null;
  /** The first job that starts from then on; of several that start at once the lesser id. */
  readonly after: Job | null;
}

const byStart = (one: Job, other: Job): number => one.start - other.start || one.appointmentId - other.appointmentId;
/** As the table returns them. */
const isSorted = (jobs: readonly Job[]): boolean =>
  jobs.every((job, index) => index === 0 || byStart(jobs[index - 1] as Job, job) <= 0);

/**
 * The jobs that take time of each agent, by start, then appointment id; without those of one appointment (`except`).
 */
export function jobsByAgent(jobs: readonly Job[], except: number | undefined): Map<number, Job[]> {
  const byAgent = new Map<number, Job[]>();
  for (const job of jobs) {
    if (job.end <= job.start || job.appointmentId === except) continue;
    const own = byAgent.get(job.agentId);
    if (own) own.push(job);
    else byAgent.set(job.agentId, [job]);
  }
  for (const own of byAgent.values()) if (!isSorted(own)) own.sort(byStart);
  return byAgent;
}

/**
 * The gaps of an agent that are at least `least` long, in one pass over its working time and its jobs, both by start:
 * work 8–17 and jobs 9–10, 10–11, 16–18 leave 8–9 and 11–16. Jobs may overlap one another and lie outside working
 * time, as SkipConflictChecks allows.
 */
export function findGaps(working: readonly Interval[], jobs: readonly Job[], least: number): Gap[] {
  const gaps: Gap[] = [];
  let before: Job | null = null;
  let next = 0;
  for (const { start: windowStart, end } of working) {
    let at: number = windowStart;
    for (;;) {
      if (before) at = Math.max(at, before.end);
      const job: Job | undefined = jobs[next];
      const until = job && job.start < end ? job.start : end;
      if (at < until && least <= until - at)
        gaps.push({ start: at, end: until, windowStart, before, after: job ?? null });
      if (!job || job.start >= end) break;
      if (!before || job.end >= before.end) before = job;
      next++;
    }
  }
  return gaps;
}

export const ANYTIME: Timeframe = { from: 0, to: 1440 };

const NAMED_TIMEFRAMES: Readonly<Record<string, Timeframe>> = {
  anytime: ANYTIME,
  morning: { from: 0, to: 720 },
  afternoon: { from: 720, to: 1020 },
  evening: { from: 1020, to: 1440 },
};

export const TIMEFRAME_HELP =
  'must be Anytime, Morning (to 12:00), Afternoon (12:00 to 17:00), Evening (from 17:00) or HH:MM-HH:MM within a day';

/** `Morning` → 0–720 in any case, `9:00-12:30` → 540–750, `""` → Anytime; `undefined` for any other text. */
export function parseTimeframe(text: string | null | undefined): Timeframe | undefined {
  const name = text?.trim().toLowerCase() || 'anytime';
  if (Object.hasOwn(NAMED_TIMEFRAMES, name)) return NAMED_TIMEFRAMES[name];
  const parts = /^(\d{1,2}):([0-5]\d)\s*-\s*(\d{1,2}):([0-5]\d)$/.exec(name)?.slice(1).map(Number);
  if (!parts) return undefined;
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = parts;
  const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute];
  return from < to && to <= MIDNIGHT ? { from, to } : undefined;
}
