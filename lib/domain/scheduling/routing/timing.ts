import type { Interval } from '../calendar.ts';
import type { RoutingProblem, Stop, Vehicle } from './problem.ts';

/** When the work of a route starts, as early as it may; undefined of a route that breaks a rule. */
export interface RouteTimes {
  readonly starts: readonly number[];
  /** How long each stop is waited for, once the vehicle is there. */
  readonly waits: readonly number[];
  /** When the vehicle is at its last point. */
  readonly end: number;
}

export const leavingPoint = (problem: RoutingProblem, vehicle: number): number => problem.stops.length + 2 * vehicle;
const returningPoint = (problem: RoutingProblem, vehicle: number): number => leavingPoint(problem, vehicle) + 1;
const pointsOf = ({ stops, vehicles }: RoutingProblem): number => stops.length + 2 * vehicles.length;

/** The earliest permitted start from an instant on. */
const startFrom = (starts: readonly Interval[], ready: number): number | undefined => {
  const next = starts.find(({ end }) => end >= ready);
  return next && Math.max(next.start, ready);
};

export function timeRoute(problem: RoutingProblem, vehicle: number, route: readonly number[]): RouteTimes | undefined {
  const { stops, time } = problem;
  const { capacity, leaves, returns } = problem.vehicles[vehicle] as Vehicle;
  if (!route.length) return { starts: [], waits: [], end: leaves };
  const points = pointsOf(problem);
  const starts: number[] = [];
  const waits: number[] = [];
  let at = leavingPoint(problem, vehicle);
  let free = leaves;
  let load = 0;
  for (const each of route) {
    const stop = stops[each] as Stop;
    const ready = free + (time[at * points + each] as number);
    const start = startFrom(stop.starts[vehicle] ?? [], ready);
    load += stop.demand;
    if (start === undefined || load > capacity) return undefined;
    starts.push(start);
    waits.push(start - ready);
    free = start + stop.duration;
    at = each;
  }
  const end = free + (time[at * points + returningPoint(problem, vehicle)] as number);
  return end <= returns ? { starts, waits, end } : undefined;
}

/** The cost of the ways of a route; nothing for an unused vehicle. */
export function routeCost(problem: RoutingProblem, vehicle: number, route: readonly number[]): number {
  if (!route.length) return 0;
  const points = pointsOf(problem);
  const way = [leavingPoint(problem, vehicle), ...route, returningPoint(problem, vehicle)];
  let sum = 0;
  for (let index = 1; index < way.length; index++)
    sum += problem.cost[(way[index - 1] as number) * points + (way[index] as number)] as number;
  return sum;
}
