/**
 * Units of time, and moments in UTC.
 */

/** In milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const two = (number: number) => String(number).padStart(2, '0');

/** `2026-03-08T14:00:00Z`: every field of type datetime. */
export const toUtc = (at: number): string => `${new Date(at).toISOString().slice(0, -5)}Z`;

/** The date of a UTC day, counted from 1970. */
export const formatDay = (day: number): string => new Date(day * DAY).toISOString().slice(0, -14);

/** Longest duration accepted, in minutes: seven days. */
export const MAX_DURATION = 7 * 24 * 60;

type ParsedDuration = { ok: true; minutes: number } | { ok: false; reason: string };

const NUMBER = '(\\d{1,6}(?:[.,]\\d{1,4})?)';
const MINUTES = /^\d{1,6}$/;
const CLOCK = /^(\d{1,3}):([0-5]\d)$/;
const ISO = new RegExp(`^P(?=.)(?:${NUMBER}D)?(?:T(?=.)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`, 'i');
const WORDS = new RegExp(
  `^(?=.)(?:${NUMBER} ?d(?:ays?)?)? ?(?:${NUMBER} ?h(?:(?:ou)?rs?)?)? ?(?:${NUMBER} ?m(?:in(?:ute)?s?)?)?$`,
  'i',
);

const HELP = 'Write a duration as minutes (90), or as 1:30, 1h30m or PT1H30M. It cannot be negative.';

/** Minutes of days, hours, minutes and seconds as written. */
function total(parts: (string | undefined)[]): number {
  const weights = [24 * 60, 60, 1, 1 / 60];
  return parts.reduce((sum, part, index) => sum + Number((part ?? '0').replace(',', '.')) * (weights[index] ?? 0), 0);
}

function readMinutes(text: string): number | undefined {
  if (MINUTES.test(text)) return Number(text);
  const clock = CLOCK.exec(text);
  if (clock) return Number(clock[1]) * 60 + Number(clock[2]);
  const parts = ISO.exec(text) ?? WORDS.exec(text);
  return parts ? total(parts.slice(1)) : undefined;
}

/**
 * Reads a duration in whole minutes, 0 to seven days: `90`, `1:30`, `1h30m`, `1.5h`, `1 hr 30 min`, `PT1H30M` are all
 * 90, `P1DT2H` is 1560. Never throws.
 */
export function parseDuration(text: string): ParsedDuration {
  const minutes = text.length > 80 ? undefined : readMinutes(text.trim().replace(/\s+/g, ' '));
  if (minutes === undefined) return { ok: false, reason: HELP };
  const whole = Math.round(minutes);
  // 1/60 of a minute is no binary fraction: 3 seconds twenty times over must still be one minute.
  if (Math.abs(minutes - whole) > 1e-6) return { ok: false, reason: 'A duration is a whole number of minutes.' };
  if (whole > MAX_DURATION) return { ok: false, reason: 'A duration is at most 7 days.' };
  return { ok: true, minutes: whole };
}

/**
 * A duration for people: 90 → `1 hr 30 min`, 120 → `2 hr`, 45 → `45 min`, 0 → `0 min`, 1560 → `26 hr`. `minutes` is
 * a whole number of 0 or more.
 */
export function formatDuration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} hr` : `${hours} hr ${rest} min`;
}
