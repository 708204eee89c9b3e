/**
 * The packed table of postal codes, as columns in the order of the codes. Places are distinct pairs of city and state.
 * Positions are in ten-thousandths of a degree (11 m), the precision of the source; 0, 0 stands for an unknown one.
 */
export type PostalTable = {
  readonly codes: Uint32Array;
  readonly latitudes: Int32Array;
  readonly longitudes: Int32Array;
  readonly places: Uint16Array;
  readonly cities: readonly string[];
  readonly states: readonly string[];
};

/** Parts of a degree in one unit of the table. */
export const UNITS_PER_DEGREE = 10_000;

/** First bytes of the format: a name and a version, so that other bytes are refused instead of read as nonsense. */
export const MAGIC = 'POSTAL1\n';

/** Integers of either sign folded onto the non-negative ones: 0, −1, 1, −2 … are 0, 1, 2, 3 … */
export const fold = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const unfold = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

/** Reads the non-negative integers of a column: seven bits a byte, lowest first, the high bit says that more follow. */
function reader(bytes: Uint8Array, start: number): { next(): number; position(): number } {
  let at = start;
  return {
    next() {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = bytes[at++];
        if (byte === undefined) throw new RangeError('The postal data ends too early.');
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    },
    position: () => at,
  };
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

  const cities: string[] = [];
  const states: string[] = [];
  let state = '';
  for (const line of decoder.decode(bytes.subarray(column.position())).split('\n')) {
    if (line.startsWith('=')) state = line.slice(1);
    else {
      cities.push(line);
      states.push(state);
    }
  }
  return { codes, latitudes, longitudes, places, cities, states };
}
