import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { improveRoutes, serveUndone } from '../../../../lib/domain/scheduling/routing/improve.ts';
import type { Routes, RoutingProblem } from '../../../../lib/domain/scheduling/routing/problem.ts';
import { routeCost, timeRoute } from '../../../../lib/domain/scheduling/routing/timing.ts';
import { isBetter, worthOf } from '../../../support/oracles/routes.ts';
import { randomDay } from '../../../support/random/routing-problems.ts';

const limits = { seed: 7, steps: 200, milliseconds: 60_000 };
const days = fc
  .record({ seed: fc.nat(), stops: fc.integer({ min: 0, max: 25 }), vehicles: fc.integer({ min: 1, max: 5 }) })
  .map(({ seed, ...size }) => randomDay(seed, size));
const options = { numRuns: Number(process.env['DAY_RUNS'] ?? 60), seed: 1 };

/** The routes of a start that keep every rule; the stops of the others are undone. */
function permittedPart(problem: RoutingProblem, { byVehicle, undone }: Routes): Routes {
  const isPermitted = (route: readonly number[], vehicle: number): boolean => {
    const alone = byVehicle.map((each, other) => (other === vehicle ? each : []));
    const rest = [...problem.stops.keys()].filter((stop) => !route.includes(stop));
    return worthOf(problem, { byVehicle: alone, undone: rest }) !== undefined;
  };
  return {
    byVehicle: byVehicle.map((route, vehicle) => (isPermitted(route, vehicle) ? route : [])),
    undone: [...undone, ...byVehicle.filter((route, vehicle) => !isPermitted(route, vehicle)).flat()],
  };
}

describe('of any day', () => {
  test('each stop is done once or undone, starts when it may, and each agent is back in time', () => {
    fc.assert(
      fc.property(days, ({ problem, start }) => {
        expect(worthOf(problem, improveRoutes(problem, start, limits))).toBeDefined();
      }),
      options,
    );
  });

  test('the routes are never worse than what of the start is permitted, after any number of steps', () => {
    fc.assert(
      fc.property(days, fc.nat({ max: 50 }), ({ problem, start }, steps) => {
        const after = worthOf(problem, improveRoutes(problem, start, { ...limits, steps })) ?? [Infinity, Infinity];
        const before = worthOf(problem, permittedPart(problem, start)) ?? [NaN, NaN];
        expect(isBetter(before, after)).toBe(false);
      }),
      options,
    );
  });

  test('routes improved again do not get worse', () => {
    fc.assert(
      fc.property(days, ({ problem, start }) => {
        const once = improveRoutes(problem, start, limits);
        const twice = improveRoutes(problem, once, { ...limits, seed: 8 });
        const [before, after] = [worthOf(problem, once), worthOf(problem, twice)];
        expect(before && after && isBetter(before, after)).toBe(false);
      }),
      options,
    );
  });

  test('the same input gives the same routes', () => {
    fc.assert(
      fc.property(days, ({ problem, start }) => {
        expect(improveRoutes(problem, start, limits)).toEqual(improveRoutes(problem, start, limits));
      }),
      { ...options, numRuns: 20 },
    );
  });

  test('routes have the cost and the starts that timeRoute and routeCost say', () => {
    fc.assert(
      fc.property(days, ({ problem, start }) => {
        const { byVehicle, undone } = improveRoutes(problem, start, limits);
        const sum = byVehicle.reduce((cost, route, vehicle) => cost + routeCost(problem, vehicle, route), 0);
        const penalty = undone.reduce((all, stop) => all + (problem.stops[stop]?.penalty ?? NaN), 0);
        expect(worthOf(problem, { byVehicle, undone })).toEqual([penalty, sum]);
        for (const [vehicle, route] of byVehicle.entries())
          expect(timeRoute(problem, vehicle, route)?.starts).toHaveLength(route.length);
      }),
      options,
    );
  });
});

/** Points in a row, a minute from each to the next: the stops at 1, 2, 3, and the agent at 0. */
function row(change: Partial<RoutingProblem> = {}): RoutingProblem {
  const places = [1, 2, 3, 0, 0];
  const ways = Float64Array.from(places.flatMap((from) => places.map((to) => Math.abs(from - to))));
  const stop = { duration: 10, demand: 0, starts: [[{ start: 0, end: 100 }]], penalty: 1 };
  const vehicle = { capacity: 0, leaves: 0, returns: 100 };
  return { stops: [stop, stop, stop], vehicles: [vehicle], cost: ways, time: ways, ...change };
}

describe('worked examples', () => {
  test('a visit out of the way is put where the agent passes', () => {
    const start = { byVehicle: [[1, 2, 0]], undone: [] };
    expect(routeCost(row(), 0, [2, 0, 1])).toBe(8);
    const [route = []] = improveRoutes(row(), { byVehicle: [[2, 0, 1]], undone: [] }, limits).byVehicle;
    expect(routeCost(row(), 0, route)).toBe(6);
    // 0 on the way back costs nothing more, so the order stays.
    expect(improveRoutes(row(), start, limits)).toEqual(start);
  });

  test('no step and no time leave the start as it is', () => {
    const start = { byVehicle: [[2, 0, 1]], undone: [] };
    expect(improveRoutes(row(), start, { ...limits, steps: 0 })).toEqual(start);
    expect(improveRoutes(row(), start, { ...limits, milliseconds: -1 })).toEqual(start);
  });

  test('a stop that comes late behind others is undone in the start, and is done if it fits elsewhere', () => {
    const [stop] = row().stops;
    if (!stop) throw new Error('The row has no stop.');
    const early = { ...stop, starts: [[{ start: 0, end: 5 }]] };
    const problem = row({ stops: [stop, stop, early] });
    const start = { byVehicle: [[0, 1, 2]], undone: [] };
    expect(improveRoutes(problem, start, { ...limits, steps: 0 })).toEqual({ byVehicle: [[0, 1]], undone: [2] });
    expect(improveRoutes(problem, start, limits)).toEqual({ byVehicle: [[2, 1, 0]], undone: [] });
  });

  test('where not all fits, the stop with the least penalty stays undone', () => {
    const stops = row().stops.map((stop, index) => ({ ...stop, penalty: [5, 1, 5][index] ?? NaN }));
    const problem = row({ stops, vehicles: [{ capacity: 0, leaves: 0, returns: 30 }] });
    expect(improveRoutes(problem, { byVehicle: [[1]], undone: [0, 2] }, limits).undone).toEqual([1]);
  });

  test('serveUndone ends once all stops are served', () => {
    const served = serveUndone(row(), { byVehicle: [[2]], undone: [0, 1] }, { ...limits, steps: 1e9 });
    expect(served.undone).toEqual([]);
  });
});

describe('the times of a route', () => {
  const [stop] = row().stops;
  if (!stop) throw new Error('The row has no stop.');
  const later = {
    ...stop,
    starts: [
      [
        { start: 5, end: 8 },
        { start: 40, end: 50 },
      ],
    ],
  };

  test('each stop starts as early as it may, and waits for that', () => {
    expect(timeRoute(row({ stops: [stop, later, stop] }), 0, [0, 1, 2])).toEqual({
      starts: [1, 40, 51],
      waits: [0, 28, 0],
      end: 64,
    });
  });

  test('an agent without a stop goes nowhere', () => {
    expect(timeRoute(row(), 0, [])).toEqual({ starts: [], waits: [], end: 0 });
    expect(routeCost(row(), 0, [])).toBe(0);
  });

  test.each<[string, Partial<RoutingProblem>]>([
    ['a stop that can start no more', { stops: [stop, { ...stop, starts: [[{ start: 0, end: 11 }]] }, stop] }],
    ['a stop that the agent cannot do', { stops: [stop, { ...stop, starts: [[]] }, stop] }],
    ['a way back that ends too late', { vehicles: [{ capacity: 0, leaves: 0, returns: 35 }] }],
    ['more than the capacity', { stops: [{ ...stop, demand: 1 }, stop, stop] }],
  ])('%s makes a route impossible', (_, change) => {
    expect(timeRoute(row(change), 0, [0, 1, 2])).toBeUndefined();
  });
});
