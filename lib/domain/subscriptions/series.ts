import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { SeriesChange, SeriesRecord } from '../../entities/series.ts';
import { type Day, addMonths, dateText, dayNumber } from '../../shared/time/calendar-dates.ts';
import { DAY, firstInstantAt, offsetAt, toLocalDay } from '../../shared/time/time.ts';
import { Status } from '../appointments/record.ts';
import { type Interval, MAX_VISITS, daysFrom, isWeekdayRule } from './recurrence.ts';
import { type WeekdayRule, movedRule, weekdayRuleDays } from '../weekday-rule.ts';
import { parseRecurrenceRule, toRecurrenceRule } from '../weekday-rule-text.ts';

/** The days of a series' visits, how they move together, and which changes are still to be made. */

/** The time of day at a moment, in milliseconds after midnight by the clock. */
export const clockAt = (at: number, zone: string): number => at + offsetAt(at, zone) - toLocalDay(at, zone) * DAY;

/** The moment of a time of day on a date; a time that clocks skip is the end of the jump. */
export const momentOn = (day: Day, clock: number, zone: string): number => firstInstantAt(day * DAY + clock, zone);

interface Bounds {
  /** The most visits. */
  readonly count: number | undefined;
  /** The last possible day. */
  readonly through: Day | undefined;
}

/** The days of the visits from the first on, at most MAX_VISITS + 1, because a series with that many is too long. */
export function seriesDays(
  first: Day,
  interval: Interval,
  { count = MAX_VISITS + 1, through = Infinity }: Bounds,
): Day[] {
  const days = [first];
  for (const day of daysFrom(first, interval)) {
    if (day === first) continue;
    if (days.length === count || !(day <= through)) break;
    days.push(day);
  }
  return days;
}

/** An interval as a series stores it. */
export const storedInterval = (interval: Interval | undefined): Pick<SeriesRecord, 'Months' | 'Rules'> =>
  interval && isWeekdayRule(interval)
    ? { Months: 0, Rules: [toRecurrenceRule(interval)] }
    : { Months: interval?.months ?? 0, Rules: [] };

type Plan = Pick<SeriesRecord, 'Days' | 'Months' | 'Anchors' | 'Rules'>;

/** The RRULE of a visit: that of its part of the series; `''` if the series is not by days of the week. */
export const ruleOfVisit = ({ Anchors, Rules }: Pick<Plan, 'Anchors' | 'Rules'>, visit: number): string =>
  Rules[Anchors.filter((at) => at <= visit).length] ?? Rules.at(-1) ?? '';

/**
 * The plan after the visit at `place` and all that follow have moved by some days. Months are counted from its new day:
 * after January 31 has moved to the 30th, the next are February 28 and March 30. So are days of the week in months:
 * after the first Tuesday has moved to the first Wednesday, the next are first Wednesdays.
 */
export function movedPlan(plan: Plan, place: number, shift: number): Plan {
  const { Days, Months, Anchors, Rules } = plan;
  if (shift === 0) return { Days, Months, Anchors, Rules };
  const [earlier, later] = [Anchors.filter((at) => at < place), Anchors.filter((at) => at > place)];
  const anchors = [place, ...later];
  if (Rules.length) return movedByRules(plan, { earlier, anchors, shift });
  const dayOf = (visit: number): Day => {
    const anchor = anchors.findLast((at) => at <= visit) ?? place;
    return Months ? addMonths((Days[anchor] ?? 0) + shift, (visit - anchor) * Months) : (Days[visit] ?? 0) + shift;
  };
  return {
    Days: Days.map((day, visit) => (visit < place ? day : dayOf(visit))),
    Months,
    Anchors: Months ? [...earlier, ...anchors] : [],
    Rules,
  };
}

interface MovedParts {
  /** Where the parts begin that stay, besides the first, and those that move. */
  readonly earlier: readonly number[];
  readonly anchors: readonly number[];
  readonly shift: number;
}

/** The plan of a series by days of the week: the days of weeks move by `shift`, those of months by the new rule. */
function movedByRules(plan: Plan, { earlier, anchors, shift }: MovedParts): Plan {
  const [place = 0] = anchors;
  const parts = anchors.map((begin, index) => {
    const days = plan.Days.slice(begin, anchors[index + 1]).map((day) => day + shift);
    const rule = parseRecurrenceRule(ruleOfVisit(plan, begin));
    return rule ? movedPart(rule, days, shift) : { days, rule: '' };
  });
  const kept = plan.Rules.slice(0, earlier.length + (place === 0 ? 0 : 1));
  return {
    Days: [...plan.Days.slice(0, place), ...parts.flatMap(({ days }) => days)],
    Months: plan.Months,
    Anchors: [...earlier, ...anchors.filter((at) => at > 0)],
    Rules: [...kept, ...parts.map(({ rule }) => rule)],
  };
}

/** A part whose days moved by `shift`, with its new rule. */
function movedPart(rule: WeekdayRule, days: readonly Day[], shift: number) {
  const [first = 0] = days;
  const moved = movedRule(rule, shift, first);
  if (rule.kind === 'weekly') return { days, rule: toRecurrenceRule(moved) };
  const planned = weekdayRuleDays(moved, first);
  return { days: days.map((day) => planned.next().value ?? day), rule: toRecurrenceRule(moved) };
}

const remaining = ({ Next, Last }: SeriesChange): number => Math.abs(Last - Next) + 1;

/** Visits that are still to be booked; those of a subscription are queued by its proposal. */
export const visitsToMake = ({ ProposalId, Days, VisitIds }: SeriesRecord): number =>
  ProposalId ? 0 : Days.length - VisitIds.length;

export const visitsLeft = (series: SeriesRecord): number =>
  series.Changes.reduce((sum, change) => sum + remaining(change), visitsToMake(series));

/** Whether visits affected by a change do not exist yet. */
export const waitsForVisits = ({ ProposalId, Days, VisitIds }: SeriesRecord): boolean =>
  ProposalId !== 0 && VisitIds.length < Days.length;

type Request = Pick<SeriesChange, 'At' | 'By'>;

/** The last visit that a change affects. Visits that are still to be booked are booked as the change requires. */
const lastVisit = ({ ProposalId, Days, VisitIds }: SeriesRecord): number => (ProposalId ? Days : VisitIds).length - 1;

const withChange = (series: SeriesRecord, change: SeriesChange): SeriesRecord => ({
  ...series,
  Changes: [...series.Changes, change],
});

interface SeriesMove extends Request, Pick<SeriesChange, 'Clock' | 'ServiceAgentId' | 'AdditionalAgents'> {
  readonly Kind: 'move' | 'book';
  /** The days by which the visit at `place` moves. */
  readonly shift: number;
  /** Whether it moves together with those that follow, because they get the same time. */
  readonly includesFirst: boolean;
}

/** The series with all visits after `place` to be moved or booked. */
export function withMove(series: SeriesRecord, place: number, move: SeriesMove): SeriesRecord {
  const { Kind, shift, includesFirst, Clock, ServiceAgentId, AdditionalAgents, At, By } = move;
  const plan = movedPlan(series, place, shift);
  const Shifts = plan.Days.map((day, visit) => day - (series.Days[visit] ?? 0));
  const [first, last] = [includesFirst ? place : place + 1, lastVisit(series)];
  const planned: SeriesRecord = {
    ...series,
    ...plan,
    Clock: Clock ?? series.Clock,
    ServiceAgentId: ServiceAgentId || series.ServiceAgentId,
    AdditionalAgents: AdditionalAgents ?? series.AdditionalAgents,
  };
  if (first > last) return planned;
  return withChange(planned, {
    Kind,
    At,
    By,
    Next: shift > 0 ? last : first,
    Last: shift > 0 ? first : last,
    Shifts,
    Clock,
    ServiceAgentId,
    AdditionalAgents,
    CancelReasonId: null,
    CancelReason: '',
  });
}

type Cancellation = Request & Pick<SeriesChange, 'CancelReasonId' | 'CancelReason'>;

/** The series without the unbooked visits after `place`; existing ones are to be canceled. */
export function withCancel(series: SeriesRecord, place: number, cancellation: Cancellation): SeriesRecord {
  const last = lastVisit(series);
  const ended = { ...series, Days: series.Days.slice(0, last + 1) };
  if (place + 1 > last) return ended;
  const unmoved = { Shifts: [], Clock: null, ServiceAgentId: 0, AdditionalAgents: null };
  return withChange(ended, { Kind: 'cancel', Next: place + 1, Last: last, ...unmoved, ...cancellation });
}

/** The series once the next visit of its first change is done. */
export function afterVisit(series: SeriesRecord): SeriesRecord {
  const [change, ...others] = series.Changes;
  if (!change) return series;
  const { Next, Last } = change;
  const rest = Next === Last ? [] : [{ ...change, Next: Next + Math.sign(Last - Next) }];
  return { ...series, Changes: [...rest, ...others] };
}

/** The most reasons that the office's task lists. */
const MAX_KEPT = 20;

/** The series with a visit that could not be changed as requested. */
export const withKept = (series: SeriesRecord, reason: string): SeriesRecord => ({
  ...series,
  KeptVisits: series.KeptVisits + 1,
  Kept: series.KeptVisits < MAX_KEPT ? [...series.Kept, reason] : series.Kept,
});

/** What a change does to a visit. */
type VisitStep =
  | { readonly kind: 'none' }
  | { readonly kind: 'cancel' }
  /** It is queued for another day. */
  | { readonly kind: 'queue'; readonly date: string }
  | { readonly kind: 'book' | 'move'; readonly start: number };

/** Whether a visit has neither begun nor ended. */
export const isAhead = ({ Status: status }: Pick<AppointmentRecord, 'Status'>): boolean =>
  status === Status.Queued || status === Status.Scheduled || status === Status.Tentative;

/** What a change of its series sets in a visit, besides time and agents. */
export interface SeriesMark {
  /** When the change was requested. */
  readonly movedAt?: number | undefined;
  /** The rule of the series at the new time of the visit. */
  readonly ruleOf?: ((visit: AppointmentRecord) => string) | undefined;
}

export const withMark = (visit: AppointmentRecord, { movedAt, ruleOf }: SeriesMark): AppointmentRecord => ({
  ...visit,
  MovedAt: movedAt ?? visit.MovedAt,
  SeriesRule: ruleOf?.(visit) ?? visit.SeriesRule,
});

/** Visits that have begun or ended, or were moved after the change was requested, stay as they are. */
export function visitStep({ Kind, At, Next, Shifts, Clock }: SeriesChange, visit: AppointmentRecord): VisitStep {
  const { Start, QueueDate, Zone, MovedAt } = visit;
  if (!isAhead(visit)) return { kind: 'none' };
  if (Kind === 'cancel') return { kind: 'cancel' };
  if (MovedAt !== null && MovedAt >= At) return { kind: 'none' };
  const shift = Shifts[Next] ?? 0;
  if (Start === null) {
    if (!QueueDate) return { kind: 'none' };
    const day = dayNumber(QueueDate) + shift;
    if (Kind === 'book') return { kind: 'book', start: momentOn(day, Clock ?? 0, Zone) };
    return shift ? { kind: 'queue', date: dateText(day) } : { kind: 'none' };
  }
  if (Kind === 'book') return { kind: 'none' };
  return { kind: 'move', start: momentOn(toLocalDay(Start, Zone) + shift, Clock ?? clockAt(Start, Zone), Zone) };
}
