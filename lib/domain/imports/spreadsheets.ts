import { readNumber } from '../../shared/text/read-values.ts';

/** Undoes what spreadsheets and people do to numbers in a file. */

const EXPONENT = /^[+-]?\d(?:\.(\d+))?E\+?(\d{1,2})$/i;

/** Whether a spreadsheet has rounded a number: in `8.04555E+09` for 8045550143 the last digits are lost. */
export function isCutNumber(text: string): boolean {
  const match = EXPONENT.exec(text.trim());
  return match !== null && (match[1] ?? '').length < Number(match[2]);
}

/** `8045550143` from `8045550143.0` and from `8.045550143E+09`, which has all digits; any other text is unchanged. */
export const wholeNumber = (text: string): string =>
  EXPONENT.test(text.trim()) && !isCutNumber(text) ? String(Number(text)) : text.replace(/^(\d+)\.0+$/, '$1');

export const CUT_NUMBER = 'was cut by a spreadsheet and its digits are lost: export the file again and do not open it';

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
