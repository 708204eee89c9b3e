import { type Day, dayNumber, addMonths, addYears, yearAt } from '../../shared/calendar-dates.ts';
import { toLocalDate } from '../../shared/format-moments.ts';
import type { PartRecord, ServiceRecord } from '../pricebook/record.ts';

/** A subscription has no more visits than a year has days. */
export const MAX_VISITS = 366;

/** SchedulingMode of services that are sold by the season. */
const SUBSCRIPTION = 2;

/** RecurringEventSetting_Type, by its number: how far the so-and-so-many-th visit is from the first. */
const RECURRING_TYPES: readonly ((first: Day, steps: number) => Day)[] = [
  (first, days) => first + days,
  (first, weeks) => first + 7 * weeks,
  addMonths,
  addYears,
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
  const days = (last ?? addYears(begin, 1) - 1) - (last === null ? begin : (first ?? begin)) + 1;
  // No two on one day.
  const visits = Math.min(count, days);
  return (visit) => begin + Math.floor((visit * days) / visits);
}

/**
 * When a service that is sold on `date` is done. First on that date or when the season begins, whichever is later; then
 * every IntervalDays, else as RecurringEventSetting says, else evenly; at most VisitCount times (0: as often as the
 * season, or a year, allows), never after the season.
 */
export function findRecurrence(service: Timing, { date, zone }: SaleDay): Recurrence {
  const day = dayNumber(date);
  const season = seasonAt({ start: service.SeasonStart, end: service.SeasonExpiration }, zone, day);
  const first = Math.max(day, season.first ?? day);
  const rhythm = rhythmOf(service, first);
  const count = Math.min(service.VisitCount || (rhythm ? MAX_VISITS : 1), MAX_VISITS);
  const end = season.last ?? (service.VisitCount ? addYears(first, 1000) : addYears(first, 1) - 1);
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
export function alternateDates(service: Timing, { season, visits }: Recurrence, visit: number): Day[] {
  const day = visits[visit];
  if (day === undefined) return [];
  const window = Math.min(service.AlternateDateWindowAfter ?? 0, MAX_VISITS);
  const last = Math.min(day + window, season.last ?? Infinity, (visits[visit + 1] ?? Infinity) - 1);
  return Array.from({ length: Math.max(0, last - day) }, (_, index) => day + index + 1);
}

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
  moment === null ? null : dayNumber(toLocalDate(Date.parse(moment), zone));

/**
 * The season that holds on a day, or the next one: a season that is over comes again, as many whole years later as it
 * takes. April 1 to October 31 of 2024 is, on 2026-11-21, that of 2027; on 2026-10-31 still that of 2026.
 */
export function seasonAt({ start, end }: SeasonMoments, zone: string, day: Day): Season {
  const [first, last] = [localDay(start, zone), localDay(end, zone)];
  if (last === null || last >= day) return { first, last };
  const years = yearAt(day) - yearAt(last);
  const later = addYears(last, years) < day ? years + 1 : years;
  return { first: first === null ? null : addYears(first, later), last: addYears(last, later) };
}

/**
 * A price of the first visits that stands by itself: it is not prorated, and what is left is divided over the others.
 */
export interface InitialPrice {
  readonly price: number;
  readonly visits: number;
}

/** How many the first visits are: `InitialVisits` of the service's CustomProperties, 1 unless it says otherwise. */
function initialVisits({ CustomProperties }: Pick<ServiceRecord, 'CustomProperties'>): number {
  const said = Number(CustomProperties['InitialVisits'] ?? 1);
  return Number.isInteger(said) && said >= 0 ? said : 1;
}

/**
 * InitialNRecurringPrice of the band that holds at a quantity, and the visits that have it: never all, for the last one
 * takes what is left.
 */
export function findInitialPrice(
  service: Pick<ServiceRecord, 'PricingBands' | 'CustomProperties'>,
  quantity: number,
  visits: number,
): InitialPrice | undefined {
  const band = service.PricingBands.find(
    ({ AtLeast, LessThan }) => AtLeast <= quantity && (LessThan === null || quantity < LessThan),
  );
  const count = Math.min(initialVisits(service), visits - 1);
  const price = band?.InitialNRecurringPrice ?? null;
  return price === null || price < 0 || count < 1 ? undefined : { price, visits: count };
}

/** What a part says of the visits in which it is done. */
export type Distribution = Pick<PartRecord, 'SubscriptionDistributionSteps' | 'DistributionStart' | 'DistributionEnd'>;

/** `1,3,5` → 1, 3, 5. What is no number says nothing. */
const stepsOf = (text: string): Set<number> =>
  new Set((text.match(/\d+/g) ?? []).map(Number).filter((step) => step >= 1));

/** Whether a part says anything of the visits it is in. */
export const hasSchedule = (part: Distribution): boolean =>
  stepsOf(part.SubscriptionDistributionSteps).size > 0 ||
  part.DistributionStart !== null ||
  part.DistributionEnd !== null;

/**
 * The visits, counted from 0, over which a line is divided: those of its part's SubscriptionDistributionSteps (the
 * first is 1) between DistributionStart and DistributionEnd, which come again each year like a season; all where the
 * part says nothing. Where it names none that there is, the first: what is sold is paid for.
 */
export function countVisits(part: Distribution, { visits }: Recurrence, zone: string): number[] {
  const steps = stepsOf(part.SubscriptionDistributionSteps);
  const window = seasonAt({ start: part.DistributionStart, end: part.DistributionEnd }, zone, visits[0] ?? 0);
  const chosen = visits.flatMap((day, visit) => {
    const isStep = steps.size === 0 || steps.has(visit + 1);
    return isStep && day >= (window.first ?? day) && day <= (window.last ?? day) ? visit : [];
  });
  return chosen.length ? chosen : [0];
}

/**
 * Parts a whole number in proportion to weights, in whole numbers that add up to it: each has its share rounded towards
 * 0, and what is left goes one each to those that lost most, of equal losses to the earlier. Weights count without their
 * sign; where all are 0, all are alike.
 *
 * Worked: 10000 by 1, 1, 1: 3333.3 each, and one left: 3334, 3333, 3333. −10000 the same below 0. 100 by 2, 1: 66.7
 * and 33.3: 67, 33.
 */
export function divideAmount(whole: number, weights: readonly number[]): number[] {
  const sizes = weights.map((weight) => BigInt(Math.abs(weight)));
  const all = sizes.reduce((sum, size) => sum + size, 0n);
  if (all === 0n)
    return weights.length
      ? divideAmount(
          whole,
          weights.map(() => 1),
        )
      : [];
  const sign = whole < 0 ? -1 : 1;
  const amount = BigInt(Math.abs(whole));
  const shares = sizes.map((size) => Number((size * amount) / all));
  const left = Math.abs(whole) - shares.reduce((sum, share) => sum + share, 0);
  const losers = sizes
    .map((size, place) => ({ place, loss: (size * amount) % all }))
    .sort((one, other) => (one.loss === other.loss ? one.place - other.place : one.loss > other.loss ? -1 : 1));
  for (const { place } of losers.slice(0, left)) shares[place] = (shares[place] ?? 0) + 1;
  // Adding 0 turns −0 into 0.
  return shares.map((share) => sign * share + 0);
}
