import { InternalError } from '../../shared/failure.ts';
import { unbrotli } from '../../shared/gzip.ts';
import { type Position, MILES_PER_DEGREE, miles } from './miles.ts';
import { zoneAt } from './zones.ts';

export { EARTH_RADIUS_MILES, miles, type Position } from './miles.ts';

/**
 * A US postal code: the city of its post office (which may have other names too), two-letter state, the position of its
 * centre, and its IANA time zone. `position` is absent for military addresses; `timeZone` is null where not certain.
 */
type PostalLocality = {
  readonly code: string;
  readonly city: string;
  readonly state: string;
  readonly country: 'US';
  readonly timeZone: string | null;
  readonly position?: Position;
};

/** A code within a radius, with its great-circle miles from the centre. */
type NearbyCode = PostalLocality & { readonly position: Position; readonly miles: number };

/** A city within a radius: the nearest of its codes and that one's miles. */
type NearbyCity = Pick<PostalLocality, 'city' | 'state' | 'code'> & { readonly miles: number };

/** Lookups in the postal codes of the US and its territories. Radii are great-circle miles and include the border. */
export type Postal = {
  readonly count: number;
  /** The locality of a code in five digits or ZIP+4. */
  find(code: string): PostalLocality | undefined;
  /** Every code whose centre is within the radius, nearest first, then by code. A radius below 0 or NaN finds none. */
  codesWithin(center: Position, radius: number): NearbyCode[];
  /** Every city that has a code within the radius, by its nearest code, nearest first. */
  citiesWithin(center: Position, radius: number): NearbyCity[];
};

/** The five digits of `90210`, `90210-1234` or `902101234`; undefined for any other text. */
export function normalizePostalCode(text: string): string | undefined {
  return /^\s*(\d{5})(?:[- ]?\d{4})?\s*$/.exec(text)?.[1];
}

/**
 * The lookups over a packed table (see `decodePostal`).
 * @throws InternalError when the bytes are not such a table.
 */
export const parsePostalData = (bytes: Uint8Array): Postal => new PostalLookup(decodePostal(bytes));

class PostalLookup implements Postal {
  readonly #columns: PostalTable;

  constructor(columns: PostalTable) {
    this.#columns = columns;
  }

  get count(): number {
    return this.#columns.codes.length;
  }

  find(code: string): PostalLocality | undefined {
    const digits = normalizePostalCode(code);
    const row = digits === undefined ? undefined : this.#findRow(Number(digits));
    return row === undefined ? undefined : this.#localityAt(row);
  }

  codesWithin(center: Position, radius: number): NearbyCode[] {
    return this.#rowsWithin(center, radius).map(({ row, ...nearby }) => ({ ...this.#localityAt(row), ...nearby }));
  }

  citiesWithin(center: Position, radius: number): NearbyCity[] {
    const nearest = new Map<number, NearbyCity>();
    for (const { row, miles: distance } of this.#rowsWithin(center, radius)) {
      const locality = this.#columns.localities[row] ?? 0;
      if (nearest.has(locality)) continue;
      const { city, state, code } = this.#localityAt(row);
      nearest.set(locality, { city, state, code, miles: distance });
    }
    return [...nearest.values()];
  }

  #positionAt(row: number): Position | undefined {
    const latitude = this.#columns.latitudes[row] ?? 0;
    const longitude = this.#columns.longitudes[row] ?? 0;
    if (latitude === 0 && longitude === 0) return undefined;
    return { latitude: latitude / UNITS_PER_DEGREE, longitude: longitude / UNITS_PER_DEGREE };
  }

  #localityAt(row: number): PostalLocality {
    const { codes, localities, cityOf, stateOf } = this.#columns;
    const code = String(codes[row]).padStart(5, '0');
    const locality = localities[row] ?? 0;
    const state = stateOf(locality);
    const position = this.#positionAt(row);
    const timeZone = zoneAt(code, state);
    return { code, city: cityOf(locality), state, country: 'US', timeZone, ...(position && { position }) };
  }

  #findRow(code: number): number | undefined {
    const { codes } = this.#columns;
    let low = 0;
    let high = codes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((codes[middle] ?? 0) < code) low = middle + 1;
      else high = middle;
    }
    return codes[low] === code ? low : undefined;
  }

  /** Rows within the radius, nearest first, then by code (the sort is stable). */
  #rowsWithin(center: Position, radius: number): { row: number; position: Position; miles: number }[] {
    const found = [];
    // No code is nearer than the difference of latitude alone. One unit more: rounding must not drop the border.
    const band = (radius / MILES_PER_DEGREE) * UNITS_PER_DEGREE + 1;
    for (let row = 0; row < this.count; row++) {
      if (Math.abs((this.#columns.latitudes[row] ?? 0) - center.latitude * UNITS_PER_DEGREE) > band) continue;
      const position = this.#positionAt(row);
      if (position === undefined) continue;
      const distance = miles(center, position);
      if (distance <= radius) found.push({ row, position, miles: distance });
    }
    return found.sort((a, b) => a.miles - b.miles);
  }
}

/**
 * The packed table of postal codes, as columns in the order of the codes. Localities are distinct pairs of city and
 * state. Positions are in ten-thousandths of a degree (11 m), the precision of the source; 0, 0 stands for an unknown
 * one.
 */
type PostalTable = {
  readonly codes: Uint32Array;
  readonly latitudes: Int32Array;
  readonly longitudes: Int32Array;
  readonly localities: Uint16Array;
  cityOf(locality: number): string;
  stateOf(locality: number): string;
};

/** Parts of a degree in one unit of the table. */
export const UNITS_PER_DEGREE = 10_000;

/** Name and version of the format: other bytes are rejected, not misread. */
export const MAGIC = 'POSTAL1\n';

/** Integers of either sign folded onto the non-negative ones: 0, −1, 1, −2 … are 0, 1, 2, 3 … */
export const fold = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const unfold = (value: number): number => (value >>> 1) ^ -(value & 1);

/** Reads non-negative integers: seven bits a byte, lowest first; the high bit means that more follow. */
function reader(bytes: Uint8Array, start: number): { next(): number; position(): number } {
  let at = start;
  return {
    next() {
      let value = 0;
      for (let shift = 0; at < bytes.length; shift += 7) {
        const byte = bytes[at++] ?? 0;
        value |= (byte & 127) << shift;
        if (byte < 128) return value;
      }
      throw new InternalError('The postal data ends too early.');
    },
    position: () => at,
  };
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/**
 * Unpacks the table. Layout: the magic, the number of codes, then four columns (steps from code to code, folded steps
 * of latitude, folded steps of longitude, localities) and the cities as text in order of first use, a line `=ST` before
 * those of another state. A locality is 0 for the next new city, else how many cities back from the newest.
 * @throws InternalError when the bytes are not such a table: the build is broken.
 */
function decodePostal(bytes: Uint8Array): PostalTable {
  const decoder = new TextDecoder();
  if (decoder.decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) {
    throw new InternalError('These bytes are not postal data of this version.');
  }
  const column = reader(bytes, MAGIC.length);
  const count = column.next();
  if (count > bytes.length) throw new InternalError('The postal data ends too early.');

  const codes = new Uint32Array(count);
  for (let row = 0, code = 0; row < count; row++) codes[row] = code += column.next();
  const latitudes = new Int32Array(count);
  for (let row = 0, latitude = 0; row < count; row++) latitudes[row] = latitude += unfold(column.next());
  const longitudes = new Int32Array(count);
  for (let row = 0, longitude = 0; row < count; row++) longitudes[row] = longitude += unfold(column.next());
  const localities = new Uint16Array(count);
  for (let row = 0, known = 0; row < count; row++) {
    const back = column.next();
    localities[row] = back === 0 ? known++ : known - back;
  }

  // Splitting the text into 30,000 strings would take as long as all the rest: notes only where a city begins.
  const text = decoder.decode(bytes.subarray(column.position()));
  const cities: number[] = [];
  const states: string[] = [];
  let state = '';
  for (let start = 0, end = 0; end < text.length; start = end + 1) {
    end = endOfLine(text, start);
    if (text[start] === '=') state = text.slice(start + 1, end);
    else {
      cities.push(start);
      states.push(state);
    }
  }
  const cityOf = (locality: number): string => {
    const start = cities[locality];
    return start === undefined ? '' : text.slice(start, endOfLine(text, start));
  };
  return { codes, latitudes, longitudes, localities, cityOf, stateOf: (locality) => states[locality] ?? '' };
}

let loading: Promise<Postal> | undefined;

/** The US postal codes, unpacked on first use. The data is a JSON module: base64 of brotli. */
export function loadPostalData(): Promise<Postal> {
  loading ??= import('./postal-data.json', { with: { type: 'json' } }).then(({ default: data }) =>
    parsePostalData(unbrotli(Buffer.from(data.brotli, 'base64'))),
  );
  return loading;
}

/** The centre of a postal code, null for an unknown one. */
export async function loadPositions(): Promise<(code: string) => Position | null> {
  const codes = await loadPostalData();
  return (code) => codes.find(code)?.position ?? null;
}
