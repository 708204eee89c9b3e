import { DAY } from './time.ts';

/** A calendar date as the number of days since 1970-01-01: plain dates have no time zone and no clock changes. */
export type Day = number;

/** `2026-03-08` → 20520. */
export const dayNumber = (date: string): Day => Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY);

/** 20520 → `2026-03-08`. */
export const dateText = (day: Day): string => new Date(day * DAY).toISOString().slice(0, 10);

export const yearAt = (day: Day): number => new Date(day * DAY).getUTCFullYear();

/**
 * `months` later on the same day of the month, or on its last day if the month is shorter: 2026-01-31 and 1 →
 * 2026-02-28, and 2 → 2026-03-31. `NaN` beyond the years that dates can have.
 */
export function addMonths(day: Day, months: number): Day {
  const date = new Date(day * DAY);
  const month = date.getUTCMonth() + months;
  const lastOfMonth = Date.UTC(date.getUTCFullYear(), month + 1, 0) / DAY;
  return Math.min(lastOfMonth - new Date(lastOfMonth * DAY).getUTCDate() + date.getUTCDate(), lastOfMonth);
}

/** `years` later; February 29 becomes the 28th in other years. */
export const addYears = (day: Day, years: number): Day => addMonths(day, 12 * years);
