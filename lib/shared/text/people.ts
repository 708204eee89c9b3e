import { isPhoneNumber, phonesIn } from './phones.ts';
import { isCutNumber, wholeNumber } from './read-values.ts';
import { firstEmailIn, isEmail, normalizeEmail } from './text.ts';

/**
 * Reads what people write of themselves: names, e-mail addresses and phone numbers. Forms, lenient keys, contacts files
 * and imports all read by it.
 */

/** The longest phone number, as typed. */
export const MAX_PHONE = 50;

/** Zero-width spaces and other invisible characters. */
const INVISIBLE = /\p{Cf}+/gu;

/** A text without invisible characters and outer spaces. */
export const visibleText = (text: string): string => text.replaceAll(INVISIBLE, '').trim();

/** The values in a text with several e-mails or phone numbers: `a@example.com, b@example.com`. */
export const splitValues = (text: string): string[] =>
  text
    .split(/[,;|\n]/)
    .map((value) => value.trim())
    .filter(Boolean);

const MIN_PHONE_DIGITS = 7;

/** The phone numbers in a text, also `8045550143 / 8045550199` and `804-555-0143 or 804-555-0199`. */
export const splitPhones = (text: string): string[] =>
  splitValues(text).flatMap((value) => {
    const pieces = value.split(/\s*(?:\/|&|\bor\b|\band\b)\s*|(?<=\d{10})\s+(?=\d{10}$)/i).filter(Boolean);
    return pieces.every((piece) => piece.replaceAll(/\D/g, '').length >= MIN_PHONE_DIGITS) ? pieces : [value];
  });

/** What was read of a text, and what was not. */
interface ReadText<Value> {
  readonly values: readonly Value[];
  /** `''` if everything was read. */
  readonly rest: string;
}

/** The longest text that is searched for numbers: the search takes milliseconds for a thousand characters. */
const MAX_SEARCHED = 1000;

/**
 * The phone numbers in a text, as written: several if each part is a number, the whole text if it is one with a remark,
 * else those in it. A number that a spreadsheet has cut is not read.
 */
export function readPhones(text: string, country: string): ReadText<string> {
  const isPhone = (value: string) => value.length <= MAX_PHONE && !isCutNumber(value) && isPhoneNumber(value, country);
  const parts = splitPhones(text).map(wholeNumber);
  if (parts.length > 1 && parts.every(isPhone)) return { values: parts, rest: '' };
  const whole = wholeNumber(text);
  if (isPhone(whole)) return { values: [whole], rest: '' };
  const found = isCutNumber(text) ? [] : phonesIn(text.slice(0, MAX_SEARCHED), country);
  const values = found.map((value) => value.slice(0, MAX_PHONE).trim()).filter(isPhone);
  const rest = values.reduce((left, value) => left.replace(value, ' '), text);
  return { values, rest: /[\p{L}\p{N}]/u.test(rest) ? rest.trim() : '' };
}

/** An e-mail address, and the name beside it. */
export interface Mailbox {
  readonly name: string;
  readonly email: string;
}

/** A run of characters that may be an address: `Ann Lee <ann@example.com>`, `mailto:ann@example.com?subject=Hi`. */
const ADDRESS = /[^\s<>()[\]\\,;:"|/?]+/g;
/** Words in front of an address that are no name. */
const NO_NAME = /^(?:e-?mail|mail|mailto|correo|to|from|and|or|y|o)$/i;

/** What stands between addresses and says nothing; an emoji does. */
const SEPARATORS = /\bmailto\b|[\s.,;:<>()[\]"'|/?&-]/gi;

/** The name in front of or behind an address, without quotes and separators. */
function nameOf(written: string): string {
  const name = written.replace(/^[\s,;|"'&<>]+/, '').replace(/(?<![\s,;|"':&])[\s,;|"':&]+$/, '');
  return NO_NAME.test(name) ? '' : readName(name);
}

/**
 * The e-mail addresses in a text with their names, each address once: `"Lee, Ann" <ann@example.com>, bo@example.com`
 * has `Ann Lee` and one without a name. `rest` has what is neither.
 */
export function readMailboxes(text: string): ReadText<Mailbox> {
  if (isEmail(text)) return { values: [{ name: '', email: text }], rest: '' };
  const values = new Map<string, Mailbox>();
  const rest: string[] = [];
  let begin = 0;
  for (const { 0: word, index } of text.includes('@') ? text.matchAll(ADDRESS) : []) {
    const email = firstEmailIn(word);
    if (!email || index < begin) continue;
    const before = text.slice(begin, index);
    const behind = /^\s{0,3}\(([^()@]{1,200})\)/.exec(text.slice(index + word.length, index + word.length + 210));
    const isNamed = before.trimEnd().endsWith('<');
    const name = isNamed ? nameOf(before.trimEnd().slice(0, -1)) : nameOf(behind?.[1] ?? '');
    if (!isNamed) rest.push(before);
    const known = values.get(normalizeEmail(email));
    if (!known || (name && !known.name)) values.set(normalizeEmail(email), { name, email });
    begin = index + word.length + (isNamed ? 0 : (behind?.[0].length ?? 0));
  }
  rest.push(text.slice(begin));
  const left = rest.join(' ').replaceAll(/\s+/g, ' ').trim();
  return { values: [...values.values()], rest: left.replaceAll(SEPARATORS, '') ? left : '' };
}

/** Two or three words of letters: `Lee`, `van der Berg`, `Ann B.`. */
const NAME_PART = /^[\p{L}\p{M}'’.-]+(?: [\p{L}\p{M}'’.-]+){0,2}$/u;
/** What stands behind a comma without being a first name: `Acme, Inc.`, `Ann Lee, MD`. */
const SUFFIXES = new Set(
  (
    'inc llc llp lp ltd limited co corp corporation company gmbh ag sa srl plc pc pllc pa jr sr ii iii iv esq md do ' +
    'phd dds dvm rn cpa mba pe ra aia realtor trustee owner manager and'
  ).split(' '),
);
/** Words that people have in no name: a business, or a place. */
const OF_BUSINESS =
  /\b(?:lawn|care|services?|company|group|realty|properties|management|church|school|associates?|partners?|hoa)\b/i;

/** A name as it is spoken: `Lee, Ann` is `Ann Lee`; `Acme, Inc.` and `Ann Lee, MD` stay. */
export function readName(text: string): string {
  const name = text.trim().replaceAll(/\s+/g, ' ');
  const [last = '', first = '', ...more] = name.split(/ ?, ?/);
  if (!first || more.length || !NAME_PART.test(last) || !NAME_PART.test(first)) return text.trim();
  // `Ann Lee, Bob Ray` are two people.
  const isTwo = last.includes(' ') && first.includes(' ');
  const [behind = ''] = first.replaceAll('.', '').toLowerCase().split(' ');
  if (isTwo || SUFFIXES.has(behind) || OF_BUSINESS.test(name)) return text.trim();
  return `${first} ${last}`;
}
