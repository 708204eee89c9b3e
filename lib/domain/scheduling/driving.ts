import { miles, type Position } from '../postal/miles.ts';

/**
 * Whole minutes it takes to drive from one place to another. A routing service asks its matrix before the search and answers from it here. A place that
 * is not known (null) is at no distance: an unknown address of an appointment must not block the day around it. So is the place
 * searched for, where it is one that the organization lists, see coverage.ts.
 */
export type DriveTimes = (from: Position | null, to: Position | null) => number;

/** Miles of road a great-circle mile takes. */
const DETOUR = 1.3;
export const DEFAULT_SPEED = 30;

/**
 * Driving by great-circle miles × 1.3 at a speed in miles an hour, rounded up; places are centres of postal codes, so that it is 0 within one. A degree
 * of latitude, 69.093 miles: 69.093 · 1.3 / 30 · 60 = 179.64, 180 minutes.
 */
export function greatCircleDriving(speed: number = DEFAULT_SPEED): DriveTimes {
  const minutesAMile = (DETOUR * 60) / speed;
  // A hair less, so that a product like 30.000000000000004 is not 31; and no minutes are 0, not −0.
  return (from, to) => (from && to ? Math.max(0, Math.ceil(miles(from, to) * minutesAMile - 1e-9)) : 0);
}
