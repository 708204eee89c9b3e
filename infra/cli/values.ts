import { InvalidArgumentError } from 'commander';
import { MAX_RETENTION_DAYS } from '../../lib/domain/retention.ts';
import { didYouMean } from '../../lib/shared/text/suggestions.ts';
import { DAY, HOUR, isFixedZone, isZone, MINUTE, nearestZone } from '../../lib/shared/time/time.ts';
import { isOrigin } from '../../lib/shared/web/origins.ts';
import { parseRange } from '../../lib/shared/web/web-addresses.ts';
import { type Role, roles } from '../../lib/shared/roles.ts';
import type { DateStyle } from '../../lib/store/requests/caller.ts';

const DURATION = /^(\d{1,5})([mhd])$/;
const units = { m: MINUTE, h: HOUR, d: DAY } as const;

/** `24h`, `30d`, `90m` in milliseconds. */
export function duration(text: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  if (!amount || !unit) throw new InvalidArgumentError('Write it like 24h, 30d or 90m.');
  return Number(amount) * units[unit as keyof typeof units];
}

/** When a key ends: at the end of a UTC date, or after a duration. Milliseconds since 1970. */
export function expiry(text: string, now = Date.now()): number {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (!isDate && !DURATION.test(text)) throw new InvalidArgumentError('Write it like 2027-01-31, 24h or 30d.');
  const day = isDate ? Date.parse(`${text}T00:00:00Z`) : 0;
  if (isDate && (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== text))
    throw new InvalidArgumentError('This date does not exist.');
  const at = isDate ? day + DAY : now + duration(text);
  if (at <= now) throw new InvalidArgumentError('It must be in the future.');
  return at;
}

/** Converts `1d`, `36h` or `90m` to the time that long ago; other texts stay. */
export const momentText = (text: string, now = Date.now()): string =>
  DURATION.test(text) ? new Date(now - duration(text)).toISOString() : text;

/** The same, or `never`. */
export const expiryOrNever = (text: string): number | 'never' => (text === 'never' ? text : expiry(text));

/** Comma-separated ranges of addresses: `203.0.113.0/24,2001:db8::/32`. */
export function addressRanges(text: string): string[] {
  const ranges = text.split(',').map((range) => range.trim());
  const wrong = ranges.find((range) => !parseRange(range));
  if (wrong === undefined) return ranges;
  throw new InvalidArgumentError(`${JSON.stringify(wrong)} is no address or range. Write it like 203.0.113.0/24.`);
}

/** A time in the past: ISO 8601 with offset, a date (midnight UTC), or how long ago (`1d`). */
export function pastMoment(given: string): Date {
  const text = momentText(given);
  const isComplete = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const at = new Date(text);
  if (!isComplete || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('Write it like 2026-11-22T10:00:00Z, 2026-11-22, or 1d for a day ago.');
  if (at.getTime() > Date.now()) throw new InvalidArgumentError('It must be in the past.');
  return at;
}

/** A whole number from `min` to `max`. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };

export type DaysOrNever = number | 'never';

const days = wholeNumber(1, MAX_RETENTION_DAYS);
export const daysOrNever = (text: string): DaysOrNever => (text.toLowerCase() === 'never' ? 'never' : days(text));

export const recordId = wholeNumber(1, 2 ** 31 - 1);

/** A SHA-256 in hexadecimal. */
export function sha256Hash(text: string): string {
  if (!/^[\da-f]{64}$/i.test(text)) throw new InvalidArgumentError('It must be 64 hexadecimal digits.');
  return text.toLowerCase();
}

export const oneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word => {
    const found = words.find((word) => word.toLowerCase() === text.toLowerCase());
    if (!found) {
      const hint = didYouMean(text, words);
      throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.${hint && ` ${hint}`}`);
    }
    return found;
  };

export const role: (text: string) => Role = oneOf(roles);
export const dateStyle: (text: string) => DateStyle = oneOf(['iso', 'us']);

const textUpTo =
  (max: number) =>
  (text: string): string => {
    const trimmed = text.trim();
    if (!trimmed || trimmed.length > max) throw new InvalidArgumentError(`It must have 1 to ${max} characters.`);
    return trimmed;
  };

export const name = textUpTo(200);
export const reason = textUpTo(1_000);

/** An IANA time zone. */
export function timeZone(text: string): string {
  if (isZone(text) && !isFixedZone(text)) return text;
  const near = nearestZone(text);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  throw new InvalidArgumentError(`It must be an IANA name like America/New_York.${hint}`);
}

/** A page on https, or on this machine: a browser may be sent there after a form. */
export function webPage(text: string): string {
  if (URL.canParse(text) && isOrigin(new URL(text).origin)) return text;
  throw new InvalidArgumentError('It must be a page such as https://example.com/thanks.');
}

/** Origins of sites, from an option that may be repeated. */
export function siteOrigins(text: string, before: readonly string[] = []): readonly string[] {
  if (isOrigin(text)) return [...before, text];
  throw new InvalidArgumentError('It must be an origin such as https://example.com, without a path.');
}

/** Collects the values of an option that may be repeated. */
export const repeated = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
