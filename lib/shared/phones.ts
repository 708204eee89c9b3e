import generated from './phone-plans.json' with { type: 'json' };

/**
 * Fewest digits of a number (a North American local one) and most (a German one with its calling code; ITU-T E.164 has
 * 15).
 */
const [FEWEST, MOST] = [7, 17];
/** Most digits dialled: a number after a prefix of international calls. */
const MAX_DIALLED = 22;
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
  if (written === undefined || digitsOf(written).length >= FEWEST || numberingPlan(country)?.[0] !== '1')
    return undefined;
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
  if (digits.length < FEWEST || digits.length > MAX_DIALLED) return undefined;
  return /^[^\d]*\+/.test(piece) ? `+${digits}` : digits;
}

/** One reading; a national number of a country not known to us stays as dialled. */
function readOnce(dialledDigits: string, country: string): string | undefined {
  return parseDialled(dialledDigits, country) ?? (dialledDigits.startsWith('+') ? undefined : dialledDigits);
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
  for (let reads = 0; current !== undefined && reads < MAX_DIALLED; reads++) {
    const next = readOnce(current, country);
    if (next === current) return isLengthOfNumber(next) ? next : null;
    current = next;
  }
  return null;
}

/**
 * How one country writes its numbers, from libphonenumber's metadata: calling code, prefix of international calls,
 * pattern and lengths of national numbers, prefix of national calls, and what replaces that prefix where it has a
 * group. Patterns are regular expressions; `""` is none. Great Britain: `["44", "00", "[1-357-9]\\d{9}|…", [7, 9, 10],
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
let mains: Map<string, Plan> | undefined;

/** The plan of a country (ISO 3166, two letters), undefined when infra/phones/metadata.ts does not list it. */
export function numberingPlan(country: string): Plan | undefined {
  return Object.hasOwn(plans, country) ? plans[country] : undefined;
}

/**
 * The plan of the calling code that begins these digits: the main country's, so `1868…` gives that of the United
 * States.
 */
function planOfInternational(digits: string): Plan | undefined {
  // Reversed, so that the first country of a code is the one that stays.
  mains ??= new Map(
    Object.values(plans)
      .reverse()
      .map((plan) => [plan[0], plan]),
  );
  // No calling code begins another, so at most one of the three is there.
  return mains.get(digits.slice(0, 1)) ?? mains.get(digits.slice(0, 2)) ?? mains.get(digits.slice(0, 3));
}

function matches(digits: string, pattern: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(digits);
}

/**
 * The national number without the prefix of national calls, if it has one and is still a number without: `02079460958`
 * → `2079460958`.
 */
function significant(digits: string, [, , pattern, lengths, prefix, transform]: Plan): string {
  const found = prefix ? new RegExp(`^(?:${prefix})`).exec(digits) : null;
  if (!found) return digits;
  const completed = transform && found.at(-1) && found.length > 1;
  const rest = completed ? digits.replace(new RegExp(`^(?:${prefix})`), transform) : digits.slice(found[0].length);
  if (matches(digits, pattern) && !matches(rest, pattern)) return digits;
  // Too long is kept: whoever adds digits to a number may have written the prefix too. The pattern is asked besides the
  // lengths, since that of a shared calling code covers all its countries: Canada has 310-0000, the United States do
  // not.
  const fits = lengths.includes(rest.length) || rest.length > Math.max(...lengths) || matches(rest, pattern);
  return fits ? rest : digits;
}

/**
 * Whether the calling code was written without a plus: `1 217 555 0143`, `44 20 7946 0958`. Where the digits fit as a
 * national number, they are one.
 */
function beginsWithOwnCode(digits: string, plan: Plan): boolean {
  const [code, , pattern, lengths] = plan;
  if (!digits.startsWith(code)) return false;
  const national = significant(digits, plan);
  if (national.length > Math.max(...lengths)) return true;
  return !matches(national, pattern) && matches(significant(digits.slice(code.length), plan), pattern);
}

/**
 * Calling code and national number of what was dialled internationally: `011 44 20…` in the United States → `4420…`;
 * undefined when it was not.
 */
function asInternational(digits: string, plan: Plan): string | undefined {
  const prefix = new RegExp(`^(?:${plan[1]})`).exec(digits);
  const rest = prefix ? digits.slice(prefix[0].length) : '';
  // A calling code never begins with 0.
  if (rest !== '' && !rest.startsWith('0')) return rest;
  return beginsWithOwnCode(digits, plan) ? digits : undefined;
}

/**
 * E.164 of a number as dialled in `country`: digits, after a plus when written internationally. The steps are
 * libphonenumber's: international prefix, calling code, national prefix; one prefix is taken off. A calling code not
 * known to us stands for itself: `011 55 11 9…` → `+55119…`. undefined for a national number of a country not known to
 * us, and for a calling code of 0, which nobody has.
 */
export function parseDialled(dialled: string, country: string): string | undefined {
  const plan = numberingPlan(country);
  const international = dialled.startsWith('+') ? dialled.slice(1) : plan && asInternational(dialled, plan);
  if (international === undefined) return plan && `+${plan[0]}${significant(dialled, plan)}`;
  const foreign = planOfInternational(international);
  if (!foreign) return international.startsWith('0') ? undefined : `+${international}`;
  return `+${foreign[0]}${significant(international.slice(foreign[0].length), foreign)}`;
}

const WRITTEN = /^[\d\s().+/\-#,;:*a-z]+$/i;

/**
 * Whether a text can be a phone number, for numbers that are only shown and never searched for: 7 to 17 digits however
 * parted, with up to 7 of an extension, or letters of a keypad (`1-800-FLOWERS`, four digits and seven letters). Those
 * that are searched for are read by phones.ts, which knows the countries.
 */
export function isPhoneText(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  const keys = text.replace(/[^\da-z]/gi, '').length;
  return (
    text.length <= 50 &&
    WRITTEN.test(text) &&
    ((digits >= 7 && digits <= 24) || (digits >= 4 && keys >= 10 && keys <= 12))
  );
}
