import { decodePostal, UNITS_PER_DEGREE } from './postal/decode.ts';
import { miles, MILES_PER_DEGREE, type Position } from './postal/miles.ts';
import { zoneOf } from './postal/zones.ts';

export { EARTH_RADIUS_MILES, miles, type Position } from './postal/miles.ts';

/**
 * A US postal code: its post office's city (one of possibly several names), two-letter state, the position of its
 * centre, and its IANA time zone. `position` is absent for military addresses whose place is not told; `timeZone` is
 * null where it is not certain.
 */
export type PostalPlace = {
  readonly code: string;
  readonly city: string;
  readonly state: string;
  readonly country: 'US';
  readonly timeZone: string | null;
  readonly position?: Position;
};

/** A code within a radius, with its great-circle miles from the centre. */
export type NearbyCode = PostalPlace & { readonly position: Position; readonly miles: number };

/** A city within a radius: the nearest of its codes and that one's miles. */
export type NearbyCity = Pick<PostalPlace, 'city' | 'state' | 'code'> & { readonly miles: number };

/** Lookups in the postal codes of the US and its territories. Radii are great-circle miles, the border included. */
export type Postal = {
  /** How many codes are known. */
  readonly count: number;
  /** The place of a code in five digits or ZIP+4; undefined for an unknown one or another text. */
  find(code: string): PostalPlace | undefined;
  /** Every code whose centre is within the radius, nearest first, then by code. A radius below 0 or NaN holds none. */
  codesWithin(center: Position, radius: number): NearbyCode[];
  /** Every city that has a code within the radius, by its nearest code, nearest first. */
  citiesWithin(center: Position, radius: number): NearbyCity[];
};

/** The five digits of a US postal code given as `90210`, `90210-1234` or `902101234`; undefined for any other text. */
export function normalizePostalCode(text: string): string | undefined {
  return /^\s*(\d{5})(?:[- ]?\d{4})?\s*$/.exec(text)?.[1];
}

/**
 * The lookups over a packed table (see `decodePostal`).
 * @throws RangeError when the bytes are not such a table.
 */
export function loadPostal(bytes: Uint8Array): Postal {
  const { codes, latitudes, longitudes, places, cityOf, stateOf } = decodePostal(bytes);

  const positionOf = (row: number): Position | undefined => {
    const latitude = latitudes[row] ?? 0;
    const longitude = longitudes[row] ?? 0;
    if (latitude === 0 && longitude === 0) return undefined;
    return { latitude: latitude / UNITS_PER_DEGREE, longitude: longitude / UNITS_PER_DEGREE };
  };

  const placeOf = (row: number): PostalPlace => {
    const code = String(codes[row]).padStart(5, '0');
    const place = places[row] ?? 0;
    const state = stateOf(place);
    const position = positionOf(row);
    const timeZone = zoneOf(code, state);
    return { code, city: cityOf(place), state, country: 'US', timeZone, ...(position && { position }) };
  };

  const rowOf = (code: number): number | undefined => {
    let low = 0;
    let high = codes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((codes[middle] ?? 0) < code) low = middle + 1;
      else high = middle;
    }
    return codes[low] === code ? low : undefined;
  };

  /** Rows within the radius, nearest first; the sort is stable, so that equals stay in the order of codes. */
  const rowsWithin = (center: Position, radius: number): { row: number; position: Position; miles: number }[] => {
    const found = [];
    // Nobody is nearer than the difference of latitude alone; a hair more, so that rounding cannot drop the border.
    const band = (radius / MILES_PER_DEGREE) * UNITS_PER_DEGREE + 1;
    for (let row = 0; row < codes.length; row++) {
      if (Math.abs((latitudes[row] ?? 0) - center.latitude * UNITS_PER_DEGREE) > band) continue;
      const position = positionOf(row);
      if (position === undefined) continue;
      const distance = miles(center, position);
      if (distance <= radius) found.push({ row, position, miles: distance });
    }
    return found.sort((a, b) => a.miles - b.miles);
  };

  return {
    count: codes.length,

    find(code) {
      const digits = normalizePostalCode(code);
      const row = digits === undefined ? undefined : rowOf(Number(digits));
      return row === undefined ? undefined : placeOf(row);
    },

    codesWithin: (center, radius) =>
      rowsWithin(center, radius).map(({ row, ...nearby }) => ({ ...placeOf(row), ...nearby })),

    citiesWithin(center, radius) {
      const nearest = new Map<number, NearbyCity>();
      for (const { row, miles: distance } of rowsWithin(center, radius)) {
        const place = places[row] ?? 0;
        if (nearest.has(place)) continue;
        const { city, state, code } = placeOf(row);
        nearest.set(place, { city, state, code, miles: distance });
      }
      return [...nearest.values()];
    },
  };
}
