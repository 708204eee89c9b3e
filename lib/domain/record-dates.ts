import { dayNumber, toDate, toLocalDay } from '../shared/time/time.ts';
import { type ParsedMoment, isSameSecond } from '../shared/time/read-moments.ts';

/** The date of a record: a moment, or a calendar date if it was given without a time. */
export interface RecordDate {
  readonly at: number | null;
  /** The calendar date; `''` for a moment. */
  readonly Day: string;
  /** The zone in which it was read. */
  readonly Zone: string;
}

/** A date or moment read in `zone`. Sending back the moment from a response keeps a calendar date a calendar date. */
export function toRecordDate(
  parsed: Extract<ParsedMoment, { ok: true }>,
  zone: string,
  before: RecordDate,
): RecordDate & { readonly at: number } {
  if (parsed.dateOnly) return { at: parsed.at, Day: toDate(parsed.day), Zone: zone };
  const isUnchanged = isSameSecond(parsed.at, before.at);
  return { at: parsed.at, Day: isUnchanged ? before.Day : '', Zone: isUnchanged ? before.Zone : zone };
}

/** The day of a record, in days since 1970: its calendar date, else the date of its moment in `zone`. */
export const dayOfRecord = (at: number, Day: string, zone: string): number =>
  Day ? dayNumber(Day) : toLocalDay(at, zone);
