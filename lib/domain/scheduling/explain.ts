import { formatDuration } from '../durations.ts';
import type { Calendar, Work } from './calendar.ts';
import { isReachable } from './coverage.ts';
import { MINUTE } from './days.ts';
import { overlaps } from './intervals.ts';
import { counted, dayText, everyAgent, noneOffer, noneWork, periodText, placeOf, seasonText, servicesOf, timeframeText } from './phrases.ts';
import type { Able, Plan } from './plans.ts';
import { roomIn } from './room.ts';
import type { Window } from './slots.ts';
import type { Span } from './span.ts';

/** Why there is no slot. Agents fall away in this order; the cause is what leaves nobody. */
export type Cause = 'agents' | 'category' | 'postalCode' | 'address' | 'past' | 'season' | 'duration' | 'hours' | 'booked';

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
  readonly able: Able;
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
        const { first } = roomIn(free, working, [around[index] ?? day, day], calendar, work);
        const start = starts.find((at) => first <= at);
        if (start !== undefined) room = Math.max(room, (window.end - start) / MINUTE);
      }
    }
  }
  return { works, room: Math.floor(room), drive: work.fixedLocation ? 0 : calendar.driveTimes(calendar.startPosition, work.position) };
}

function agentReason({ agents }: Calendar, work: Work, { ofCategory, ofPlace }: Able): Reason | undefined {
  if (!agents.length) return { cause: 'agents', message: 'There are no service agents.' };
  if (!ofCategory.length) return { cause: 'category', message: `${noneOffer(agents.length)} ${servicesOf(work)}.` };
  if (ofPlace.length) return undefined;
  return { cause: 'postalCode', message: `${placeOf(work)} is outside the postal codes of ${everyAgent(ofCategory.length)} for ${servicesOf(work)}.` };
}

/** The sentence for an address that is not known. */
export const addressReason = (work: Work): string => `${placeOf(work)} cannot be located, so that no drive there can be planned.`;

function timeReason(calendar: Calendar, work: Work, window: Window, searched: Searched): Reason {
  const { zone, jobs } = calendar;
  const { plans, span: { around, end } } = searched;
  const from = Math.max(window.from, window.now);
  if (end <= from) return { cause: 'past', message: `The days asked for are over: the last is ${dayText(end - 1, zone)}.` };
  const [first, last] = [Math.max(from, work.seasonStart ?? from), Math.min(end - 1, work.seasonExpiration ?? end)];
  if (last < first) return { cause: 'season', message: `The service has its season ${seasonText(work, zone)}, and not ${periodText(from, end - 1, zone)}.` };
  const { works, room, drive } = unbooked(calendar, work, searched);
  const length = formatDuration(work.minutes);
  const when = `${periodText(first, last, zone)}${timeframeText(window.timeframe)}`;
  if (!works) return { cause: 'hours', message: `${noneWork(plans.length)} ${when}.` };
  if (!room) return { cause: 'duration', message: `The place is out of reach: the first drive of ${formatDuration(drive)} from the start address leaves no time for the work ${when}.` };
  if (room < work.minutes) {
    const after = drive ? ` after the first drive of ${formatDuration(drive)}` : '';
    return { cause: 'duration', message: `The work takes ${length}, longer than any working time: a start leaves ${formatDuration(room)} at most${after}, ${when}.` };
  }
  const reach = { start: around[0].start, end: around.at(-1)?.end ?? end };
  const ids = new Set(plans.map(({ agent }) => agent.Id));
  const booked = jobs.filter((job) => ids.has(job.agentId) && job.appointmentId !== work.appointmentId && overlaps(job, reach));
  const drives = work.fixedLocation ? '' : ' and the drives';
  return { cause: 'booked', message: `Fully booked ${when}: beside ${counted(booked.length, 'appointment')} of ${counted(plans.length, 'service agent')} there is no room for ${length}${drives}.` };
}

/** Says why a search found nothing. */
export function explain(calendar: Calendar, work: Work, window: Window, searched: Searched): Reason {
  const reason = agentReason(calendar, work, searched.able);
  if (reason) return reason;
  if (!isReachable(calendar, work)) return { cause: 'address', message: addressReason(work) };
  return timeReason(calendar, work, window, searched);
}
