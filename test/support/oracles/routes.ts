import type { Routes, RoutingProblem } from '../../../lib/domain/scheduling/routing/problem.ts';

/** What is compared first, and then: the penalties of what is undone, and the cost. */
export type Worth = readonly [penalty: number, cost: number];

export const isBetter = (one: Worth, other: Worth): boolean =>
  one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);

/**
 * A route on its way, looked at minute by minute as a person would: undefined once a stop cannot start any more. Each
 * unit of time is tried in turn, so starts are found without any reasoning on intervals.
 */
interface OnTheWay {
  readonly at: number;
  readonly free: number;
  readonly load: number;
  readonly cost: number;
}

const leaving = ({ stops }: RoutingProblem, vehicle: number): number => stops.length + 2 * vehicle;

function setOut(problem: RoutingProblem, vehicle: number): OnTheWay {
  return { at: leaving(problem, vehicle), free: problem.vehicles[vehicle]?.leaves ?? NaN, load: 0, cost: 0 };
}

function goOn(problem: RoutingProblem, vehicle: number, way: OnTheWay, next: number): OnTheWay | undefined {
  const points = problem.stops.length + 2 * problem.vehicles.length;
  const stop = problem.stops[next];
  const { capacity = NaN, returns = NaN } = problem.vehicles[vehicle] ?? {};
  if (!stop) return undefined;
  const load = way.load + stop.demand;
  if (load > capacity) return undefined;
  let start = way.free + (problem.time[way.at * points + next] ?? NaN);
  while (!stop.starts[vehicle]?.some((each) => each.start <= start && start <= each.end))
    if (++start > returns) return undefined;
  const cost = way.cost + (problem.cost[way.at * points + next] ?? NaN);
  return { at: next, free: start + stop.duration, load, cost };
}

/** The whole cost with the way to where the vehicle ends; undefined if it is there too late. */
function comeBack(problem: RoutingProblem, vehicle: number, way: OnTheWay): number | undefined {
  const points = problem.stops.length + 2 * problem.vehicles.length;
  const pair = way.at * points + leaving(problem, vehicle) + 1;
  const { returns = NaN } = problem.vehicles[vehicle] ?? {};
  if (way.at === leaving(problem, vehicle)) return 0;
  return way.free + (problem.time[pair] ?? NaN) <= returns ? way.cost + (problem.cost[pair] ?? NaN) : undefined;
}

/** What routes are worth; undefined if they break a rule: a stop missing or twice, late, too much, or not back in time. */
export function worthOf(problem: RoutingProblem, { byVehicle, undone }: Routes): Worth | undefined {
  const all = [...byVehicle.flat(), ...undone].sort((one, other) => one - other);
  const isEachOnce = all.length === problem.stops.length && all.every((stop, index) => stop === index);
  if (!isEachOnce || byVehicle.length !== problem.vehicles.length) return undefined;
  let cost = 0;
  for (const [vehicle, route] of byVehicle.entries()) {
    let way: OnTheWay | undefined = setOut(problem, vehicle);
    for (const stop of route) way = way && goOn(problem, vehicle, way, stop);
    const whole = way && comeBack(problem, vehicle, way);
    if (whole === undefined) return undefined;
    cost += whole;
  }
  return [undone.reduce((sum, stop) => sum + (problem.stops[stop]?.penalty ?? NaN), 0), cost];
}

/** The least cost of each set of stops by one vehicle, over all orders of it; sets are numbers with a bit a stop. */
function leastBySet(problem: RoutingProblem, vehicle: number): number[] {
  const least = Array.from({ length: 2 ** problem.stops.length }, () => Infinity);
  const visit = (way: OnTheWay, set: number): void => {
    least[set] = Math.min(least[set] ?? Infinity, comeBack(problem, vehicle, way) ?? Infinity);
    for (const stop of problem.stops.keys()) {
      const next = set & (1 << stop) ? undefined : goOn(problem, vehicle, way, stop);
      if (next) visit(next, set | (1 << stop));
    }
  };
  visit(setOut(problem, vehicle), 0);
  return least;
}

/** The best that any routes are worth, by looking at all of them. */
export function bestWorth(problem: RoutingProblem): Worth {
  const bySet = problem.vehicles.map((_, vehicle) => leastBySet(problem, vehicle));
  const all = 2 ** problem.stops.length - 1;
  let best: Worth = [Infinity, Infinity];
  const share = (vehicle: number, left: number, cost: number): void => {
    const least = bySet[vehicle];
    if (!least) {
      const undone = [...problem.stops.keys()].filter((stop) => left & (1 << stop));
      const worth: Worth = [undone.reduce((sum, stop) => sum + (problem.stops[stop]?.penalty ?? NaN), 0), cost];
      if (isBetter(worth, best)) best = worth;
      return;
    }
    // Every subset of what is left, down to the empty one.
    for (let set = left; ; set = (set - 1) & left) {
      const more = least[set] ?? Infinity;
      if (more < Infinity) share(vehicle + 1, left & ~set, cost + more);
      if (set === 0) return;
    }
  };
  share(0, all, 0);
  return best;
}
