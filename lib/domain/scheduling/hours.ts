import type { TimeSlot } from '../../resources/organizations.ts';
import type { AgentCalendar, DayOff, Job, Timeframe } from './calendar.ts';
import { type LocalDay, minuteOf } from './days.ts';
import { type Interval, merge, subtract } from './intervals.ts';

const MIDNIGHT = 1440;

const within = (date: string, from: string, through: string): boolean =>
  (from === '' || from <= date) && (through === '' || date <= through);

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
      .map(({ StartMinute, Minutes }) =>
        StartMinute === null ? { start: day.start, end: day.end } : stretchOf(day, StartMinute, Minutes ?? MIDNIGHT),
      ),
  );
  return merge(taken);
}

/**
 * The time weekly hours give on the days, as merged intervals: shifts that adjoin are one, also over midnight, so that a job may go through both. Hours
 * are those of the clock. A shift of Sunday 0:00–8:00 in New York lasts 7 hours on 2026-03-08, whose 2:00–3:00 does not exist, and 9 on 2026-11-01,
 * whose 1:00–2:00 comes twice; 2:00–3:00 is nothing on the former; 0:30–1:30 is one hour on the latter, as its end is the first 1:30 (see
 * `firstInstantOf`), and 1:30–2:30 is two. On Lord Howe the same shift has 7.5 and 8.5 hours.
 */
export function workingHoursOn(
  days: readonly LocalDay[],
  slots: readonly TimeSlot[],
  { StartDate, EndDate }: Pick<AgentCalendar['agent'], 'StartDate' | 'EndDate'>,
): Interval[] {
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
  /** When the working time began that the gap is of. */
  readonly windowStart: number;
  /** Of the jobs that end by then the last; of several at once the one that began last, then the greater id. */
  readonly before: Job | null;
  /** Of the jobs that start from then on the first; of several at once the lesser id. */
  readonly after: Job | null;
}

const order = (one: Job, other: Job): number => one.start - other.start || one.appointmentId - other.appointmentId;
/** As a table gives them. */
const inOrder = (jobs: readonly Job[]): boolean =>
  jobs.every((job, index) => index === 0 || order(jobs[index - 1] as Job, job) <= 0);

/** The jobs that take time of each agent, by start, then appointment id; without those of one appointment. */
export function jobsByAgent(jobs: readonly Job[], except: number | undefined): Map<number, Job[]> {
  const byAgent = new Map<number, Job[]>();
  for (const job of jobs) {
    if (job.end <= job.start || job.appointmentId === except) continue;
    const own = byAgent.get(job.agentId);
    if (own) own.push(job);
    else byAgent.set(job.agentId, [job]);
  }
  for (const own of byAgent.values()) if (!inOrder(own)) own.sort(order);
  return byAgent;
}

/**
 * The gaps of an agent that are no shorter than `least`, in one pass over its working time and its jobs, both by start: work 8–17 and jobs 9–10, 10–11,
 * 16–18 leave 8–9 and 11–16. Jobs may overlap one another and lie outside working time, as SkipConflictChecks allows.
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

const NAMED: Readonly<Record<string, Timeframe>> = {
  anytime: ANYTIME,
  morning: { from: 0, to: 720 },
  afternoon: { from: 720, to: 1020 },
  evening: { from: 1020, to: 1440 },
};

export const TIMEFRAME_HELP =
  'must be Anytime, Morning (to 12:00), Afternoon (12:00 to 17:00), Evening (from 17:00) or HH:MM-HH:MM within a day';

function parseMinute(hours: string | undefined, minutes: string | undefined): number {
  return Number(hours) * 60 + Number(minutes);
}

/** Reads a Timeframe, whatever the case: `Morning` → 0–720, `9:00-12:30` → 540–750, `""` → Anytime; `undefined` for any other text. */
export function parseTimeframe(text: string | null | undefined): Timeframe | undefined {
  const input = text?.trim().toLowerCase() || 'anytime';
  if (Object.hasOwn(NAMED, input)) return NAMED[input];
  const [, ...parts] = /^(\d{1,2}):([0-5]\d)\s*-\s*(\d{1,2}):([0-5]\d)$/.exec(input) ?? [];
  if (!parts.length) return undefined;
  const [from, to] = [parseMinute(parts[0], parts[1]), parseMinute(parts[2], parts[3])];
  return from < to && to <= 1440 ? { from, to } : undefined;
}
