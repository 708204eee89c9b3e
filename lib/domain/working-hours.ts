import type { TimeSlot } from '../resources/organizations.ts';
import type { Input } from '../resources/resource.ts';
import { type FieldError, prefixErrors } from '../shared/field-errors.ts';
import { toLocal, toLocalDate } from '../shared/format-moments.ts';
import { parseDate, parseMoment } from '../shared/read-moments.ts';
import { fold } from '../shared/text.ts';
import { firstInstantAt } from '../shared/zones.ts';
import { parsePostalCodes, postalCodeError, splitPostalCodes } from './postal-ownership.ts';
import { DAY } from '../shared/time.ts';

/** Weekly hours as a request brings them. */
export type TimeSlotInput = Input<typeof TimeSlot>;

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const MINUTES_A_DAY = 1440;

/** The name of a day of the week, `""` for hours that hold on every day. */
const nameOfDay = (day: number | null): string => (day === null ? '' : (DAYS[day] ?? ''));

/** A date of a request as `YYYY-MM-DD`, `""` when not given. */
export function parseSlotDate(text: string | null | undefined, zone: string): { date: string; fault?: string } {
  if (!text) return { date: '' };
  const parsed = parseDate(text, zone);
  return parsed.ok ? { date: parsed.date } : { date: '', fault: `cannot be read: ${parsed.reason}` };
}

/** Dates `YYYY-MM-DD` order as text; `""` is open on its side. */
export const sortTimeSlots = (start: string, end: string): boolean => start === '' || end === '' || start <= end;

function dayOf({ DayOfWeek, NameOfDay }: TimeSlotInput): { day: number | null; errors: FieldError[] } {
  const named = NameOfDay ? DAYS.findIndex((day) => fold(day) === fold(NameOfDay)) : -1;
  if (NameOfDay && named < 0)
    return { day: null, errors: [{ field: 'NameOfDay', message: `must be one of ${DAYS.join(', ')}` }] };
  if (DayOfWeek == null) return { day: named < 0 ? null : named, errors: [] };
  const disagree = named >= 0 && named !== DayOfWeek;
  return {
    day: DayOfWeek,
    errors: disagree
      ? [{ field: 'NameOfDay', message: `is not the name of DayOfWeek ${DayOfWeek}, which is ${nameOfDay(DayOfWeek)}` }]
      : [],
  };
}

function timeSlotOf(input: TimeSlotInput, zone: string): { slot: TimeSlot; errors: FieldError[] } {
  const { day, errors } = dayOf(input);
  const start = input.StartMinute ?? 0;
  const minutes = input.Minutes ?? 0;
  const [from, to] = [parseSlotDate(input.StartDate, zone), parseSlotDate(input.EndDate, zone)];
  const { codes, wrong } = parsePostalCodes(splitPostalCodes(input.PostalCodes ?? ''));
  const slot = {
    DayOfWeek: day,
    NameOfDay: nameOfDay(day),
    StartMinute: start,
    Minutes: minutes,
    StartDate: from.date,
    EndDate: to.date,
    ServiceCategoryName: input.ServiceCategoryName?.trim() ?? '',
    PostalCodes: codes.join(','),
  };
  const said = (field: string, message: string | undefined | false) => (message ? [{ field, message }] : []);
  return {
    slot,
    errors: [
      ...errors,
      ...said('Minutes', minutes < 1 && 'must be at least 1'),
      // 1380 (23:00) and 120 minutes would end at 1:00 of the next day, which is a slot of that day.
      ...said(
        'Minutes',
        start + minutes > MINUTES_A_DAY &&
          `must end by midnight: StartMinute ${start} leaves ${MINUTES_A_DAY - start}; give the rest as a slot of the next day`,
      ),
      ...said('StartDate', from.fault),
      ...said(
        'EndDate',
        to.fault ?? (!sortTimeSlots(from.date, to.date) && `must not be before StartDate ${from.date}`),
      ),
      ...said('PostalCodes', postalCodeError(wrong)),
    ],
  };
}

/**
 * Hours for the same work (category and postal codes) that hold at the same time on some day would be counted twice.
 */
const overlap = (a: TimeSlot, b: TimeSlot): boolean =>
  (a.DayOfWeek === null || b.DayOfWeek === null || a.DayOfWeek === b.DayOfWeek) &&
  a.StartMinute < b.StartMinute + b.Minutes &&
  b.StartMinute < a.StartMinute + a.Minutes &&
  sortTimeSlots(a.StartDate, b.EndDate) &&
  sortTimeSlots(b.StartDate, a.EndDate) &&
  fold(a.ServiceCategoryName) === fold(b.ServiceCategoryName) &&
  a.PostalCodes === b.PostalCodes;

/**
 * Weekly hours, validated as a whole: a day (0 Sunday to 6, or its name; neither for every day), minutes within it,
 * dates in order, postal codes, and no two slots for the same work at the same time. Faults name the slot:
 * `[2].Minutes`.
 */
export function applyTimeSlots(
  input: readonly TimeSlotInput[],
  zone: string,
): { slots: TimeSlot[]; errors: FieldError[] } {
  const read = input.map((slot) => timeSlotOf(slot, zone));
  const errors = read.flatMap((one, index) => {
    const other = read.slice(0, index).findIndex(({ slot }) => overlap(slot, one.slot));
    const twice = other >= 0 && !one.errors.length ? [{ field: '', message: `overlaps TimeSlots[${other}]` }] : [];
    return prefixErrors(`[${index}]`, [...one.errors, ...twice]);
  });
  return { slots: read.map(({ slot }) => slot), errors };
}

/** A day on which an organization does not work. `Date` is `YYYY-MM-DD`. */
export interface Holiday {
  readonly Date: string;
  readonly Name: string;
}

/** A stretch in which a service agent does not work: from `From` until before `Until`, milliseconds since 1970. */
export interface TimeOff {
  readonly From: number;
  readonly Until: number;
  readonly Reason: string;
}

/** A holiday as people say it. */
export interface HolidayInput {
  readonly Date: string;
  readonly Name?: string | null | undefined;
}

/** Time off as people say it: dates, the last of which is still off, or moments. Without `Through` it is one day. */
export interface TimeOffInput {
  readonly From: string;
  readonly Through?: string | null | undefined;
  readonly Reason?: string | null | undefined;
}

/** Holidays by date, each date once. Faults name the holiday: `[2].Date`. */
export function applyHolidays(
  input: readonly HolidayInput[],
  zone: string,
): { holidays: Holiday[]; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const byDate = new Map<string, Holiday>();
  for (const [index, { Date: text, Name }] of input.entries()) {
    const parsed = parseDate(text, zone);
    if (!parsed.ok) errors.push({ field: `[${index}].Date`, message: `cannot be read: ${parsed.reason}` });
    else if (byDate.has(parsed.date))
      errors.push({ field: `[${index}].Date`, message: `${parsed.date} is given twice` });
    else byDate.set(parsed.date, { Date: parsed.date, Name: (Name ?? '').trim() });
  }
  return { holidays: [...byDate.values()].sort((a, b) => (a.Date < b.Date ? -1 : 1)), errors };
}

/** The instant after a day: 2026-03-08 in New York, of 23 hours, ends at 04:00Z of the 9th. */
const dayAfter = (at: number, zone: string): number =>
  firstInstantAt(Date.parse(`${toLocalDate(at, zone)}T00:00:00Z`) + DAY, zone);

/** Stretches of time off in their order. Faults name the stretch: `[0].Through`. */
export function applyTimeOff(
  input: readonly TimeOffInput[],
  zone: string,
): { stretches: TimeOff[]; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const stretches = input.flatMap(({ From, Through, Reason }, index): TimeOff[] => {
    const [from, through] = [parseMoment(From, zone), parseMoment(Through || From, zone)];
    if (!from.ok) errors.push({ field: `[${index}].From`, message: `cannot be read: ${from.reason}` });
    if (Through && !through.ok)
      errors.push({ field: `[${index}].Through`, message: `cannot be read: ${through.reason}` });
    if (!from.ok || !through.ok) return [];
    const Until = through.dateOnly ? dayAfter(through.at, zone) : through.at;
    if (Until <= from.at) errors.push({ field: `[${index}].Through`, message: 'must be after From' });
    return [{ From: from.at, Until, Reason: (Reason ?? '').trim() }];
  });
  return { stretches: stretches.sort((a, b) => a.From - b.From || a.Until - b.Until), errors };
}

/** A stretch as people say it, so that `timeOffOf` reads the same: whole days as dates. */
export function describeTimeOff({ From, Until, Reason }: TimeOff, zone: string): TimeOffInput {
  const isMidnight = (at: number) => firstInstantAt(Date.parse(`${toLocalDate(at, zone)}T00:00:00Z`), zone) === at;
  if (!isMidnight(From) || !isMidnight(Until))
    return { From: toLocal(From, zone), Through: toLocal(Until, zone), Reason };
  const [first, last] = [toLocalDate(From, zone), toLocalDate(Until - 1, zone)];
  return { From: first, ...(last === first ? {} : { Through: last }), Reason };
}
