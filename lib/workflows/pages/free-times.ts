import { firstDate } from '../../domain/pricebook/calendar-dates.ts';
import { DAY, startOfDate } from '../../shared/time/time.ts';
import type { BookingContext } from '../booking/types.ts';

/** How far ahead visits can be searched, booked or moved. */
export const MAX_DAYS_AHEAD = 400;

/** The first moment at which a service can be done: now, or the first day of its season if that is still ahead. */
export function earliestStart(
  { service, organization }: Pick<BookingContext, 'service' | 'organization'>,
  now: number,
): number {
  const season = firstDate(service.SeasonStart);
  return season === null ? now : Math.max(now, startOfDate(season, organization.Timezone));
}

/** Where a search for the times closest to `start` begins. */
export const beginNear = (start: number): number => start - DAY;

/** The free times closest to `start`, in order. */
export function nearestTo<Time extends { readonly start: number }>(
  times: readonly Time[],
  start: number,
  count: number,
): Time[] {
  const distance = (time: Time): number => Math.abs(time.start - start);
  return times
    .toSorted((one, other) => distance(one) - distance(other))
    .slice(0, count)
    .sort((one, other) => one.start - other.start);
}
