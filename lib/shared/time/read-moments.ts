import type { FieldError } from '../failure.ts';
import { DAY, firstInstantAt, offsetAt, resolveWallTime, wholeSecond } from './time.ts';

/** `reason` is a sentence for the caller. */
export type ParseError = { ok: false; reason: string };

/** A date or a moment as written, before a time zone is applied. */
interface ParsedText {
  ok: true;
  /** The midnight of the date as a wall-clock reading (see time.ts). */
  midnight: number;
  /** Milliseconds since midnight, in whole seconds, if a time is written. */
  time: number | undefined;
  /** Milliseconds east of UTC, if an offset is written. */
  offset: number | undefined;
  /** With single spaces, for messages. */
  text: string;
}

const [FIRST_YEAR, LAST_YEAR] = [1900, 2200];
const LONGEST = 48;
const ISO_DATE = String.raw`(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})`;
const US_DATE = String.raw`(?<usMonth>\d{1,2})/(?<usDay>\d{1,2})/(?<usYear>\d{4})`;
const SECOND = String.raw`:(?<second>\d{2})(?:[.,]\d{1,9})?`;
const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?:${SECOND})?(?: ?(?<half>[AP])\.?M\.?)?`;
const OFFSET_REST = String.raw`(?::?(?<offsetMinute>\d{2})(?::?(?<offsetSecond>\d{2}))?)?`;
const OFFSET = String.raw`Z|(?<sign>[+-])(?<offsetHour>\d{2})${OFFSET_REST}`;
const SYNTAX = new RegExp(`^(?:${ISO_DATE}|${US_DATE})(?:(?:T|,? )${TIME} ?(?<offset>${OFFSET})?)?$`, 'i');
const HELP =
  'Write a date such as 2026-03-08 or 3/8/2026, or a moment such as 2026-03-08T09:00:00-05:00 or 3/8/2026 9:00 AM.';

type Parts = Record<string, string | undefined>;

const parseError = (reason: string): ParseError => ({ ok: false, reason });

const numberIn = (parts: Parts, ...names: string[]) => Number(names.map((name) => parts[name]).find(Boolean) ?? 0);

function clockMilliseconds(hours: number, minutes: number, seconds: number, maxHours: number): number | undefined {
  return hours > maxHours || minutes > 59 || seconds > 59 ? undefined : ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/** `undefined` for a day that is not in the calendar (February 30). */
function parseMidnight(year: number, month: number, day: number): number | undefined {
  const midnight = new Date(Date.UTC(year, month - 1, day));
  return midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day ? midnight.getTime() : undefined;
}

/** `undefined` for a time that is not on the clock: 12:30 AM is half past midnight, 13:00 PM is invalid. */
function parseTime(parts: Parts): number | undefined {
  const half = parts.half?.toUpperCase();
  const written = numberIn(parts, 'hour');
  if (half && (written < 1 || written > 12)) return undefined;
  const hour = half ? (written % 12) + (half === 'P' ? 12 : 0) : written;
  return clockMilliseconds(hour, numberIn(parts, 'minute'), numberIn(parts, 'second'), 23);
}

/**
 * Reads `2026-03-08`, `2026-3-8`, `3/8/2026`, `03/08/2026`, each with or without a time (`T09:00`, ` 9:00:30.5 PM`, `
 * 21:00`) and, after a time, an offset (`Z`, `-05:00`, `+0530`, `+05`). Fractions of a second are dropped, because
 * moments are whole seconds. Never throws.
 */
function parseText(input: string): ParsedText | ParseError {
  // Rejects a long text before the work.
  const text = input.length > LONGEST * 2 ? '' : input.trim().replace(/\s+/g, ' ');
  const parts: Parts | undefined = text.length > LONGEST ? undefined : SYNTAX.exec(text)?.groups;
  if (!parts) return parseError(HELP);
  const year = numberIn(parts, 'year', 'usYear');
  if (year < FIRST_YEAR || year > LAST_YEAR) {
    return parseError(`The year ${year} is not in ${FIRST_YEAR} to ${LAST_YEAR}.`);
  }
  const [month, day] = [numberIn(parts, 'month', 'usMonth'), numberIn(parts, 'day', 'usDay')];
  const midnight = parseMidnight(year, month, day);
  if (midnight === undefined) {
    const isDayFirst = parts.usMonth && parseMidnight(year, day, month) !== undefined;
    return parseError(
      `${text} is not in the calendar.${isDayFirst ? ` Write the month first: ${day}/${month}/${year}.` : ''}`,
    );
  }
  if (parts.hour === undefined) return { ok: true, midnight, time: undefined, offset: undefined, text };

  const time = parseTime(parts);
  if (time === undefined) return parseError(`The time of ${text} is not on the clock.`);
  if (parts.offset === undefined) return { ok: true, midnight, time, offset: undefined, text };
  const minutes = numberIn(parts, 'offsetMinute');
  const size = clockMilliseconds(numberIn(parts, 'offsetHour'), minutes, numberIn(parts, 'offsetSecond'), 18);
  if (size === undefined) return parseError(`The offset of ${text} is out of range.`);
  return { ok: true, midnight, time, offset: parts.sign === '-' ? -size : size, text };
}

/**
 * `at` is epoch milliseconds. With `dateOnly` no time was written, and `at` is the first instant of the day in the
 * zone; `day` is that calendar date, in days since 1970.
 */
export type ParsedMoment = { ok: true; at: number; dateOnly: false } | ParsedDay | ParseError;
interface ParsedDay {
  readonly ok: true;
  readonly at: number;
  readonly dateOnly: true;
  readonly day: number;
}

/** Whether two moments are written the same. */
export const isSameSecond = (one: number | null, other: number | null): boolean =>
  one !== null && other !== null && wholeSecond(one) === wholeSecond(other);

function toMoment(written: ParsedText, zone: string): ParsedMoment {
  const { midnight, time, offset, text } = written;
  if (time === undefined) {
    const at = firstInstantAt(midnight, zone);
    // Samoa skipped December 30, 2011: the first instant after that midnight is not on the 30th.
    if (at + offsetAt(at, zone) >= midnight + DAY) {
      return parseError(`${text} does not exist in ${zone}: the calendar there skips that day.`);
    }
    return { ok: true, at, dateOnly: true, day: midnight / DAY };
  }
  if (offset !== undefined) return { ok: true, at: midnight + time - offset, dateOnly: false };
  const moment = resolveWallTime(midnight + time, zone);
  if (!moment.exists) return parseError(`${text} does not exist in ${zone}: clocks there go forward over that time.`);
  return { ok: true, at: moment.at, dateOnly: false };
}

/**
 * Reads a date or a moment as people and programs write it: `2026-03-08`, `2026-3-8`, `2026-03-08T09:00`, `2026-03-08
 * 09:00:30.5Z`, `2026-03-08T09:00:00-05:00`, `3/8/2026`, `03/08/2026 9:00 AM`, `3/8/2026 21:00:15`; years 1900 to 2200.
 * Without an offset the time is in `zone`: one that occurs twice is its first occurrence, one that clocks skip is an
 * error. A date is the first instant of its day. Fractions of a second are dropped. Never throws, whatever the text;
 * `zone` must be one that isZone accepts.
 */
export function parseMoment(text: string, zone: string): ParsedMoment {
  const written = parseText(text);
  return written.ok ? toMoment(written, zone) : written;
}

/** The inclusive start of a range (`From`): a date starts at its first instant. */
export const parseRangeStart = parseMoment;

/**
 * The end of a range (`Through`, `Before`), inclusive to the millisecond. A date includes its whole day: `2026-03-08`
 * in New York, a day of 23 hours, ends at 03:59:59.999Z on the 9th. A moment includes the second as written (09:00:00
 * and 09:00:00.000 end at 09:00:00.999), since moments are written to the second.
 */
export function parseRangeEnd(text: string, zone: string): ParsedMoment {
  const written = parseText(text);
  if (!written.ok) return written;
  const moment = toMoment(written, zone);
  if (!moment.ok) return moment;
  if (moment.dateOnly) return { ...moment, at: firstInstantAt(written.midnight + DAY, zone) - 1 };
  return { ...moment, at: moment.at + 999 };
}

/**
 * The date of a day as `YYYY-MM-DD`, for fields that ask on which day something happens. A date is taken as written; a
 * moment becomes its date in `zone`: `2026-03-08T02:00Z` is `2026-03-07` in New York.
 */
export function parseDate(text: string, zone: string): { ok: true; date: string } | ParseError {
  const written = parseText(text);
  if (!written.ok) return written;
  if (written.time === undefined) return { ok: true, date: isoDate(written.midnight) };
  const moment = toMoment(written, zone);
  return moment.ok ? { ok: true, date: isoDate(moment.at + offsetAt(moment.at, zone)) } : moment;
}

/**
 * A calendar date as `YYYY-MM-DD`, for days without a zone, such as those of a season: the date as written, whatever
 * time and offset follow. `2027-04-01`, `2027-04-01T00:00:00Z` and `4/1/2027 0:00` are all April 1.
 */
export function parseCalendarDate(text: string): { ok: true; date: string } | ParseError {
  const written = parseText(text);
  return written.ok ? { ok: true, date: isoDate(written.midnight) } : written;
}

function isoDate(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}

/** Both ends are inclusive, in milliseconds since 1970; an absent end is open. */
export interface TimeSpan {
  readonly from?: number | undefined;
  readonly through?: number | undefined;
}

/** A span whose ends, if written as dates, are days in each record's own zone, in days since 1970. */
export interface DateSpan extends TimeSpan {
  readonly firstDay?: number | undefined;
  readonly lastDay?: number | undefined;
}

/**
 * Whether a span contains a moment, which falls on `day` in the zone of its record. Ends that are days compare with the
 * day, the others with the moment.
 */
export const isInSpan = (at: number, day: number, { from, through, firstDay, lastDay }: DateSpan): boolean =>
  (firstDay !== undefined ? day >= firstDay : from === undefined || at >= from) &&
  (lastDay !== undefined ? day <= lastDay : through === undefined || at <= through);

/** Reads the two query fields that limit a span, in the organization's zone; an end date includes its whole day. */
export function parseTimeSpan<Name extends string>(
  [first, last]: readonly [Name, Name],
  input: Readonly<Partial<Record<Name, string | null | undefined>>>,
  zone: string,
): { readonly span: DateSpan; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const read = (field: Name, parse: typeof parseMoment): { at?: number; day?: number } => {
    const text = input[field];
    if (!text) return {};
    const parsed = parse(text, zone);
    if (parsed.ok) return parsed;
    errors.push({ field, code: 'format', message: `cannot be read: ${parsed.reason}` });
    return {};
  };
  const [begin, end] = [read(first, parseMoment), read(last, parseRangeEnd)];
  const span = { from: begin.at, through: end.at, firstDay: begin.day, lastDay: end.day };
  if (span.from !== undefined && span.through !== undefined && span.through < span.from)
    errors.push({ field: last, code: 'range', message: `must not be before ${first}` });
  return { span, errors };
}

export const hasDays = ({ firstDay, lastDay }: DateSpan): boolean => firstDay !== undefined || lastDay !== undefined;

/** A moment written to the millisecond, as JavaScript's `toISOString` does. */
const WITH_FRACTION = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})[.,]\d{1,9}(Z|[+-]\d{2}:?\d{2})?$/i;

/** Drops the fraction of a second from a moment; leaves any other text as it is. */
export const withoutFraction = (text: string): string => text.replace(WITH_FRACTION, '$1$2');
