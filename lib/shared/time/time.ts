import { nearest } from '../text/suggestions.ts';

/**
 * Units of time, and moments in UTC.
 */

/** In milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const two = (number: number) => String(number).padStart(2, '0');

/** `2026-03-08T14:00:00Z`: every field of type datetime. */
export const toUtc = (at: number): string => `${new Date(at).toISOString().slice(0, -5)}Z`;

/** `toUtc` for a moment that may be absent. */
export const toOptionalUtc = (at: number | null): string | null => (at === null ? null : toUtc(at));

/** Formats a UTC day, counted from 1970. */
const formatDay = (day: number): string => new Date(day * DAY).toISOString().slice(0, -14);

/** The longest duration accepted: seven days, in minutes. */
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

/** Adds up days, hours, minutes and seconds as written, in minutes. */
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
  // 1/60 of a minute is not a binary fraction: twenty times 3 seconds must still be one minute.
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

/**
 * Time zones on top of Intl.DateTimeFormat: the offset at an instant, the instant of a wall-clock reading, and moments
 * written in a zone.
 *
 * A wall-clock reading ("wall") is carried as the epoch milliseconds it would have in UTC: 9:00 on 2026-03-08 is
 * `Date.UTC(2026, 2, 8, 9)` in any zone.
 */

const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;
/** Days cached per zone before the cache is cleared: ten years, about 300 kB. */
const MAX_CACHED_DAYS = 3_660;

/** The offsets of one UTC day in milliseconds: `before` until `change`, `after` from then on. */
interface Day {
  before: number;
  after: number;
  change: number;
}

interface Clock {
  format: Intl.DateTimeFormat;
  days: Map<number, Day>;
}

const clocks = new Map<string, Clock>();

function zoneClock(zone: string): Clock {
  const known = clocks.get(zone);
  if (known) return known;
  if (!NAME.test(zone)) throw new RangeError('not an IANA time zone');
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const clock = { format, days: new Map<number, Day>() };
  clocks.set(zone, clock);
  return clock;
}

/** Whether `zone` names an IANA time zone: `America/New_York` and `UTC` do, `+05:00`, `Eastern` and `""` do not. */
export function isZone(zone: string): boolean {
  try {
    return zoneClock(zone) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const FIXED_ZONE = /^(?:EST|MST|HST|Etc\/GMT[+-][1-9]\d?)$/i;

/** Whether a zone is a fixed offset, like `EST` and `Etc/GMT+5`: no place that changes its clocks uses it. */
export const isFixedZone = (zone: string): boolean => FIXED_ZONE.test(zone);

/** Zone names that people use in North America, and their IANA names. */
const COMMON_NAMES: ReadonlyMap<string, string> = new Map([
  ['eastern', 'America/New_York'],
  ['central', 'America/Chicago'],
  ['mountain', 'America/Denver'],
  ['pacific', 'America/Los_Angeles'],
  ['atlantic', 'America/Halifax'],
  ['alaskan', 'America/Anchorage'],
  ['alaska', 'America/Anchorage'],
  ['hawaiian', 'Pacific/Honolulu'],
  ['hawaii', 'Pacific/Honolulu'],
  ['newfoundland', 'America/St_Johns'],
  ['est', 'America/New_York'],
  ['mst', 'America/Denver'],
  ['hst', 'Pacific/Honolulu'],
  ['etc/gmt+4', 'America/Halifax'],
  ['etc/gmt+5', 'America/New_York'],
  ['etc/gmt+6', 'America/Chicago'],
  ['etc/gmt+7', 'America/Denver'],
  ['etc/gmt+8', 'America/Los_Angeles'],
  ['etc/gmt+9', 'America/Anchorage'],
  ['etc/gmt+10', 'Pacific/Honolulu'],
]);
/** Words that may stand beside such a name. */
const IN_COMMON_NAMES = new Set(['', 'standard', 'daylight', 'time']);

/**
 * The IANA name that an unknown or fixed zone probably means, by a common name or by its city, even under another
 * region. `America/New_Yrk`, `New York` and `Eastern Standard Time` are `America/New_York`.
 */
export function nearestZone(text: string): string | undefined {
  const words = text.toLowerCase().split(/\s+/);
  const name = words.filter((word) => !IN_COMMON_NAMES.has(word)).join('_');
  const common = COMMON_NAMES.get(name.replace(/^us\//, ''));
  if (common) return common;
  const zones = Intl.supportedValuesOf('timeZone');
  const cityOf = (zone: string) => zone.slice(zone.lastIndexOf('/') + 1);
  const city = nearest(cityOf(name), zones.map(cityOf));
  return zones.find((zone) => cityOf(zone) === city);
}

/**
 * Asks Intl, which takes about 1.5 µs: `3/8/2026, GMT-04:00` → −4 h in milliseconds. Seconds appear while local mean
 * time was kept (`GMT-00:44:30`).
 */
function readOffset(format: Intl.DateTimeFormat, at: number): number {
  const found = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(format.format(at));
  if (!found) throw new RangeError(`no offset in ${format.format(at)}`);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = found;
  const size = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000;
  return sign === '-' ? -size : size;
}

/**
 * The least of `low + 1 … high` that satisfies `test`, which must be false up to some point and true from there to
 * `high`.
 */
function firstWhere(low: number, high: number, test: (at: number) => boolean): number {
  let [no, yes] = [low, high];
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2);
    if (test(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}

function readDay(format: Intl.DateTimeFormat, day: number): Day {
  const start = day * DAY;
  const [before, after] = [readOffset(format, start), readOffset(format, start + DAY)];
  const hasChanged = (at: number) => readOffset(format, at) !== before;
  const change = before === after ? Infinity : firstWhere(start, start + DAY, hasChanged);
  return { before, after, change };
}

/**
 * The offset from UTC at the instant `at` in milliseconds, east positive: −14,400,000 in New York in summer. Cached by
 * UTC day, so a search over a calendar costs one look-up per instant. No zone has changed its clocks twice in one UTC
 * day since 1900.
 * @throws RangeError when `zone` is not an IANA zone (see isZone) or `at` is not a time.
 */
export function offsetAt(at: number, zone: string): number {
  const day = offsetsOf(Math.floor(at / DAY), zone);
  return at < day.change ? day.before : day.after;
}

function offsetsOf(number: number, zone: string): Day {
  const clock = zoneClock(zone);
  let day = clock.days.get(number);
  if (!day) {
    day = readDay(clock.format, number);
    if (clock.days.size >= MAX_CACHED_DAYS) clock.days.clear();
    clock.days.set(number, day);
  }
  return day;
}

/** A change of a zone's clocks: its instant, and the offsets before and after it in milliseconds. */
export interface ClockChange {
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

/** The changes of a zone's clocks on the UTC days from one instant through another. */
export const clockChanges = (from: number, through: number, zone: string): ClockChange[] =>
  Array.from({ length: Math.floor(through / DAY) - Math.floor(from / DAY) + 1 }, (_, index) =>
    offsetsOf(Math.floor(from / DAY) + index, zone),
  ).flatMap(({ change, before, after }) => (before === after ? [] : [{ at: change, before, after }]));

/** Where a wall-clock reading falls: an instant, or a gap that clocks skip; `resumes` is the first instant after it. */
type ResolvedWallTime = { exists: true; at: number } | { exists: false; resumes: number };

/**
 * The instant that a wall-clock reading names in the zone. A reading that occurs twice (clocks go back) is its first
 * occurrence: 1:30 on 2026-11-01 in New York is 05:30Z, not 06:30Z. For one that never occurs (2:30 on 2026-03-08)
 * `resumes` says when time goes on: 07:00Z, when clocks there showed 3:00.
 */
export function resolveWallTime(wall: number, zone: string): ResolvedWallTime {
  const offsets = [offsetAt(wall - DAY, zone), offsetAt(wall + DAY, zone)] as const;
  // Nearly every day: no clock change is near.
  if (offsets[0] === offsets[1] && offsetAt(wall - offsets[0], zone) === offsets[0])
    return { exists: true, at: wall - offsets[0] };
  const instants = offsets.map((offset) => wall - offset).filter((at) => at + offsetAt(at, zone) === wall);
  if (instants.length > 0) return { exists: true, at: Math.min(...instants) };
  const resumes = firstWhere(wall - offsets[1] - 1, wall - offsets[0], (at) => at + offsetAt(at, zone) > wall);
  return { exists: false, resumes };
}

/** Whether the clocks of a zone show the same as at this instant at another one, because they go back. */
export function isShownTwice(at: number, zone: string): boolean {
  const own = offsetAt(at, zone);
  return [offsetAt(at - DAY, zone), offsetAt(at + DAY, zone)].some(
    (offset) => offset !== own && offsetAt(at + own - offset, zone) === offset,
  );
}

/**
 * The first instant at which the zone's clock shows this reading or a later one; edges of days, working hours and days
 * off are all read this way. A reading that occurs twice is its first occurrence; one that clocks skip is the end of
 * the jump. Later readings are never earlier instants, so hours that adjoin on the clock adjoin in time.
 *
 * New York, 2026-03-08: 2:30 is 3:00 EDT (07:00Z). 2026-11-01: 1:30 is 1:30 EDT (05:30Z). Lord Howe, 2026-10-04, half
 * an hour forward at 2:00: 2:15 is 2:30 (15:30Z on the 3rd). Cairo, 2026-04-24, no midnight: the day begins at 1:00
 * (22:00Z on the 23rd).
 */
export function firstInstantAt(wall: number, zone: string): number {
  const resolved = resolveWallTime(wall, zone);
  return resolved.exists ? resolved.at : resolved.resumes;
}

/** The first instant of a date `YYYY-MM-DD`. */
export const startOfDate = (date: string, zone: string): number =>
  firstInstantAt(Date.parse(`${date}T00:00:00Z`), zone);

/**
 * Moments as the interface writes them. `at` is epoch milliseconds, `zone` an IANA zone. Milliseconds are always
 * dropped, so that a field has one form and sorts as text.
 */
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** A Date whose UTC fields are the local ones. */
function wallClock(at: number, zone: string): Date {
  return new Date(at + offsetAt(at, zone));
}

/** `9:05` or `9:05:00` with AM or PM: hour 0 is 12 AM, hour 12 is 12 PM. */
function twelveHour(wall: Date, withSeconds: boolean): string {
  const hour = wall.getUTCHours();
  const seconds = withSeconds ? `:${two(wall.getUTCSeconds())}` : '';
  return `${hour % 12 || 12}:${two(wall.getUTCMinutes())}${seconds} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** `-04:00`; with seconds only where a zone kept local mean time: Monrovia had `-00:44:30` until 1972. */
function formatOffset(offset: number): string {
  const seconds = Math.abs(offset) / 1000;
  const rest = seconds % 60 === 0 ? '' : `:${two(seconds % 60)}`;
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}${rest}`;
}

/** `2026-03-08T09:00:00-04:00`: moments that are strings in the interface, in the organization's zone. */
export function toLocal(at: number, zone: string): string {
  const offset = offsetAt(at, zone);
  return `${toUtc(at + offset).slice(0, -1)}${formatOffset(offset)}`;
}

/** The date of the moment in the zone, in days since 1970. */
export const toLocalDay = (at: number, zone: string): number => Math.floor((at + offsetAt(at, zone)) / DAY);

/** A calendar date in days since 1970. */
export const dayNumber = (date: string): number => Date.parse(date) / DAY;

/** `2026-03-08`: the date of the moment in the zone. */
export const toLocalDate = (at: number, zone: string): string => formatDay(toLocalDay(at, zone));

/** `2026-03-08` for a calendar date in days since 1970. */
export const toDate = (day: number): string => formatDay(day);

/** `3/8/2026 9:00:00 AM`: moments that are strings, for keys that use the older dialect, in the organization's zone. */
export function toUsStyle(at: number, zone: string): string {
  const wall = wallClock(at, zone);
  return `${wall.getUTCMonth() + 1}/${wall.getUTCDate()}/${wall.getUTCFullYear()} ${twelveHour(wall, true)}`;
}

/** How moments that are strings are written for an API key; `us` is the older dialect. */
export type DateStyle = 'iso' | 'us';

/** A moment that is a string, in the caller's date style; `""` for null. */
export const formatMoment = (at: number | null, zone: string, style: DateStyle): string =>
  at === null ? '' : style === 'us' ? toUsStyle(at, zone) : toLocal(at, zone);

/** `Sun, Mar 8 2026 9:00 AM`: for people, in the organization's zone. */
export const toFriendly = (at: number, zone: string): string =>
  `${toFriendlyDate(at, zone)} ${twelveHour(wallClock(at, zone), false)}`;

/** `Sun, Mar 8 2026`: the date of a moment, for people. */
export function toFriendlyDate(at: number, zone: string): string {
  const wall = wallClock(at, zone);
  const weekday = WEEKDAYS[wall.getUTCDay()];
  return `${weekday}, ${MONTHS[wall.getUTCMonth()]} ${wall.getUTCDate()} ${wall.getUTCFullYear()}`;
}

/** Drops milliseconds: moments are written to the second, and stored like this they sort as they read. */
export const wholeSecond = (at: number): number => Math.floor(at / 1000) * 1000;
