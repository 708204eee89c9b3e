import {
  findPhoneNumbersInText,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

/** A local North American number has 7 digits, a German one with its calling code 17 (ITU-T E.164 allows 15). */
const [MIN_DIGITS, MAX_DIGITS] = [7, 17];
/** With the prefix of an international call. */
const MAX_DIALLED = 22;
const MAX_TEXT = 100;
const KEYPAD = '22233344455566677778889999';
/** 1-800-FLOWERS, 217-555-ROOF, 1-800-CONTACTS: a North American number that ends in letters, at most one too many. */
const VANITY = /^1?([2-9]\d\d[2-9a-z][\da-z]{6,7})$/i;

const digitsOf = (text: string) => text.replace(/\D/g, '');

function withoutExtension(text: string): string {
  const rest = text.replace(/(?:;ext=|,,+|#|(?<!\p{L})(?:extension|extn?|xtn?|x)[.:]?)\s*#?\d{1,7}[\s#)]*$/iu, '');
  return digitsOf(rest).length < MIN_DIGITS && !/\p{L}/u.test(rest) ? text : rest;
}

/** `1-800-FLOWERS` → `+18003569377`; `undefined` for other texts. */
function parseVanity(text: string, country: string): string | undefined {
  const compact = text.replace(/[\s().+-]/g, '');
  const number = /[a-z]/i.test(compact) ? VANITY.exec(compact)?.[1] : undefined;
  // Seven digits are a local number followed by a remark: `555-0143 work`.
  if (number === undefined || digitsOf(number).length >= MIN_DIGITS || callingCodeOf(country) !== '1') return undefined;
  const keys = number.slice(0, 10).toLowerCase();
  return `+1${keys.replace(/[a-z]/g, (letter) => KEYPAD[letter.charCodeAt(0) - 97] ?? '')}`;
}

const callingCodeOf = (country: string): string | undefined =>
  isSupportedCountry(country) ? getCountryCallingCode(country) : undefined;

/** The digits, with a leading plus, of the first part that has enough: `home 217-555-0143, cell …` → `2175550143`. */
function extractDigits(text: string): string | undefined {
  const pieces = text.split(/[\p{L},;|&]+/u);
  const piece = pieces.find((candidate) => digitsOf(candidate).length >= MIN_DIGITS) ?? text;
  const digits = digitsOf(piece);
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIALLED) return undefined;
  return /^[^\d]*\+/.test(piece) ? `+${digits}` : digits;
}

/**
 * A phone number for matching: `(217) 555-0143`, `217.555.0143 x12`, `+1 217 555 0143`, `1-217-555-0143` → all
 * `+12175550143` (E.164 without extension); `1-800-FLOWERS` → `+18003569377`. Numbers without a calling code belong to
 * `country` (ISO 3166, two letters), as libphonenumber reads them. It does not matter whether the number exists, so
 * fictional and incomplete numbers match too: `555-0143` → `+15550143`. What libphonenumber cannot read, such as an
 * unknown calling code, becomes its digits. `null` for fewer than 7 digits or more than any number has.
 */
export function normalizePhone(text: string, country = 'US'): string | null {
  if (text.length > MAX_TEXT) return null;
  const normalized = text.normalize('NFKC');
  // One character can expand to 18.
  if (normalized.length > 2 * MAX_TEXT) return null;
  const number = withoutExtension(normalized);
  let current = parseVanity(number, country) ?? extractDigits(number);
  // Each pass removes one prefix; `+1 1 1 217…` has two.
  for (let reads = 0; current !== undefined && reads < MAX_DIALLED; reads++) {
    const next = readDigits(current, country);
    if (next === current) {
      const { length } = digitsOf(next);
      return length >= MIN_DIGITS && length <= MAX_DIGITS ? next : null;
    }
    current = next;
  }
  return null;
}

/** E.164 of digits as dialled in `country`; `undefined` for the calling code 0, which does not exist. */
function readDigits(dialled: string, country: string): string | undefined {
  const defaultCountry = isSupportedCountry(country) ? country : undefined;
  const read = parsePhoneNumberFromString(dialled, { ...(defaultCountry && { defaultCountry }), extract: false });
  return read?.number ?? (dialled.startsWith('+0') ? undefined : dialled);
}

/** The phone numbers in a text, as written. */
export const phonesIn = (text: string, country: string): string[] =>
  findPhoneNumbersInText(text, isSupportedCountry(country) ? country : 'US').map(({ startsAt, endsAt }) =>
    text.slice(startsAt, endsAt).trim(),
  );

/** Whether a text can be read as a phone number of a country. */
export const isPhoneNumber = (text: string, country: string): boolean => normalizePhone(text, country) !== null;

/** The calling code and national number of `+12175550143`; the code is empty if it is missing or unknown. */
export function splitCallingCode(number: string): { readonly code: string; readonly national: string } {
  const read = parsePhoneNumberFromString(number);
  return read
    ? { code: read.countryCallingCode, national: read.nationalNumber }
    : { code: '', national: digitsOf(number) };
}

const PHONE_CHARACTERS = /^[\d\s().+/\-#,;:*a-z]+$/i;

/**
 * Whether a text can be a phone number that is never searched by: 7 to 17 digits in any notation, with an extension of
 * up to 7 digits, or keypad letters (`1-800-FLOWERS`: four digits and seven letters).
 */
export function isPhoneText(text: string): boolean {
  const digits = digitsOf(text).length;
  const keys = text.replace(/[^\da-z]/gi, '').length;
  return (
    text.length <= 50 &&
    PHONE_CHARACTERS.test(text) &&
    ((digits >= 7 && digits <= 24) || (digits >= 4 && keys >= 10 && keys <= 12))
  );
}
