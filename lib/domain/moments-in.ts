import { readWritten, refuse } from './moment-text.ts';
import type { Refused, Written } from './moment-text.ts';
import { offsetAt, placeWall, startOfDay } from './zones.ts';

/**
 * A moment as read: `at` in epoch milliseconds; `dateOnly` when no time was written, `at` then being the first instant
 * of that day in the zone.
 */
export type ParsedMoment = { ok: true; at: number; dateOnly: boolean } | Refused;

const DAY = 86_400_000;

/** A moment as it is shown: to the second. What is kept so comes in the order that is seen, by date, then id. */
export const wholeSecond = (at: number): number => Math.floor(at / 1000) * 1000;

function place(written: Written, zone: string): ParsedMoment {
  const { midnight, time, offset, text } = written;
  if (time === undefined) {
    const at = startOfDay(midnight, zone);
    // Samoa went from December 29th to 31st in 2011: the first instant after the 30th's midnight is not of the 30th.
    if (at + offsetAt(at, zone) >= midnight + DAY) {
      return refuse(`${text} does not exist in ${zone}: the calendar there leaps over that day.`);
    }
    return { ok: true, at, dateOnly: true };
  }
  if (offset !== undefined) return { ok: true, at: midnight + time - offset, dateOnly: false };
  const placed = placeWall(midnight + time, zone);
  if (!placed.exists) return refuse(`${text} does not exist in ${zone}: clocks there go forward over that time.`);
  return { ok: true, at: placed.at, dateOnly: false };
}

/**
 * Reads a date or a moment as people and programs write it: `2026-03-08`, `2026-3-8`, `2026-03-08T09:00`, `2026-03-08
 * 09:00:30.5Z`, `2026-03-08T09:00:00-05:00`, `3/8/2026`, `03/08/2026 9:00 AM`, `3/8/2026 21:00:15`; years 1900 to 2200.
 * Without offset the time is of `zone`: one that occurs twice is its first occurrence, one that clocks jump over is
 * refused. A date is the first instant of its day. Fractions below a millisecond are dropped. Never throws, whatever
 * the text; `zone` must be one that isZone accepts.
 */
export function parseMoment(text: string, zone: string): ParsedMoment {
  const written = readWritten(text);
  return written.ok ? place(written, zone) : written;
}

/** Where a range begins (`From`), inclusive: a date begins at its first instant. */
export function parseRangeStart(text: string, zone: string): ParsedMoment {
  return parseMoment(text, zone);
}

/**
 * Where a range ends (`Through`, `Before`), inclusive to the millisecond: a date includes its whole day, so that
 * `2026-03-08` in New York, a day of 23 hours, ends at 03:59:59.999Z of the 9th. A moment includes the second written
 * (09:00:00 ends at 09:00:00.999), since moments are shown to the second.
 */
export function parseRangeEnd(text: string, zone: string): ParsedMoment {
  const written = readWritten(text);
  if (!written.ok) return written;
  const placed = place(written, zone);
  if (!placed.ok) return placed;
  if (placed.dateOnly) return { ...placed, at: startOfDay(written.midnight + DAY, zone) - 1 };
  return written.hasFraction ? placed : { ...placed, at: placed.at + 999 };
}

/**
 * A calendar date as `YYYY-MM-DD`, for fields that are dates and no moments. A date is taken as written; a moment is
 * the date it has in `zone`: `2026-03-08T02:00Z` is `2026-03-07` in New York.
 */
export function parseDate(text: string, zone: string): { ok: true; date: string } | Refused {
  const written = readWritten(text);
  if (!written.ok) return written;
  if (written.time === undefined) return { ok: true, date: isoDate(written.midnight) };
  const placed = place(written, zone);
  return placed.ok ? { ok: true, date: isoDate(placed.at + offsetAt(placed.at, zone)) } : placed;
}

function isoDate(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}
