import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { RoutingProblem } from '../../../lib/domain/scheduling/routing/problem.ts';

/**
 * Solomon's instances of 100 customers (Operations Research 35(2), 1987), as https://github.com/PyVRP/Instances has them:
 * a file for each class, whose customers are the same in all of its instances. It says where they are and what they
 * take, and by instance from when to when their service may start; customer 0 is the depot. The best known solutions are
 * those of https://www.sintef.no/projectweb/top/vrptw/solomon-benchmark/100-customers/ (fewest vehicles, then least
 * distance in double precision).
 */
const FOLDER = join(import.meta.dirname, 'solomon');

const CLASSES = {
  C1: { capacity: 200, service: 90 },
  C2: { capacity: 700, service: 90 },
  R1: { capacity: 200, service: 10 },
  R2: { capacity: 1000, service: 10 },
  RC1: { capacity: 200, service: 10 },
  RC2: { capacity: 1000, service: 10 },
};
type SolomonClass = keyof typeof CLASSES;

interface SolomonCustomer {
  readonly x: number;
  readonly y: number;
  readonly demand: number;
  readonly opens: number;
  readonly closes: number;
}

export interface SolomonInstance {
  readonly name: string;
  readonly class: SolomonClass;
  readonly capacity: number;
  readonly service: number;
  /** The depot first. */
  readonly customers: readonly SolomonCustomer[];
  readonly bestKnown: { readonly vehicles: number; readonly distance: number };
}

type Row = Readonly<Record<string, string>>;
const rowsOf = (name: string): Row[] => parse(readFileSync(join(FOLDER, name)), { columns: true });

export function solomonInstances(): SolomonInstance[] {
  const files = new Map(Object.keys(CLASSES).map((each) => [each, rowsOf(`${each.toLowerCase()}.csv`)]));
  return rowsOf('best-known.csv').map(({ instance = '', vehicles, distance }) => {
    const ofClass = instance.slice(0, -2) as SolomonClass;
    const customers = (files.get(ofClass) ?? []).map((row): SolomonCustomer => {
      const [opens, closes] = (row[instance] ?? '').split('-');
      const { x, y, demand } = row;
      return { x: Number(x), y: Number(y), demand: Number(demand), opens: Number(opens), closes: Number(closes) };
    });
    const bestKnown = { vehicles: Number(vehicles), distance: Number(distance) };
    return { name: instance, class: ofClass, ...CLASSES[ofClass], customers, bestKnown };
  });
}

const distanceBetween = (one: SolomonCustomer, other: SolomonCustomer): number =>
  Math.hypot(one.x - other.x, one.y - other.y);

/** Times are whole millionths, ways rounded up, so what the engine permits holds in double precision. */
const SCALE = 1e6;

export function routingProblem({ customers, capacity, service }: SolomonInstance, vehicles: number): RoutingProblem {
  const [depot, ...stops] = customers as [SolomonCustomer, ...SolomonCustomer[]];
  const points = [...stops, ...Array.from({ length: 2 * vehicles }, () => depot)];
  const cost = Float64Array.from(points.flatMap((from) => points.map((to) => distanceBetween(from, to))));
  return {
    stops: stops.map(({ demand, opens, closes }) => {
      const starts = [{ start: opens * SCALE, end: closes * SCALE }];
      return { duration: service * SCALE, demand, penalty: 1, starts: Array.from({ length: vehicles }, () => starts) };
    }),
    vehicles: Array.from({ length: vehicles }, () => ({ capacity, leaves: 0, returns: depot.closes * SCALE })),
    cost,
    time: cost.map((way) => Math.ceil(way * SCALE)),
  };
}

/** What routes drive, in double precision; undefined if they are not a solution. Customers are counted from 1. */
export function distanceOf(
  { customers, capacity, service }: SolomonInstance,
  routes: readonly (readonly number[])[],
): number | undefined {
  const depot = customers[0] as SolomonCustomer;
  let sum = 0;
  const served = new Set<number>();
  for (const route of routes) {
    let [at, free, load] = [depot, 0, 0];
    for (const number of route) {
      const customer = customers[number] as SolomonCustomer;
      const way = distanceBetween(at, customer);
      const start = Math.max(free + way, customer.opens);
      load += customer.demand;
      if (start > customer.closes + 1e-6 || load > capacity || served.has(number)) return undefined;
      served.add(number);
      [at, free, sum] = [customer, start + service, sum + way];
    }
    sum += distanceBetween(at, depot);
    if (free + distanceBetween(at, depot) > depot.closes + 1e-6) return undefined;
  }
  return served.size === customers.length - 1 ? sum : undefined;
}
