import type { TimeSlot } from '../../../lib/entities/service-agents.ts';
import type {
  AgentCalendar,
  Calendar,
  DayOff,
  Job,
  SearchWindow,
  Work,
} from '../../../lib/domain/scheduling/calendar.ts';
import type { Slot } from '../../../lib/domain/scheduling/slots.ts';
import { firstInstantAt, offsetAt, resolveWallTime } from '../../../lib/shared/time/time.ts';

/**
 * Slot search as one would write it down from the rules (interface, section 6), start by start, agent by agent, job by
 * job: what the engine is held
 * against. It shares nothing with the engine but the zones.
 */
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

type Stretch = readonly [from: number, to: number];

const fits = (part: string, whole: string) => part === '' || part.toLowerCase() === whole.toLowerCase();
const lists = (codes: string, code: string) => codes.split(',').includes(code);
const dateOf = (midnight: number) => new Date(midnight).toISOString().slice(0, 10);
const inDates = (date: string, from: string, through: string) =>
  date >= (from || '0000') && date <= (through || '9999');

/**
 * The first of some midnights, as readings of the clock, on which anything may bear on the window, and how many there
 * are.
 */
function midnightsOf(
  { zone }: Calendar,
  { minutes }: Work,
  { from, days }: SearchWindow,
): { searched: number[]; all: number[] } {
  let first = Math.floor((from + offsetAt(from, zone)) / DAY) * DAY;
  // Yesterday's readings for the second time, though the day has begun.
  if (firstInstantAt(first + DAY, zone) <= from) first += DAY;
  const count = days + Math.ceil(minutes / 1440) + 2;
  return {
    searched: Array.from({ length: days }, (_, index) => first + index * DAY),
    all: Array.from({ length: count + 9 }, (_, index) => first + (index - 9) * DAY),
  };
}

const inSeason = (date: string, { seasonFirst, seasonLast }: Work) =>
  inDates(date, seasonFirst ?? '', seasonLast ?? '');

class Agent {
  readonly shifts: Stretch[] = [];
  readonly off: Stretch[] = [];
  readonly jobs: readonly Job[];

  constructor(
    of: AgentCalendar,
    slots: readonly TimeSlot[],
    midnights: readonly number[],
    { zone, holidays, jobs }: Calendar,
    except: number | undefined,
  ) {
    this.jobs = jobs.filter(
      (job) => job.agentId === of.agent.Id && job.appointmentId !== except && job.end > job.start,
    );
    const at = (midnight: number, minute: number) => firstInstantAt(midnight + Math.min(minute, 1440) * MINUTE, zone);
    const add = (to: Stretch[], midnight: number, start: number, end: number) => {
      if (at(midnight, start) < at(midnight, end)) to.push([at(midnight, start), at(midnight, end)]);
    };
    for (const midnight of midnights) {
      const date = dateOf(midnight);
      for (const slot of slots) {
        const onDay = slot.DayOfWeek === null || slot.DayOfWeek === new Date(midnight).getUTCDay();
        const valid =
          inDates(date, slot.StartDate, slot.EndDate) && inDates(date, of.agent.StartDate, of.agent.EndDate);
        if (onDay && valid) add(this.shifts, midnight, slot.StartMinute, slot.StartMinute + slot.Minutes);
      }
      for (const { From, Through, StartMinute, Minutes } of [...holidays, ...of.timeOff] satisfies DayOff[]) {
        if (inDates(date, From, Through))
          add(this.off, midnight, StartMinute ?? 0, StartMinute === null ? 1440 : StartMinute + (Minutes ?? 1440));
      }
    }
  }

  worksAt(at: number): boolean {
    return (
      this.shifts.some(([from, to]) => from <= at && at < to) && !this.off.some(([from, to]) => from <= at && at < to)
    );
  }

  private workedUntil(at: number): boolean {
    return (
      this.shifts.some(([from, to]) => from < at && at <= to) && !this.off.some(([from, to]) => from < at && at <= to)
    );
  }

  worksThrough(start: number, end: number): boolean {
    if (this.off.some(([from, to]) => from < end && start < to)) return false;
    let at = start;
    while (at < end) {
      const shift = this.shifts.find(([from, to]) => from <= at && at < to);
      if (!shift) return false;
      [, at] = shift;
    }
    return true;
  }

  /** When the work began that goes on at that time. */
  beganWork(at: number): number {
    let began = at;
    for (;;) {
      const earlier = this.shifts.find(([from, to]) => from < began && began <= to);
      if (!earlier) break;
      [began] = earlier;
    }
    return Math.max(began, ...this.off.map(([, to]) => to).filter((to) => to <= at));
  }

  firstWorkFrom(at: number): number {
    const edges = [...this.shifts.map(([from]) => from), ...this.off.map(([, to]) => to)];
    return Math.min(...edges.filter((edge) => edge >= at && this.worksAt(edge) && !this.workedUntil(edge)));
  }

  before(start: number): Job | undefined {
    let last: Job | undefined;
    for (const job of this.jobs) {
      if (job.end > start) continue;
      const later = !last || job.end - last.end || job.start - last.start || job.appointmentId - last.appointmentId;
      if (later === true || later > 0) last = job;
    }
    return last;
  }

  after(end: number): Job | undefined {
    let first: Job | undefined;
    for (const job of this.jobs) {
      if (job.start < end) continue;
      const earlier = !first || first.start - job.start || first.appointmentId - job.appointmentId;
      if (earlier === true || earlier > 0) first = job;
    }
    return first;
  }
}

/** The drive and whether it is warned of, when the agent can do the work from `start` on the day of that midnight. */
function tryStart(
  agent: Agent,
  start: number,
  midnight: number,
  { zone, startPosition, driveTimes, drivesAddToBuffers }: Calendar,
  work: Work,
): { drive: number; warning: boolean } | undefined {
  const end = start + work.minutes * MINUTE;
  if (!agent.worksThrough(start, end)) return undefined;
  const kept = [start - (work.buffers?.before ?? 0) * MINUTE, end + (work.buffers?.after ?? 0) * MINUTE] as const;
  if (agent.jobs.some((job) => job.start < kept[1] && kept[0] < job.end)) return undefined;
  if (work.fixedLocation) return { drive: 0, warning: false };
  const [before, after] = [agent.before(start), agent.after(end)];
  // From the end of a visit to the start of the next; less their buffers where the agent does not drive in them.
  const timeBetween = (from: Job | typeof visit, to: Job | typeof visit) => {
    const [left, arrived] = [from.buffers?.after ?? 0, to.buffers?.before ?? 0];
    const between = to.start + arrived * MINUTE - (from.end - left * MINUTE);
    return drivesAddToBuffers ? between - (left + arrived) * MINUTE : between;
  };
  const visit = { start: kept[0], end: kept[1], buffers: work.buffers };
  const fromBefore = before ? driveTimes(before.position, work.position) : 0;
  if (before && timeBetween(before, visit) < fromBefore * MINUTE) return undefined;
  const toAfter = after ? driveTimes(work.position, after.position) : 0;
  if (after && timeBetween(visit, after) < toAfter * MINUTE) return undefined;

  // The day on which the run of hours began, at most seven days ago.
  const began = agent.beganWork(start);
  let back = 0;
  while (back < 7 && began < firstInstantAt(midnight - back * DAY, zone)) back++;
  const dayBegins = firstInstantAt(midnight - back * DAY, zone);
  let [spare, drive] = [0, fromBefore];
  if (before && before.end - (before.buffers?.after ?? 0) * MINUTE > dayBegins) spare = timeBetween(before, visit);
  else {
    drive = driveTimes(startPosition, work.position);
    spare = start - (began < dayBegins ? dayBegins : agent.firstWorkFrom(dayBegins));
    if (spare < drive * MINUTE) return undefined;
  }
  const warning =
    spare < (drive + 10) * MINUTE || (after !== undefined && timeBetween(visit, after) < (toAfter + 10) * MINUTE);
  return { drive, warning };
}

/** Every start that may be offered, whoever works. */
function startsOf(
  { zone }: Calendar,
  work: Work,
  { from, now, granularity, timeframe, period }: SearchWindow,
  midnights: readonly number[],
): Stretch[] {
  const starts: Stretch[] = [];
  for (const midnight of midnights) {
    for (let minute = 0; minute < 1440; minute += granularity) {
      if (minute < timeframe.from || minute >= timeframe.to) continue;
      const placed = resolveWallTime(midnight + minute * MINUTE, zone);
      if (!placed.exists || placed.at < from || placed.at < now) continue;
      if (period && (placed.at < period.first || placed.at >= period.until)) continue;
      if (!inSeason(dateOf(midnight), work)) continue;
      starts.push([placed.at, midnight]);
    }
  }
  return starts;
}

/** What findSlots answers, the sentence aside. */
export function naiveSlots(
  calendar: Calendar,
  work: Work,
  window: SearchWindow,
): { slots: Slot[]; cause: string | null } {
  const { zone } = calendar;
  const none = (cause: string) => ({ slots: [], cause });
  if (!calendar.agents.length) return none('agents');
  const hoursOf = ({ agent }: AgentCalendar) =>
    agent.TimeSlots.filter(({ ServiceCategoryName }) => fits(ServiceCategoryName, work.category));
  const skilled = calendar.agents.filter((each) => !each.agent.TimeSlots.length || hoursOf(each).length);
  if (!skilled.length) return none('category');
  const served = calendar.postalCodes === '' || lists(calendar.postalCodes, work.postalCode);
  const hoursHere = (each: AgentCalendar) =>
    hoursOf(each).filter(({ PostalCodes }) => (PostalCodes === '' ? served : lists(PostalCodes, work.postalCode)));
  const near = skilled.filter((each) => !each.agent.TimeSlots.length || hoursHere(each).length);
  if (!near.length) return none('postalCode');
  if (!work.fixedLocation && !work.position && !(calendar.postalCodes && served)) return none('address');

  const midnights = midnightsOf(calendar, work, window);
  const starts = startsOf(calendar, work, window, midnights.searched);
  const search = (input: Calendar) => {
    const slots: Slot[] = [];
    for (const each of near) {
      const agent = new Agent(each, hoursHere(each), midnights.all, input, work.appointmentId);
      for (const [start, midnight] of starts) {
        const found = tryStart(agent, start, midnight, input, work);
        if (found)
          slots.push({
            start,
            agentId: each.agent.Id,
            agentName: each.agent.Name,
            driveMinutes: found.drive,
            driveWarning: found.warning,
          });
      }
    }
    return slots
      .sort((a, b) => a.start - b.start || a.driveMinutes - b.driveMinutes || a.agentId - b.agentId)
      .slice(0, 500);
  };
  const slots = search(calendar);
  if (slots.length) return { slots, cause: null };

  const end = firstInstantAt((midnights.searched.at(-1) ?? 0) + DAY, zone);
  const begin = Math.max(window.from, window.now);
  if (begin >= end) return none('past');
  const { first, until } = window.period ?? { first: 0, until: Infinity };
  if (first >= end || first >= until) return none('notice');
  if (begin >= until) return none('horizon');
  const ahead = midnights.searched.filter(
    (midnight) =>
      firstInstantAt(midnight + DAY, zone) > Math.max(begin, first) && firstInstantAt(midnight, zone) < until,
  );
  if (!ahead.some((midnight) => inSeason(dateOf(midnight), work))) return none('season');
  if (search({ ...calendar, jobs: [] }).length) return none('booked');
  const someone = near.some((each) =>
    starts.some(([start]) => new Agent(each, hoursHere(each), midnights.all, calendar, undefined).worksAt(start)),
  );
  return none(someone ? 'duration' : 'hours');
}
