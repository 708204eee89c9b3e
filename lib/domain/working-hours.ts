import type { TimeOff, TimeSlot } from '../entities/service-agents.ts';
import type { Holiday } from '../entities/organizations.ts';
import type { Input } from '../resources/fields.ts';
import { type FieldError, collectErrors, prefixErrors } from '../shared/failure.ts';
import { DAY, firstInstantAt, toLocal, toLocalDate } from '../shared/time/time.ts';
import { parseCalendarDate, parseMoment } from '../shared/time/read-moments.ts';
import { fold } from '../shared/text/text.ts';
import { parsePostalCodes, splitPostalCodes } from './postal-ownership.ts';

export type TimeSlotInput = Input<typeof TimeSlot>;

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const MINUTES_A_DAY = 1440;

const weekdayName = (day: number | null): string => (day === null ? '' : (WEEKDAYS[day] ?? ''));

/** A calendar date in a request, as written: `YYYY-MM-DD`; `""` if it is absent or unreadable. */
export function parseOptionalDate(text: string | null | undefined): { date: string; error?: string } {
  if (!text) return { date: '' };
  const parsed = parseCalendarDate(text);
  return parsed.ok ? { date: parsed.date } : { date: '', error: `cannot be read: ${parsed.reason}` };
}

/** The error of a period that ends before it starts; dates are `YYYY-MM-DD`, `""` is open. */
export const endDateError = (start: string, end: string): string | undefined =>
  start && end && end < start ? `must not be before StartDate ${start}` : undefined;

function resolveWeekday({ DayOfWeek, NameOfDay }: TimeSlotInput): { day: number | null; error?: string } {
  const byName = NameOfDay ? WEEKDAYS.findIndex((day) => fold(day) === fold(NameOfDay)) : null;
  if (byName === -1) return { day: null, error: `must be one of ${WEEKDAYS.join(', ')}` };
  const day = DayOfWeek ?? byName;
  return day === byName || byName === null
    ? { day }
    : { day, error: `is not the name of DayOfWeek ${day}, which is ${weekdayName(day)}` };
}

function applyTimeSlot(input: TimeSlotInput): { slot: TimeSlot; errors: FieldError[] } {
  const weekday = resolveWeekday(input);
  const [start, end] = [parseOptionalDate(input.StartDate), parseOptionalDate(input.EndDate)];
  const postalCodes = parsePostalCodes(splitPostalCodes(input.PostalCodes ?? ''));
  const slot = {
    DayOfWeek: weekday.day,
    NameOfDay: weekdayName(weekday.day),
    StartMinute: input.StartMinute ?? 0,
    Minutes: input.Minutes ?? 0,
    StartDate: start.date,
    EndDate: end.date,
    ServiceCategoryName: input.ServiceCategoryName?.trim() ?? '',
    PostalCodes: postalCodes.codes.join(','),
  };
  // A slot of 1380 (23:00) and 120 minutes would end at 1:00 the next day, which requires a slot on that day.
  const available = MINUTES_A_DAY - slot.StartMinute;
  const late =
    `must end by midnight: StartMinute ${slot.StartMinute} leaves ${available} minutes. ` +
    'Give the rest as a slot of the next day';
  const errors = collectErrors(
    ['NameOfDay', weekday.error, 'unknown_value'],
    ['Minutes', slot.Minutes < 1 && 'must be at least 1', 'range'],
    ['Minutes', slot.Minutes > available && late, 'range'],
    ['StartDate', start.error, 'format'],
    ['EndDate', end.error ?? endDateError(slot.StartDate, slot.EndDate), 'range'],
    ['PostalCodes', postalCodes.error, 'format'],
  );
  return { slot, errors };
}

/** Whether two slots for the same work (category and postal codes) share a minute of a day, which would count twice. */
const overlap = (a: TimeSlot, b: TimeSlot): boolean =>
  (a.DayOfWeek === null || b.DayOfWeek === null || a.DayOfWeek === b.DayOfWeek) &&
  a.StartMinute < b.StartMinute + b.Minutes &&
  b.StartMinute < a.StartMinute + a.Minutes &&
  !endDateError(a.StartDate, b.EndDate) &&
  !endDateError(b.StartDate, a.EndDate) &&
  fold(a.ServiceCategoryName) === fold(b.ServiceCategoryName) &&
  a.PostalCodes === b.PostalCodes;

/**
 * Validates weekly hours as a whole. A slot has a weekday (0 Sunday to 6, or its name; neither for every day); slots
 * for the same work must not overlap. Errors name the slot: `[2].Minutes`.
 */
export function applyTimeSlots(input: readonly TimeSlotInput[]): { slots: TimeSlot[]; errors: FieldError[] } {
  const applied = input.map(applyTimeSlot);
  const slots = applied.map(({ slot }) => slot);
  const errors = applied.flatMap(({ slot, errors: own }, index) => {
    const other = own.length ? -1 : slots.slice(0, index).findIndex((earlier) => overlap(earlier, slot));
    const overlaps = collectErrors(['', other >= 0 && `overlaps TimeSlots[${other}]`, 'duplicate']);
    return prefixErrors(`[${index}]`, [...own, ...overlaps]);
  });
  return { slots, errors };
}

export interface HolidayInput {
  readonly Date: string;
  readonly Name?: string | null | undefined;
}

/** Dates, the last of which is included, or moments. Without `Through` it is one day. */
export interface TimeOffInput {
  readonly From: string;
  readonly Through?: string | null | undefined;
  readonly Reason?: string | null | undefined;
}

/** Holidays by date as written, each date only once. Errors name the holiday: `[2].Date`. */
export function applyHolidays(input: readonly HolidayInput[]): { holidays: Holiday[]; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const byDate = new Map<string, Holiday>();
  for (const [index, { Date: text, Name }] of input.entries()) {
    const field = `[${index}].Date`;
    const parsed = parseCalendarDate(text);
    if (!parsed.ok) errors.push({ field, code: 'format', message: `cannot be read: ${parsed.reason}` });
    else if (byDate.has(parsed.date)) errors.push({ field, code: 'duplicate', message: `${parsed.date} occurs twice` });
    else byDate.set(parsed.date, { Date: parsed.date, Name: (Name ?? '').trim() });
  }
  return { holidays: [...byDate.values()].sort((a, b) => (a.Date < b.Date ? -1 : 1)), errors };
}

const utcMidnight = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** The instant after a day: 2026-03-08 in New York, of 23 hours, ends at 04:00Z on the 9th. */
const dayAfter = (at: number, zone: string): number => firstInstantAt(utcMidnight(toLocalDate(at, zone)) + DAY, zone);

/** Time off, sorted. Errors name the entry: `[0].Through`. */
export function applyTimeOff(
  input: readonly TimeOffInput[],
  zone: string,
): { timeOff: TimeOff[]; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const timeOff = input.flatMap(({ From, Through, Reason }, index): TimeOff[] => {
    const [from, through] = [parseMoment(From, zone), parseMoment(Through || From, zone)];
    const until = through.ok && (through.dateOnly ? dayAfter(through.at, zone) : through.at);
    const own = collectErrors(
      ['From', !from.ok && `cannot be read: ${from.reason}`, 'format'],
      ['Through', Boolean(Through) && !through.ok && `cannot be read: ${through.reason}`, 'format'],
      ['Through', from.ok && until !== false && until <= from.at && 'must be after From', 'range'],
    );
    errors.push(...prefixErrors(`[${index}]`, own));
    return from.ok && until !== false ? [{ From: from.at, Until: until, Reason: (Reason ?? '').trim() }] : [];
  });
  return { timeOff: timeOff.sort((a, b) => a.From - b.From || a.Until - b.Until), errors };
}

/** Time off in a form that applyTimeOff reads back: whole days as dates. */
export function describeTimeOff({ From, Until, Reason }: TimeOff, zone: string): TimeOffInput {
  const isMidnight = (at: number) => firstInstantAt(utcMidnight(toLocalDate(at, zone)), zone) === at;
  if (!isMidnight(From) || !isMidnight(Until))
    return { From: toLocal(From, zone), Through: toLocal(Until, zone), Reason };
  const [start, last] = [toLocalDate(From, zone), toLocalDate(Until - 1, zone)];
  return { From: start, ...(last === start ? {} : { Through: last }), Reason };
}
