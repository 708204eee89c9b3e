import generated from './phone-plans.json' with { type: 'json' };

/** A local North American number has 7 digits, a German one with its calling code 17 (ITU-T E.164 allows 15). */
const [MIN_DIGITS, MAX_DIGITS] = [7, 17];
/** With a prefix of international calls. */
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
  // Seven digits are a local number with a remark: `555-0143 work`.
  if (number === undefined || digitsOf(number).length >= MIN_DIGITS || numberingPlan(country)?.[0] !== '1')
    return undefined;
  const keys = number.slice(0, 10).toLowerCase();
  return `+1${keys.replace(/[a-z]/g, (letter) => KEYPAD[letter.charCodeAt(0) - 97] ?? '')}`;
}

/**
 * The digits, with a leading plus, of the first piece that has enough: `home 217-555-0143, cell …` → `2175550143`.
 */
function extractDigits(text: string): string | undefined {
  const pieces = text.split(/[\p{L},;|&]+/u);
  const piece = pieces.find((candidate) => digitsOf(candidate).length >= MIN_DIGITS) ?? text;
  const digits = digitsOf(piece);
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIALLED) return undefined;
  return /^[^\d]*\+/.test(piece) ? `+${digits}` : digits;
}

/**
 * A telephone number for matching: `(217) 555-0143`, `217.555.0143 x12`, `+1 217 555 0143`, `1-217-555-0143` → all
 * `+12175550143` (E.164 without extension); `1-800-FLOWERS` → `+18003569377`. Numbers without calling code belong to
 * `country` (ISO 3166, two letters). Whether the number exists is not checked, so fictional and incomplete numbers
 * match too: `555-0143` → `+15550143`.
 *
 * Countries in infra/pack/phone-plans.ts are read as libphonenumber reads them. Of other countries, an international
 * number is the digits after the plus (`+55 (11) 91234-5678` → `+5511912345678`) and a national one its bare digits.
 * `null` if it has fewer than 7 digits or more than any number.
 */
export function normalizePhone(text: string, country = 'US'): string | null {
  if (text.length > MAX_TEXT) return null;
  const normalized = text.normalize('NFKC');
  // One character can become 18.
  if (normalized.length > 2 * MAX_TEXT) return null;
  const number = withoutExtension(normalized);
  let current = parseVanity(number, country) ?? extractDigits(number);
  // Each reading removes one prefix; `+1 1 1 217…` has two.
  for (let reads = 0; current !== undefined && reads < MAX_DIALLED; reads++) {
    const next: string | undefined = parseDialled(current, country) ?? (current.startsWith('+') ? undefined : current);
    if (next === current) {
      const { length } = digitsOf(next);
      return length >= MIN_DIGITS && length <= MAX_DIGITS ? next : null;
    }
    current = next;
  }
  return null;
}

/**
 * How a country writes its numbers, from libphonenumber's metadata: calling code, prefix of international calls,
 * pattern and lengths of national numbers, prefix of national calls, and what replaces that prefix if it has a group.
 * Patterns are regular expressions; `""` means none. Great Britain: `["44", "00", "[1-357-9]\\d{9}|…", [7, 9, 10],
 * "0|180020", ""]`. Barbados completes local numbers: `"([2-9]\\d{6})$|1", "246$1"`.
 */
export type Plan = [
  code: string,
  international: string,
  pattern: string,
  lengths: number[],
  prefix: string,
  transform: string,
];

const plans = generated as unknown as Record<string, Plan>;
/** By calling code, the plan of its main country. */
let mainPlans: Map<string, Plan> | undefined;

/** The plan of a country (ISO 3166, two letters), if infra/pack/phone-plans.ts has it. */
const numberingPlan = (country: string): Plan | undefined =>
  Object.hasOwn(plans, country) ? plans[country] : undefined;

/** The plan of the calling code that begins these digits: `1868…` gives that of the United States. */
function planOfInternational(digits: string): Plan | undefined {
  // Reversed, because the first country of a code is its main one.
  mainPlans ??= new Map(
    Object.values(plans)
      .reverse()
      .map((plan) => [plan[0], plan]),
  );
  // No calling code begins another, so at most one of the three exists.
  return mainPlans.get(digits.slice(0, 1)) ?? mainPlans.get(digits.slice(0, 2)) ?? mainPlans.get(digits.slice(0, 3));
}

const matchesPattern = (digits: string, pattern: string): boolean => new RegExp(`^(?:${pattern})$`).test(digits);

/**
 * The national number without its prefix of national calls, unless it is a number only with it: `02079460958` →
 * `2079460958`.
 */
function withoutNationalPrefix(digits: string, [, , pattern, lengths, prefix, transform]: Plan): string {
  const found = prefix ? new RegExp(`^(?:${prefix})`).exec(digits) : null;
  if (!found) return digits;
  const isCompleted = transform && found.at(-1) && found.length > 1;
  const rest = isCompleted ? digits.replace(new RegExp(`^(?:${prefix})`), transform) : digits.slice(found[0].length);
  if (matchesPattern(digits, pattern) && !matchesPattern(rest, pattern)) return digits;
  // A number with additional digits may have the prefix too. The pattern counts besides the lengths, because those of a
  // shared calling code cover all its countries: Canada has 310-0000, the United States do not.
  const isNumber = lengths.includes(rest.length) || rest.length > Math.max(...lengths) || matchesPattern(rest, pattern);
  return isNumber ? rest : digits;
}

/**
 * Whether the digits begin with the country's own calling code, written without a plus: `1 217 555 0143`, `44 20 7946
 * 0958`. Digits that can be a national number are one.
 */
function hasOwnCallingCode(digits: string, plan: Plan): boolean {
  const [code, , pattern, lengths] = plan;
  if (!digits.startsWith(code)) return false;
  const national = withoutNationalPrefix(digits, plan);
  if (national.length > Math.max(...lengths)) return true;
  return (
    !matchesPattern(national, pattern) &&
    matchesPattern(withoutNationalPrefix(digits.slice(code.length), plan), pattern)
  );
}

/**
 * Calling code and national number of digits dialled internationally: `011 44 20…` in the United States → `4420…`.
 */
function internationalDigits(digits: string, plan: Plan): string | undefined {
  const prefix = new RegExp(`^(?:${plan[1]})`).exec(digits);
  const rest = prefix ? digits.slice(prefix[0].length) : '';
  // A calling code never begins with 0.
  if (rest !== '' && !rest.startsWith('0')) return rest;
  return hasOwnCallingCode(digits, plan) ? digits : undefined;
}

/**
 * E.164 of digits as dialled in `country`, with a plus if written internationally. The steps are libphonenumber's:
 * international prefix, calling code, national prefix; one prefix is removed. An unknown calling code stays as it is:
 * `011 55 11 9…` → `+55119…`. `undefined` for a national number of an unknown country, and for a calling code of 0,
 * which does not exist.
 */
function parseDialled(dialled: string, country: string): string | undefined {
  const plan = numberingPlan(country);
  const international = dialled.startsWith('+') ? dialled.slice(1) : plan && internationalDigits(dialled, plan);
  if (international === undefined) return plan && `+${plan[0]}${withoutNationalPrefix(dialled, plan)}`;
  const foreign = planOfInternational(international);
  if (!foreign) return international.startsWith('0') ? undefined : `+${international}`;
  return `+${foreign[0]}${withoutNationalPrefix(international.slice(foreign[0].length), foreign)}`;
}

/** Calling code and national number of `+12175550143`; no code where the number has none or its country is unknown. */
export function splitCallingCode(number: string): { readonly code: string; readonly national: string } {
  const digits = digitsOf(number);
  const [code = ''] = (number.startsWith('+') && planOfInternational(digits)) || [];
  return { code, national: digits.slice(code.length) };
}

const PHONE_CHARACTERS = /^[\d\s().+/\-#,;:*a-z]+$/i;

/**
 * Whether a text can be a phone number, for numbers that nobody searches by: 7 to 17 digits in any notation, with up to
 * 7 of an extension, or letters of a keypad (`1-800-FLOWERS`, four digits and seven letters).
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
