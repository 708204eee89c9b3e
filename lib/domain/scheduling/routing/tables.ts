import type { RoutingProblem } from './problem.ts';

/** A routing problem in flat arrays, because each step of the search reads many of its values. */
export interface Tables {
  readonly problem: RoutingProblem;
  readonly stops: number;
  readonly vehicles: number;
  readonly points: number;
  /** By pairs of points, row by row. An unused vehicle goes nowhere: from its first point to its last is 0. */
  readonly cost: Float64Array;
  /** From the start of the work at one point to the arrival at another: the work, then the way. */
  readonly lead: Float64Array;
  /**
   * Cost and lead, with a row for each point that they lead to: the search tries a stop behind one point after the
   * other, and so reads one row.
   */
  readonly costInto: Float64Array;
  readonly leadInto: Float64Array;
  readonly demand: Float64Array;
  readonly penalty: Float64Array;
  readonly capacity: Float64Array;
  readonly starts: PermittedStarts;
  /** Every stop by its cost from each, the stop itself first, row by row. */
  readonly nearest: Int32Array;
  /** The orders in which stops are inserted, smallest key first; a step draws one of them by weight. */
  readonly orders: readonly InsertionOrder[];
}

/** The intervals of stop `s` by vehicle `v` are those from `first[s * vehicles + v]` up to the next `first`. */
export interface PermittedStarts {
  readonly first: Int32Array;
  readonly opens: Float64Array;
  readonly closes: Float64Array;
}

export interface InsertionOrder {
  readonly weight: number;
  /** By stop; absent: at random. */
  readonly key?: Float64Array;
}

export function tablesOf(problem: RoutingProblem): Tables {
  const stops = problem.stops.length;
  const vehicles = problem.vehicles.length;
  const points = stops + 2 * vehicles;
  const cost = Float64Array.from(problem.cost);
  for (let point = stops; point < points; point += 2) cost[point * points + point + 1] = 0;
  const lead = problem.time.map((way, pair) => way + (problem.stops[Math.floor(pair / points)]?.duration ?? 0));
  const byStop = (fact: (stop: RoutingProblem['stops'][number], index: number) => number): Float64Array =>
    Float64Array.from(problem.stops, fact);
  return {
    problem,
    stops,
    vehicles,
    points,
    cost,
    lead,
    costInto: transposed(cost, points),
    leadInto: transposed(lead, points),
    demand: byStop(({ demand }) => demand),
    penalty: byStop(({ penalty }) => penalty),
    capacity: Float64Array.from(problem.vehicles, ({ capacity }) => capacity),
    starts: permittedStarts(problem),
    nearest: nearestStops(problem, points),
    orders: insertionOrders(problem, points),
  };
}

const transposed = (rows: Float64Array, width: number): Float64Array =>
  rows.map((_, pair) => rows[(pair % width) * width + Math.floor(pair / width)] as number);

function permittedStarts({ stops, vehicles }: RoutingProblem): PermittedStarts {
  const lists = stops.flatMap(({ starts }) => vehicles.map((_, vehicle) => starts[vehicle] ?? []));
  const intervals = lists.flat();
  const first = new Int32Array(lists.length + 1);
  for (const [index, list] of lists.entries()) first[index + 1] = (first[index] as number) + list.length;
  return {
    first,
    opens: Float64Array.from(intervals, ({ start }) => start),
    closes: Float64Array.from(intervals, ({ end }) => end),
  };
}

function nearestStops({ stops, cost }: RoutingProblem, points: number): Int32Array {
  const nearest = new Int32Array(stops.length * stops.length);
  for (const from of stops.keys()) {
    const away = (to: number): number => (to === from ? -1 : (cost[from * points + to] as number));
    nearest.set(
      [...stops.keys()].toSorted((one, other) => away(one) - away(other)),
      from * stops.length,
    );
  }
  return nearest;
}

/**
 * The orders of Christiaens and Vanden Berghe with their weights: at random, greatest demand, farthest, nearest, least
 * choice of starts, first to open, first to close. Here also the greatest penalty. An order in which all stops are
 * equal is left out.
 */
function insertionOrders({ stops, vehicles, cost }: RoutingProblem, points: number): InsertionOrder[] {
  const away = (stop: number): number =>
    vehicles.reduce((sum, _, vehicle) => sum + (cost[(stops.length + 2 * vehicle) * points + stop] as number), 0);
  const keyed = (weight: number, fact: (stop: number) => number): InsertionOrder => ({
    weight,
    key: Float64Array.from(stops.keys(), fact),
  });
  const intervals = stops.map(({ starts }) => starts.flat());
  const choice = (stop: number): number =>
    (intervals[stop] ?? []).reduce((sum, { start, end }) => sum + end - start, 0);
  const opens = (stop: number): number => Math.min(...(intervals[stop] ?? []).map(({ start }) => start));
  const closes = (stop: number): number => Math.max(...(intervals[stop] ?? []).map(({ end }) => end));
  const all = [
    { weight: 4 },
    keyed(4, (stop) => -(stops[stop]?.penalty ?? 0)),
    keyed(4, (stop) => -(stops[stop]?.demand ?? 0)),
    keyed(2, (stop) => -away(stop)),
    keyed(1, away),
    keyed(2, choice),
    keyed(2, opens),
    keyed(2, closes),
  ];
  return all.filter(({ key }) => !key || new Set(key).size > 1);
}

/** The earliest permitted start of a stop from an instant on; Infinity if none is. */
export function earliestStart({ first, opens, closes }: PermittedStarts, list: number, ready: number): number {
  const end = first[list + 1] as number;
  for (let each = first[list] as number; each < end; each++)
    if ((closes[each] as number) >= ready) return Math.max(opens[each] as number, ready);
  return Infinity;
}

/** The latest permitted start of a stop up to an instant; -Infinity if none is. */
export function latestStart({ first, opens, closes }: PermittedStarts, list: number, by: number): number {
  const begin = first[list] as number;
  for (let each = (first[list + 1] as number) - 1; each >= begin; each--)
    if ((opens[each] as number) <= by) return Math.min(closes[each] as number, by);
  return -Infinity;
}
