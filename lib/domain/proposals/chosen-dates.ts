import type { Input } from '../../resources/resource.ts';
import type { SubscriptionDate } from '../../resources/subscriptions.ts';
import { momentText, type AppointmentView } from '../appointments/resource.ts';
import { dateMidnight } from '../appointments/times.ts';
import type { Fault } from '../faults.ts';
import { parseDate } from '../moments-in.ts';
import type { Visit } from './visits.ts';

type DateInput = Input<typeof SubscriptionDate>;

/** Which days a request has chosen for visits: by the visit's number, a date of the zone. */
export interface ChosenDates {
  readonly dates: ReadonlyMap<number, string>;
  readonly faults: readonly Fault[];
}

/** The visit that a request means: by Id, else by its place. */
const numberOf = ({ Id }: DateInput, index: number): number => Id || index + 1;

/** Reads the SelectedDate of visits: the visit's own date or one of its AlternateDates. */
export function chooseDates(visits: readonly Visit[], given: readonly DateInput[], zone: string): ChosenDates {
  const dates = new Map<number, string>();
  const seen = new Set<number>();
  const faults = given.flatMap((entry, index): Fault[] => {
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
  return { dates, faults };
}

/** Visits as they are answered, with the days that were chosen for them. */
export const withChosen = (
  shown: readonly SubscriptionDate[],
  { dates }: ChosenDates,
  { zone, dateStyle }: { readonly zone: string; readonly dateStyle: AppointmentView['dateStyle'] },
): SubscriptionDate[] =>
  shown.map((visit) => {
    const chosen = dates.get(visit.Id);
    return chosen ? { ...visit, SelectedDate: momentText(dateMidnight(chosen, zone), zone, dateStyle) } : visit;
  });
