import { dayNumber, toDate, toLocalDay } from '../shared/time/time.ts';
import { type ParsedMoment, isSameSecond } from '../shared/time/read-moments.ts';

/** A moment of a record, which is a calendar date where it was given without a time. */
export interface GivenDate {
  readonly at: number | null;
  /** The calendar date; `''` for a moment. */
  readonly Day: string;
  /** In which it was read. */
  readonly Zone: string;
}

/** A date or moment that was read in `zone`. The moment that a response had leaves a calendar date what it is. */
export function toGivenDate(
  parsed: Extract<ParsedMoment, { ok: true }>,
  zone: string,
  before: GivenDate,
): GivenDate & { readonly at: number } {
  if (parsed.dateOnly) return { at: parsed.at, Day: toDate(parsed.day), Zone: zone };
  const isUnchanged = isSameSecond(parsed.at, before.at);
  return { at: parsed.at, Day: isUnchanged ? before.Day : '', Zone: isUnchanged ? before.Zone : zone };
}

/** The day of a record, in days since 1970: its calendar date, else that of its moment in `zone`. */
export const dayOfRecord = (at: number, Day: string, zone: string): number =>
  Day ? dayNumber(Day) : toLocalDay(at, zone);
