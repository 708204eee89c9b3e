import type { Interval } from '../calendar.ts';

/**
 * Who does which work in which order. A problem uses one unit of time throughout (milliseconds for a day plan), and any
 * unit of cost. Times and penalties are whole numbers, because sums of fractions depend on their order. Points: stop
 * `s` is point `s`; vehicle `v` leaves from point `stops.length + 2v` and ends at `stops.length + 2v + 1`.
 */
export interface RoutingProblem {
  readonly stops: readonly Stop[];
  readonly vehicles: readonly Vehicle[];
  /** The cost of a way between points, row by row: `cost[from * points + to]`. A vehicle without a stop costs nothing. */
  readonly cost: Float64Array;
  /** The time from the end of the work at one point to the start of that at another, row by row. */
  readonly time: Float64Array;
}

export interface Stop {
  /** How long the work takes. */
  readonly duration: number;
  /** What it takes of a vehicle's capacity; 0 where nothing is carried. */
  readonly demand: number;
  /** By vehicle: when the work may start, both ends included, sorted and apart. Empty: the vehicle cannot do it. */
  readonly starts: readonly (readonly Interval[])[];
  /** The cost of leaving it undone. */
  readonly penalty: number;
}

export interface Vehicle {
  readonly capacity: number;
  /** When it may leave its first point, and when it must be at its last. */
  readonly leaves: number;
  readonly returns: number;
}

/** The stops of each vehicle in order, and those of none. */
export interface Routes {
  readonly byVehicle: readonly (readonly number[])[];
  readonly undone: readonly number[];
}

/** When a search ends: after so many steps, or so much time, which is a fence only: steps make it repeatable. */
export interface SearchLimits {
  readonly seed: number;
  readonly steps: number;
  readonly milliseconds: number;
}
