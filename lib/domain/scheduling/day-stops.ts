import {
  type AgentCalendar,
  type BookingPeriod,
  type Calendar,
  type Interval,
  type LocalDay,
  type Work,
  ANYTIME,
  findContaining,
  gridStarts,
  isInSeason,
  visitSpan,
} from './calendar.ts';
import { MINUTE } from '../../shared/time/time.ts';
import { type AgentPlan, agentPlanner, daysBack, findAbleAgents, isReachable, startRangeIn } from './plans.ts';

/** What a plan of a day places, and when each agent may begin it. */

export interface DayStop {
  readonly appointmentId: number;
  /** 0 for a visit that waits in the queue. */
  readonly agentId: number;
  /** `null` for a visit that waits in the queue. */
  readonly start: number | null;
  readonly work: Work;
  /** Why it stays as it is; absent if it may move. */
  readonly stays?: string | undefined;
  /** The time in which a movable visit may begin, `end` exclusive; absent for the whole day. */
  readonly within?: Interval | undefined;
  readonly mayChangeAgent: boolean;
  /** The period in which the caller may book the service; absent for any time. */
  readonly period?: Pick<BookingPeriod, 'first' | 'until'> | undefined;
}

export interface DayToPlan {
  /** Its jobs are those that no stop stands for: private and held times, and the visits of the days around. */
  readonly calendar: Calendar;
  readonly day: LocalDay;
  /** No visit moves to an earlier start. */
  readonly now: number;
  /** Minutes between starts, counted from midnight. */
  readonly granularity: number;
  readonly stops: readonly DayStop[];
}

/** The starts on the grid of the day from now on. */
export const openGrid = ({ day, granularity, now }: DayToPlan): number[] =>
  gridStarts(day, granularity, ANYTIME).filter((at) => at >= now);

/** Both ends are permitted starts. */
const common = (one: Interval, other: Interval): Interval => ({
  start: Math.max(one.start, other.start),
  end: Math.min(one.end, other.end),
});

/** The bounds of a movable stop, both included, without the rules of the calendar. */
function boundsOf({ within, period }: DayStop, { day, now }: DayToPlan): Interval {
  const { start, end } = within ?? day;
  const [first, until] = [period?.first ?? -Infinity, period?.until ?? Infinity];
  return { start: Math.max(day.start, now, start, first), end: Math.min(day.end, end, until) - 1 };
}

/** When an agent works and is free on the day for a stop; `undefined` if the agent may not do it that day. */
function agentPlanOf({ work }: DayStop, own: AgentCalendar, { calendar, day }: DayToPlan): AgentPlan | undefined {
  const [able] = findAbleAgents(work, { ...calendar, agents: [own] }).forAddress;
  if (!able || !isReachable(calendar, work) || !isInSeason(day, work)) return undefined;
  const { around } = visitSpan(calendar.zone, day.start, 1, work, daysBack(calendar.zone, [own.agent], day.start));
  return agentPlanner(around, calendar, work)(able);
}

/** Whether a booked visit lies in the hours of its agent for it, and in no private or held time; drives do not count. */
export function isInHours(stop: DayStop, own: AgentCalendar, plan: DayToPlan): boolean {
  const { start, work } = stop;
  if (start === null) return false;
  const visit = { start, end: start + work.minutes * MINUTE };
  return findContaining(agentPlanOf(stop, own, plan)?.gaps ?? [], visit) !== undefined;
}

/**
 * When an agent may begin the work of a stop on the day, as if the other stops were not there: within the hours for its
 * category and address, outside private and held times, with the drives from and to what is around the day. Both ends
 * of each interval are permitted starts; they are sorted and apart.
 */
export function permittedStarts(stop: DayStop, own: AgentCalendar, plan: DayToPlan): Interval[] {
  const { calendar, day } = plan;
  const { work, agentId, start } = stop;
  const isOwn = agentId === own.agent.Id;
  if (stop.stays !== undefined) return isOwn && start !== null ? [{ start, end: start }] : [];
  if (!isOwn && agentId !== 0 && !stop.mayChangeAgent) return [];
  const agentPlan = agentPlanOf(stop, own, plan);
  if (!agentPlan) return [];
  const bounds = boundsOf(stop, plan);
  return agentPlan.gaps
    .filter((gap) => gap.start < day.end && gap.end > day.start)
    .map((gap) => {
      const { first, last } = startRangeIn(gap, agentPlan.working, day, calendar, work);
      return common({ start: first, end: last }, bounds);
    })
    .filter((range) => range.start <= range.end);
}

const contains = (ranges: readonly Interval[], at: number): boolean =>
  ranges.some(({ start, end }) => start <= at && at <= end);

/** The permitted starts that lie on the grid, as intervals between grid points; and its present start if permitted. */
export function gridRanges(ranges: readonly Interval[], grid: readonly number[], present: number | null): Interval[] {
  const onGrid = ranges.flatMap((range): Interval[] => {
    const start = grid.find((at) => at >= range.start);
    const end = grid.findLast((at) => at <= range.end);
    return start === undefined || end === undefined || start > end ? [] : [{ start, end }];
  });
  const isOffGrid = present !== null && contains(ranges, present) && !contains(onGrid, present);
  const all = isOffGrid ? [...onGrid, { start: present, end: present }] : onGrid;
  return all.toSorted((one, other) => one.start - other.start);
}
