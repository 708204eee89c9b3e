import type { Routes } from './problem.ts';
import { earliestStart, latestStart, type Tables } from './tables.ts';

/** In place of the vehicle of a stop that no vehicle serves. */
export const UNDONE = -1;

/**
 * Routes that a search changes and copies often: each a linked list of points from where its vehicle leaves to where it
 * returns. Each stop has the earliest start that those before it leave, and the latest at which those behind it are still
 * possible. So a look at two neighbours says whether a stop fits between them and the whole route stays permitted.
 */
export class Plan {
  readonly tables: Tables;
  readonly next: Int32Array;
  readonly previous: Int32Array;
  readonly earliest: Float64Array;
  readonly latest: Float64Array;
  readonly vehicleOf: Int32Array;
  /** By vehicle: how many stops, and what they take of its capacity. */
  readonly length: Int32Array;
  readonly load: Float64Array;
  undone: number[];
  cost = 0;
  penalty: number;

  /** Without a stop on any route. */
  constructor(tables: Tables) {
    const { stops, points, vehicles, penalty, problem } = tables;
    this.tables = tables;
    this.next = new Int32Array(points);
    this.previous = new Int32Array(points);
    this.earliest = new Float64Array(points);
    this.latest = new Float64Array(points);
    this.vehicleOf = new Int32Array(points).fill(UNDONE);
    this.length = new Int32Array(vehicles);
    this.load = new Float64Array(vehicles);
    this.undone = Array.from({ length: stops }, (_, stop) => stop);
    this.penalty = penalty.reduce((sum, each) => sum + each, 0);
    for (const [vehicle, { leaves, returns }] of problem.vehicles.entries()) {
      const leaving = stops + 2 * vehicle;
      this.next[leaving] = leaving + 1;
      this.previous[leaving + 1] = leaving;
      this.earliest[leaving] = leaves;
      this.latest[leaving + 1] = returns;
      this.vehicleOf[leaving] = this.vehicleOf[leaving + 1] = vehicle;
    }
  }

  copy(other: Plan): void {
    this.next.set(other.next);
    this.previous.set(other.previous);
    this.earliest.set(other.earliest);
    this.latest.set(other.latest);
    this.vehicleOf.set(other.vehicleOf);
    this.length.set(other.length);
    this.load.set(other.load);
    this.undone = [...other.undone];
    this.cost = other.cost;
    this.penalty = other.penalty;
  }

  /** What it costs more to go by a stop between a point and the next. */
  detour(stop: number, behind: number): number {
    const { points, cost } = this.tables;
    const after = this.next[behind] as number;
    return (
      (cost[behind * points + stop] as number) +
      (cost[stop * points + after] as number) -
      (cost[behind * points + after] as number)
    );
  }

  /** Puts a stop, which is not on a route, behind a point. The caller takes it from the undone. */
  insert(stop: number, behind: number): void {
    const after = this.next[behind] as number;
    this.cost += this.detour(stop, behind);
    this.penalty -= this.tables.penalty[stop] as number;
    this.#count(stop, this.vehicleOf[behind] as number, 1);
    this.next[behind] = this.previous[after] = stop;
    this.previous[stop] = behind;
    this.next[stop] = after;
    this.earliest[stop] = this.latest[stop] = NaN;
    this.#timeFrom(stop);
    this.#timeTo(stop);
  }

  /** Takes a stop from its route. */
  remove(stop: number): void {
    const behind = this.previous[stop] as number;
    const after = this.next[stop] as number;
    this.next[behind] = after;
    this.previous[after] = behind;
    this.cost -= this.detour(stop, behind);
    this.penalty += this.tables.penalty[stop] as number;
    this.#count(stop, this.vehicleOf[stop] as number, -1);
    this.undone.push(stop);
    this.#timeFrom(after);
    this.#timeTo(behind);
  }

  #count(stop: number, vehicle: number, sign: 1 | -1): void {
    this.vehicleOf[stop] = sign === 1 ? vehicle : UNDONE;
    this.length[vehicle] = (this.length[vehicle] as number) + sign;
    this.load[vehicle] = (this.load[vehicle] as number) + sign * (this.tables.demand[stop] as number);
  }

  /** Earliest starts from a point on, up to one that stays as it was. */
  #timeFrom(from: number): void {
    const { stops, points, vehicles, lead, starts } = this.tables;
    const { next, earliest } = this;
    const vehicle = this.vehicleOf[from] as number;
    let behind = this.previous[from] as number;
    for (let point = from; point < stops; behind = point, point = next[point] as number) {
      const ready = (earliest[behind] as number) + (lead[behind * points + point] as number);
      const start = earliestStart(starts, point * vehicles + vehicle, ready);
      if (start === earliest[point]) return;
      earliest[point] = start;
    }
  }

  /** Latest starts from a point back, up to one that stays as it was. */
  #timeTo(from: number): void {
    const { stops, points, vehicles, lead, starts } = this.tables;
    const { previous, latest } = this;
    const vehicle = this.vehicleOf[from] as number;
    let after = this.next[from] as number;
    for (let point = from; point < stops; after = point, point = previous[point] as number) {
      const by = (latest[after] as number) - (lead[point * points + after] as number);
      const start = latestStart(starts, point * vehicles + vehicle, by);
      if (start === latest[point]) return;
      latest[point] = start;
    }
  }

  toRoutes(): Routes {
    const { stops, vehicles } = this.tables;
    return {
      byVehicle: Array.from({ length: vehicles }, (_, vehicle) => {
        const route: number[] = [];
        for (let at = this.next[stops + 2 * vehicle] as number; at < stops; at = this.next[at] as number)
          route.push(at);
        return route;
      }),
      undone: this.undone.toSorted((one, other) => one - other),
    };
  }
}
