import { toFriendly } from '../moments-out.ts';
import type { Work } from './calendar.ts';
import { dayAt } from './days.ts';
import type { Timeframe } from './timeframe.ts';

/** Pieces of the sentences in which a search or a check says why not. */

/** `all 3 service agents`, `the only service agent`. */
export const everyAgent = (count: number): string => (count === 1 ? 'the only service agent' : `all ${count} service agents`);

/** `The only service agent for this does not work`, `None of the 3 service agents for this works`. */
export const noneWork = (count: number): string => (count === 1 ? 'The only service agent for this does not work' : `None of the ${count} service agents for this works`);

export const noneOffer = (count: number): string => (count === 1 ? 'The only service agent does not do' : `None of the ${count} service agents does`);

export const servicesOf = ({ category }: Pick<Work, 'category'>): string => (category ? `services of the category ${category}` : 'services without a category');

export const placeOf = ({ postalCode }: Pick<Work, 'postalCode'>): string => (postalCode ? `The postal code ${postalCode}` : 'An address without a postal code');

export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

const TIME = / (\d+:\d\d [AP]M)$/;

/** `Sun, Mar 8 2026`. */
export const dayText = (at: number, zone: string): string => toFriendly(at, zone).replace(TIME, '');

/** `9:00 AM`. */
export const timeText = (at: number, zone: string): string => TIME.exec(toFriendly(at, zone))?.[1] ?? '';

/** `9:00 AM to 5:00 PM`. */
export const hoursText = ({ start, end }: { readonly start: number; readonly end: number }, zone: string): string => `${timeText(start, zone)} to ${timeText(end, zone)}`;

/** `from Apr 1 2026 through Oct 31 2026`, one side when the other is open. */
export function seasonText({ seasonStart, seasonExpiration }: Pick<Work, 'seasonStart' | 'seasonExpiration'>, zone: string): string {
  const from = seasonStart === null ? [] : [`from ${dayText(seasonStart, zone)}`];
  const through = seasonExpiration === null ? [] : [`through ${dayText(seasonExpiration, zone)}`];
  return [...from, ...through].join(' ');
}

/** `on Mon, Jun 1 2026`, `from Mon, Jun 1 2026 through Sun, Jun 14 2026`; with the time where it begins later than the day: `from Mon, Jun 1 2026 6:00 PM through …`. */
export function periodText(from: number, last: number, zone: string): string {
  const through = dayText(last, zone);
  if (from > dayAt(from, zone).start) return `from ${toFriendly(from, zone)} through ${through}`;
  return dayText(from, zone) === through ? `on ${through}` : `from ${dayText(from, zone)} through ${through}`;
}

const clock = (minute: number): string => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`;

/** `, between 17:00 and 24:00`; nothing for the whole day. */
export const timeframeText = ({ from, to }: Timeframe): string => (from === 0 && to === 1440 ? '' : `, between ${clock(from)} and ${clock(to)}`);
