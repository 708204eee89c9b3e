import type { ServiceAgent } from '../../resources/organizations.ts';
import type { Position } from '../postal/miles.ts';
import type { Interval } from './intervals.ts';
import type { DriveTimes } from './room.ts';
import { DAY } from '../../shared/time.ts';

/**
 * A holiday, or time off of an agent, on every date From … Through (`YYYY-MM-DD`, both inclusive): the whole day, or `Minutes` from `StartMinute` of
 * the clock (null Minutes: to the end of the day), midnight at the latest.
 */
export interface DayOff {
  readonly Name: string;
  readonly From: string;
  readonly Through: string;
  readonly StartMinute: number | null;
  readonly Minutes: number | null;
}

/** Time of one agent taken by an appointment, driving aside. An appointment with several agents is a job of each. */
export interface Job extends Interval {
  readonly appointmentId: number;
  readonly agentId: number;
  /** Where it is; null when unknown: driving to and from there counts nothing. */
  readonly position: Position | null;
}

/** An agent as kept, with the time off it has. */
export interface AgentCalendar {
  readonly agent: Pick<ServiceAgent, 'Id' | 'Name' | 'StartDate' | 'EndDate' | 'TimeSlots'>;
  readonly timeOff: readonly DayOff[];
}

/** What an organization's calendar holds. */
export interface Calendar {
  readonly zone: string;
  readonly agents: readonly AgentCalendar[];
  /** Of all agents, in any order, at least those in `reachOf` of what is asked. Jobs that take no time are nowhere in the way. */
  readonly jobs: readonly Job[];
  readonly holidays: readonly DayOff[];
  /** Codes that agents without PostalCodes of their own serve, comma-separated; empty: they serve everywhere. */
  readonly postalCodes: string;
  /** StartAddress, where each agent's day begins; null when unknown: the first drive counts nothing. */
  readonly startPosition: Position | null;
  readonly driveTimes: DriveTimes;
}

/** What is to be done, how long, and where. */
export interface Work {
  /** Category of the service, empty for none. */
  readonly category: string;
  /** SchedulingMode 1: done at the company's place, so that nobody drives and no address need be known. */
  readonly fixedLocation: boolean;
  /** First and last moment at which it may start, epoch milliseconds; null is open. */
  readonly seasonStart: number | null;
  readonly seasonExpiration: number | null;
  /** At least 1. */
  readonly minutes: number;
  readonly postalCode: string;
  readonly position: Position | null;
  /** The appointment being moved, which does not block itself. */
  readonly appointmentId?: number | undefined;
}

const WEEK = 7 * DAY;
/** Monday 1970-01-05, 0:00 UTC. */
const FIRST_MONDAY = 4 * DAY;

const weekStart = (at: number): number => Math.floor((at - FIRST_MONDAY) / WEEK) * WEEK + FIRST_MONDAY;

/**
 * The weeks an interval (`end` exclusive) touches, by the date of their Monday: what a calendar is kept and read by. Weeks are of UTC, and not of the
 * organization's zone, so that a claim stays where it is when the organization's Timezone is changed; nobody sees them.
 *
 * New York, 14 days from 2026-03-08 0:00 (05:00Z) and the days around (`reachOf`: 03-07 05:00Z to 03-23 04:00Z): 2026-03-02, -09, -16, -23. A job from
 * Sunday 2026-03-08 19:00 to 21:00 EDT (23:00Z to 01:00Z): both 2026-03-02 and 2026-03-09.
 */
export function calendarWeeks({ start, end }: { readonly start: number; readonly end: number }): string[] {
  const weeks: string[] = [];
  for (let week = weekStart(start); week < Math.max(end, start + 1); week += WEEK)
    weeks.push(new Date(week).toISOString().slice(0, 10));
  return weeks;
}
