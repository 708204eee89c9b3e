import type { ProposalLineRecord } from '../../entities/proposal-parts.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { PartRecord } from '../../entities/parts.ts';
import type { Input } from '../../resources/fields.ts';
import type { SubscriptionDate } from '../../resources/subscriptions.ts';
import { dateText } from '../../shared/time/calendar-dates.ts';
import type { FieldError } from '../../shared/failure.ts';
import { type DateStyle, formatMoment, startOfDate } from '../../shared/time/time.ts';
import { parseDate } from '../../shared/time/read-moments.ts';
import { cents, fromCents, sum } from '../../shared/money.ts';
import { type ExpandedBook, expandBook, linePlacements, selectedOptionIds } from '../proposals/record.ts';
import {
  type Recurrence,
  alternateDates,
  divideAmount,
  divideEqually,
  findInitialPrice,
  isSubscription,
  findRecurrence,
  hasSchedule,
  findInterval,
  findPartVisits,
} from './recurrence.ts';
import { storedInterval } from './series.ts';

/** A visit's share of a line. */
export interface VisitLine {
  readonly line: ProposalLineRecord;
  readonly quantity: number;
  /** Money after its discount, before tax. */
  readonly extended: number;
  readonly tax: number;
  readonly minutes: number;
}

/** A visit of a subscription and its share of the proposal's price; dates `YYYY-MM-DD`, money with 2 decimals. */
export interface Visit {
  /** From 1. */
  readonly number: number;
  /** The number of visits. */
  readonly count: number;
  readonly date: string;
  /** The RRULE of RFC 5545 if the visits are on days of the week, else `""`. */
  readonly rule: string;
  readonly alternates: readonly string[];
  /** Whether the service costs its InitialNRecurringPrice, which is not prorated. */
  readonly isInitial: boolean;
  readonly service: number;
  readonly serviceTax: number;
  /** Only lines that count. */
  readonly lines: readonly VisitLine[];
  /** `subtotal` and `tax` of all visits add up to the proposal's Subtotal and Tax. */
  readonly subtotal: number;
  readonly taxableSubtotal: number;
  readonly tax: number;
  /** The minutes of the whole service and of the visit's share of the lines, including internal ones. */
  readonly minutes: number;
}

/**
 * The service's cents at each visit: the initial ones have their own price, as far as the total allows; the rest is
 * divided.
 */
function divideService(whole: number, initial: readonly number[], count: number): number[] {
  let rest = whole;
  const first = initial.map((price) => {
    const share = Math.min(price, Math.max(rest, 0));
    rest -= share;
    return share;
  });
  return [...first, ...divideEqually(rest, count - first.length)];
}

/** A visit's share of a line, amounts in cents. */
interface LineShare extends VisitLine {
  readonly visit: number;
}

/** Quantities have 4 decimals. */
const UNIT = 10_000;

function divideLine(line: ProposalLineRecord, visits: readonly number[]): LineShare[] {
  const quantities = divideEqually(Math.round(line.Quantity * UNIT), visits.length);
  const extended = divideEqually(cents(line.ExtendedTotal), visits.length);
  const taxes = divideAmount(cents(line.LineTax), extended);
  const minutes = divideEqually(line.Duration, visits.length);
  return visits.map((visit, index) => ({
    visit,
    line,
    quantity: (quantities[index] ?? 0) / UNIT,
    extended: extended[index] ?? 0,
    tax: taxes[index] ?? 0,
    minutes: minutes[index] ?? 0,
  }));
}

/** The part that limits the visits of a line: its own or, for an item, that of the assembly. */
function findSchedulingPart(
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

/** The visits over which each line is divided: only the first, unless DistributeParts spreads it. */
function lineVisits({ DistributeParts, Lines }: ProposalRecord, book: ExpandedBook, recurrence: Recurrence) {
  const byId = new Map(Lines.map((line) => [line.Id, line]));
  const all = recurrence.visits.map((_, visit) => visit);
  return (line: ProposalLineRecord): number[] => {
    if (!DistributeParts) return [0];
    const part = findSchedulingPart(line, byId, book);
    return part ? findPartVisits(part, recurrence) : all;
  };
}

/** The lines without those of unselected options. Internal lines cost nothing here, but they take time. */
function activeLines({ Lines, Options }: ProposalRecord, { parts }: ExpandedBook) {
  const selected = new Set(selectedOptionIds({ Options }));
  const placements = linePlacements(Lines, parts);
  const isActive = ({ Id }: ProposalLineRecord): boolean => {
    const option = placements.get(Id)?.optionId ?? null;
    return option === null || selected.has(option);
  };
  return Lines.filter(isActive);
}

/**
 * The dated and priced visits of a subscription; empty for any other service. They divide the proposal's price to the
 * cent: the service and each line separately, the tax of each in proportion; the remainder goes, a cent each, to the
 * earliest visits.
 */
export function scheduleVisits(proposal: ProposalRecord): Visit[] {
  const book = expandBook(proposal.Book);
  const { service } = book;
  if (!isSubscription(service)) return [];
  const recurrence = findRecurrence(service, { date: proposal.Date });
  const rule = storedInterval(findInterval(service)).Rules[0] ?? '';
  const count = recurrence.visits.length;
  const active = activeLines(proposal, book);
  const visitsOfLine = lineVisits(proposal, book, recurrence);
  const sharesByVisit = Map.groupBy(
    active.flatMap((line) => divideLine(line, visitsOfLine(line))),
    ({ visit }) => visit,
  );

  const linesTotal = sum(active.map(({ Counts, ExtendedTotal }) => (Counts ? cents(ExtendedTotal) : 0)));
  const whole = cents(proposal.Subtotal) - linesTotal;
  const initial = findInitialPrice(service, proposal.Quantity, count);
  const initialPrices = initial && whole > 0 ? Array<number>(initial.visits).fill(cents(initial.price)) : [];
  const servicePrices = divideService(whole, initialPrices, count);
  const serviceTaxes = divideAmount(cents(proposal.ServiceTax), servicePrices);
  const serviceMinutes = proposal.Duration - sum(active.map(({ Duration }) => Duration));

  return recurrence.visits.map((day, visit) => {
    const shares = sharesByVisit.get(visit) ?? [];
    const counting = shares.filter(({ line }) => line.Counts);
    const [servicePrice = 0, serviceTax = 0] = [servicePrices[visit], serviceTaxes[visit]];
    const taxed = counting.filter(({ line }) => line.Taxable);
    return {
      number: visit + 1,
      count,
      date: dateText(day),
      rule,
      alternates: alternateDates(service, recurrence, visit).map(dateText),
      isInitial: visit < initialPrices.length,
      service: fromCents(servicePrice),
      serviceTax: fromCents(serviceTax),
      lines: counting.map(({ line, quantity, extended, tax, minutes }) => ({
        line,
        quantity,
        extended: fromCents(extended),
        tax: fromCents(tax),
        minutes,
      })),
      subtotal: fromCents(servicePrice + sum(counting.map(({ extended }) => extended))),
      taxableSubtotal: fromCents((proposal.Taxable ? servicePrice : 0) + sum(taxed.map(({ extended }) => extended))),
      tax: fromCents(serviceTax + sum(counting.map(({ tax }) => tax))),
      minutes: serviceMinutes + sum(shares.map(({ minutes }) => minutes)),
    };
  });
}

type DateInput = Input<typeof SubscriptionDate>;

/** The dates that a request selects for visits, by visit number, in the zone. */
export interface SelectedDates {
  readonly dates: ReadonlyMap<number, string>;
  readonly errors: readonly FieldError[];
}

/** A date for a visit: its own, or one of its AlternateDates. */
function readVisitDate(
  { date, alternates }: Visit,
  text: string,
  zone: string,
): { date: string } | { message: string } {
  const read = parseDate(text, zone);
  if (!read.ok) return { message: `cannot be read: ${read.reason}` };
  if (read.date === date || alternates.includes(read.date)) return { date: read.date };
  const days = alternates.length ? `a day from ${date} to ${alternates.at(-1)}` : date;
  return { message: `must be the visit's date or one of its AlternateDates: ${days}, not ${read.date}` };
}

/** Reads the SelectedDate of visits. An entry refers to the visit with its Id, else by index. */
export function readSelectedDates(visits: readonly Visit[], inputs: readonly DateInput[], zone: string): SelectedDates {
  const dates = new Map<number, string>();
  const seen = new Set<number>();
  const range = visits.length ? `must be from 1 to ${visits.length}` : 'must be absent: the service has no visits';
  const errors = inputs.flatMap(({ Id, SelectedDate }, index): FieldError[] => {
    const field = `ScheduleDates[${index}]`;
    const visit = visits[(Id || index + 1) - 1];
    if (!visit) return [{ field: `${field}.Id`, code: 'not_found', message: range }];
    if (seen.has(visit.number))
      return [{ field: `${field}.Id`, code: 'duplicate', message: 'is also the Id of another visit' }];
    seen.add(visit.number);
    if (!SelectedDate) return [];
    const read = readVisitDate(visit, SelectedDate, zone);
    if ('message' in read) return [{ field: `${field}.SelectedDate`, code: 'unknown_value', message: read.message }];
    dates.set(visit.number, read.date);
    return [];
  });
  return { dates, errors };
}

/** The visits with their selected dates. */
export const withSelectedDates = (
  visits: readonly SubscriptionDate[],
  { dates }: SelectedDates,
  { zone, dateStyle }: { readonly zone: string; readonly dateStyle: DateStyle },
): SubscriptionDate[] =>
  visits.map((visit) => {
    const date = dates.get(visit.Id);
    return date ? { ...visit, SelectedDate: formatMoment(startOfDate(date, zone), zone, dateStyle) } : visit;
  });
