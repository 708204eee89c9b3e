import { readFlag } from '../../shared/text/read-values.ts';
import { csvValue } from '../downloads/csv.ts';

/**
 * The text of a cell: spreadsheets write `="52"` to keep a number as text, and an apostrophe before a possible formula.
 */
export function cellText(cell: string): string {
  const text = csvValue(cell.trim());
  const kept = /^="(.*)"$/s.exec(text)?.[1];
  return (kept === undefined ? text : kept.replaceAll('""', '"')).trim();
}

const YES = new Set(['yes', 'y', 'true', '1', 'x', 'on', 'opted in', 'subscribed', 'granted', 'enabled']);

export const isYes = (text: string): boolean => YES.has(text.toLowerCase());

/** The flag in a cell: values that forms send, and letters that people write; `undefined` for any other text. */
export function readCellFlag(text: string): boolean | undefined {
  if (/^[yx]$/i.test(text)) return true;
  return /^n$/i.test(text) ? false : readFlag(text);
}

/** Whether a consent is refused: any text that is not a yes. */
export const isRefusal = (text: string): boolean => text !== '' && !isYes(text);

/** The cents of `$1,234.50`, `-12` and `(12.00)`; `undefined` if it is not an amount. */
export function readCents(text: string): number | undefined {
  const negative = /^\(.*\)$/.test(text) || /^\s*[-−]/.test(text);
  const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text.replaceAll(/[\s$()−,-]/g, ''));
  if (!match) return undefined;
  const amount = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  return Number.isSafeInteger(amount) ? (negative && amount ? -amount : amount) : undefined;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function calendarDate(year: number, month: number, day: number): string | undefined {
  const at = new Date(Date.UTC(year, month - 1, day));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day ? at.toISOString().slice(0, 10) : undefined;
}

/**
 * `YYYY-MM-DD` from `Sep 24, 2026`, `24 Sep 2026`, `9/24/2026`, `9/24/26` and `2026-09-24`; a time after it is ignored.
 */
export function readDay(text: string): string | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})/.exec(text);
  if (iso) return calendarDate(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})\b/.exec(text);
  if (us) return calendarDate(Number(us[3]) + (us[3]?.length === 2 ? 2000 : 0), Number(us[1]), Number(us[2]));
  const named =
    /\b(?<name>[A-Za-z]{3})[a-z]*\.? (?<day>\d{1,2}),? (?<year>\d{4})/.exec(text) ??
    /(?<day>\d{1,2}) (?<name>[A-Za-z]{3})[a-z]*\.?,? (?<year>\d{4})/.exec(text);
  const month = MONTHS.indexOf(named?.groups?.['name']?.toLowerCase() ?? '') + 1;
  return month ? calendarDate(Number(named?.groups?.['year']), month, Number(named?.groups?.['day'])) : undefined;
}

/** Minutes after midnight; `half` is `am` or `pm`, or absent on a 24-hour clock. */
function clockMinutes(hours: string, minutes: string | undefined, half: string | undefined): number | undefined {
  const hour = half ? (Number(hours) % 12) + (half === 'pm' ? 12 : 0) : Number(hours);
  const minute = Number(minutes ?? 0);
  return hour < 24 && minute < 60 ? hour * 60 + minute : undefined;
}

const TIME = String.raw`(\d{1,2})(?::(\d{2}))? ?([ap]m)?`;
const TIMES = new RegExp(String.raw`^${TIME}(?: ?(?:-|–|to) ?${TIME})?$`, 'i');

/**
 * Start and end of `9:00 AM - 11:00 AM`, `9 - 11 AM` or `09:00 to 11:00` in minutes after midnight; the end is
 * `undefined` without one, for `Anytime` and for anything else.
 */
export function readTimes(text: string): { readonly start: number; readonly end: number | undefined } | undefined {
  const match = TIMES.exec(text.trim().replaceAll(/\s+/g, ' '));
  if (!match) return undefined;
  const [, hour = '', minute, half, endHour, endMinute, endHalf] = match.map((part) => part?.toLowerCase());
  const start = clockMinutes(hour, minute, half ?? endHalf);
  const end = endHour === undefined ? undefined : clockMinutes(endHour, endMinute, endHalf ?? half);
  return start === undefined ? undefined : { start, end: end !== undefined && end > start ? end : undefined };
}

/** Minutes after midnight of the time in a date cell: `4/2/2026 9:30 AM`, `2026-04-02T09:30:00-04:00`. */
export function readClock(text: string): number | undefined {
  const match = /(?:^|[\sT,])(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?\s?([ap]m)?/i.exec(text);
  return match ? clockMinutes(match[1] ?? '', match[2], match[3]?.toLowerCase()) : undefined;
}

/** Minutes of a duration in decimal hours, as reports write it: `1.5` is 90 minutes. */
export const readHours = (text: string): number | undefined => {
  const hours = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  return hours > 0 && hours <= 24 ? Math.round(hours * 60) : undefined;
};
