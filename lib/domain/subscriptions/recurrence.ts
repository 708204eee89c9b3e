import type { ServiceRecord } from '../../entities/services.ts';
import type { PartRecord } from '../../entities/parts.ts';
import { type Day, dayNumber, addMonths, addYears, yearAt } from '../../shared/time/calendar-dates.ts';
import { firstDate, lastDate } from '../pricebook/calendar-dates.ts';
import { type WeekdayRule, nextRuleDay, weekdayRuleDays } from '../weekday-rule.ts';
import { readWeekdayRule, weekdayFields } from '../weekday-rule-text.ts';

/** A subscription has no more visits than a year has days. */
export const MAX_VISITS = 366;

/** The SchedulingMode of services that are sold by the season. */
const SUBSCRIPTION = 2;

/** The interval between two visits: in days, or in months if there are any. */
export interface Step {
  readonly days: number;
  readonly months: number;
}

/** How visits follow each other: by a step, or on days of the week. */
export type Interval = Step | WeekdayRule;

export const isWeekdayRule = (interval: Interval): interval is WeekdayRule => 'kind' in interval;

/** The words of Repeat, whose indexes are RecurringEventSetting_Type. */
export const REPEATS = ['daily', 'weekly', 'monthly', 'yearly'] as const;

const STEPS: Readonly<Record<(typeof REPEATS)[number], Step>> = {
  daily: { days: 1, months: 0 },
  weekly: { days: 7, months: 0 },
  monthly: { days: 0, months: 1 },
  yearly: { days: 0, months: 12 },
};

export function stepOf(repeat: (typeof REPEATS)[number], interval: number): Step {
  const { days, months } = STEPS[repeat];
  return { days: days * interval, months: months * interval };
}

/** The day `steps` steps after the first, always counted from the first: January 31, February 28, March 31. */
const dayAfter = (first: Day, { days, months }: Step, steps: number): Day =>
  months ? addMonths(first, steps * months) : first + steps * days;

/** The days of visits from the first on; a step has no end, a rule of weekdays ends with the year 9999. */
export function* daysFrom(first: Day, interval: Interval): Generator<Day> {
  if (isWeekdayRule(interval)) yield* weekdayRuleDays(interval, first);
  else for (let steps = 0; ; steps++) yield dayAfter(first, interval, steps);
}

/**
 * Whether a service is sold as several dated visits at one price. A recurring service is not: its price is per visit.
 */
export const isSubscription = ({ IsSubscription, SchedulingMode }: ServiceRecord): boolean =>
  IsSubscription || SchedulingMode === SUBSCRIPTION;

/** The day of sale, `YYYY-MM-DD`. */
export interface SaleDay {
  readonly date: string;
}

export interface Recurrence {
  readonly season: Season;
  /** The day of sale, or the start of the season if that is later. */
  readonly begin: Day;
  /** Ascending, at least one. */
  readonly visits: readonly Day[];
}

/** The interval that a service sets, if any. */
export function findInterval(service: ServiceRecord): Interval | undefined {
  const { IntervalDays, RecurringEventSetting_Type: type, RecurringEventSetting_Frequency: frequency } = service;
  if (IntervalDays > 0) return stepOf('daily', IntervalDays);
  const { rule } = readWeekdayRule(weekdayFields(service), frequency || 1);
  if (rule) return rule;
  const repeat = type === null ? undefined : REPEATS[type];
  return repeat && frequency !== null && frequency >= 1 ? stepOf(repeat, frequency) : undefined;
}

/**
 * Visits at equal intervals over the whole season; a late start gets the remaining ones. 6 over April 1 to October 31,
 * 214 days, are 35 2/3 days apart, rounded down: April 1, May 6, June 11, July 17, August 21, September 26. From July
 * 17 on: July 17, August 21, September 26.
 */
function* spreadEvenly({ first, last }: Season, begin: Day, count: number): Generator<Day> {
  const days = (last ?? addYears(begin, 1) - 1) - (last === null ? begin : (first ?? begin)) + 1;
  // At most one per day.
  const visits = Math.min(count, days);
  for (let visit = 0; ; visit++) yield begin + Math.floor((visit * days) / visits);
}

/**
 * The visits of a service sold on `date`. The first is on that date or at the start of the season, whichever is later,
 * or on the next day of the week that its rule has; then one every IntervalDays, else as RecurringEventSetting says,
 * else evenly spread; at most VisitCount (0: as many as the season, or a year, allows), and none after the season. A
 * season without a day of the rule has one visit, at its begin: what is sold must be done.
 */
export function findRecurrence(service: ServiceRecord, { date }: SaleDay): Recurrence {
  const day = dayNumber(date);
  const season = seasonAt(firstDate(service.SeasonStart), lastDate(service.SeasonExpiration), day);
  const begin = Math.max(day, season.first ?? day);
  const interval = findInterval(service);
  const count = Math.min(service.VisitCount || (interval ? MAX_VISITS : 1), MAX_VISITS);
  const end = season.last ?? (service.VisitCount ? addYears(begin, 1000) : addYears(begin, 1) - 1);
  const first = interval && isWeekdayRule(interval) ? (nextRuleDay(interval, begin) ?? begin) : begin;
  const visits: Day[] = [];
  for (const next of interval ? daysFrom(first, interval) : spreadEvenly(season, begin, count)) {
    if (visits.length === count || !(next <= end)) break;
    visits.push(next);
  }
  return { season, begin, visits: visits.length ? visits : [begin] };
}

/**
 * Alternative days for a visit: those after it within AlternateDateWindowAfter and the season, and before the next
 * visit.
 */
export function alternateDates(service: ServiceRecord, { season, visits }: Recurrence, visit: number): Day[] {
  const day = visits[visit];
  if (day === undefined) return [];
  const window = Math.min(service.AlternateDateWindowAfter ?? 0, MAX_VISITS);
  const last = Math.min(day + window, season.last ?? Infinity, (visits[visit + 1] ?? Infinity) - 1);
  return Array.from({ length: Math.max(0, last - day) }, (_, index) => day + index + 1);
}

/** The first and last day of service, both inclusive; `null` is unlimited. */
interface Season {
  readonly first: Day | null;
  readonly last: Day | null;
}

const toDay = (date: string | null): Day | null => (date === null ? null : dayNumber(date));

/**
 * The season that contains a day, or the next one: a past season repeats after whole years. April 1 to October 31, 2024
 * is, on 2026-11-21, that of 2027; on 2026-10-31 still that of 2026.
 */
function seasonAt(start: string | null, end: string | null, day: Day): Season {
  const [first, last] = [toDay(start), toDay(end)];
  if (last === null || last >= day) return { first, last };
  const years = yearAt(day) - yearAt(last);
  const later = addYears(last, years) < day ? years + 1 : years;
  return { first: first === null ? null : addYears(first, later), last: addYears(last, later) };
}

/** The price of each initial visit. It is not prorated; the rest of the price is divided over the other visits. */
export interface InitialPrice {
  readonly price: number;
  readonly visits: number;
}

/** The number of initial visits: `InitialVisits` in the service's CustomProperties, by default 1. */
function initialVisits({ CustomProperties }: Pick<ServiceRecord, 'CustomProperties'>): number {
  const count = Number(CustomProperties['InitialVisits'] ?? 1);
  return Number.isInteger(count) && count >= 0 ? count : 1;
}

/**
 * InitialNRecurringPrice of the band for a quantity, and the visits that have it: never all, because the last visit
 * takes the rest of the price.
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

/** `1,3,5` → 1, 3, 5. Anything that is not a number is ignored. */
const readSteps = (text: string): Set<number> =>
  new Set((text.match(/\d+/g) ?? []).map(Number).filter((step) => step >= 1));

/** Whether a part limits the visits that include it. */
export const hasSchedule = (part: PartRecord): boolean =>
  readSteps(part.SubscriptionDistributionSteps).size > 0 ||
  part.DistributionStart !== null ||
  part.DistributionEnd !== null;

/**
 * The visits, counted from 0, over which a line is divided: those in its part's SubscriptionDistributionSteps (the
 * first is 1) between DistributionStart and DistributionEnd, which repeat each year like a season; all of them without
 * limits. If no visit fits, the first: what is sold must be paid.
 */
export function findPartVisits(part: PartRecord, { visits }: Recurrence): number[] {
  const steps = readSteps(part.SubscriptionDistributionSteps);
  const window = seasonAt(firstDate(part.DistributionStart), lastDate(part.DistributionEnd), visits[0] ?? 0);
  const found = visits.flatMap((day, visit) => {
    const isStep = steps.size === 0 || steps.has(visit + 1);
    return isStep && day >= (window.first ?? day) && day <= (window.last ?? day) ? visit : [];
  });
  return found.length ? found : [0];
}

/**
 * Divides a whole number in proportion to weights, into whole numbers that add up to it: each share is rounded towards
 * 0, and the remainder goes, one each, to the shares with the largest rounding loss, among equals to the earlier.
 * Weights count without their sign; if all are 0, all are equal.
 *
 * Worked: 10000 by 1, 1, 1: 3333.3 each, remainder 1: 3334, 3333, 3333. −10000 the same but negative. 100 by 2, 1: 66.7
 * and 33.3: 67, 33.
 */
export function divideAmount(whole: number, weights: readonly number[]): number[] {
  const sizes = weights.map((weight) => BigInt(Math.abs(weight)));
  const all = sizes.reduce((sum, size) => sum + size, 0n);
  if (weights.length === 0) return [];
  if (all === 0n) return divideEqually(whole, weights.length);
  const sign = whole < 0 ? -1 : 1;
  const amount = BigInt(Math.abs(whole));
  const shares = sizes.map((size) => Number((size * amount) / all));
  const remainder = Math.abs(whole) - shares.reduce((sum, share) => sum + share, 0);
  const byLoss = sizes
    .map((size, index) => ({ index, loss: (size * amount) % all }))
    .sort((one, other) => (one.loss === other.loss ? one.index - other.index : one.loss > other.loss ? -1 : 1));
  for (const { index } of byLoss.slice(0, remainder)) shares[index] = (shares[index] ?? 0) + 1;
  // Adding 0 turns −0 into 0.
  return shares.map((share) => sign * share + 0);
}

/** The same with equal weights. */
export const divideEqually = (whole: number, count: number): number[] =>
  divideAmount(whole, Array<number>(count).fill(1));
