import type { Position } from '../postal/localities.ts';
import type { DriveTimes } from './calendar.ts';
import { estimateDrive, wholeMinutes } from './plans.ts';

/**
 * Driving on real roads. A service knows how long a drive takes, and asks money for each; so what it says of the roads
 * between two areas serves every drive between them: a factor of their estimates by great circle.
 *
 * Two areas 6 miles apart with a river between them: the estimate is 15.6 minutes, by road it is 31.2, a factor of 2. A
 * drive of 4 miles from one to the other: 10.4 · 2 = 20.8, 21 minutes.
 */

/** An area is 0.05 degrees high and wide: 3.5 miles by about 2.6. */
const AREAS_A_DEGREE = 20;

/** The name of the area of a position: `798,-1794` begins at 39.9° north and 89.7° west. */
export const areaOf = ({ latitude, longitude }: Position): string =>
  `${Math.floor(latitude * AREAS_A_DEGREE)},${Math.floor(longitude * AREAS_A_DEGREE)}`;

export function centerOf(area: string): Position {
  const [south = 0, west = 0] = area.split(',').map(Number);
  return { latitude: (south + 0.5) / AREAS_A_DEGREE, longitude: (west + 0.5) / AREAS_A_DEGREE };
}

/** Factors by one area and the other, which are the same both ways. */
export type RoadFactors = ReadonlyMap<string, ReadonlyMap<string, number>>;

export const factorBetween = (factors: RoadFactors, one: string, other: string): number | undefined =>
  factors.get(one)?.get(other) ?? factors.get(other)?.get(one);

/** The factor of two areas, to three decimals, from the minutes by road between their centers. */
export const factorOf = (minutes: number, one: string, other: string): number =>
  Math.round((minutes / estimateDrive(centerOf(one), centerOf(other))) * 1000) / 1000;

/** Driving times by the factors of areas. Within an area, and between areas without a factor, they are estimates. */
export const roadDriving =
  (factors: RoadFactors): DriveTimes =>
  (from, to) =>
    from && to ? wholeMinutes(estimateDrive(from, to) * (factorBetween(factors, areaOf(from), areaOf(to)) ?? 1)) : 0;
