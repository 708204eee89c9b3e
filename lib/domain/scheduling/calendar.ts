import type { ServiceAgent } from '../../resources/organizations.ts';
import { DAY } from '../../shared/time/time.ts';
import type { Position } from '../postal/miles.ts';
import type { Interval } from './intervals.ts';

/**
 * A holiday, or time off of an agent, on every date From … Through (`YYYY-MM-DD`, both inclusive): the whole day, or
 * `Minutes` from `StartMinute` of the clock (null Minutes: to the end of the day), midnight at the latest.
 */
export interface DayOff {
  readonly Name: string;
  readonly From: string;
  readonly Through: string;
  readonly StartMinute: number | null;
  readonly Minutes: number | null;
}

/**
 * Time of one agent taken by an appointment or held for one, driving aside. An appointment with several agents is a job
 * of each.
 */
export interface Job extends Interval {
  /** 0 for time that is held. */
  readonly appointmentId: number;
  /** Until when it is held for a caller who decides; absent for an appointment. Epoch milliseconds. */
  readonly heldUntil?: number;
  readonly agentId: number;
  /** Null if the address is unknown: driving to and from there takes no time. */
  readonly position: Position | null;
}

export interface AgentCalendar {
  readonly agent: Pick<ServiceAgent, 'Id' | 'Name' | 'StartDate' | 'EndDate' | 'TimeSlots'>;
  readonly timeOff: readonly DayOff[];
}

/**
 * Whole minutes of driving from one address to another. An unknown one (null) is at no distance: an unknown address of
 * an appointment must not block the day around it. So is the address of the work, if the organization lists its postal
 * code.
 */
export type DriveTimes = (from: Position | null, to: Position | null) => number;

export interface Calendar {
  readonly zone: string;
  readonly agents: readonly AgentCalendar[];
  /**
   * Of all agents, in any order, at least those in the `reachableSpan` of the search. Jobs that take no time block
   * nothing.
   */
  readonly jobs: readonly Job[];
  readonly holidays: readonly DayOff[];
  /** Codes that agents without PostalCodes of their own serve, comma-separated; empty: they serve everywhere. */
  readonly postalCodes: string;
  /** StartAddress, where each agent's day begins; null if unknown: the first drive takes no time. */
  readonly startPosition: Position | null;
  readonly driveTimes: DriveTimes;
}

/** What is to be done, how long, and where. */
export interface Work {
  /** Category of the service, empty for none. */
  readonly category: string;
  /** SchedulingMode 1: done at the company, so nobody drives and the address may be unknown. */
  readonly fixedLocation: boolean;
  /** First and last day on which it may start, `YYYY-MM-DD`; null is open. */
  readonly seasonFirst: string | null;
  readonly seasonLast: string | null;
  /** At least 1. */
  readonly minutes: number;
  readonly postalCode: string;
  readonly position: Position | null;
  /** The appointment being rescheduled, which does not block itself. */
  readonly appointmentId?: number | undefined;
}

/**
 * Minutes of the clock between which a start must lie: `from` inclusive, `to` exclusive, so Morning, Afternoon and
 * Evening share none.
 */
export interface Timeframe {
  readonly from: number;
  readonly to: number;
}

/** Where in time slots are searched. Moments in epoch milliseconds. */
export interface SearchWindow {
  /** Nothing earlier, and the first of the days is the one that holds it. */
  readonly from: number;
  /** Days of the calendar. */
  readonly days: number;
  /** Nothing earlier either. */
  readonly now: number;
  /** Minutes between starts, from each midnight. */
  readonly granularity: number;
  readonly timeframe: Timeframe;
}

const WEEK = 7 * DAY;
/** Monday 1970-01-05, 0:00 UTC. */
const FIRST_MONDAY = 4 * DAY;

const utcDate = (at: number): string => new Date(at).toISOString().slice(0, 10);

/**
 * The weeks an interval (`end` exclusive) touches, by the date of their Monday: the partitions of a stored calendar.
 * Weeks are of UTC, not of the organization's zone, so a reservation stays where it is when the Timezone changes.
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

/** The days of UTC that an interval touches: the items of a stored calendar. */
export function calendarDays({ start, end }: Interval): string[] {
  const days: string[] = [];
  for (let day = Math.floor(start / DAY) * DAY; day < Math.max(end, start + 1); day += DAY) days.push(utcDate(day));
  return days;
}
