/**
 * Units of time, and moments in UTC.
 */

/** In milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const two = (number: number) => String(number).padStart(2, '0');

/**
 * `2026-03-08T14:00:00Z`: every field of type datetime. Apart from zones.ts, which many functions do not load at
 * their start.
 */
export function toUtc(at: number): string {
  const day = Math.floor(at / DAY);
  const second = Math.floor(at / 1000) - day * SECONDS_OF_DAY;
  const [hours, minutes] = [Math.floor(second / 3600), Math.floor(second / 60) % 60];
  return `${formatDay(day)}T${TWO[hours]}:${TWO[minutes]}:${TWO[second % 60]}Z`;
}

/** The date of a UTC day, counted from 1970. Downloads and events write millions of moments, of few days. */
export function formatDay(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * DAY).toISOString().slice(0, -14);
  if (days.size >= MAX_CACHED_DAYS) days.clear();
  days.set(day, text);
  return text;
}

const days = new Map<number, string>();
/** Ten years. */
const MAX_CACHED_DAYS = 3_660;
const SECONDS_OF_DAY = 86_400;
const TWO = Array.from({ length: 60 }, (_, number) => two(number));
