import type { Fault } from './faults.ts';
import { parseDate, parseMoment } from './moments-in.ts';
import { toLocal, toLocalDate } from './moments-out.ts';
import { startOfDay } from './zones.ts';

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

const DAY = 86_400_000;

/** Holidays by date, each date once. Faults name the holiday: `[2].Date`. */
export function holidaysOf(given: readonly HolidayInput[], zone: string): { holidays: Holiday[]; faults: Fault[] } {
  const faults: Fault[] = [];
  const byDate = new Map<string, Holiday>();
  for (const [index, { Date: text, Name }] of given.entries()) {
    const parsed = parseDate(text, zone);
    if (!parsed.ok) faults.push({ field: `[${index}].Date`, message: `cannot be read: ${parsed.reason}` });
    else if (byDate.has(parsed.date))
      faults.push({ field: `[${index}].Date`, message: `${parsed.date} is given twice` });
    else byDate.set(parsed.date, { Date: parsed.date, Name: (Name ?? '').trim() });
  }
  return { holidays: [...byDate.values()].sort((a, b) => (a.Date < b.Date ? -1 : 1)), faults };
}

/** The instant after a day: 2026-03-08 in New York, of 23 hours, ends at 04:00Z of the 9th. */
const dayAfter = (at: number, zone: string): number =>
  startOfDay(Date.parse(`${toLocalDate(at, zone)}T00:00:00Z`) + DAY, zone);

/** Stretches of time off in their order. Faults name the stretch: `[0].Through`. */
export function timeOffOf(given: readonly TimeOffInput[], zone: string): { stretches: TimeOff[]; faults: Fault[] } {
  const faults: Fault[] = [];
  const stretches = given.flatMap(({ From, Through, Reason }, index): TimeOff[] => {
    const [from, through] = [parseMoment(From, zone), parseMoment(Through || From, zone)];
    if (!from.ok) faults.push({ field: `[${index}].From`, message: `cannot be read: ${from.reason}` });
    if (Through && !through.ok)
      faults.push({ field: `[${index}].Through`, message: `cannot be read: ${through.reason}` });
    if (!from.ok || !through.ok) return [];
    const Until = through.dateOnly ? dayAfter(through.at, zone) : through.at;
    if (Until <= from.at) faults.push({ field: `[${index}].Through`, message: 'must be after From' });
    return [{ From: from.at, Until, Reason: (Reason ?? '').trim() }];
  });
  return { stretches: stretches.sort((a, b) => a.From - b.From || a.Until - b.Until), faults };
}

/** A stretch as people say it, so that `timeOffOf` reads the same: whole days as dates. */
export function timeOffText({ From, Until, Reason }: TimeOff, zone: string): TimeOffInput {
  const isMidnight = (at: number) => startOfDay(Date.parse(`${toLocalDate(at, zone)}T00:00:00Z`), zone) === at;
  if (!isMidnight(From) || !isMidnight(Until))
    return { From: toLocal(From, zone), Through: toLocal(Until, zone), Reason };
  const [first, last] = [toLocalDate(From, zone), toLocalDate(Until - 1, zone)];
  return { From: first, ...(last === first ? {} : { Through: last }), Reason };
}
