/** Reads numbers and flags from texts, as forms and other programs write them. */

/** Whether people in a country (ISO 3166) write a decimal comma. */
function writesDecimalComma(country: string): boolean {
  if (!/^[A-Za-z]{2}$/.test(country)) return false;
  const { language, region } = new Intl.Locale('und', { region: country }).maximize();
  const parts = new Intl.NumberFormat(`${language}-${region}`).formatToParts(0.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',');
}

const YES = new Set(['true', 'yes', 'on', '1']);
const NO = new Set(['false', 'no', 'off', '0']);

/** `true`, `yes`, `on`, `1` and their opposites, in any case; `undefined` for any other text. */
export function readFlag(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}

const LONGEST = 40;
const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
/** `1,234,567`, `1,234.50`, `12,34,567.5`, `1 234.50`, `1'234.50` */
const POINT_DECIMALS =
  /^[+-]?\d{1,3}(?:(?:,\d{2,3})+,\d{3}(?:\.\d+)?|,\d{3}\.\d+|(?: \d{3})+(?:\.\d+)?|(?:['’]\d{3})+(?:\.\d+)?)$/;
/** `1.234.567`, `1.234,50`, `1 234,50` */
const COMMA_DECIMALS = /^[+-]?\d{1,3}(?:(?:\.\d{3}){2,}(?:,\d+)?|\.\d{3},\d+|(?: \d{3})+,\d+|(?:['’]\d{3})+,\d+)$/;
const ONE_COMMA = /^[+-]?\d+,\d+$/;
const THOUSANDS = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/** Trimmed, with plain spaces inside. */
const trimmed = (text: string): string => (text.length > LONGEST * 2 ? '' : text.trim().replaceAll(/\s/g, ' '));

/** Whether a text is a number whose only separator is one comma, so that its meaning depends on the country. */
export const dependsOnCountry = (text: string): boolean => ONE_COMMA.test(trimmed(text));

/**
 * The number in a text: an integer or a decimal, with or without thousands separators. A single point is always a
 * decimal point, because programs write numbers that way. A single comma separates thousands where people write a
 * decimal point; elsewhere it is a decimal comma, except that `1,234` is ambiguous there and is rejected. `undefined`
 * for anything else.
 */
export function readNumber(text: string, country?: string): number | undefined {
  const written = trimmed(text);
  if (written.length > LONGEST) return undefined;
  if (PLAIN.test(written)) return toNumber(written);
  if (ONE_COMMA.test(written)) return readOneComma(written, country);
  if (POINT_DECIMALS.test(written)) return toNumber(written.replaceAll(/[, '’]/g, ''));
  return COMMA_DECIMALS.test(written) ? toNumber(written.replaceAll(/[. '’]/g, '').replace(',', '.')) : undefined;
}

function readOneComma(written: string, country: string | undefined): number | undefined {
  if (country === undefined) return undefined;
  const [hasDecimalComma, isThousands] = [writesDecimalComma(country), THOUSANDS.test(written)];
  return hasDecimalComma === isThousands ? undefined : toNumber(written.replace(',', hasDecimalComma ? '.' : ''));
}

/** Turns −0 into 0. */
const toNumber = (text: string): number => Number(text) + 0;

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
