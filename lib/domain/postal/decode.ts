/**
 * The packed table of postal codes, as columns in the order of the codes. Places are distinct pairs of city and state.
 * Positions are in ten-thousandths of a degree (11 m), the precision of the source; 0, 0 stands for an unknown one.
 */
export type PostalTable = {
  readonly codes: Uint32Array;
  readonly latitudes: Int32Array;
  readonly longitudes: Int32Array;
  readonly places: Uint16Array;
  cityOf(place: number): string;
  stateOf(place: number): string;
};

/** Parts of a degree in one unit of the table. */
export const UNITS_PER_DEGREE = 10_000;

/** First bytes of the format: a name and a version, so that other bytes are refused instead of read as nonsense. */
export const MAGIC = 'POSTAL1\n';

/** Integers of either sign folded onto the non-negative ones: 0, −1, 1, −2 … are 0, 1, 2, 3 … */
export const fold = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const unfold = (value: number): number => (value >>> 1) ^ -(value & 1);

/** Reads the non-negative integers of a column: seven bits a byte, lowest first, the high bit says that more follow. */
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
      throw new RangeError('The postal data ends too early.');
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
 * of latitude, folded steps of longitude, places) and the cities as text in order of first use, a line `=ST` before
 * those of another state. A place is 0 for the next new city, else how many cities back from the newest.
 * @throws RangeError when the bytes are not such a table: the file is part of the build, so that is a fault of the
 * build.
 */
export function decodePostal(bytes: Uint8Array): PostalTable {
  const decoder = new TextDecoder();
  if (decoder.decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) {
    throw new RangeError('These bytes are not postal data of this version.');
  }
  const column = reader(bytes, MAGIC.length);
  const count = column.next();
  if (count > bytes.length) throw new RangeError('The postal data ends too early.');

  const codes = new Uint32Array(count);
  for (let row = 0, code = 0; row < count; row++) codes[row] = code += column.next();
  const latitudes = new Int32Array(count);
  for (let row = 0, latitude = 0; row < count; row++) latitudes[row] = latitude += unfold(column.next());
  const longitudes = new Int32Array(count);
  for (let row = 0, longitude = 0; row < count; row++) longitudes[row] = longitude += unfold(column.next());
  const places = new Uint16Array(count);
  for (let row = 0, known = 0; row < count; row++) {
    const back = column.next();
    places[row] = back === 0 ? known++ : known - back;
  }

  // Cutting the text into 30,000 strings would take as long as all the rest: only where a city begins is noted.
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
  const cityOf = (place: number): string => {
    const start = cities[place];
    return start === undefined ? '' : text.slice(start, endOfLine(text, start));
  };
  return { codes, latitudes, longitudes, places, cityOf, stateOf: (place) => states[place] ?? '' };
}
