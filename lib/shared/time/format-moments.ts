import { DAY } from './time.ts';
import { formatDay, toUtc, two } from './utc.ts';
import { offsetAt } from './zones.ts';

/**
 * Moments as the interface writes them. `at` is epoch milliseconds, `zone` an IANA zone. All are written to the second;
 * milliseconds are dropped, always, so that a field has one form and sorts as text.
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

/** `-04:00`; with seconds only if a zone kept local mean time: Monrovia had `-00:44:30` until 1972. */
function formatOffset(offset: number): string {
  const seconds = Math.abs(offset) / 1000;
  const rest = seconds % 60 === 0 ? '' : `:${two(seconds % 60)}`;
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}${rest}`;
}

/** `2026-03-08T09:00:00-04:00`: string-typed moments, in the organization's zone. */
export function toLocal(at: number, zone: string): string {
  const offset = offsetAt(at, zone);
  return `${toUtc(at + offset).slice(0, -1)}${formatOffset(offset)}`;
}

/** The date the moment has in the zone, in days since 1970. */
export const toLocalDay = (at: number, zone: string): number => Math.floor((at + offsetAt(at, zone)) / DAY);

/** A calendar date in days since 1970. */
export const dayNumber = (date: string): number => Date.parse(date) / DAY;

/** `2026-03-08`: the date the moment has in the zone. */
export const toLocalDate = (at: number, zone: string): string => formatDay(toLocalDay(at, zone));

/** `2026-03-08`, of a calendar date in days since 1970. */
export const toDate = (day: number): string => formatDay(day);

/** `3/8/2026 9:00:00 AM`: string-typed moments for keys of the older dialect, in the organization's zone. */
export function toUsStyle(at: number, zone: string): string {
  const wall = wallClock(at, zone);
  return `${wall.getUTCMonth() + 1}/${wall.getUTCDate()}/${wall.getUTCFullYear()} ${twelveHour(wall, true)}`;
}

/** How an API key writes string-typed moments; `us` is the older dialect. */
export type DateStyle = 'iso' | 'us';

/** A string-typed moment in the date style of the caller; `""` for null. */
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
