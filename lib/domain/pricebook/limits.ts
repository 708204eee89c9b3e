import type { Fault } from '../faults.ts';

/** A thing of the book is one item of the table, and 100 of them one transaction of at most 4 MB. */
const MOST_THING_BYTES = 40_000;

/** A fault where a thing is too large to be kept. */
export function checkSize(thing: object, field: string): Fault[] {
  const bytes = Buffer.byteLength(JSON.stringify(thing));
  return bytes <= MOST_THING_BYTES
    ? []
    : [{ field, message: `is too large: ${bytes} bytes, of which ${MOST_THING_BYTES} can be kept` }];
}

/** A fault for each of `names` that is below zero. */
export const notNegative = <Thing extends object>(thing: Thing, names: readonly (keyof Thing & string)[], field: string): Fault[] =>
  names.flatMap((name) => ((thing[name] as number | null) ?? 0) < 0 ? [{ field: `${field}.${name}`, message: 'must be at least 0' }] : []);
