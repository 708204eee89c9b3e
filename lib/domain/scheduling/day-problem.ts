import { MINUTE } from '../../shared/time/time.ts';
import type { AgentCalendar, Interval } from './calendar.ts';
import { driveBetween, timeBetween } from './day-routes.ts';
import { type DayStop, type DayToPlan, gridRanges, permittedStarts } from './day-stops.ts';
import { improveRoutes, searchSteps } from './routing/improve.ts';
import type { RoutingProblem, SearchLimits } from './routing/problem.ts';

/** A day as a routing problem: its vehicles are the agents, its stops their visits and the queued ones. */

/** An agent with the stops of a day, in their order. */
export interface Route {
  readonly own: AgentCalendar;
  readonly stops: readonly DayStop[];
}

/** A stop with the starts that each of the agents may choose. */
export interface OpenStop {
  readonly stop: DayStop;
  readonly ranges: readonly (readonly Interval[])[];
}

/** The steps are those that the problem needs, if not given; the time is a fence. */
export type DaySearch = Omit<SearchLimits, 'steps'> & Partial<Pick<SearchLimits, 'steps'>>;

/** A visit that is booked must be served; a queued one is worth more than any drive. */
const PENALTY_BOOKED = 1e7;
const PENALTY_QUEUED = 1e4;

export function openStops(
  routes: readonly Route[],
  queued: readonly DayStop[],
  grid: readonly number[],
  plan: DayToPlan,
): OpenStop[] {
  const rangesOf = (stop: DayStop) =>
    routes.map(({ own }) => {
      const permitted = permittedStarts(stop, own, plan);
      if (stop.stays !== undefined) return permitted;
      return gridRanges(permitted, grid, stop.agentId === own.agent.Id ? stop.start : null);
    });
  return [...routes.flatMap(({ stops }) => stops), ...queued].map((stop) => ({ stop, ranges: rangesOf(stop) }));
}

/** The time from the end of a stop to the start of the next: on the grid, as both starts are. */
function timeOnGrid(from: DayStop, to: DayStop, { calendar, day, granularity }: DayToPlan): number {
  const least = timeBetween(from, to, calendar);
  if (to.stays !== undefined) return least;
  const step = granularity * MINUTE;
  // Starts on the grid follow each other by whole steps; a stop that stays begins when it begins.
  const begins = from.stays === undefined ? 0 : (from.start ?? 0) - day.start;
  const ready = begins + from.work.minutes * MINUTE + least;
  return least + ((step - (ready % step)) % step);
}

function toProblem(vehicles: number, open: readonly OpenStop[], plan: DayToPlan): RoutingProblem {
  const { calendar, day } = plan;
  const points = open.length + 2 * vehicles;
  const cost = new Float64Array(points * points);
  const time = new Float64Array(points * points);
  for (let from = 0; from < points; from++)
    for (let to = 0; to < points; to++) {
      const [one, other] = [open[from]?.stop, open[to]?.stop];
      cost[from * points + to] = driveBetween(one, other, calendar);
      if (one && other) time[from * points + to] = timeOnGrid(one, other, plan);
    }
  // The permitted starts have the first drive, and no rule asks when an agent is back.
  const vehicle = { capacity: 1, leaves: day.start, returns: Number.MAX_SAFE_INTEGER };
  return {
    stops: open.map(({ stop, ranges }) => ({
      duration: stop.work.minutes * MINUTE,
      demand: 0,
      starts: ranges,
      penalty: stop.agentId === 0 ? PENALTY_QUEUED : PENALTY_BOOKED,
    })),
    vehicles: Array.from({ length: vehicles }, () => vehicle),
    cost,
    time,
  };
}

/** The best orders that a search finds, by agent; the stops of none are not in any. */
export function searchOrders(
  routes: readonly Route[],
  open: readonly OpenStop[],
  plan: DayToPlan,
  limits: DaySearch,
): (readonly OpenStop[])[] {
  let place = 0;
  const byVehicle = routes.map(({ stops }) => stops.map(() => place++));
  const undone = open.slice(place).map(() => place++);
  const problem = toProblem(routes.length, open, plan);
  const found = improveRoutes(problem, { byVehicle, undone }, { steps: searchSteps(problem), ...limits });
  return found.byVehicle.map((route) => route.flatMap((index) => open[index] ?? []));
}
