import { formatDuration } from '../../shared/durations.ts';
import type { AgentCalendar, Calendar, DayOff, Job, Work } from './calendar.ts';
import type { LocalDay } from './days.ts';
import { addressReason, dayText, hoursText, placeOf, seasonText, servicesOf, timeText } from './explain.ts';
import { type Gap, workingHoursOn, timeOffOn } from './hours.ts';
import { type Interval, holding, overlaps } from './intervals.ts';
import { canDo, isReachable, planner } from './plans.ts';
import { type Room, isTight, roomInGap, visitSpan } from './room.ts';
import { MINUTE } from '../../shared/time.ts';

/** Which rule a start breaks. */
export type Rule = 'agent' | 'category' | 'postalCode' | 'address' | 'season' | 'hours' | 'taken' | 'driving';

/** That a start is a slot, and its drive; or the first rule it breaks, as a sentence for a person. */
export type SlotCheck =
  | { readonly ok: true; readonly driveMinutes: number; readonly driveWarning: boolean }
  | { readonly ok: false; readonly rule: Rule; readonly message: string };

/** The one to check. */
export interface Chosen {
  readonly agentId: number;
  /** Epoch milliseconds. */
  readonly start: number;
}

/** `8:00 AM to 12:00 PM, 1:00 PM to 5:00 PM`, or what else keeps the agent from working then. */
function whyNotWorking(
  wanted: Interval,
  day: LocalDay,
  own: Interval[],
  off: readonly DayOff[],
  { Name, StartDate, EndDate }: AgentCalendar['agent'],
): string {
  const { zone, date } = day;
  if (StartDate && date < StartDate) return `${Name} is a service agent from ${StartDate} only.`;
  if (EndDate && date > EndDate) return `${Name} was a service agent through ${EndDate} only.`;
  if (!own.length) return `${Name} does not work on ${dayText(wanted.start, zone)} for this service and place.`;
  const names = off.map(({ Name: name }) => name || 'time off');
  if (names.length) return `${Name} is off then: ${[...new Set(names)].join(', ')}.`;
  const hours = own.map((each) => hoursText(each, zone)).join(', ');
  return `${formatDuration((wanted.end - wanted.start) / MINUTE)} from ${timeText(wanted.start, zone)} are not within the hours of ${Name} on ${dayText(wanted.start, zone)}: ${hours}.`;
}

const takenText = ({ start, end, appointmentId }: Job, zone: string): string =>
  `on ${dayText(start, zone)} from ${hoursText({ start, end }, zone)} by appointment ${appointmentId}`;

/** Why a start does not fit for driving, when it does not. */
function whyUnreached(
  wanted: Interval,
  { before, after }: Gap,
  room: Room,
  name: string,
  zone: string,
): string | undefined {
  if (wanted.start < room.first) {
    // An appointment of yesterday may be later in time than the first drive from StartAddress.
    const from = room.from ?? (room.first > room.since + room.drive * MINUTE ? before : null);
    const origin = from
      ? `from appointment ${from.appointmentId}, which ends at ${timeText(from.end, zone)}`
      : `from the start address, leaving at ${timeText(room.since, zone)}`;
    return `${name} can be there at ${timeText(room.first, zone)} on ${dayText(room.first, zone)} at the earliest, driving ${origin}.`;
  }
  if (wanted.start <= room.last || !after) return undefined;
  return `${name} must leave ${formatDuration(room.driveOn)} before appointment ${after.appointmentId} at ${timeText(after.start, zone)}, and would be done at ${timeText(wanted.end, zone)}.`;
}

/**
 * Holds a start against the rules of `findSlots`, for one agent. What a search offered passes here as long as the calendar is the same. Grid, timeframe
 * and now are no rules of a booking: a start between two that are offered can be booked, and one that has just begun.
 *
 * The calendar must hold the jobs in `reachOf(zone, start, 1, work)`.
 */
export function checkSlot(calendar: Calendar, work: Work, { agentId, start }: Chosen): SlotCheck {
  const broken = (rule: Rule, message: string): SlotCheck => ({ ok: false, rule, message });
  const { zone } = calendar;
  const calendarOf = calendar.agents.find(({ agent }) => agent.Id === agentId);
  if (!calendarOf) return broken('agent', `There is no service agent ${agentId}.`);
  const { agent, timeOff } = calendarOf;
  const able = canDo(work, { ...calendar, agents: [calendarOf] });
  const [entry] = able.ofPlace;
  if (!able.ofCategory.length) return broken('category', `${agent.Name} does not do ${servicesOf(work)}.`);
  if (!entry)
    return broken(
      'postalCode',
      `${placeOf(work)} is outside the postal codes of ${agent.Name} for ${servicesOf(work)}.`,
    );
  if (!isReachable(calendar, work)) return broken('address', addressReason(work));
  if (start < (work.seasonStart ?? -Infinity) || start > (work.seasonExpiration ?? Infinity)) {
    return broken(
      'season',
      `${dayText(start, zone)} is outside the season of the service, which is ${seasonText(work, zone)}.`,
    );
  }

  const {
    days: [day],
    around,
  } = visitSpan(zone, start, 1, work);
  const plan = planner(around, calendar, work)(entry);
  const wanted = { start, end: start + work.minutes * MINUTE };
  if (!holding(plan.working, wanted)) {
    const off = [...calendar.holidays, ...timeOff].filter((each) =>
      timeOffOn(around, [each]).some((taken) => overlaps(taken, wanted)),
    );
    return broken('hours', whyNotWorking(wanted, day, workingHoursOn([day], entry.hours, agent), off, agent));
  }
  const gap = holding(plan.gaps, wanted);
  if (!gap) {
    const taken = calendar.jobs.filter(
      (job) => job.agentId === agentId && job.appointmentId !== work.appointmentId && overlaps(job, wanted),
    );
    return broken('taken', `${agent.Name} is taken ${taken.map((job) => takenText(job, zone)).join(' and ')}.`);
  }
  const room = roomInGap(gap, plan.working, [around[0], day], calendar, work);
  const unreached = whyUnreached(wanted, gap, room, agent.Name, zone);
  if (unreached) return broken('driving', unreached);
  return { ok: true, driveMinutes: room.drive, driveWarning: isTight(start, room, gap, work) };
}
