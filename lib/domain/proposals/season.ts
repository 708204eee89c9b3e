import { toLocalDate } from '../moments-out.ts';
import { dayOf, plusYears, yearOf, type Day } from './days.ts';

/** The days on which something is done, both inclusive; `null` is open. */
export interface Season {
  readonly first: Day | null;
  readonly last: Day | null;
}

/** Where a season begins and ends, as UTC moments; its days are those of the organization's zone. */
interface SeasonMoments {
  readonly start: string | null;
  readonly end: string | null;
}

const localDay = (moment: string | null, zone: string): Day | null =>
  moment === null ? null : dayOf(toLocalDate(Date.parse(moment), zone));

/**
 * The season that holds on a day, or the next one: a season that is over comes again, as many whole years later as it
 * takes. April 1 to October 31 of 2024 is, on 2026-11-21, that of 2027; on 2026-10-31 still that of 2026.
 */
export function seasonAt({ start, end }: SeasonMoments, zone: string, day: Day): Season {
  const [first, last] = [localDay(start, zone), localDay(end, zone)];
  if (last === null || last >= day) return { first, last };
  const years = yearOf(day) - yearOf(last);
  const later = plusYears(last, years) < day ? years + 1 : years;
  return { first: first === null ? null : plusYears(first, later), last: plusYears(last, later) };
}
