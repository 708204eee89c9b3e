import { brotliDecompressSync } from 'node:zlib';
import { InternalError } from '../../shared/failure.ts';

/**
 * A US postal code: the city of its post office (which may have other names too), two-letter state, the position of its
 * center, and its IANA time zone. `position` is absent for military addresses; `timeZone` is null if uncertain.
 */
type PostalLocality = {
  readonly code: string;
  readonly city: string;
  readonly state: string;
  readonly country: 'US';
  readonly timeZone: string | null;
  readonly position?: Position;
};

/** A code within a radius, with its great-circle miles from the center. */
type NearbyCode = PostalLocality & { readonly position: Position; readonly miles: number };

/** A city within a radius: the nearest of its codes, with that code's miles. */
type NearbyCity = Pick<PostalLocality, 'city' | 'state' | 'code'> & { readonly miles: number };

/** Lookups in the postal codes of the US and its territories. Radii are great-circle miles, inclusive. */
export type Postal = {
  readonly count: number;
  /** The locality of a code in five digits or ZIP+4. */
  find(code: string): PostalLocality | undefined;
  /** Every code whose center is within the radius, nearest first, then by code. A negative or NaN radius finds none. */
  codesWithin(center: Position, radius: number): NearbyCode[];
  /** Every city with a code within the radius, by its nearest code, nearest first. */
  citiesWithin(center: Position, radius: number): NearbyCity[];
};

/** The five digits of `90210`, `90210-1234` or `902101234`; `undefined` for any other text. */
export function normalizePostalCode(text: string): string | undefined {
  return /^\s*(\d{5})(?:[- ]?\d{4})?\s*$/.exec(text)?.[1];
}

/** Whether a country, as people write it, is the United States. */
export const isUnitedStates = (country: string): boolean =>
  /^(?:us|usa|u\.s\.(?:a\.)?|united states(?: of america)?)$/i.test(country);

/**
 * The lookups over a packed table (see `decodePostal`).
 * @throws InternalError if the bytes are not such a table.
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
    // No code is nearer than the difference in latitude alone. One unit is added so that rounding cannot drop the
    // border.
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
 * state. Positions are in ten-thousandths of a degree (11 m), the precision of the source; 0, 0 means unknown.
 */
type PostalTable = {
  readonly codes: Uint32Array;
  readonly latitudes: Int32Array;
  readonly longitudes: Int32Array;
  readonly localities: Uint16Array;
  cityOf(locality: number): string;
  stateOf(locality: number): string;
};

/** Units of the table per degree. */
export const UNITS_PER_DEGREE = 10_000;

/** Name and version of the format: other bytes are rejected instead of misread. */
export const MAGIC = 'POSTAL1\n';

/** Maps signed integers to non-negative ones: 0, −1, 1, −2 … become 0, 1, 2, 3 … */
export const fold = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const unfold = (value: number): number => (value >>> 1) ^ -(value & 1);

/** Reads non-negative integers: seven bits per byte, lowest first; the high bit means that more follow. */
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
 * Unpacks the table. Layout: the magic, the number of codes, four columns, and the cities as text in order of first
 * use, with a line `=ST` before those of another state. The columns are steps from code to code, folded steps of
 * latitude, folded steps of longitude, and localities. A locality is 0 for the next new city, else how many cities back
 * from the newest.
 * @throws InternalError if the bytes are not such a table: the build is broken.
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

  // Splitting the text into 30,000 strings would take as long as everything else, so only the start of each city is
  // kept.
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
    parsePostalData(brotliDecompressSync(Buffer.from(data.brotli, 'base64'))),
  );
  return loading;
}

/** The center of a postal code, null if unknown. */
export async function loadPositions(): Promise<(code: string) => Position | null> {
  const codes = await loadPostalData();
  return (code) => codes.find(code)?.position ?? null;
}

/** A point on the earth in decimal degrees, north and east positive. */
export type Position = { readonly latitude: number; readonly longitude: number };

/** Mean radius of the earth (IUGG R₁ = 6,371.0088 km) in miles. */
export const EARTH_RADIUS_MILES = 3958.7613;

const RADIANS = Math.PI / 180;

/** Miles that one degree of latitude spans: 69.093. */
const MILES_PER_DEGREE = EARTH_RADIUS_MILES * RADIANS;

/**
 * Great-circle miles between two positions by the haversine formula, which stays accurate for close positions.
 *
 * 40.7484, −73.9967 (New York 10001) to 34.0888, −118.4061 (Beverly Hills): Δφ = 6.6596°, Δλ = 44.4094°, h =
 * sin²(3.3298°) + cos 40.7484° · cos 34.0888° · sin²(22.2047°) = 0.0033737 + 0.6274076 · 0.1428211 = 0.0929807, 2 ·
 * 3,958.7613 · asin √h = 2 · 3,958.7613 · 0.3098621 = 2,453.34 miles.
 */
export function miles(from: Position, to: Position): number {
  const latitude = Math.sin(((to.latitude - from.latitude) * RADIANS) / 2);
  const longitude = Math.sin(((to.longitude - from.longitude) * RADIANS) / 2);
  const cosines = Math.cos(from.latitude * RADIANS) * Math.cos(to.latitude * RADIANS);
  const haversine = latitude * latitude + cosines * longitude * longitude;
  // For antipodes, rounding can exceed 1 slightly, where the arc sine is not a number.
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.sqrt(Math.min(1, haversine)));
}

/**
 * Time zones of postal codes, from the limits in 49 CFR Part 71 and the counties that they follow: the zone of a state,
 * and exceptions by the first three digits of a code or by all five, which take precedence. `null`: the area of the
 * code is in two zones or does not follow the law, and nobody should guess. A zone describes today's clock only:
 * localities with a history of their own (Louisville, Knox, Beulah) have the zone of their state.
 */
type Zones = string | { readonly zone: string; readonly exceptions: readonly Exception[] };
type Exception = readonly [zone: string | null, digits: string];

const EASTERN = 'America/New_York';
const CENTRAL = 'America/Chicago';
const MOUNTAIN = 'America/Denver';
const PACIFIC = 'America/Los_Angeles';
const SOUTHERN_IDAHO = 'America/Boise';

const EASTERN_STATES = 'CT DC DE GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV';
const CENTRAL_STATES = 'AR IA IL LA MN MO MS WI';
const MOUNTAIN_STATES = 'CO MT NM UT WY';
const PACIFIC_STATES = 'CA WA';

const each = (states: string, zone: string): [string, Zones][] => states.split(' ').map((state) => [state, zone]);
/** States in which some postal codes keep another time: the usual zone, and the exceptions. */
const MIXED_STATES: readonly (readonly [state: string, zone: string, ...exceptions: Exception[]])[] = [
  // Yap and Chuuk keep UTC+10, Pohnpei and Kosrae UTC+11.
  ['FM', 'Pacific/Chuuk', ['Pacific/Pohnpei', '96941'], ['Pacific/Kosrae', '96944']],
  ['MH', 'Pacific/Majuro', ['Pacific/Kwajalein', '96970']],
  // 96898 is Wake Island.
  ['HI', 'Pacific/Honolulu', ['Pacific/Wake', '96898']],
  // The towns across the river from Columbus and West Point, Georgia, keep Georgia's time although the law says
  // Central.
  ['AL', CENTRAL, [null, '36854 36856 36863 36867 36868 36869 36870 36877']],
  // Kenton keeps New Mexico's time.
  ['OK', CENTRAL, [null, '73946']],
  // West of 169°30′ W is Hawaii–Aleutian time. Hyder keeps the time of the neighboring Canadian town.
  ['AK', 'America/Anchorage', ['America/Adak', '99546 99547'], [null, '99923']],
  // The Navajo Nation keeps daylight saving time, the rest of the state and the Hopi Reservation do not.
  [
    'AZ',
    'America/Phoenix',
    [MOUNTAIN, '865 86020 86033 86035 86044 86045 86053 86054'],
    [null, '86016 86031 86502 86512 86555'],
  ],
  // West of the Apalachicola; Gulf County's coast is Eastern.
  ['FL', EASTERN, [CENTRAL, '324 325'], [EASTERN, '32456 32457']],
  // North of the Salmon River is Pacific; Lucile lies on both banks.
  ['ID', SOUTHERN_IDAHO, [PACIFIC, '835 838'], [SOUTHERN_IDAHO, '83547 83549'], [null, '83542']],
  // Lake, Porter, LaPorte, Newton, Jasper, Starke; Gibson, Posey, Vanderburgh, Warrick, Spencer, Perry.
  [
    'IN',
    'America/Indiana/Indianapolis',
    [CENTRAL, '463 464 476 477 46531 46532 46534 46968 47514 47515 47520 47523 47525 47531 47536 47537'],
    [CENTRAL, '47550 47551 47552 47556 47574 47576 47577 47579 47586 47588 47922 47943 47948 47951 47963'],
    [CENTRAL, '47964 47977 47978'],
  ],
  // Sherman, Wallace, Greeley, Hamilton.
  ['KS', CENTRAL, [MOUNTAIN, '67733 67735 67741 67758 67761 67762 67836 67857 67878 67879']],
  // Breckinridge, Grayson, Hart, Green, Adair, Cumberland, Clinton, Russell and everything west of them.
  [
    'KY',
    EASTERN,
    [CENTRAL, '420 421 422 423 424 40111 40115 40119 40140 40143 40144 40145 40146 40152 40153 40170 40171'],
    [CENTRAL, '40176 40178 42602 42603 42629 42642 42713 42715 42717 42720 42721 42722 42726 42728 42729'],
    [CENTRAL, '42731 42741 42742 42743 42746 42749 42753 42754 42755 42759 42762 42765 42782'],
    [null, '42712 42757 42764 42784'],
  ],
  // Gogebic, Iron, Dickinson, Menominee.
  [
    'MI',
    'America/Detroit',
    ['America/Menominee', '49801 49802 49812 49815 49821 49831 49834 49845 49847 49848 49852 49858 49863'],
    ['America/Menominee', '49870 49873 49874 49876 49877 49881 49886 49887 49892 49893 49896 49902 49903'],
    ['America/Menominee', '49911 49915 49920 49927 49935 49938 49947 49959 49964 49968 49969'],
  ],
  // Southwest of the Missouri, without Morton, Mercer, Oliver and the north of McKenzie.
  ['ND', CENTRAL, [MOUNTAIN, '586 58529 58533 58562 58564 58569'], [CENTRAL, '58631 58638'], [null, '58568 58757']],
  // The Panhandle, Arthur, Grant, Hooker, Keith, Perkins, Chase, Dundy and the west of Cherry.
  [
    'NE',
    CENTRAL,
    [MOUNTAIN, '693 69021 69023 69027 69030 69033 69037 69041 69045 69121 69122 69125 69127 69128 69129'],
    [MOUNTAIN, '69131 69133 69134 69140 69141 69144 69145 69146 69147 69148 69149 69150 69152 69153 69154'],
    [MOUNTAIN, '69155 69156 69160 69162 69168 69190 69211 69218'],
    [null, '69216 69219'],
  ],
  // Jackpot, Mountain City and Owyhee follow Idaho's clock although the law says Pacific.
  ['NV', PACIFIC, [MOUNTAIN, '89883'], [null, '89825 89831 89832']],
  // Malheur County; Huntington, next to it, appears to follow its time.
  ['OR', PACIFIC, [SOUTHERN_IDAHO, '979'], [PACIFIC, '97904 97905'], [null, '97907']],
  // Corson, Dewey, Ziebach, Haakon, Jackson, Bennett and everything west of them.
  [
    'SD',
    CENTRAL,
    [MOUNTAIN, '576 577 57521 57543 57547 57551 57552 57553 57567 57574 57577'],
    [CENTRAL, '57601 57631 57632 57646 57648'],
    [null, '57537'],
  ],
  // East Tennessee, without Marion, Sequatchie, Bledsoe and Cumberland; Grandview lies in two counties.
  [
    'TN',
    CENTRAL,
    [EASTERN, '374 376 377 378 379 37302 37303 37304 37307 37308 37309 37310 37311 37312 37314 37315 37316'],
    [EASTERN, '37317 37320 37321 37322 37323 37325 37326 37329 37331 37332 37333 37336 37338 37341 37343'],
    [EASTERN, '37350 37351 37353 37354 37361 37362 37363 37364 37369 37370 37371 37373 37377 37379 37381'],
    [EASTERN, '37384 37385 37391'],
    [CENTRAL, '37723'],
    [null, '37337'],
  ],
  // El Paso and Hudspeth.
  ['TX', CENTRAL, [MOUNTAIN, '799 885 79821 79835 79836 79837 79838 79839 79847 79849 79851 79853']],
];

const zonesByState: ReadonlyMap<string, Zones> = new Map<string, Zones>([
  ...each(EASTERN_STATES, EASTERN),
  ...each(CENTRAL_STATES, CENTRAL),
  ...each(MOUNTAIN_STATES, MOUNTAIN),
  ...each(PACIFIC_STATES, PACIFIC),
  ['AS', 'Pacific/Pago_Pago'],
  ['GU', 'Pacific/Guam'],
  ['MP', 'Pacific/Guam'],
  ['PR', 'America/Puerto_Rico'],
  ['PW', 'Pacific/Palau'],
  ['VI', 'America/St_Thomas'],
  ...MIXED_STATES.map(([state, zone, ...exceptions]): [string, Zones] => [state, { zone, exceptions }]),
]);

/**
 * The IANA time zone of a five-digit code in its state, or null if uncertain, as for military addresses (AA, AE, AP).
 */
export function zoneAt(code: string, state: string): string | null {
  const zones = zonesByState.get(state);
  if (zones === undefined) return null;
  if (typeof zones === 'string') return zones;
  for (const digits of [code, code.slice(0, 3)]) {
    const exception = zones.exceptions.find(([, listed]) => listed.split(' ').includes(digits));
    if (exception !== undefined) return exception[0];
  }
  return zones.zone;
}
