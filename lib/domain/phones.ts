import { planOf, readDialled } from './phone-plans.ts';

/**
 * Fewest digits of a number (a North American local one) and most (a German one with its calling code; ITU-T E.164 has
 * 15).
 */
const [FEWEST, MOST] = [7, 17];
/** Most digits dialled: a number after a prefix of international calls. */
const MOST_DIALLED = 22;
const LONGEST_TEXT = 100;
const KEYPAD = '22233344455566677778889999';
const EXTENSION = /(?:;ext=|,,+|#|(?<!\p{L})(?:extension|extn?|xtn?|x)[.:]?)\s*#?\d{1,7}[\s#)]*$/iu;
/**
 * 1-800-FLOWERS, 217-555-ROOF, 1-800-CONTACTS: a North American number whose end is letters, perhaps one more than are
 * dialled.
 */
const VANITY = /^1?([2-9]\d\d[2-9a-z][\da-z]{6,7})$/i;

const digitsOf = (text: string) => text.replace(/\D/g, '');

function isLengthOfNumber(text: string): boolean {
  const { length } = digitsOf(text);
  return length >= FEWEST && length <= MOST;
}

function withoutExtension(text: string): string {
  const rest = text.replace(EXTENSION, '');
  return digitsOf(rest).length < FEWEST && !/\p{L}/u.test(rest) ? text : rest;
}

/** `1-800-FLOWERS` → `+18003569377`; undefined when the text is not written so. */
function fromLetters(text: string, country: string): string | undefined {
  const compact = text.replace(/[\s().+-]/g, '');
  const written = /[a-z]/i.test(compact) ? VANITY.exec(compact)?.[1] : undefined;
  // With seven digits it is a local number and a remark: `555-0143 work`.
  if (written === undefined || digitsOf(written).length >= FEWEST || planOf(country)?.[0] !== '1') return undefined;
  const dialledLetters = written.slice(0, 10).toLowerCase();
  return `+1${dialledLetters.replace(/[a-z]/g, (letter) => KEYPAD[letter.charCodeAt(0) - 97] ?? '')}`;
}

/**
 * Digits, with the plus if one led them, of the first piece of the text that has enough of them; `home 217-555-0143,
 * cell …` → `2175550143`.
 */
function dialled(text: string): string | undefined {
  const pieces = text.split(/[\p{L},;|&]+/u);
  const piece = pieces.find((candidate) => digitsOf(candidate).length >= FEWEST) ?? text;
  const digits = digitsOf(piece);
  if (digits.length < FEWEST || digits.length > MOST_DIALLED) return undefined;
  return /^[^\d]*\+/.test(piece) ? `+${digits}` : digits;
}

/** One reading; a national number of a country not known to us stays as dialled. */
function readOnce(dialledDigits: string, country: string): string | undefined {
  return readDialled(dialledDigits, country) ?? (dialledDigits.startsWith('+') ? undefined : dialledDigits);
}

/**
 * A telephone number for matching, the same however it was written: `(217) 555-0143`, `217.555.0143 x12`, `+1 217 555
 * 0143`, `1-217-555-0143` → all `+12175550143` (E.164, the extension left off); `1-800-FLOWERS` → `+18003569377`.
 * Numbers without country code are of `country` (ISO 3166, two letters). Not validated beyond that, so fictional and
 * incomplete numbers match too: `555-0143` → `+15550143`.
 *
 * Countries in infra/phones/metadata.ts are read as libphonenumber reads them. Of others an international number is
 * the digits after the plus (`+55 (11) 91234-5678` → `+5511912345678`) and a national one its bare digits. null when it
 * is no number: fewer than 7 digits, or more than any has.
 */
export function normalizePhone(text: string, country = 'US'): string | null {
  if (text.length > LONGEST_TEXT) return null;
  const number = withoutExtension(text.normalize('NFKC'));
  let current = fromLetters(number, country) ?? dialled(number);
  // Each reading takes off one prefix; `+1 1 1 217…` has two.
  for (let reads = 0; current !== undefined && reads < MOST_DIALLED; reads++) {
    const next = readOnce(current, country);
    if (next === current) return isLengthOfNumber(next) ? next : null;
    current = next;
  }
  return null;
}
