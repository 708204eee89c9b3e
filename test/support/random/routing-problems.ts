import type { Interval } from '../../../lib/domain/scheduling/calendar.ts';
import type { Routes, RoutingProblem } from '../../../lib/domain/scheduling/routing/problem.ts';
import { randomNumbers } from '../../../lib/domain/scheduling/routing/random.ts';

const DAY_BEGINS = 8 * 60;
const DAY_ENDS = 18 * 60;

/**
 * A day in minutes in a town 60 minutes wide, the same for the same seed: agents who live or end elsewhere, begin later
 * or cannot do everything; visits with arrival windows, exact times, agents' breaks and different penalties.
 */
export function randomDay(seed: number, { stops, vehicles }: { readonly stops: number; readonly vehicles: number }) {
  const random = randomNumbers(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const isOne = (part: number): boolean => random() < part;
  const place = (): readonly [number, number] => [below(60), below(60)];
  const points = Array.from({ length: stops }, place);
  const office = place();
  for (let vehicle = 0; vehicle < vehicles; vehicle++) {
    const leaves = isOne(0.5) ? office : place();
    points.push(leaves, isOne(0.7) ? leaves : place());
  }
  const ways = points.flatMap(([x, y]) => points.map(([u, v]) => Math.round(Math.hypot(x - u, y - v))));
  // Some roads are slower one way, and cost is not always time.
  const time = Float64Array.from(ways, (way) => (isOne(0.1) ? way + below(10) : way));
  const cost = isOne(0.5) ? time : Float64Array.from(ways, (way) => way + (isOne(0.1) ? below(20) : 0));
  const carries = isOne(0.3);
  const problem: RoutingProblem = {
    stops: Array.from({ length: stops }, () => {
      const window = randomWindow(below, isOne);
      const starts = Array.from({ length: vehicles }, () => (isOne(0.15) ? [] : withBreak(window, below, isOne)));
      const penalty = isOne(0.2) ? 10 : 1;
      return { duration: 15 * (1 + below(6)), demand: carries ? below(4) : 0, starts, penalty };
    }),
    vehicles: Array.from({ length: vehicles }, () => ({
      capacity: carries ? 4 + below(8) : 0,
      leaves: DAY_BEGINS + (isOne(0.3) ? below(180) : 0),
      returns: DAY_ENDS - (isOne(0.3) ? below(180) : 0),
    })),
    cost,
    time,
  };
  return { problem, start: randomRoutes(problem, below, isOne) };
}

type Below = (count: number) => number;
type IsOne = (part: number) => boolean;

function randomWindow(below: Below, isOne: IsOne): Interval {
  if (isOne(0.4)) return { start: DAY_BEGINS, end: DAY_ENDS };
  const start = DAY_BEGINS + 30 * below(18);
  return { start, end: start + (isOne(0.2) ? 0 : 60 * (1 + below(4))) };
}

function withBreak({ start, end }: Interval, below: Below, isOne: IsOne): Interval[] {
  const at = start + below(end - start);
  return isOne(0.3) && end - start > 60 && at + 31 < end
    ? [
        { start, end: at },
        { start: at + 30, end },
      ]
    : [{ start, end }];
}

/** Routes as they might have grown: any order, often not possible. */
function randomRoutes({ stops, vehicles }: RoutingProblem, below: Below, isOne: IsOne): Routes {
  const byVehicle: number[][] = vehicles.map(() => []);
  const undone: number[] = [];
  for (const stop of stops.keys()) {
    const route = isOne(0.8) ? byVehicle[below(vehicles.length)] : undone;
    route?.splice(below(route.length + 1), 0, stop);
  }
  return { byVehicle, undone };
}
