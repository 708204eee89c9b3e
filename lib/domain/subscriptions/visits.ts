import type { Input } from '../../resources/resource.ts';
import type { SubscriptionDate } from '../../resources/subscriptions.ts';
import { dateText } from '../../shared/calendar-dates.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { parseDate } from '../../shared/read-moments.ts';
import { type DateStyle, formatMoment } from '../../shared/format-moments.ts';
import { startOfDate } from '../../shared/zones.ts';
import type { PartRecord } from '../pricebook/record.ts';
import { cents, fromCents, sum } from '../pricing/cents.ts';
import { linePlacements } from '../proposals/price.ts';
import { type ProposalLineRecord, type ProposalRecord, type ExpandedBook, expandBook } from '../proposals/record.ts';
import {
  type Recurrence,
  alternateDates,
  divideAmount,
  findInitialPrice,
  isSubscription,
  findRecurrence,
  hasSchedule,
  countVisits,
} from './recurrence.ts';

/** What of a line is done at one visit. */
export interface VisitLine {
  readonly line: ProposalLineRecord;
  readonly quantity: number;
  /** Money: after its discount, before tax. */
  readonly extended: number;
  readonly tax: number;
  readonly minutes: number;
}

/**
 * A visit of a subscription and what of the proposal's price stands in it; dates `YYYY-MM-DD`, money with 2 decimals.
 */
export interface Visit {
  /** From 1. */
  readonly number: number;
  /** How many there are. */
  readonly count: number;
  readonly date: string;
  readonly alternates: readonly string[];
  /** Whether the service has its InitialNRecurringPrice, which is not prorated. */
  readonly isInitial: boolean;
  readonly service: number;
  readonly serviceTax: number;
  /** Of the lines that count. */
  readonly lines: readonly VisitLine[];
  /** `subtotal` + `tax` is what the visit comes to; over all visits they add up to the proposal's Subtotal and Tax. */
  readonly subtotal: number;
  readonly taxableSubtotal: number;
  readonly tax: number;
  /** Minutes: those of the service, which each visit takes, and of the lines done at it, internal ones too. */
  readonly minutes: number;
}

/** The service's cents over the visits: the first ones have their own price, as far as it goes; the rest is divided. */
function serviceShares(whole: number, initial: readonly number[], count: number): number[] {
  let left = whole;
  const first = initial.map((price) => {
    const share = Math.min(price, Math.max(left, 0));
    left -= share;
    return share;
  });
  return [
    ...first,
    ...divideAmount(
      left,
      Array.from({ length: count - first.length }, () => 1),
    ),
  ];
}

/** A line's figures at each of the visits it is divided over, by visit. */
interface Shares {
  readonly line: ProposalLineRecord;
  readonly visits: readonly number[];
  readonly quantities: readonly number[];
  readonly extended: readonly number[];
  readonly taxes: readonly number[];
  readonly minutes: readonly number[];
}

/** Quantities have 4 decimals. */
const UNIT = 10_000;

function sharesOf(line: ProposalLineRecord, visits: readonly number[]): Shares {
  const alike = visits.map(() => 1);
  const extended = divideAmount(cents(line.ExtendedTotal), alike);
  return {
    line,
    visits,
    quantities: divideAmount(Math.round(line.Quantity * UNIT), alike).map((units) => units / UNIT),
    extended,
    taxes: divideAmount(cents(line.LineTax), extended),
    minutes: divideAmount(line.Duration, alike),
  };
}

/**
 * Whose word holds on when a line is done: its part's, else, for an item of an assembly, that of the assembly's part.
 */
function partOf(
  line: ProposalLineRecord,
  lines: ReadonlyMap<number, ProposalLineRecord>,
  { parts }: ExpandedBook,
): PartRecord | undefined {
  let at: ProposalLineRecord | undefined = line;
  for (let depth = 0; at && depth <= lines.size; depth++) {
    const part = parts.get(at.PartId);
    if (part && hasSchedule(part)) return part;
    at = lines.get(at.AssemblyLineId ?? 0);
  }
  return undefined;
}

/** Over which visits each line is divided: all of it is in the first, unless DistributeParts spreads it. */
function distribution({ DistributeParts, Lines, Zone }: ProposalRecord, book: ExpandedBook, recurrence: Recurrence) {
  const byId = new Map(Lines.map((line) => [line.Id, line]));
  const all = recurrence.visits.map((_, visit) => visit);
  return (line: ProposalLineRecord): number[] => {
    if (!DistributeParts) return [0];
    const part = partOf(line, byId, book);
    return part ? countVisits(part, recurrence, Zone) : all;
  };
}

/** The lines that count, and those that take time: internal ones too, but none of an option that is not selected. */
function linesOf({ Lines, Options }: ProposalRecord, { parts }: ExpandedBook) {
  const selected = new Set(Options.filter(({ Selected }) => Selected).map(({ Id }) => Id));
  const standings = linePlacements(Lines, parts);
  const isActive = ({ Id }: ProposalLineRecord): boolean => {
    const option = standings.get(Id)?.optionId ?? null;
    return option === null || selected.has(option);
  };
  return Lines.filter(isActive);
}

/**
 * The dated and priced visits of a subscription, from the proposal alone: they divide what it comes to, to the cent,
 * and never change it. None where its service is no subscription. The service and each line are divided by themselves,
 * the tax of each in proportion; what does not divide goes a cent each to the earliest.
 */
export function scheduleVisits(proposal: ProposalRecord): Visit[] {
  const book = expandBook(proposal.Book);
  const { service } = book;
  if (!isSubscription(service)) return [];
  const recurrence = findRecurrence(service, { date: proposal.Date, zone: proposal.Zone });
  const count = recurrence.visits.length;
  const active = linesOf(proposal, book);
  const spread = distribution(proposal, book, recurrence);
  const shares = active.map((line) => sharesOf(line, spread(line)));

  const ofLines = sum(active.map(({ Counts, ExtendedTotal }) => (Counts ? cents(ExtendedTotal) : 0)));
  const whole = cents(proposal.Subtotal) - ofLines;
  const initial = findInitialPrice(service, proposal.Quantity, count);
  const initialPrices = initial && whole > 0 ? Array<number>(initial.visits).fill(cents(initial.price)) : [];
  const ofService = serviceShares(whole, initialPrices, count);
  const serviceTaxes = divideAmount(cents(proposal.ServiceTax), ofService);
  const serviceMinutes = proposal.Duration - sum(active.map(({ Duration }) => Duration));

  return recurrence.visits.map((day, visit) => {
    const here = shares.flatMap((share) => {
      const place = share.visits.indexOf(visit);
      return place < 0 ? [] : { share, place };
    });
    const counting = here.filter(({ share }) => share.line.Counts);
    const amounts = counting.map(({ share, place }) => ({
      line: share.line,
      quantity: share.quantities[place] ?? 0,
      extended: share.extended[place] ?? 0,
      tax: share.taxes[place] ?? 0,
      minutes: share.minutes[place] ?? 0,
    }));
    const [servicePrice = 0, serviceTax = 0] = [ofService[visit], serviceTaxes[visit]];
    const taxed = amounts.filter(({ line }) => line.Taxable);
    return {
      number: visit + 1,
      count,
      date: dateText(day),
      alternates: alternateDates(service, recurrence, visit).map(dateText),
      isInitial: visit < initialPrices.length,
      service: fromCents(servicePrice),
      serviceTax: fromCents(serviceTax),
      lines: amounts.map((line) => ({ ...line, extended: fromCents(line.extended), tax: fromCents(line.tax) })),
      subtotal: fromCents(servicePrice + sum(amounts.map(({ extended }) => extended))),
      taxableSubtotal: fromCents((proposal.Taxable ? servicePrice : 0) + sum(taxed.map(({ extended }) => extended))),
      tax: fromCents(serviceTax + sum(amounts.map(({ tax }) => tax))),
      minutes: serviceMinutes + sum(here.map(({ share, place }) => share.minutes[place] ?? 0)),
    };
  });
}

type DateInput = Input<typeof SubscriptionDate>;

/** Which days a request has chosen for visits: by the visit's number, a date of the zone. */
export interface ChosenDates {
  readonly dates: ReadonlyMap<number, string>;
  readonly errors: readonly FieldError[];
}

/** The visit that a request means: by Id, else by its place. */
const numberOf = ({ Id }: DateInput, index: number): number => Id || index + 1;

/** Reads the SelectedDate of visits: the visit's own date or one of its AlternateDates. */
export function chooseDates(visits: readonly Visit[], input: readonly DateInput[], zone: string): ChosenDates {
  const dates = new Map<number, string>();
  const seen = new Set<number>();
  const errors = input.flatMap((entry, index): FieldError[] => {
    const visit = visits[numberOf(entry, index) - 1];
    const field = `ScheduleDates[${index}]`;
    if (visit && seen.has(visit.number)) return [{ field: `${field}.Id`, message: 'is also that of another visit' }];
    seen.add(visit?.number ?? 0);
    const there = visits.length === 1 ? 'is 1' : `are ${visits.length}`;
    if (!visit) return [{ field: `${field}.Id`, message: `names no visit: there ${there}` }];
    if (!entry.SelectedDate) return [];
    const read = parseDate(entry.SelectedDate, zone);
    if (!read.ok) return [{ field: `${field}.SelectedDate`, message: `cannot be read: ${read.reason}` }];
    const possible = [visit.date, ...visit.alternates];
    if (!possible.includes(read.date)) {
      const [first, last] = [possible[0], possible.at(-1)];
      const days = possible.length === 1 ? `${first}` : `a day from ${first} to ${last}`;
      const message = `must be the visit's date or one of its AlternateDates: ${days}, not ${read.date}`;
      return [{ field: `${field}.SelectedDate`, message }];
    }
    dates.set(visit.number, read.date);
    return [];
  });
  return { dates, errors };
}

/** Visits as they are answered, with the days that were chosen for them. */
export const applyChosenDates = (
  shown: readonly SubscriptionDate[],
  { dates }: ChosenDates,
  { zone, dateStyle }: { readonly zone: string; readonly dateStyle: DateStyle },
): SubscriptionDate[] =>
  shown.map((visit) => {
    const chosen = dates.get(visit.Id);
    return chosen ? { ...visit, SelectedDate: formatMoment(startOfDate(chosen, zone), zone, dateStyle) } : visit;
  });
