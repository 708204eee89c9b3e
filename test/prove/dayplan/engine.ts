import { improveRoutes, serveUndone } from '../../../lib/domain/scheduling/routing/improve.ts';
import type { Routes, SearchLimits } from '../../../lib/domain/scheduling/routing/problem.ts';
import { type SolomonInstance, routingProblem } from './solomon.ts';

/** What the instances say. */
const FLEET = 25;
/** Some 2 seconds: steps to a first solution, to one with a vehicle less, and to a shorter one. */
const FIRST = 1_000;
const FEWER = 20_000;
const SHORTER = 35_000;
const limits = (steps: number): SearchLimits => ({ seed: 1, steps, milliseconds: Infinity });

/** Routes by our engine: one vehicle less as often as it still serves all customers, then the shortest way with these. */
export function solveByEngine(instance: SolomonInstance): number[][] {
  const demand = instance.customers.reduce((sum, customer) => sum + customer.demand, 0);
  let routes = firstRoutes(instance);
  while (routes.byVehicle.length - 1 >= demand / instance.capacity) {
    const fewer = withoutShortestRoute(routes);
    const served = serveUndone(routingProblem(instance, fewer.byVehicle.length), fewer, limits(FEWER));
    if (served.undone.length) break;
    routes = served;
  }
  const { byVehicle } = improveRoutes(routingProblem(instance, routes.byVehicle.length), routes, limits(SHORTER));
  return byVehicle.map((route) => route.map((stop) => stop + 1));
}

function firstRoutes(instance: SolomonInstance): Routes {
  const undone = [...instance.customers.keys()].slice(0, -1);
  const start = { byVehicle: Array.from({ length: FLEET }, () => []), undone };
  const { byVehicle } = serveUndone(routingProblem(instance, FLEET), start, limits(FIRST));
  return { byVehicle: byVehicle.filter(({ length }) => length), undone: [] };
}

function withoutShortestRoute({ byVehicle }: Routes): Routes {
  const [shortest = [], ...others] = byVehicle.toSorted((one, other) => one.length - other.length);
  return { byVehicle: others, undone: shortest };
}
