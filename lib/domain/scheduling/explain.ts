import { formatDuration } from '../../shared/durations.ts';
import { toFriendly } from '../../shared/format-moments.ts';
import type { Calendar, SearchWindow, Timeframe, Work } from './calendar.ts';
import { dayAt } from './days.ts';
import { overlaps } from './intervals.ts';
import { type ServicePlan, type Plan, isReachable } from './plans.ts';
import { type Span, roomInGap } from './room.ts';
import { MINUTE } from '../../shared/time.ts';

/** Why there is no slot. Agents fall away in this order; the cause is what leaves nobody. */
export type Cause =
  'agents' | 'category' | 'postalCode' | 'address' | 'past' | 'season' | 'duration' | 'hours' | 'booked';

/** The cause, and a sentence for a person with the numbers in it. */
export interface Reason {
  readonly cause: Cause;
  readonly message: string;
}

/** What a search came upon. */
interface Searched {
  readonly span: Span;
  /** The starts of each of the days that window, now, timeframe and season allow. */
  readonly grids: readonly (readonly number[])[];
  readonly able: ServicePlan;
  readonly plans: readonly Plan[];
}

/** What the work would find if nothing were booked. */
interface Unbooked {
  /** Whether anybody works at any start. */
  readonly works: boolean;
  /** The most minutes of work that any start leaves after the first drive. */
  readonly room: number;
  /** Minutes of the first drive. */
  readonly drive: number;
}

function unbooked(calendar: Calendar, work: Work, { span: { days, around }, grids, plans }: Searched): Unbooked {
  let [works, room] = [false, 0];
  for (const [index, day] of days.entries()) {
    for (const { working } of plans) {
      for (const window of working) {
        const starts = grids[index]?.filter((at) => window.start <= at && at < window.end) ?? [];
        if (!starts.length) continue;
        works = true;
        const free = { ...window, windowStart: window.start, before: null, after: null };
        const { first } = roomInGap(free, working, [around[index] ?? day, day], calendar, work);
        const start = starts.find((at) => first <= at);
        if (start !== undefined) room = Math.max(room, (window.end - start) / MINUTE);
      }
    }
  }
  return {
    works,
    room: Math.floor(room),
    drive: work.fixedLocation ? 0 : calendar.driveTimes(calendar.startPosition, work.position),
  };
}

function agentReason({ agents }: Calendar, work: Work, { ofCategory, ofPlace }: ServicePlan): Reason | undefined {
  if (!agents.length) return { cause: 'agents', message: 'There are no service agents.' };
  if (!ofCategory.length) return { cause: 'category', message: `${nobodyOffers(agents.length)} ${servicesOf(work)}.` };
  if (ofPlace.length) return undefined;
  return {
    cause: 'postalCode',
    message: `${placeOf(work)} is outside the postal codes of ${everyAgent(ofCategory.length)} for ${servicesOf(work)}.`,
  };
}

/** The sentence for an address that is not known. */
export const addressReason = (work: Work): string =>
  `${placeOf(work)} cannot be located, so that no drive there can be planned.`;

function timeReason(calendar: Calendar, work: Work, window: SearchWindow, searched: Searched): Reason {
  const { zone, jobs } = calendar;
  const {
    plans,
    span: { around, end },
  } = searched;
  const from = Math.max(window.from, window.now);
  if (end <= from)
    return { cause: 'past', message: `The days asked for are over: the last is ${dayText(end - 1, zone)}.` };
  const [first, last] = [Math.max(from, work.seasonStart ?? from), Math.min(end - 1, work.seasonExpiration ?? end)];
  if (last < first)
    return {
      cause: 'season',
      message: `The service has its season ${seasonText(work, zone)}, and not ${periodText(from, end - 1, zone)}.`,
    };
  const { works, room, drive } = unbooked(calendar, work, searched);
  const length = formatDuration(work.minutes);
  const when = `${periodText(first, last, zone)}${timeframeText(window.timeframe)}`;
  if (!works) return { cause: 'hours', message: `${nobodyWorks(plans.length)} ${when}.` };
  if (!room)
    return {
      cause: 'duration',
      message: `The place is out of reach: the first drive of ${formatDuration(drive)} from the start address leaves no time for the work ${when}.`,
    };
  if (room < work.minutes) {
    const after = drive ? ` after the first drive of ${formatDuration(drive)}` : '';
    return {
      cause: 'duration',
      message: `The work takes ${length}, longer than any working time: a start leaves ${formatDuration(room)} at most${after}, ${when}.`,
    };
  }
  const reach = { start: around[0].start, end: around.at(-1)?.end ?? end };
  const ids = new Set(plans.map(({ agent }) => agent.Id));
  const booked = jobs.filter(
    (job) => ids.has(job.agentId) && job.appointmentId !== work.appointmentId && overlaps(job, reach),
  );
  const drives = work.fixedLocation ? '' : ' and the drives';
  return {
    cause: 'booked',
    message: `Fully booked ${when}: beside ${counted(booked.length, 'appointment')} of ${counted(plans.length, 'service agent')} there is no room for ${length}${drives}.`,
  };
}

/** Says why a search found nothing. */
export function explain(calendar: Calendar, work: Work, window: SearchWindow, searched: Searched): Reason {
  const reason = agentReason(calendar, work, searched.able);
  if (reason) return reason;
  if (!isReachable(calendar, work)) return { cause: 'address', message: addressReason(work) };
  return timeReason(calendar, work, window, searched);
}

/** Pieces of the sentences in which a search or a check says why not. */

/** `all 3 service agents`, `the only service agent`. */
export const everyAgent = (count: number): string =>
  count === 1 ? 'the only service agent' : `all ${count} service agents`;

/** `The only service agent for this does not work`, `None of the 3 service agents for this works`. */
export const nobodyWorks = (count: number): string =>
  count === 1 ? 'The only service agent for this does not work' : `None of the ${count} service agents for this works`;

export const nobodyOffers = (count: number): string =>
  count === 1 ? 'The only service agent does not do' : `None of the ${count} service agents does`;

export const servicesOf = ({ category }: Pick<Work, 'category'>): string =>
  category ? `services of the category ${category}` : 'services without a category';

export const placeOf = ({ postalCode }: Pick<Work, 'postalCode'>): string =>
  postalCode ? `The postal code ${postalCode}` : 'An address without a postal code';

export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

const TIME = / (\d+:\d\d [AP]M)$/;

/** `Sun, Mar 8 2026`. */
export const dayText = (at: number, zone: string): string => toFriendly(at, zone).replace(TIME, '');

/** `9:00 AM`. */
export const timeText = (at: number, zone: string): string => TIME.exec(toFriendly(at, zone))?.[1] ?? '';

/** `9:00 AM to 5:00 PM`. */
export const hoursText = ({ start, end }: { readonly start: number; readonly end: number }, zone: string): string =>
  `${timeText(start, zone)} to ${timeText(end, zone)}`;

/** `from Apr 1 2026 through Oct 31 2026`, one side when the other is open. */
export function seasonText(
  { seasonStart, seasonExpiration }: Pick<Work, 'seasonStart' | 'seasonExpiration'>,
  zone: string,
): string {
  const from = seasonStart === null ? [] : [`from ${dayText(seasonStart, zone)}`];
  const through = seasonExpiration === null ? [] : [`through ${dayText(seasonExpiration, zone)}`];
  return [...from, ...through].join(' ');
}

/** `on Mon, Jun 1 2026`, `from Mon, Jun 1 2026 through Sun, Jun 14 2026`; with the time where it begins later than the day: `from Mon, Jun 1 2026 6:00 PM through …`. */
export function periodText(from: number, last: number, zone: string): string {
  const through = dayText(last, zone);
  if (from > dayAt(from, zone).start) return `from ${toFriendly(from, zone)} through ${through}`;
  return dayText(from, zone) === through ? `on ${through}` : `from ${dayText(from, zone)} through ${through}`;
}

const clock = (minute: number): string => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`;

/** `, between 17:00 and 24:00`; nothing for the whole day. */
export const timeframeText = ({ from, to }: Timeframe): string =>
  from === 0 && to === 1440 ? '' : `, between ${clock(from)} and ${clock(to)}`;
