import { firstDate } from '../../domain/pricebook/calendar-dates.ts';
import { DAY, startOfDate } from '../../shared/time/time.ts';
import type { BookingContext } from '../booking/booking.ts';

/** Nobody searches, books or moves a visit further ahead. */
export const MAX_DAYS_AHEAD = 400;

/** The first moment at which a service can be done: now, or where its season is ahead, the season's first day. */
export function earliestStart(
  { service, organization }: Pick<BookingContext, 'service' | 'organization'>,
  now: number,
): number {
  const season = firstDate(service.SeasonStart);
  return season === null ? now : Math.max(now, startOfDate(season, organization.Timezone));
}

/** Where a search for the times next to `start` begins. */
export const beginNear = (start: number): number => start - DAY;

/** Of free times those next to `start`, in order. */
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
