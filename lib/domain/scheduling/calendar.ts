import { MAX_BUFFER } from '../../entities/services.ts';
import type { ServiceAgent } from '../../entities/service-agents.ts';
import { DAY, firstInstantAt, MINUTE, offsetAt, resolveWallTime } from '../../shared/time/time.ts';
import type { Position } from '../postal/localities.ts';

/**
 * The basic types of scheduling: intervals, the calendar of an organization, the work and the search window, and the
 * days of a zone.
 */

/**
 * Half open: `start` belongs to it, `end` does not, so 9–10 and 10–11 touch and do not overlap. Epoch milliseconds
 * here, but any number line works.
 *
 * Every function except `merge` takes lists in normal form, which all of them return: sorted by start, none empty, none
 * touching another. Each is linear in its input.
 */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

export const overlaps = (one: Interval, other: Interval): boolean =>
  Math.max(one.start, other.start) < Math.min(one.end, other.end);

/** The normal form of any intervals: [9–12, 12–17, 11–13, 20–20] → [9–17]. Sorts; the rest of the work is linear. */
export function merge(intervals: readonly Interval[]): Interval[] {
  const merged: { start: number; end: number }[] = [];
  let last: { start: number; end: number } | undefined;
  for (const { start, end } of intervals.toSorted((one, other) => one.start - other.start)) {
    if (end <= start) continue;
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push((last = { start, end }));
  }
  return merged;
}

/** The first list without the second: [8–17] without [12–13] → [8–12, 13–17]. */
export function subtract(from: readonly Interval[], taken: readonly Interval[]): Interval[] {
  const rest: Interval[] = [];
  let next = 0;
  for (const { start, end } of from) {
    let at = start;
    while (next < taken.length && (taken[next] as Interval).end <= start) next++;
    for (let each = next; each < taken.length && (taken[each] as Interval).start < end; each++) {
      const cut = taken[each] as Interval;
      if (cut.start > at) rest.push({ start: at, end: cut.start });
      at = cut.end;
      next = each;
    }
    if (at < end) rest.push({ start: at, end });
  }
  return rest;
}

/** The interval that contains another completely: 9–11 lies in the first of [8–12, 13–17], 11–14 in neither. */
export function findContaining<Of extends Interval>(
  intervals: readonly Of[],
  { start, end }: Interval,
): Of | undefined {
  return intervals.find((each) => each.start <= start && end <= each.end);
}

/**
 * A holiday, or an agent's time off, on every date From … Through (`YYYY-MM-DD`, both inclusive): the whole day, or
 * `Minutes` from `StartMinute` by the clock (null Minutes: to the end of the day), at most until midnight.
 */
export interface DayOff {
  readonly Name: string;
  readonly From: string;
  readonly Through: string;
  readonly StartMinute: number | null;
  readonly Minutes: number | null;
}

/** Minutes before and after a visit that no other visit of its agents, nor its buffers, may use. */
export interface Buffers {
  readonly before: number;
  readonly after: number;
}

export const NO_BUFFERS: Buffers = { before: 0, after: 0 };

/** A visit with its buffers: 10–11 with 15 minutes before and 30 after is 9:45–11:30. */
export const withBuffers = ({ start, end }: Interval, { before, after }: Buffers = NO_BUFFERS): Interval => ({
  start: start - before * MINUTE,
  end: end + after * MINUTE,
});

/** A visit without the buffers that are included in its time. */
export const withoutBuffers = ({ start, end, buffers = NO_BUFFERS }: Interval & Pick<Job, 'buffers'>): Interval => ({
  start: start + buffers.before * MINUTE,
  end: end - buffers.after * MINUTE,
});

/**
 * Time of one agent that is taken by an appointment or held for one, with its buffers and without drives. An
 * appointment with several agents is one job for each.
 */
export interface Job extends Interval {
  /** The buffers included in the time; absent for none. */
  readonly buffers?: Buffers | undefined;
  /** 0 for time that is held or private. */
  readonly appointmentId: number;
  /** Whether the agent is busy elsewhere by an own calendar: nobody knows where, and no drive leads there. */
  readonly isPrivate?: true;
  /** Until when it is held for a caller who is deciding, in epoch milliseconds; absent for an appointment. */
  readonly heldUntil?: number;
  readonly agentId: number;
  /** Null if the address is unknown: driving to and from it takes no time. */
  readonly position: Position | null;
}

/** The job of a visit at a time, whose buffers it includes. */
export const jobAt = (
  { start, end }: Interval,
  { buffers, ...visit }: Pick<Job, 'agentId' | 'appointmentId' | 'position' | 'buffers'>,
): Job => ({ ...visit, ...withBuffers({ start, end }, buffers), ...(buffers ? { buffers } : {}) });

export interface AgentCalendar {
  readonly agent: Pick<ServiceAgent, 'Id' | 'Name' | 'StartDate' | 'EndDate' | 'TimeSlots'>;
  readonly timeOff: readonly DayOff[];
}

/**
 * Whole minutes of driving between two addresses. An unknown one (null) has no distance, because an unknown address of
 * an appointment must not block the day around it. The same applies to the address of the work, if the organization
 * lists its postal code.
 */
export type DriveTimes = (from: Position | null, to: Position | null) => number;

export interface Calendar {
  readonly zone: string;
  readonly agents: readonly AgentCalendar[];
  /**
   * The jobs of all agents in any order, at least those in the `reachableSpan` of the search. Jobs that take no time
   * block nothing.
   */
  readonly jobs: readonly Job[];
  readonly holidays: readonly DayOff[];
  /** Comma-separated codes served by agents without PostalCodes of their own; empty: they serve everywhere. */
  readonly postalCodes: string;
  /** StartAddress, where each agent's day begins; if null (unknown), the first drive takes no time. */
  readonly startPosition: Position | null;
  readonly driveTimes: DriveTimes;
  /** Whether drives take time besides the buffers; by default the agent may drive during them. */
  readonly drivesAddToBuffers?: boolean | undefined;
}

/** The work to be scheduled, its duration and its place. */
export interface Work {
  /** The category of the service, empty for none. */
  readonly category: string;
  /** SchedulingMode 1: done at the company, so nobody drives and the address may be unknown. */
  readonly fixedLocation: boolean;
  /** For a visitor who has not given a place: all hours count, and nobody drives, as with a fixed location. */
  readonly isAnywhere?: boolean | undefined;
  /** First and last day on which it may start, `YYYY-MM-DD`; null is open. */
  readonly seasonFirst: string | null;
  readonly seasonLast: string | null;
  /** At least 1. */
  readonly minutes: number;
  /** May be outside working hours, but not within another job. Absent for none. */
  readonly buffers?: Buffers | undefined;
  readonly postalCode: string;
  readonly position: Position | null;
  /** The appointment being rescheduled, which does not block itself. */
  readonly appointmentId?: number | undefined;
}

/**
 * Clock minutes between which a start must lie: `from` inclusive, `to` exclusive, so Morning, Afternoon and Evening do
 * not overlap.
 */
export interface Timeframe {
  readonly from: number;
  readonly to: number;
}

/** The time in which slots are searched. Moments in epoch milliseconds. */
export interface SearchWindow {
  /** The earliest start; the first day is the one that contains it. */
  readonly from: number;
  /** Calendar days. */
  readonly days: number;
  /** No start is earlier than this either. */
  readonly now: number;
  /** Minutes between starts, counted from each midnight. */
  readonly granularity: number;
  readonly timeframe: Timeframe;
  /** Offered instead of single starts; if absent, each start is a slot. */
  readonly arrivalWindows?: readonly Timeframe[] | undefined;
  /** The period in which the caller may book; if absent, any time. */
  readonly period?: BookingPeriod | undefined;
}

/** When visits can be booked. Moments in epoch milliseconds. */
export interface BookingPeriod {
  /** The earliest start. */
  readonly first: number;
  /** The end, exclusive; Infinity for no horizon. */
  readonly until: number;
  /** The rules behind it, as sentences; `''` for none. */
  readonly notice: string;
  readonly horizon: string;
}

export const MIDNIGHT = 1440;

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

/** A day in a zone's calendar: `start` inclusive to `end` exclusive in epoch milliseconds, usually 23 to 25 hours. */
export interface LocalDay extends Interval {
  /** `2026-03-08`. */
  readonly date: string;
  /** 0 Sunday to 6 Saturday. */
  readonly weekday: number;
  /** Its midnight as a wall-clock reading (see lib/shared/time/time.ts). */
  readonly midnight: number;
  /** Without clock changes, so that minute m of the clock is minute m of the day. */
  readonly plain: boolean;
  readonly zone: string;
}

function dayFrom(midnight: number, zone: string): LocalDay {
  const [start, end] = [firstInstantAt(midnight, zone), firstInstantAt(midnight + DAY, zone)];
  const date = new Date(midnight);
  const plain = end - start === DAY && offsetAt(start, zone) === offsetAt(end - 1, zone);
  return { date: date.toISOString().slice(0, 10), weekday: date.getUTCDay(), midnight, start, end, plain, zone };
}

/** The day that contains an instant. */
export function dayAt(at: number, zone: string): LocalDay {
  const day = dayFrom(Math.floor((at + offsetAt(at, zone)) / DAY) * DAY, zone);
  // St. John's, until 2011: clocks went back over midnight, 0:01 → 23:01, and showed yesterday although the day had
  // begun.
  return at < day.end ? day : dayAfter(day);
}

export const dayAfter = ({ midnight, zone }: LocalDay): LocalDay => dayFrom(midnight + DAY, zone);
export const dayBefore = ({ midnight, zone }: LocalDay): LocalDay => dayFrom(midnight - DAY, zone);

/** The instant of a clock minute of a day, 0 to 1440, as `firstInstantAt` reads it. */
export const instantAtMinute = (day: LocalDay, minute: number): number =>
  day.plain ? day.start + minute * MINUTE : firstInstantAt(day.midnight + minute * MINUTE, day.zone);

/** Minutes between starts, unless the organization sets them. */
export const DEFAULT_GRANULARITY = 30;

/**
 * The instants of a day at which its clock shows a multiple of `granularity` minutes after midnight, from minute `from`
 * to before minute `to`. A reading that occurs twice counts only the first time, like the same text without an offset;
 * one that is skipped does not count: New York, 2026-03-08, 60 minutes from 0 to 240 are 0:00, 1:00, 3:00; 2026-11-01,
 * 30 minutes from 60 to 150 are 1:00 EDT, 1:30 EDT, 2:00 EST.
 */
export function gridStarts(day: LocalDay, granularity: number, { from, to }: Timeframe): number[] {
  const starts: number[] = [];
  for (let minute = Math.ceil(from / granularity) * granularity; minute < to; minute += granularity) {
    if (day.plain) {
      starts.push(day.start + minute * MINUTE);
      continue;
    }
    const resolved = resolveWallTime(day.midnight + minute * MINUTE, day.zone);
    if (resolved.exists) starts.push(resolved.at);
  }
  return starts;
}

/** Whether work may start on a day. */
export const isInSeason = (
  { date }: Pick<LocalDay, 'date'>,
  { seasonFirst, seasonLast }: Pick<Work, 'seasonFirst' | 'seasonLast'>,
): boolean => date >= (seasonFirst ?? date) && date <= (seasonLast ?? date);

/** The days on which work may start, and all days whose hours and jobs affect them. */
export interface VisitSpan {
  readonly days: readonly [LocalDay, ...LocalDay[]];
  /** The preceding days that affect `days`, those days, and the days into which work on the last one may run. */
  readonly around: readonly [LocalDay, ...LocalDay[]];
  /** The end of the last of `days`. */
  readonly end: number;
}

/**
 * `count` days of a zone, at least one, starting with the day of `from`, for work of some minutes. `back` preceding
 * days affect them: see `daysBack`.
 */
export function visitSpan(
  zone: string,
  from: number,
  count: number,
  { minutes, buffers = NO_BUFFERS }: Pick<Work, 'minutes' | 'buffers'>,
  back: number,
): VisitSpan {
  const days: [LocalDay, ...LocalDay[]] = [dayAt(from, zone)];
  let day = days[0];
  while (days.length < count) days.push((day = dayAfter(day)));
  const { end } = day;
  const around: [LocalDay, ...LocalDay[]] = [...days];
  for (let count = 0; count < back; count++) around.unshift(dayBefore(around[0]));
  const reached = end + (minutes + buffers.after + MAX_BUFFER) * MINUTE;
  for (day = dayAfter(day); day.start < reached; day = dayAfter(day)) around.push(day);
  return { days, around, end };
}

/**
 * The time for which a calendar must have all jobs for a search or, with one day, a check: New York, 14 days from
 * 2026-03-08, 2 hours, one day back: 03-07 0:00 to 03-23 0:00.
 */
export function reachableSpan(
  zone: string,
  from: number,
  count: number,
  work: Pick<Work, 'minutes' | 'buffers'>,
  back: number,
): Interval {
  const { around } = visitSpan(zone, from, count, work, back);
  return { start: around[0].start, end: (around.at(-1) ?? around[0]).end };
}

const WEEK = 7 * DAY;
/** Monday 1970-01-05, 0:00 UTC. */
const FIRST_MONDAY = 4 * DAY;

const utcDate = (at: number): string => new Date(at).toISOString().slice(0, 10);

/**
 * The weeks that an interval (`end` exclusive) touches, by the date of their Monday: the partitions of a stored
 * calendar. Weeks are in UTC, not in the organization's zone, so a reservation stays where it is when the Timezone
 * changes.
 *
 * New York, 14 days from 2026-03-08 0:00 (05:00Z) and the days around (03-07 05:00Z to 03-23 04:00Z): 2026-03-02, -09,
 * -16, -23. A job from Sunday 2026-03-08 19:00 to 21:00 EDT (23:00Z to 01:00Z): both 2026-03-02 and 2026-03-09.
 */
export function calendarWeeks({ start, end }: Interval): string[] {
  const weeks: string[] = [];
  const monday = Math.floor((start - FIRST_MONDAY) / WEEK) * WEEK + FIRST_MONDAY;
  for (let week = monday; week < Math.max(end, start + 1); week += WEEK) weeks.push(utcDate(week));
  return weeks;
}

/** The UTC days that an interval touches: the items of a stored calendar. */
export function calendarDays({ start, end }: Interval): string[] {
  const days: string[] = [];
  for (let day = Math.floor(start / DAY) * DAY; day < Math.max(end, start + 1); day += DAY) days.push(utcDate(day));
  return days;
}
