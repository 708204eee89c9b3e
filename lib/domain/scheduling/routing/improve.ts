import { Plan, UNDONE } from './plan.ts';
import type { Routes, RoutingProblem, SearchLimits } from './problem.ts';
import { Search } from './search.ts';
import { tablesOf } from './tables.ts';
import { leavingPoint, timeRoute } from './timing.ts';

/** The part of the steps that may go into serving what is undone, before only the cost is improved. */
const SERVING = 0.5;

/**
 * The best routes that a search finds from a start: least penalties of undone stops first, then least cost. They keep
 * every rule, and are never worse than the start. Of a route in it that breaks a rule, each stop that is not possible
 * behind those before it counts as undone. The same input gives the same routes, unless time ends the search.
 */
export function improveRoutes(problem: RoutingProblem, start: Routes, limits: SearchLimits): Routes {
  const search = new Search(planOf(problem, start), limits);
  search.serve(Math.floor(limits.steps * SERVING));
  search.shorten();
  return search.best.toRoutes();
}

/** What improveRoutes does first: serves as many undone stops as it can, and ends once all are served. */
export function serveUndone(problem: RoutingProblem, start: Routes, limits: SearchLimits): Routes {
  const search = new Search(planOf(problem, start), limits);
  search.serve(limits.steps);
  return search.best.toRoutes();
}

/** Steps that find the least cost of small days; many more change little on large ones. */
export const searchSteps = ({ stops }: RoutingProblem): number => 3_000 + 250 * stops.length;

function planOf(problem: RoutingProblem, start: Routes): Plan {
  const plan = new Plan(tablesOf(problem));
  for (const [vehicle, route] of start.byVehicle.entries()) {
    let behind = leavingPoint(problem, vehicle);
    for (const stop of permittedPart(problem, vehicle, route)) {
      plan.insert(stop, behind);
      behind = stop;
    }
  }
  plan.undone = plan.undone.filter((stop) => plan.vehicleOf[stop] === UNDONE);
  return plan;
}

function permittedPart(problem: RoutingProblem, vehicle: number, route: readonly number[]): readonly number[] {
  if (timeRoute(problem, vehicle, route)) return route;
  const kept: number[] = [];
  for (const stop of route) if (timeRoute(problem, vehicle, [...kept, stop])) kept.push(stop);
  return kept;
}
