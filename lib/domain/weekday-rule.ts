import { type Day, dayNumber } from '../shared/time/calendar-dates.ts';
import { DAY } from '../shared/time/time.ts';

/**
 * The days of rules by days of the week (decision 52): every 2 weeks on Monday and Thursday, or every month on the
 * first Tuesday. The rules are those of RFC 5545. Days of the week are numbers from Monday (0), as its weeks begin.
 */

interface WeeklyRule {
  readonly kind: 'weekly';
  /** Every so many weeks, counted from the week of the first visit. */
  readonly every: number;
  /** Ascending, at least one. */
  readonly weekdays: readonly number[];
  /** The first day of a week: Monday, until a series moves to other days. */
  readonly weekStart: number;
}

interface MonthlyRule {
  readonly kind: 'monthly';
  /** Every so many months, counted from the month of the first visit. */
  readonly every: number;
  readonly weekday: number;
  /** 1 to 5, or LAST. A month without a fifth has no visit. */
  readonly ordinal: number;
}

export type WeekdayRule = WeeklyRule | MonthlyRule;

export const LAST = -1;

/** No rule goes on after this day, because some have few days: a fifth Friday in February is 28 years from the next. */
const END = dayNumber('9999-12-31');

/** A number of days on the circle of the week: 8 → 1, -1 → 6. */
const onWeek = (days: number): number => ((days % 7) + 7) % 7;

/** 1970-01-01 was a Thursday. */
const weekdayOf = (day: Day): number => onWeek(day + 3);

/** Months since 1970-01. */
function monthOf(day: Day): number {
  const date = new Date(day * DAY);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

const firstOfMonth = (month: number): Day => Date.UTC(1970, month, 1) / DAY;

/** The day of the rule in a month; `undefined` if the month has no fifth. */
function dayInMonth(month: number, { weekday, ordinal }: MonthlyRule): Day | undefined {
  const [first, next] = [firstOfMonth(month), firstOfMonth(month + 1)];
  if (ordinal === LAST) return next - 1 - onWeek(weekdayOf(next - 1) - weekday);
  const day = first + onWeek(weekday - weekdayOf(first)) + 7 * (ordinal - 1);
  return day < next ? day : undefined;
}

function* weeklyDays({ every, weekdays, weekStart }: WeeklyRule, first: Day): Generator<Day> {
  const offsets = weekdays.map((weekday) => onWeek(weekday - weekStart)).toSorted((one, other) => one - other);
  for (let week = first - onWeek(weekdayOf(first) - weekStart); week <= END; week += 7 * every)
    for (const offset of offsets) yield week + offset;
}

function* monthlyDays(rule: MonthlyRule, first: Day): Generator<Day> {
  for (let month = monthOf(first); firstOfMonth(month) <= END; month += rule.every) {
    const day = dayInMonth(month, rule);
    if (day !== undefined) yield day;
  }
}

/** The days of a rule from `first` on, in whose week or month the rule begins. */
export function* weekdayRuleDays(rule: WeekdayRule, first: Day): Generator<Day> {
  for (const day of rule.kind === 'weekly' ? weeklyDays(rule, first) : monthlyDays(rule, first)) {
    if (day > END) return;
    if (day >= first) yield day;
  }
}

/** The first day on which visits of a rule can begin, `from` or later. */
export const nextRuleDay = (rule: WeekdayRule, from: Day): Day | undefined => {
  const [next] = weekdayRuleDays({ ...rule, every: 1 }, from);
  return next;
};

/**
 * The rule of visits that moved by some days, the first of them to the day `to`. Monday, Wednesday and Friday, a day
 * later, are Tuesday, Thursday and Saturday; weeks begin as much later, which keeps the days of every second week
 * together. The first Tuesday, moved to a Wednesday the 4th, is the first Wednesday. A fifth or last one stays so if
 * its new day is; any other 29th to 31st is the last.
 */
export function movedRule(rule: WeekdayRule, shift: number, to: Day): WeekdayRule {
  if (rule.kind === 'weekly') {
    const weekdays = rule.weekdays.map((weekday) => onWeek(weekday + shift)).toSorted((one, other) => one - other);
    return { ...rule, weekdays, weekStart: onWeek(rule.weekStart + shift) };
  }
  const date = to - firstOfMonth(monthOf(to)) + 1;
  const isLast = monthOf(to + 7) !== monthOf(to);
  const inOrder = Math.ceil(date / 7);
  const isKept = rule.ordinal === inOrder || (rule.ordinal === LAST && isLast);
  const ordinal = isKept ? rule.ordinal : inOrder === 5 ? LAST : inOrder;
  return { ...rule, weekday: weekdayOf(to), ordinal };
}
