import type { CodeOf } from '../../shared/failure-codes.ts';
import { formatDuration, MINUTE } from '../../shared/time/time.ts';
import {
  type AgentCalendar,
  type Calendar,
  type DayOff,
  type Interval,
  type Job,
  type LocalDay,
  type Work,
  findContaining,
  isInSeason,
  overlaps,
  reachableSpan,
  visitSpan,
  withBuffers,
  withoutBuffers,
} from './calendar.ts';
import {
  type Gap,
  type StartRange,
  type WithHours,
  agentPlanner,
  buffersBetween,
  daysBack,
  findAbleAgents,
  isReachable,
  isTightDrive,
  startRangeIn,
  timeOffOn,
  workingHoursOn,
} from './plans.ts';
import {
  addressMessage,
  describeAddress,
  describeBuffers,
  describeSeason,
  describeServices,
  formatDay,
  formatHours,
  formatTime,
} from './explain.ts';

type Rule = 'agent' | 'category' | 'postalCode' | 'address' | 'season' | 'hours' | 'taken' | 'driving';

/** The code of a refused start, by the broken rule. */
const REFUSALS = {
  agent: 'agent_unable',
  category: 'agent_unable',
  postalCode: 'agent_unable',
  address: 'agent_unable',
  season: 'outside_season',
  hours: 'outside_hours',
  taken: 'slot_taken',
  driving: 'drive_conflict',
} as const satisfies Record<Rule, CodeOf<409>>;
export type SlotRefusal = (typeof REFUSALS)[Rule];

export const refusalOf = (rule: Rule): SlotRefusal => REFUSALS[rule];

/** Either a valid slot with its drive, or the first broken rule with a sentence. */
type SlotCheck =
  | { readonly ok: true; readonly driveMinutes: number; readonly driveWarning: boolean }
  | { readonly ok: false; readonly rule: Rule; readonly message: string };

interface SlotCandidate {
  readonly agentId: number;
  /** Epoch milliseconds. */
  readonly start: number;
}

/**
 * Checks a start against the rules of `findSlots`, for one agent: a slot from a search passes as long as the calendar
 * has not changed. Grid, timeframe and now are not checked: a start between two slots can be booked; that it is not in
 * the past is checked when time is reserved.
 *
 * The calendar must have the agent's jobs in `checkedSpan`.
 */
export function checkSlot(calendar: Calendar, work: Work, { agentId, start }: SlotCandidate): SlotCheck {
  const broken = (rule: Rule, message: string): SlotCheck => ({ ok: false, rule, message });
  const { zone } = calendar;
  const own = calendar.agents.find(({ agent }) => agent.Id === agentId);
  if (!own) return broken('agent', `Service agent ${agentId} not found.`);
  const { agent, timeOff } = own;
  const { forCategory, forAddress } = findAbleAgents(work, { ...calendar, agents: [own] });
  const [able] = forAddress;
  if (!forCategory.length) return broken('category', `${agent.Name} does not do ${describeServices(work)}.`);
  if (!able)
    return broken(
      'postalCode',
      `${describeAddress(work)} is outside the postal codes of ${agent.Name} for ${describeServices(work)}` +
        `${describeArea(forCategory, calendar)}.`,
    );
  if (!isReachable(calendar, work)) return broken('address', addressMessage(work));
  const { days, around } = visitSpan(zone, start, 1, work, daysBack(zone, [agent], start));
  const [day] = days;
  if (!isInSeason(day, work)) {
    const message = `${formatDay(start, zone)} is outside the season of the service, ${describeSeason(work)}.`;
    return broken('season', message);
  }
  const { working, gaps } = agentPlanner(around, calendar, work)(able);
  const visit = { start, end: start + work.minutes * MINUTE };
  if (!findContaining(working, visit)) {
    const off = [...calendar.holidays, ...timeOff].filter((dayOff) =>
      timeOffOn(around, [dayOff]).some((time) => overlaps(time, visit)),
    );
    return broken(
      'hours',
      hoursMessage(visit, day, stretchesOn(day, workingHoursOn(around, able.hours, agent), visit), off, agent),
    );
  }
  const gap = findContaining(gaps, visit);
  const taken = takenMessage(calendar, work, { agentId, visit });
  if (!gap || taken) return broken('taken', `${agent.Name} ${taken}.`);
  const range = startRangeIn(gap, working, day, calendar, work);
  const message = driveMessage(visit, gap, range, agent.Name, calendar, work);
  if (message) return broken('driving', message);
  return { ok: true, driveMinutes: range.drive, driveWarning: isTightDrive(start, range, work) };
}

/** What conflicts with a visit or its buffers; `''` for nothing. */
function takenMessage(
  { jobs, zone }: Calendar,
  { appointmentId, buffers }: Work,
  { agentId, visit }: { readonly agentId: number; readonly visit: Interval },
): string {
  const others = jobs.filter(
    (job) => job.agentId === agentId && job.appointmentId !== appointmentId && job.start < job.end,
  );
  const inVisit = others.filter((job) => overlaps(job, visit));
  // Private events have no buffers, and none of a visit is kept free of them.
  const inBuffers = others.filter((job) => !job.isPrivate && overlaps(job, withBuffers(visit, buffers)));
  const found = inVisit.length ? inVisit : inBuffers;
  if (!found.length) return '';
  const times = found.map((job) => {
    const own = withoutBuffers(job);
    const around = describeBuffers(job.buffers);
    const taken = `on ${formatDay(own.start, zone)} from ${formatHours(own, zone)} ${describeTaker(job, zone)}`;
    return `${taken}${around && `, with ${around}`}`;
  });
  const own = inVisit.length ? '' : `, and this work keeps ${describeBuffers(buffers)} free`;
  return `is taken ${times.join(' and ')}${own}`;
}

/** The most postal codes that a message lists. */
const MAX_CODES = 10;

/** `: 23220, 23221`; the organization's codes if hours have none of their own, and `""` if it has none either. */
function describeArea(able: readonly AgentCalendar[], { postalCodes }: Calendar): string {
  const lists = able.flatMap(({ agent }) => agent.TimeSlots.map(({ PostalCodes }) => PostalCodes || postalCodes));
  const codes = [...new Set(lists.flatMap((list) => list.split(',')))].filter(Boolean);
  const rest = codes.length - MAX_CODES;
  return codes.length ? `: ${codes.slice(0, MAX_CODES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}` : '';
}

/** The time in which an agent's jobs decide whether a start can be booked. */
export const checkedSpan = (
  zone: string,
  agent: WithHours | undefined,
  start: number,
  work: Pick<Work, 'minutes' | 'buffers'>,
): Interval => reachableSpan(zone, start, 1, work, daysBack(zone, agent ? [agent] : [], start));

function describeTaker({ appointmentId, heldUntil, isPrivate }: Job, zone: string): string {
  if (isPrivate) return "by a private event in the agent's own calendar";
  return heldUntil === undefined
    ? `by appointment ${appointmentId}`
    : `by another caller, who holds it until ${formatTime(heldUntil, zone)}`;
}

const describeJob = ({ appointmentId, heldUntil }: Job): string =>
  heldUntil === undefined ? `appointment ${appointmentId}` : 'a held time';

/**
 * The stretches of working hours of a day, complete even if they cross midnight: those that begin on it or contain the
 * visit.
 */
const stretchesOn = (day: LocalDay, hours: readonly Interval[], visit: Interval): Interval[] =>
  hours.filter((stretch) => overlaps(stretch, day) && (stretch.start >= day.start || stretch.end > visit.start));

function hoursMessage(
  visit: Interval,
  { zone, date }: LocalDay,
  hours: readonly Interval[],
  off: readonly DayOff[],
  { Name, StartDate, EndDate }: AgentCalendar['agent'],
): string {
  const day = formatDay(visit.start, zone);
  if (StartDate && date < StartDate) return `${Name} is a service agent only from ${StartDate}.`;
  if (EndDate && date > EndDate) return `${Name} was a service agent only through ${EndDate}.`;
  if (!hours.length) return `${Name} does not work on ${day} for this service and address.`;
  const names = new Set(off.map((dayOff) => dayOff.Name || 'time off'));
  if (names.size) return `${Name} is off at that time: ${[...names].join(', ')}.`;
  const working = hours.map((stretch) => formatHours(stretch, zone)).join(', ');
  return `${formatHours(visit, zone)} is outside ${Name}'s working hours on ${day}: ${working}.`;
}

/** Why the drives do not allow a start; `undefined` if they do. */
function driveMessage(
  visit: Interval,
  { before, after }: Gap,
  range: StartRange,
  name: string,
  { zone, drivesAddToBuffers }: Calendar,
  work: Work,
): string | undefined {
  const buffersOf = (minutes: number) => (drivesAddToBuffers && minutes ? `${formatDuration(minutes)} of buffers` : '');
  if (visit.start < range.first) {
    // An appointment of the previous day may end after the time from which the first drive from StartAddress counts.
    const from = range.from ?? (range.first > range.since + range.drive * MINUTE ? before : null);
    const buffers = from && buffersOf(buffersBetween(from, work));
    const origin = from
      ? `from ${describeJob(from)}, which ends at ${formatTime(withoutBuffers(from).end, zone)}` +
        (buffers && `, with ${buffers}`)
      : `from the start address, leaving at ${formatTime(range.since, zone)}`;
    const earliest = `${formatTime(range.first, zone)} on ${formatDay(range.first, zone)}`;
    return `${name} arrives at ${earliest} at the earliest, driving ${origin}.`;
  }
  if (visit.start <= range.last || !after) return undefined;
  const next = `${describeJob(after)} at ${formatTime(withoutBuffers(after).start, zone)}`;
  const buffers = buffersOf(buffersBetween(work, after));
  const needed = `${formatDuration(range.driveOn)}${buffers && ` and ${buffers}`}`;
  return `${name} must leave ${needed} before ${next}, and this work ends at ${formatTime(visit.end, zone)}.`;
}
