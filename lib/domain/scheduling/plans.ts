import type { TimeSlot } from '../../entities/service-agents.ts';
import { fold, normalizePostalCode } from '../../shared/text/text.ts';
import { DAY, firstInstantAt, MINUTE } from '../../shared/time/time.ts';
import {
  type AgentCalendar,
  type Calendar,
  type DayOff,
  type DriveTimes,
  type Interval,
  type Job,
  type LocalDay,
  type VisitSpan,
  type Work,
  dayAt,
  dayBefore,
  instantAtMinute,
  merge,
  MIDNIGHT,
  NO_BUFFERS,
  overlaps,
  subtract,
  withoutBuffers,
} from './calendar.ts';
import { entriesFor } from '../postal-ownership.ts';
import { type Position, miles } from '../postal/localities.ts';

/** Plans which agents can do some work, and when each of them works and is free. */

const isWithin = (date: string, from: string, through: string): boolean =>
  (from === '' || from <= date) && (through === '' || date <= through);

/** Clock minutes `start` … `start + minutes` of a day, at most to midnight. */
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
 * Weekly hours on the days, as merged intervals: adjoining shifts are one, even across midnight, because a job may run
 * through both. Hours are by the clock. A Sunday shift 0:00–8:00 in New York lasts 7 hours on 2026-03-08, whose
 * 2:00–3:00 does not exist, and 9 on 2026-11-01, whose 1:00–2:00 occurs twice; 2:00–3:00 is empty on the former;
 * 0:30–1:30 is one hour on the latter, since its end is the first 1:30 (see `firstInstantAt`), and 1:30–2:30 is two. On
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

/** The most days that a run of hours is followed back, because some crews never close. */
const MAX_DAYS_BACK = 7;

export type WithHours = Pick<AgentCalendar['agent'], 'TimeSlots' | 'StartDate' | 'EndDate'>;

/**
 * How many days before that of `from` affect it: the day before, or those of the longest run of hours that leads into
 * it, ignoring holidays and time off. Hours from Friday 0:00 to Sunday 24:00 without a break are 2 days on Sunday.
 */
export function daysBack(zone: string, agents: readonly WithHours[], from: number): number {
  // Few shifts cross midnight.
  const overnight = agents.filter(
    ({ TimeSlots }) =>
      TimeSlots.some(({ StartMinute }) => StartMinute === 0) &&
      TimeSlots.some(({ StartMinute, Minutes }) => StartMinute + Minutes >= MIDNIGHT),
  );
  if (!overnight.length) return 1;
  const first = dayAt(from, zone);
  const days = [first];
  while (days.length <= MAX_DAYS_BACK) days.push(dayBefore(days.at(-1) ?? first));
  const began = overnight.map((agent) => {
    const hours = workingHoursOn(days, agent.TimeSlots, agent);
    const run = hours.find(({ start, end }) => start < first.start && first.start < end);
    return run ? days.findIndex(({ start }) => start <= run.start) : 1;
  });
  return Math.max(1, ...began);
}

/** These hours without the holidays (as `timeOffOn` returns them) and the agent's time off. */
export function workingTime(
  days: readonly LocalDay[],
  slots: readonly TimeSlot[],
  { agent, timeOff }: AgentCalendar,
  holidays: readonly Interval[],
): Interval[] {
  return subtract(subtract(workingHoursOn(days, slots, agent), holidays), timeOffOn(days, timeOff));
}

/** Working time without jobs, and the adjacent jobs, however far away in time. */
export interface Gap extends Interval {
  /** The start of the working time that contains the gap. */
  readonly windowStart: number;
  /** The last job that has ended by then; among simultaneous ends the one that began last, then the greater id. */
  readonly before: Job | null;
  /** The first job that starts from then on; among simultaneous starts the lesser id. */
  readonly after: Job | null;
}

const byStart = (one: Job, other: Job): number => one.start - other.start || one.appointmentId - other.appointmentId;
/** Whether jobs are sorted, as the table returns them. */
const isSorted = (jobs: readonly Job[]): boolean =>
  jobs.every((job, index) => index === 0 || byStart(jobs[index - 1] as Job, job) <= 0);

/**
 * Each agent's visits and holds that take time, by start, then appointment id; without those of one appointment
 * (`except`).
 */
function jobsByAgent(jobs: readonly Job[], except: number | undefined): Map<number, Job[]> {
  const byAgent = new Map<number, Job[]>();
  for (const job of jobs) {
    if (job.end <= job.start || job.appointmentId === except || job.isPrivate) continue;
    const own = byAgent.get(job.agentId);
    if (own) own.push(job);
    else byAgent.set(job.agentId, [job]);
  }
  for (const own of byAgent.values()) if (!isSorted(own)) own.sort(byStart);
  return byAgent;
}

/**
 * The gaps of an agent that are at least `least` long, in one pass over sorted working time and jobs: work 8–17 and
 * jobs 9–10, 10–11, 16–18 leave 8–9 and 11–16. Jobs may overlap and lie outside working time, as SkipConflictChecks
 * allows.
 */
function findGaps(working: readonly Interval[], jobs: readonly Job[], least: number): Gap[] {
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

/** Each agent's private times, as merged intervals. */
function privateTimes(jobs: readonly Job[]): ReadonlyMap<number, readonly Interval[]> {
  const byAgent = Map.groupBy(
    jobs.filter((job) => job.isPrivate),
    ({ agentId }) => agentId,
  );
  return new Map([...byAgent].map(([agentId, own]) => [agentId, merge(own)]));
}

/**
 * The gaps without private times. What is left keeps the visits around it, because the drive goes from visit to visit:
 * between visits 9–10 and 14–15, a private hour from 11 leaves 10–11 and 12–14.
 */
const withoutPrivateTimes = (gaps: readonly Gap[], taken: readonly Interval[], least: number): Gap[] =>
  gaps.flatMap((gap) =>
    subtract(
      [gap],
      taken.filter((time) => overlaps(time, gap)),
    )
      .filter(({ start, end }) => least <= end - start)
      .map(({ start, end }) => ({ ...gap, start, end })),
  );

interface AbleAgent extends AgentCalendar {
  /** The weekly hours that count for the work. */
  readonly hours: readonly TimeSlot[];
}

/**
 * The agents that each rule leaves. An agent without any hours is refused later for that reason, not here for a
 * category or an address.
 */
export interface AbleAgents {
  readonly forCategory: readonly AgentCalendar[];
  readonly forAddress: readonly AbleAgent[];
}

/** When an able agent works and is free. */
export interface AgentPlan {
  readonly agent: AgentCalendar['agent'];
  readonly working: readonly Interval[];
  readonly gaps: readonly Gap[];
}

const includesCode = (codes: string, code: string): boolean =>
  entriesFor(code).some((entry) => `,${codes},`.includes(`,${entry},`));

/** Folds each category once, because agents share them. */
function categoryMatcher(category: string): (name: string) => boolean {
  const folded = fold(category);
  const matches = new Map<string, boolean>([['', true]]);
  return (name) => {
    const match = matches.get(name) ?? fold(name) === folded;
    matches.set(name, match);
    return match;
  };
}

/**
 * Who has hours for the category, ignoring case and accents, and who for both the category and the address: hours with
 * PostalCodes of their own must list the code; for others the organization must serve it.
 */
export function findAbleAgents(
  work: Pick<Work, 'category' | 'postalCode' | 'isAnywhere'>,
  { agents, postalCodes }: Pick<Calendar, 'agents' | 'postalCodes'>,
): AbleAgents {
  const code = normalizePostalCode(work.postalCode);
  const isServed = postalCodes === '' || includesCode(postalCodes, code);
  const isForCategory = categoryMatcher(work.category);
  const withHours = (entries: readonly AbleAgent[], counts: (slot: TimeSlot) => boolean): AbleAgent[] =>
    entries
      .map((entry) => ({ ...entry, hours: entry.hours.filter(counts) }))
      .filter(({ agent, hours }) => agent.TimeSlots.length === 0 || hours.length > 0);
  const all = agents.map((entry) => ({ ...entry, hours: entry.agent.TimeSlots }));
  const forCategory = withHours(all, ({ ServiceCategoryName }) => isForCategory(ServiceCategoryName));
  const forAddress = withHours(
    forCategory,
    ({ PostalCodes }) => work.isAnywhere || (PostalCodes === '' ? isServed : includesCode(PostalCodes, code)),
  );
  return { forCategory, forAddress };
}

/**
 * Plans each agent for the days, including the hours of the day before: a stretch that runs into the first day began
 * then. Holidays and jobs are read once for all agents.
 */
export function agentPlanner(
  days: VisitSpan['around'],
  { holidays, jobs }: Pick<Calendar, 'holidays' | 'jobs'>,
  work: Pick<Work, 'appointmentId' | 'minutes'>,
): (able: AbleAgent) => AgentPlan {
  const worked = [dayBefore(days[0]), ...days];
  const closed = timeOffOn(worked, holidays);
  const agentJobs = jobsByAgent(jobs, work.appointmentId);
  const busy = privateTimes(jobs);
  const least = work.minutes * MINUTE;
  return (able) => {
    const working = workingTime(worked, able.hours, able, closed);
    const gaps = findGaps(working, agentJobs.get(able.agent.Id) ?? [], least);
    const taken = busy.get(able.agent.Id);
    return { agent: able.agent, working, gaps: taken ? withoutPrivateTimes(gaps, taken, least) : gaps };
  };
}

/**
 * Whether a drive to the address can be planned: its position is known, or the organization lists its postal code
 * (abroad, where no positions of postal codes are available), and the address then has no distance.
 */
export const isReachable = (
  { postalCodes }: Pick<Calendar, 'postalCodes'>,
  { fixedLocation, position, postalCode }: Pick<Work, 'fixedLocation' | 'position' | 'postalCode'>,
): boolean => fixedLocation || position !== null || includesCode(postalCodes, normalizePostalCode(postalCode) || '-');

/** Road miles per great-circle mile. */
const DETOUR = 1.3;
/** Miles per hour. */
const DEFAULT_SPEED = 30;

/**
 * The estimate of a drive in minutes: great-circle miles × 1.3. A degree of latitude, 69.093 miles: 69.093 · 1.3 / 30 ·
 * 60 = 179.64.
 */
export const estimateDrive = (from: Position, to: Position, speed: number = DEFAULT_SPEED): number =>
  miles(from, to) * ((DETOUR * 60) / speed);

/** Rounds up; slightly less, so that a product like 30.000000000000004 does not become 31; and 0 instead of −0. */
export const wholeMinutes = (minutes: number): number => Math.max(0, Math.ceil(minutes - 1e-9));

/** Driving times that are estimates. Between centers of postal codes they are 0 within one. */
export const greatCircleDriving =
  (speed?: number): DriveTimes =>
  (from, to) =>
    from && to ? wholeMinutes(estimateDrive(from, to, speed)) : 0;

/** Spare time below this is a warning. */
const MIN_SPARE = 10 * MINUTE;

interface Arrival {
  /** When the time for the drive to the work begins. */
  readonly since: number;
  /** The appointment from which the agent comes; null for the first of the day, which starts from StartAddress. */
  readonly from: Job | null;
}

/** When work may start in a gap on a day, including drives and buffers; never if `first` is after `last`. */
export interface StartRange extends Arrival {
  readonly first: number;
  readonly last: number;
  /** Minutes of the drive to the work. */
  readonly drive: number;
  /** Minutes of the drive from the work to the next appointment. */
  readonly driveOn: number;
  /** When the time for that drive ends; Infinity without a next appointment. */
  readonly until: number;
}

/** The start of the day on which the run of hours began that contains the gap, at most seven days earlier. */
function runDay({ windowStart }: Gap, day: LocalDay): number {
  if (windowStart >= day.start) return day.start;
  const earliest = firstInstantAt(day.midnight - MAX_DAYS_BACK * DAY, day.zone);
  return Math.max(dayAt(windowStart, day.zone).start, earliest);
}

/**
 * Where the agent comes from. The preceding appointment must be in the same run of hours, or in earlier hours on the
 * day on which the run began, so that a start just before midnight and one just after it have the same drive. Without
 * one, the drive is from StartAddress and takes working time on that day, from its first hour on: 8:00–12:00 and
 * 13:00–17:00 with 20 minutes from StartAddress allow 8:20 at the earliest, and 13:00; 0:00–5:00 alone allows 0:20.
 */
function arrivalIn(gap: Gap, working: readonly Interval[], day: LocalDay, free: number): Arrival {
  const { windowStart, before } = gap;
  const begins = runDay(gap, day);
  if (before && withoutBuffers(before).end > begins) return { since: free, from: before };
  const opens = working.find(({ start }) => start >= begins)?.start ?? windowStart;
  return { since: windowStart < begins ? begins : opens, from: null };
}

/** Minutes of buffers between two consecutive visits. */
export const buffersBetween = (
  { buffers: { after } = NO_BUFFERS }: Pick<Job, 'buffers'>,
  { buffers: { before } = NO_BUFFERS }: Pick<Job, 'buffers'>,
): number => after + before;

/**
 * The starts that a gap allows on a day. An appointment on the day before must also be left in time. Between two visits
 * are both buffers, with the drive within them: with 15 minutes after the first, 10 before the second and a drive of
 * 20, 25 minutes; with a drive of 40, 40. If drives add to buffers, 45 and 65.
 */
export function startRangeIn(
  gap: Gap,
  working: readonly Interval[],
  day: LocalDay,
  {
    startPosition,
    driveTimes,
    drivesAddToBuffers,
  }: Pick<Calendar, 'startPosition' | 'driveTimes' | 'drivesAddToBuffers'>,
  work: Work,
): StartRange {
  const minutes = (from: Position | null, to: Position | null) => (work.fixedLocation ? 0 : driveTimes(from, to));
  const { before, after } = gap;
  const apart = (between: number) => (drivesAddToBuffers ? between * MINUTE : 0);
  const free = before ? withoutBuffers(before).end + apart(buffersBetween(before, work)) : -Infinity;
  const until = after ? withoutBuffers(after).start - apart(buffersBetween(work, after)) : Infinity;
  const arrival = arrivalIn(gap, working, day, free);
  const fromBefore = before ? minutes(before.position, work.position) : 0;
  const drive = arrival.from ? fromBefore : minutes(startPosition, work.position);
  const driveOn = after ? minutes(work.position, after.position) : 0;
  const { before: ahead, after: behind } = work.buffers ?? NO_BUFFERS;
  return {
    ...arrival,
    until,
    drive,
    driveOn,
    first: Math.max(
      gap.start,
      arrival.since + drive * MINUTE,
      free + fromBefore * MINUTE,
      before ? before.end + ahead * MINUTE : -Infinity,
    ),
    last:
      Math.min(gap.end, until - driveOn * MINUTE, after ? after.start - behind * MINUTE : Infinity) -
      work.minutes * MINUTE,
  };
}

/** Whether less than 10 minutes are left for the drive to the work, or from it to the next appointment. */
export function isTightDrive(
  start: number,
  { since, until, drive, driveOn }: StartRange,
  { fixedLocation, minutes }: Work,
): boolean {
  if (fixedLocation) return false;
  const timeOn = until - start - minutes * MINUTE;
  return start - since < drive * MINUTE + MIN_SPARE || timeOn < driveOn * MINUTE + MIN_SPARE;
}
