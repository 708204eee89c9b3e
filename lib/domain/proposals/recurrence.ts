import type { ServiceRecord } from '../pricebook/records.ts';
import { dayOf, plusMonths, plusYears, type Day } from './days.ts';
import { seasonAt, type Season } from './season.ts';

/** A subscription has no more visits than a year has days. */
export const MOST_VISITS = 366;

/** SchedulingMode of services that are sold by the season. */
const SUBSCRIPTION = 2;

/** RecurringEventSetting_Type, by its number: how far the so-and-so-many-th visit is from the first. */
const RECURRING_TYPES: readonly ((first: Day, steps: number) => Day)[] = [
  (first, days) => first + days,
  (first, weeks) => first + 7 * weeks,
  plusMonths,
  plusYears,
];

type Timing = Pick<
  ServiceRecord,
  | 'IsSubscription'
  | 'SchedulingMode'
  | 'SeasonStart'
  | 'SeasonExpiration'
  | 'IntervalDays'
  | 'VisitCount'
  | 'RecurringEventSetting_Type'
  | 'RecurringEventSetting_Frequency'
  | 'AlternateDateWindowAfter'
>;

/**
 * Whether a service is sold as several visits, each on its date, at one price for all of them. A recurring one is not:
 * its price is that of each visit.
 */
export const isSubscription = ({ IsSubscription, SchedulingMode }: Timing): boolean =>
  IsSubscription || SchedulingMode === SUBSCRIPTION;

/** The day on which something is sold, `YYYY-MM-DD` in the organization's zone. */
export interface SaleDay {
  readonly date: string;
  readonly zone: string;
}

/** The days of a subscription. */
export interface Recurrence {
  readonly season: Season;
  /** Ascending, at least one. */
  readonly visits: readonly Day[];
}

/** On which day the n-th visit is, counted from 0; `undefined` where nothing is said of how often there is one. */
function rhythmOf(service: Timing, first: Day): ((visit: number) => Day) | undefined {
  const { IntervalDays, RecurringEventSetting_Type: type, RecurringEventSetting_Frequency: frequency } = service;
  if (IntervalDays > 0) return (visit) => first + visit * IntervalDays;
  const plus = type === null ? undefined : RECURRING_TYPES[type];
  if (!plus || frequency === null || frequency < 1) return undefined;
  return (visit) => plus(first, visit * frequency);
}

/**
 * Visits spread evenly: as many over the whole season, at equal distances from the first one on. Who begins late has
 * those that are left. 6 over April 1 to October 31, 214 days, 35 2/3 days apart, rounded down: April 1, May 6, June 11,
 * July 17, August 21, September 26; begun on July 17: July 17, August 21, September 26.
 */
function evenly({ first, last }: Season, begin: Day, count: number): (visit: number) => Day {
  const days = (last ?? plusYears(begin, 1) - 1) - (last === null ? begin : (first ?? begin)) + 1;
  // No two on one day.
  const visits = Math.min(count, days);
  return (visit) => begin + Math.floor((visit * days) / visits);
}

/**
 * When a service that is sold on `date` is done. First on that date or when the season begins, whichever is later; then
 * every IntervalDays, else as RecurringEventSetting says, else evenly; at most VisitCount times (0: as often as the
 * season, or a year, allows), never after the season.
 */
export function recurrenceOf(service: Timing, { date, zone }: SaleDay): Recurrence {
  const day = dayOf(date);
  const season = seasonAt({ start: service.SeasonStart, end: service.SeasonExpiration }, zone, day);
  const first = Math.max(day, season.first ?? day);
  const rhythm = rhythmOf(service, first);
  const count = Math.min(service.VisitCount || (rhythm ? MOST_VISITS : 1), MOST_VISITS);
  const end = season.last ?? (service.VisitCount ? plusYears(first, 1000) : plusYears(first, 1) - 1);
  const dayOfVisit = rhythm ?? evenly(season, first, count);
  const visits = [first];
  for (let visit = 1; visit < count; visit++) {
    const next = dayOfVisit(visit);
    if (!(next <= end)) break;
    visits.push(next);
  }
  return { season, visits };
}

/**
 * Other days on which a visit could be: those after it within AlternateDateWindowAfter, the season, and before the next
 * visit.
 */
export function alternatesOf(service: Timing, { season, visits }: Recurrence, visit: number): Day[] {
  const day = visits[visit];
  if (day === undefined) return [];
  const window = Math.min(service.AlternateDateWindowAfter ?? 0, MOST_VISITS);
  const last = Math.min(day + window, season.last ?? Infinity, (visits[visit + 1] ?? Infinity) - 1);
  return Array.from({ length: Math.max(0, last - day) }, (_, index) => day + index + 1);
}
