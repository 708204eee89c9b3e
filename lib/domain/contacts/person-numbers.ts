import { normalizePhone, splitCallingCode } from '../../shared/text/phones.ts';

/** A phone number of a person. */
interface PersonNumber {
  /** Without calling code and prefix of national calls. */
  readonly national: string;
  /** `""` where it is not known. */
  readonly code: string;
}

/** Shorter national numbers are parts of other texts by chance, such as dates: they count with their code. */
const MIN_CERTAIN = 9;
const MIN_DIGITS = 7;
/** Of a North American number, without its area code, as people of one place write it. */
const LOCAL_DIGITS = 7;

/** Up to three; a pattern that says so takes 16 times as long to compile. */
const SEPARATOR = String.raw`[\s().\/\u2010-\u2015-]*`;
const TOO_FAR = /[\s()./\u2010-\u2015-]{4}/;

/** Several numbers in one field, each alone: `217-555-0143 or (217) 555-0144 x5`. */
const NUMBERS = /\+?\d(?:[\s()./\u2010-\u2015-]{0,3}\d){6,16}/g;

/**
 * The numbers of a field: as the contact's country reads it, which `key` is the result of (E.164), and each as it is
 * written.
 */
export function numbersOf(text: string, key: string): PersonNumber[] {
  const written = (text.normalize('NFKC').match(NUMBERS) ?? []).map((found) =>
    found.startsWith('+')
      ? (normalizePhone(found) ?? found)
      : found.replaceAll(/\D/g, '').replace(/^(?:0+|1(?=\d{10}$))/, ''),
  );
  const found = [key, ...written].map(splitCallingCode).filter(({ national }) => national.length >= MIN_DIGITS);
  return [...new Map(found.map((number) => [`${number.code} ${number.national}`, number])).values()];
}

const grouped = (digits: string): string => [...digits].join(SEPARATOR);

const DIALLED = String.raw`(?:\+|00|011)`;

/** The calling code before a number; where it is not known, any that is marked as one, and that of North America. */
const codePattern = (code: string): string =>
  code
    ? `(?:(?:${DIALLED}${SEPARATOR})?${grouped(code)}${SEPARATOR})`
    : `(?:${DIALLED}${SEPARATOR}\\d{1,3}${SEPARATOR}|1${SEPARATOR})`;

const EXTENSION = String.raw`(?:\s?,?\s?(?:[xX#]|[eE][xX][tT](?:[nN]|ension)?\.?)\s?\d{1,6}(?!\d))?`;

/** A number however its digits are grouped: `(217) 555-0143`, `+12175550143`, `020 7946 0958`, `+44 (0)20 …`. */
function pattern({ code, national }: PersonNumber, isCodeNeeded: boolean): string {
  return `(?<!\\d)${codePattern(code)}${isCodeNeeded ? '' : '?'}(?:\\(?0\\)?${SEPARATOR})?\\(?${grouped(national)}(?!\\d)${EXTENSION}`;
}

/** Whether what a pattern found is one number: its digits are not too far from one another. */
export const isOneNumber = (found: string): boolean => !TOO_FAR.test(found);

/** Patterns of what certainly is the number. */
export const certainNumbers = (numbers: readonly PersonNumber[]): string[] =>
  numbers.flatMap((number) => {
    const isCertain = number.national.length >= MIN_CERTAIN;
    return isCertain || number.code ? [pattern(number, !isCertain)] : [];
  });

/** Patterns of what is the number where a text is about the person anyway. */
export const ownNumbers = (numbers: readonly PersonNumber[]): string[] =>
  numbers.flatMap((number) => {
    const { code, national } = number;
    const isLong = national.length === 10 && (code === '1' || code === '');
    return [
      pattern(number, false),
      ...(isLong ? [pattern({ code: '', national: national.slice(-LOCAL_DIGITS) }, false)] : []),
    ];
  });
