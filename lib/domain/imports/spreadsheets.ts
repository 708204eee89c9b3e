import { readNumber } from '../../shared/text/read-values.ts';

/** Reads numbers with units, as people type them into a file. */

/** Words that mean "no value" in a column of numbers. */
const NOTHING = /^(?:n\s?\/?\s?a\.?|none|nil|null|unknown|tbd|[-–—?.]+)$/i;
/** A number with a currency sign or a unit: `$900`, `12 500 sq ft`, `~ 40 min`. */
const WITH_UNIT = /^(?:[~≈]|\p{Sc}|US\$|USD|CAD)?\s*([+-]?\d[\d.,'’\s]*?)\s*(?:[\p{L}%°²³"(/]\D{0,30})?$/u;

/** The number in `1,250`, `$900` and `12 500 sq ft`; `null` for `n/a`; `undefined` if it is not a number. */
export function readWrittenNumber(text: string, country: string): number | null | undefined {
  if (NOTHING.test(text)) return null;
  const inner = WITH_UNIT.exec(text)?.[1];
  return readNumber(text, country) ?? (inner === undefined ? undefined : readNumber(inner, country));
}
