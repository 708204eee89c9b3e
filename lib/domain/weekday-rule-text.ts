import type { ServiceRecord } from '../entities/services.ts';
import type { FieldError } from '../shared/failure.ts';
import { LAST, type WeekdayRule } from './weekday-rule.ts';

/** How rules by days of the week are written: by callers, in RFC 5545, and in sentences. */

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'] as const;
const NUMBERS = ['1st', '2nd', '3rd', '4th', '5th'] as const;

const fullName = (weekday: number): string => WEEKDAYS[weekday] ?? '';
export const shortName = (weekday: number): string => fullName(weekday).slice(0, 3);

/** 1 → `first`, -1 → `last`. */
const ordinalName = (ordinal: number): string => (ordinal === LAST ? 'last' : (ORDINALS[ordinal - 1] ?? ''));
const monthDayName = (ordinal: number, weekday: number): string => `${ordinalName(ordinal)} ${fullName(weekday)}`;

/** `mon`, `Monday`, `MO`, `Tues.` and `Fridays` in any case; `undefined` for other texts. */
function readWeekday(text: string): number | undefined {
  const name = text.trim().toLowerCase().replace(/\.$/, '').replace(/s$/, '');
  const found = name.length < 2 ? -1 : WEEKDAYS.findIndex((day) => day.toLowerCase().startsWith(name));
  return found < 0 ? undefined : found;
}

function readOrdinal(text: string): number | undefined {
  const name = text.toLowerCase();
  if (name === 'last') return LAST;
  const found = [ORDINALS, NUMBERS].map((words) => words.findIndex((word) => word === name)).find((at) => at >= 0);
  return found === undefined ? undefined : found + 1;
}

/** `first Monday`, `the 1st Mon`, `last fri`. */
function readMonthDay(text: string): { readonly ordinal: number; readonly weekday: number } | undefined {
  const [, order = '', day = ''] = /^(?:the\s+)?(\S+)\s+(\S+)$/i.exec(text.trim()) ?? [];
  const [ordinal, weekday] = [readOrdinal(order), readWeekday(day)];
  return ordinal === undefined || weekday === undefined ? undefined : { ordinal, weekday };
}

/** `the 1st mon` → `first Monday`; another text stays. */
export function normalizeMonthDay(text: string): string {
  const day = readMonthDay(text);
  return day ? monthDayName(day.ordinal, day.weekday) : text;
}

/** The fields of a rule, as a request or a service has them. */
export interface WeekdayRuleInput {
  readonly Days?: readonly string[] | null | undefined;
  readonly On?: string | null | undefined;
  readonly IfMissing?: 'skip' | 'last' | null | undefined;
}

export const weekdayFields = (service: ServiceRecord): WeekdayRuleInput => ({
  Days: service.RecurringEventSetting_Days,
  On: service.RecurringEventSetting_On,
  IfMissing: service.RecurringEventSetting_IfMissing,
});

interface ReadRule {
  /** `undefined` if there are no days, or they cannot be read. */
  readonly rule: WeekdayRule | undefined;
  readonly errors: readonly FieldError[];
}

/** The rule of Days, or that of On. A fifth day that is the last where a month lacks it is the last in any month. */
export function readWeekdayRule({ Days, On, IfMissing }: WeekdayRuleInput, every: number): ReadRule {
  if (Days?.length && On)
    return { rule: undefined, errors: [{ field: 'On', code: 'mismatch', message: 'cannot be combined with Days' }] };
  if (Days?.length) return readWeekly(Days, every);
  if (!On) return { rule: undefined, errors: [] };
  const day = readMonthDay(On);
  if (!day) {
    const message = `must be first, second, third, fourth, fifth or last and a day of the week, such as first Monday`;
    return { rule: undefined, errors: [{ field: 'On', code: 'unknown_value', message }] };
  }
  const ordinal = day.ordinal === 5 && IfMissing === 'last' ? LAST : day.ordinal;
  return { rule: { kind: 'monthly', every, weekday: day.weekday, ordinal }, errors: [] };
}

function readWeekly(days: readonly string[], every: number): ReadRule {
  const read = days.map(readWeekday);
  const errors = read.flatMap((weekday, index): FieldError[] =>
    weekday === undefined
      ? [
          {
            field: `Days[${index}]`,
            code: 'unknown_value',
            message: 'must be a day of the week, such as Mon or Monday',
          },
        ]
      : [],
  );
  const weekdays = [...new Set(read.filter((weekday) => weekday !== undefined))].toSorted((one, other) => one - other);
  return { rule: errors.length ? undefined : { kind: 'weekly', every, weekdays, weekStart: 0 }, errors };
}

/**
 * A rule as the RRULE of RFC 5545: `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH`, `FREQ=MONTHLY;BYDAY=1TU`. WKST is there where
 * it matters: if the days of every second week were moved beyond a Sunday.
 */
export function toRecurrenceRule(rule: WeekdayRule): string {
  const interval = rule.every === 1 ? [] : [`INTERVAL=${rule.every}`];
  if (rule.kind === 'monthly')
    return ['FREQ=MONTHLY', ...interval, `BYDAY=${rule.ordinal}${CODES[rule.weekday] ?? ''}`].join(';');
  const weekStart = hasWeekStart(rule) ? [`WKST=${CODES[rule.weekStart] ?? ''}`] : [];
  const days = rule.weekdays.map((weekday) => CODES[weekday] ?? '').join(',');
  return ['FREQ=WEEKLY', ...interval, `BYDAY=${days}`, ...weekStart].join(';');
}

const hasWeekStart = (rule: WeekdayRule): boolean =>
  rule.kind === 'weekly' && rule.every > 1 && rule.weekdays.length > 1 && rule.weekStart !== 0;

/** The rule of a text that toRecurrenceRule has made; `undefined` for any other, such as `''`. */
export function parseRecurrenceRule(text: string): WeekdayRule | undefined {
  const parts = new Map(text.split(';').map((part) => part.split('=', 2) as [string, string]));
  const every = Number(parts.get('INTERVAL') ?? 1);
  const days = (parts.get('BYDAY') ?? '').split(',');
  const codeAt = (code: string): number => CODES.findIndex((each) => each === code);
  if (parts.get('FREQ') === 'WEEKLY') {
    const weekStart = codeAt(parts.get('WKST') ?? 'MO');
    return { kind: 'weekly', every, weekdays: days.map(codeAt), weekStart };
  }
  if (parts.get('FREQ') !== 'MONTHLY') return undefined;
  const day = days[0] ?? '';
  return { kind: 'monthly', every, weekday: codeAt(day.slice(-2)), ordinal: Number(day.slice(0, -2)) };
}

/** `every 2 weeks on Mon and Thu`, `every month on the first Tuesday`. */
export function describeRule(rule: WeekdayRule): string {
  const unit = rule.kind === 'weekly' ? 'week' : 'month';
  const each = rule.every === 1 ? `every ${unit}` : `every ${rule.every} ${unit}s`;
  if (rule.kind === 'monthly') return `${each} on the ${monthDayName(rule.ordinal, rule.weekday)}`;
  const days = rule.weekdays.map(shortName);
  const listed = days.length > 1 ? `${days.slice(0, -1).join(', ')} and ${days.at(-1)}` : days.join('');
  return `${each} on ${listed}${hasWeekStart(rule) ? `, with weeks from ${shortName(rule.weekStart)}` : ''}`;
}
