/** Why a text was refused, as a sentence for the person who sent it. */
export type Refused = { ok: false; reason: string };

/**
 * What a date or a moment says as written, before any time zone is asked: the date's midnight as a wall-clock reading
 * (see zones.ts), the time of day and the offset in milliseconds where they were given, and the text with its spaces
 * made plain, for messages.
 */
export interface Written {
  ok: true;
  midnight: number;
  time: number | undefined;
  offset: number | undefined;
  hasFraction: boolean;
  text: string;
}

const [FIRST_YEAR, LAST_YEAR] = [1900, 2200];
const LONGEST = 48;
const ISO_DATE = String.raw`(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})`;
const US_DATE = String.raw`(?<usMonth>\d{1,2})/(?<usDay>\d{1,2})/(?<usYear>\d{4})`;
const SECOND = String.raw`:(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?`;
const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?:${SECOND})?(?: ?(?<half>[AP])\.?M\.?)?`;
const OFFSET_REST = String.raw`(?::?(?<offsetMinute>\d{2})(?::?(?<offsetSecond>\d{2}))?)?`;
const OFFSET = String.raw`Z|(?<sign>[+-])(?<offsetHour>\d{2})${OFFSET_REST}`;
const SYNTAX = new RegExp(`^(?:${ISO_DATE}|${US_DATE})(?:(?:T|,? )${TIME} ?(?<offset>${OFFSET})?)?$`, 'i');
const HELP =
  'Write a date such as 2026-03-08 or 3/8/2026, or a moment such as 2026-03-08T09:00:00-05:00 or 3/8/2026 9:00 AM.';

type Parts = Record<string, string | undefined>;

export function refuse(reason: string): Refused {
  return { ok: false, reason };
}

const numberIn = (parts: Parts, ...names: string[]) => Number(names.map((name) => parts[name]).find(Boolean) ?? 0);

/**
 * Milliseconds of hours, minutes and seconds; undefined when minutes or seconds are above 59 or hours above
 * `mostHours`.
 */
function millisecondsOf(hours: number, minutes: number, seconds: number, mostHours: number): number | undefined {
  return hours > mostHours || minutes > 59 || seconds > 59 ? undefined : ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

/** The date's midnight, undefined when the calendar has no such day (February 30th). */
function midnightOf(year: number, month: number, day: number): number | undefined {
  const midnight = new Date(Date.UTC(year, month - 1, day));
  return midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day ? midnight.getTime() : undefined;
}

/**
 * Time of day in milliseconds, undefined when no clock shows it: 12:30 AM is half past midnight, 13:00 PM is nothing.
 */
function timeOf(parts: Parts): number | undefined {
  const half = parts.half?.toUpperCase();
  const written = numberIn(parts, 'hour');
  if (half && (written < 1 || written > 12)) return undefined;
  const hour = half ? (written % 12) + (half === 'P' ? 12 : 0) : written;
  const whole = millisecondsOf(hour, numberIn(parts, 'minute'), numberIn(parts, 'second'), 23);
  return whole === undefined ? undefined : whole + Number((parts.fraction ?? '').padEnd(3, '0').slice(0, 3));
}

/**
 * Reads `2026-03-08`, `2026-3-8`, `3/8/2026`, `03/08/2026`, each with or without a time (`T09:00`, ` 9:00:30.5 PM`, `
 * 21:00`) and, after a time, an offset (`Z`, `-05:00`, `+0530`, `+05`). Fractions below a millisecond are dropped.
 * Never throws.
 */
export function readWritten(input: string): Written | Refused {
  // The length is asked first: a long text costs nothing.
  const text = input.length > LONGEST * 2 ? '' : input.trim().replace(/\s+/g, ' ');
  const parts: Parts | undefined = text.length > LONGEST ? undefined : SYNTAX.exec(text)?.groups;
  if (!parts) return refuse(HELP);
  const year = numberIn(parts, 'year', 'usYear');
  if (year < FIRST_YEAR || year > LAST_YEAR) {
    return refuse(`Years from ${FIRST_YEAR} to ${LAST_YEAR} are accepted, and ${year} is not one of them.`);
  }
  const midnight = midnightOf(year, numberIn(parts, 'month', 'usMonth'), numberIn(parts, 'day', 'usDay'));
  if (midnight === undefined) return refuse(`${text} names a day that is not in the calendar.`);
  const hasFraction = parts.fraction !== undefined;
  if (parts.hour === undefined) return { ok: true, midnight, time: undefined, offset: undefined, hasFraction, text };

  const time = timeOf(parts);
  if (time === undefined) return refuse(`${text} names a time that is not on the clock.`);
  if (parts.offset === undefined) return { ok: true, midnight, time, offset: undefined, hasFraction, text };
  const minutes = numberIn(parts, 'offsetMinute');
  const size = millisecondsOf(numberIn(parts, 'offsetHour'), minutes, numberIn(parts, 'offsetSecond'), 18);
  if (size === undefined) return refuse(`${text} has an offset that no place keeps.`);
  return { ok: true, midnight, time, offset: parts.sign === '-' ? -size : size, hasFraction, text };
}
