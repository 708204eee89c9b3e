import { formatDuration, MINUTE, toFriendly } from '../../shared/time/time.ts';
import {
  type Buffers,
  type Calendar,
  type Interval,
  type SearchWindow,
  type Timeframe,
  type VisitSpan,
  type Work,
  NO_BUFFERS,
  dayAt,
  isInSeason,
  overlaps,
} from './calendar.ts';
import { type AbleAgents, type AgentPlan, isReachable, startRangeIn } from './plans.ts';

/** Why a search finds no slot. Rules exclude agents in this order; the cause is the rule that leaves nobody. */
type Cause =
  | 'agents'
  | 'category'
  | 'postalCode'
  | 'address'
  | 'past'
  | 'notice'
  | 'horizon'
  | 'season'
  | 'duration'
  | 'hours'
  | 'booked';

export interface Reason {
  readonly cause: Cause;
  /** A sentence with the relevant numbers. */
  readonly message: string;
}

interface SearchState {
  readonly span: VisitSpan;
  /** The starts on each day that window, now, timeframe and season allow. */
  readonly grids: readonly (readonly number[])[];
  readonly able: AbleAgents;
  readonly plans: readonly AgentPlan[];
}

export function explainNoSlots(calendar: Calendar, work: Work, window: SearchWindow, state: SearchState): Reason {
  const reason = agentReason(calendar, work, state.able);
  if (reason) return reason;
  if (!isReachable(calendar, work)) return { cause: 'address', message: addressMessage(work) };
  return timeReason(calendar, work, window, state);
}

function agentReason({ agents }: Calendar, work: Work, { forCategory, forAddress }: AbleAgents): Reason | undefined {
  if (!agents.length) return { cause: 'agents', message: 'The organization has no service agents.' };
  if (!forCategory.length) {
    const nobody =
      agents.length === 1 ? 'The only service agent does not do' : `None of the ${agents.length} service agents does`;
    return { cause: 'category', message: `${nobody} ${describeServices(work)}.` };
  }
  if (forAddress.length) return undefined;
  const everyone = forCategory.length === 1 ? 'the only service agent' : `all ${forCategory.length} service agents`;
  return {
    cause: 'postalCode',
    message: `${describeAddress(work)} is outside the postal codes of ${everyone} for ${describeServices(work)}.`,
  };
}

function timeReason(calendar: Calendar, work: Work, window: SearchWindow, state: SearchState): Reason {
  const { zone } = calendar;
  const { end } = state.span;
  const from = Math.max(window.from, window.now);
  if (end <= from)
    return { cause: 'past', message: `The days searched are in the past: the last is ${formatDay(end - 1, zone)}.` };
  const { first = from, until = end, notice = '', horizon = '' } = window.period ?? {};
  const begin = Math.max(from, first);
  if (begin >= Math.min(end, until))
    return first >= Math.min(end, until)
      ? { cause: 'notice', message: notice }
      : { cause: 'horizon', message: horizon };
  const open = state.span.days.filter((day) => day.end > begin && day.start < until && isInSeason(day, work));
  const [firstDay, lastDay] = [open[0], open.at(-1)];
  if (!firstDay || !lastDay) {
    const searched = describePeriod(begin, Math.min(end, until) - 1, zone);
    return {
      cause: 'season',
      message: `The season of the service is ${describeSeason(work)}; the days searched are ${searched}.`,
    };
  }
  const period = describePeriod(Math.max(begin, firstDay.start), Math.min(lastDay.end, until) - 1, zone);
  const windows = window.arrivalWindows?.length ? ', in the arrival windows' : '';
  const reason = hoursReason(calendar, work, state, `${period}${describeTimeframe(window.timeframe)}${windows}`);
  const rules = [...(first > from ? [notice] : []), ...(until < end ? [horizon] : [])];
  return { ...reason, message: [reason.message, ...rules].join(' ') };
}

function hoursReason(calendar: Calendar, work: Work, state: SearchState, when: string): Reason {
  const { works, room, drive } = searchUnbooked(calendar, work, state);
  const agents = state.plans.length;
  if (!works) {
    const nobody =
      agents === 1
        ? 'The only service agent who can do this does not work'
        : `None of the ${agents} service agents who can do this works`;
    return { cause: 'hours', message: `${nobody} ${when}.` };
  }
  const length = formatDuration(work.minutes);
  const firstDrive = `the first drive of ${formatDuration(drive)}`;
  if (!room)
    return {
      cause: 'duration',
      message: `The address is too far away: ${firstDrive} from the start address leaves no time for the work ${when}.`,
    };
  if (room < work.minutes)
    return {
      cause: 'duration',
      message:
        `The work takes ${length}. No start leaves more than ` +
        `${formatDuration(room)}${drive ? ` after ${firstDrive}` : ''} ${when}.`,
    };
  const { visits, privateEvents } = countBooked(calendar, work, state);
  const taken = [
    ...(visits || !privateEvents ? [counted(visits, 'appointment')] : []),
    ...(privateEvents ? [counted(privateEvents, 'private event')] : []),
  ].join(' and ');
  const drives = work.fixedLocation ? '' : ' and the drives';
  const buffers = describeBuffers(work.buffers);
  return {
    cause: 'booked',
    message:
      `Fully booked ${when}: ${taken} of ${counted(agents, 'service agent')} leave no room for ` +
      `${length}${buffers && ` with ${buffers}`}${drives}.`,
  };
}

interface UnbookedSearch {
  /** Whether anybody works at any start. */
  readonly works: boolean;
  /** The most minutes of work that any start leaves after the first drive. */
  readonly room: number;
  /** Minutes of the first drive. */
  readonly drive: number;
}

/** What the search would find if there were no appointments. */
function searchUnbooked(calendar: Calendar, work: Work, { span, grids, plans }: SearchState): UnbookedSearch {
  const { days } = span;
  let [works, room] = [false, 0];
  for (const [index, day] of days.entries()) {
    for (const { working } of plans) {
      for (const window of working) {
        const starts = grids[index]?.filter((at) => window.start <= at && at < window.end) ?? [];
        if (!starts.length) continue;
        works = true;
        const free = { ...window, windowStart: window.start, before: null, after: null };
        const { first } = startRangeIn(free, working, day, calendar, work);
        const start = starts.find((at) => first <= at);
        if (start !== undefined) room = Math.max(room, (window.end - start) / MINUTE);
      }
    }
  }
  const drive = work.fixedLocation ? 0 : calendar.driveTimes(calendar.startPosition, work.position);
  return { works, room: Math.floor(room), drive };
}

/** Visits, holds among them, and events of the agents' own calendars. */
function countBooked(
  { jobs }: Calendar,
  work: Work,
  { span: { around, end }, plans }: SearchState,
): { readonly visits: number; readonly privateEvents: number } {
  const reach = { start: around[0].start, end: around.at(-1)?.end ?? end };
  const agentIds = new Set(plans.map(({ agent }) => agent.Id));
  const taking = jobs.filter(
    (job) => agentIds.has(job.agentId) && job.appointmentId !== work.appointmentId && overlaps(job, reach),
  );
  const privateEvents = taking.filter((job) => job.isPrivate).length;
  return { visits: taking.length - privateEvents, privateEvents };
}

/** `15 minutes before and 30 minutes after it`; `''` for none. */
export function describeBuffers({ before, after }: Buffers = NO_BUFFERS): string {
  const parts = [
    ...(before ? [`${formatDuration(before)} before`] : []),
    ...(after ? [`${formatDuration(after)} after`] : []),
  ];
  return parts.length ? `${parts.join(' and ')} it` : '';
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const addressMessage = (work: Work): string =>
  `${describeAddress(work)} cannot be located, so no drive there can be planned.`;

export const describeServices = ({ category }: Pick<Work, 'category'>): string =>
  category ? `services of the category ${category}` : 'services without a category';

export const describeAddress = ({ postalCode }: Pick<Work, 'postalCode'>): string =>
  postalCode ? `The postal code ${postalCode}` : 'An address without a postal code';

const TIME = / (\d+:\d\d [AP]M)$/;

/** `Sun, Mar 8 2026`. */
export const formatDay = (at: number, zone: string): string => toFriendly(at, zone).replace(TIME, '');

/** `9:00 AM`. */
export const formatTime = (at: number, zone: string): string => TIME.exec(toFriendly(at, zone))?.[1] ?? '';

/** `9:00 AM to 5:00 PM`. */
export const formatHours = ({ start, end }: Interval, zone: string): string =>
  `${formatTime(start, zone)} to ${formatTime(end, zone)}`;

/** A date as `formatDay` writes it. */
const formatDate = (date: string): string => formatDay(Date.parse(`${date}T00:00:00Z`), 'UTC');

/** `from Thu, Apr 1 2027 through Sun, Oct 31 2027`, or only one side if the other is open. */
export function describeSeason({ seasonFirst, seasonLast }: Pick<Work, 'seasonFirst' | 'seasonLast'>): string {
  const from = seasonFirst === null ? [] : [`from ${formatDate(seasonFirst)}`];
  const through = seasonLast === null ? [] : [`through ${formatDate(seasonLast)}`];
  return [...from, ...through].join(' ');
}

/**
 * `on Mon, Jun 1 2026`, `from Mon, Jun 1 2026 through Sun, Jun 14 2026`; with the time if it begins later than the day:
 * `from Mon, Jun 1 2026 6:00 PM through …`.
 */
function describePeriod(from: number, last: number, zone: string): string {
  const through = formatDay(last, zone);
  if (from > dayAt(from, zone).start) return `from ${toFriendly(from, zone)} through ${through}`;
  return formatDay(from, zone) === through ? `on ${through}` : `from ${formatDay(from, zone)} through ${through}`;
}

const formatClock = (minute: number): string => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`;

/** `, between 17:00 and 24:00`; nothing for the whole day. */
const describeTimeframe = ({ from, to }: Timeframe): string =>
  from === 0 && to === 1440 ? '' : `, between ${formatClock(from)} and ${formatClock(to)}`;
