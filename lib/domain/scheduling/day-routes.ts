import { MINUTE } from '../../shared/time/time.ts';
import type { Position } from '../postal/localities.ts';
import { type Calendar, type Interval } from './calendar.ts';
import { buffersBetween } from './plans.ts';
import type { DayStop } from './day-stops.ts';

/** The driving of a route, and the times of its stops. */

type Roads = Pick<Calendar, 'startPosition' | 'driveTimes' | 'drivesAddToBuffers'>;
type StopWork = Pick<DayStop, 'work'>;

/** Where the work is done: with a fixed location at the company, where the day begins. */
const placeOf = ({ work: { fixedLocation, position } }: StopWork, { startPosition }: Roads): Position | null =>
  fixedLocation ? startPosition : position;

/** Minutes of driving between two stops; `undefined` stands for StartAddress, where the day begins and ends. */
export function driveBetween(from: StopWork | undefined, to: StopWork | undefined, roads: Roads): number {
  const place = (stop: StopWork | undefined) => (stop ? placeOf(stop, roads) : roads.startPosition);
  return roads.driveTimes(place(from), place(to));
}

/** Minutes of driving of a day: from StartAddress by every stop, and back to it. Nobody drives without a stop. */
export function drivingOf(route: readonly StopWork[], roads: Roads): number {
  if (!route.length) return 0;
  return [...route, undefined].reduce((sum, stop, index) => sum + driveBetween(route[index - 1], stop, roads), 0);
}

/**
 * The least time between two visits, as `checkSlot` has it: both buffers with the drive within them, or besides if
 * drives add to buffers.
 */
export function timeBetween({ work: from }: StopWork, { work: to }: StopWork, roads: Roads): number {
  const drive = from.fixedLocation && to.fixedLocation ? 0 : roads.driveTimes(from.position, to.position);
  const buffers = buffersBetween(from, to);
  return (roads.drivesAddToBuffers ? buffers + drive : Math.max(buffers, drive)) * MINUTE;
}

/** A stop of a route with the starts that its agent may choose. */
export interface RouteStop extends StopWork {
  readonly stop: DayStop;
  readonly ranges: readonly Interval[];
  /** Whether the agent has the visit today. */
  readonly isOwn: boolean;
}

const isPermitted = (at: number, ranges: readonly Interval[]): boolean =>
  ranges.some(({ start, end }) => start <= at && at <= end);

/** The starts of a stop in order: those on the grid, and its present one. */
function startsOf({ stop, ranges, isOwn }: RouteStop, grid: readonly number[]): number[] {
  const { start } = stop;
  const permitted = grid.filter((at) => isPermitted(at, ranges));
  const present = isOwn && start !== null && isPermitted(start, ranges) ? [start] : [];
  return [...new Set([...permitted, ...present])].sort((one, other) => one - other);
}

/**
 * The starts of the stops in their order; `undefined` if no starts on the grid allow it. A visit keeps its present
 * start if that is possible, because each move is one more that the technician must learn; else it begins as early as
 * possible.
 */
export function timesOf(route: readonly RouteStop[], grid: readonly number[], roads: Roads): number[] | undefined {
  const starts = route.map((each) => startsOf(each, grid));
  const spanTo = (from: number, to: number): number => {
    const [one, other] = [route[from], route[to]];
    return one && other ? one.stop.work.minutes * MINUTE + timeBetween(one.stop, other.stop, roads) : 0;
  };
  const latest: number[] = [];
  for (let index = route.length - 1; index >= 0; index--) {
    const until = index === route.length - 1 ? Infinity : (latest[index + 1] ?? 0) - spanTo(index, index + 1);
    const last = starts[index]?.findLast((at) => at <= until);
    if (last === undefined) return undefined;
    latest[index] = last;
  }
  const times: number[] = [];
  for (const [index, { stop, isOwn }] of route.entries()) {
    const earliest = index === 0 ? -Infinity : (times[index - 1] ?? 0) + spanTo(index - 1, index);
    const possible = (starts[index] ?? []).filter((at) => earliest <= at && at <= (latest[index] ?? 0));
    const [first] = possible;
    if (first === undefined) return undefined;
    times.push(isOwn && stop.start !== null && possible.includes(stop.start) ? stop.start : first);
  }
  return times;
}
