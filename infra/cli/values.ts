import { InvalidArgumentError } from 'commander';
import { type DateStyle, type Role, roles } from '../../lib/store/api-keys.ts';

const DURATION = /^(\d{1,5})([mhd])$/;
const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `24h`, `30d`, `90m` in milliseconds. */
export function duration(text: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  if (!amount || !unit) throw new InvalidArgumentError('Write it like 24h, 30d or 90m.');
  return Number(amount) * units[unit as keyof typeof units];
}

/** When a key ends: a date, whose whole day (UTC) still counts, or a duration from now. In milliseconds since 1970. */
export function expiry(text: string, now = Date.now()): number {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) + units.d : undefined;
  if (date === undefined && !DURATION.test(text))
    throw new InvalidArgumentError('Write it like 2027-01-31, 24h or 30d.');
  const at = date ?? now + duration(text);
  if (Number.isNaN(at) || (date && new Date(date - units.d).toISOString().slice(0, 10) !== text))
    throw new InvalidArgumentError('There is no such day.');
  if (at <= now) throw new InvalidArgumentError('It must be in the future.');
  return at;
}

/** A whole number from `least` to `most`. */
export const whole =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return value;
  };

/** The id of a thing. */
export const record = whole(1, 2 ** 31 - 1);

/** A SHA-256 in hexadecimal. */
export function hash(text: string): string {
  if (!/^[\da-f]{64}$/i.test(text)) throw new InvalidArgumentError('It must be 64 hexadecimal digits.');
  return text.toLowerCase();
}

const oneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word => {
    const found = words.find((word) => word.toLowerCase() === text.toLowerCase());
    if (!found) throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
    return found;
  };

export const role: (text: string) => Role = oneOf(roles);
export const dateStyle: (text: string) => DateStyle = oneOf(['iso', 'us']);

/** A name of 1 to 200 characters. */
export function name(text: string): string {
  const trimmed = text.trim();
  if (!trimmed || trimmed.length > 200) throw new InvalidArgumentError('It must have 1 to 200 characters.');
  return trimmed;
}

/** An IANA time zone, as `Intl` knows it. */
export function timeZone(text: string): string {
  const known = text === 'UTC' || Intl.supportedValuesOf('timeZone').includes(text);
  if (!known) throw new InvalidArgumentError('It must be an IANA name like America/New_York.');
  return text;
}
