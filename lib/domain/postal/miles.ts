/** A point on the earth in decimal degrees, north and east positive. */
export type Position = { readonly latitude: number; readonly longitude: number };

/** Mean radius of the earth (IUGG R₁ = 6,371.0088 km) in miles. */
export const EARTH_RADIUS_MILES = 3958.7613;

const RADIANS = Math.PI / 180;

/** Miles that one degree of latitude spans: 69.093. */
export const MILES_PER_DEGREE = EARTH_RADIUS_MILES * RADIANS;

/**
 * Great-circle miles between two positions by the haversine formula, which stays exact for near neighbours.
 *
 * 40.7484, −73.9967 (New York 10001) to 34.0888, −118.4061 (Beverly Hills): Δφ = 6.6596°, Δλ = 44.4094°,
 * h = sin²(3.3298°) + cos 40.7484° · cos 34.0888° · sin²(22.2047°) = 0.0033737 + 0.6274076 · 0.1428211 = 0.0929807,
 * 2 · 3,958.7613 · asin √h = 2 · 3,958.7613 · 0.3098621 = 2,453.34 miles.
 */
export function miles(from: Position, to: Position): number {
  const latitude = Math.sin(((to.latitude - from.latitude) * RADIANS) / 2);
  const longitude = Math.sin(((to.longitude - from.longitude) * RADIANS) / 2);
  const cosines = Math.cos(from.latitude * RADIANS) * Math.cos(to.latitude * RADIANS);
  const haversine = latitude * latitude + cosines * longitude * longitude;
  // Rounding can carry antipodes a hair over 1, where the arc sine is not a number.
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.sqrt(Math.min(1, haversine)));
}
