import { LRUCache } from 'lru-cache';
import { type ClockChange, DAY, clockChanges, offsetAt } from '../shared/time/time.ts';
import { calendarMoment } from './calendar-buttons.ts';

/**
 * Writes the VTIMEZONE of a zone from the clocks that the runtime knows, the same by which its times are written. Outlook
 * reads only yearly rules (RRULE) of it, so a zone with the same rules each year has those; one without, such as
 * Casablanca with Ramadan, has an observance for each change.
 */

/** Years that tell the fourth Sunday of a month from its last one. */
const YEARS = 5;

/** `-0400`, or `-004430` with seconds. */
function offsetText(offset: number): string {
  const seconds = Math.abs(offset) / 1000;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const digits = parts.map((part) => String(part).padStart(2, '0'));
  return `${offset < 0 ? '-' : '+'}${digits.slice(0, seconds % 60 ? 3 : 2).join('')}`;
}

/** When the clocks showed what before a change. */
const wallTime = ({ at, before }: ClockChange): Date => new Date(at + before);

function observance(change: Omit<ClockChange, 'at'>, start: string, rule?: string): string[] {
  const { before, after } = change;
  const name = after > before ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${name}`,
    `DTSTART:${start}`,
    `TZOFFSETFROM:${offsetText(before)}`,
    `TZOFFSETTO:${offsetText(after)}`,
    ...(rule ? [`RRULE:${rule}`] : []),
    `END:${name}`,
  ];
}

const localMoment = (date: Date): string => calendarMoment(date.getTime()).slice(0, -1);

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** What a list has throughout; `undefined` if its values differ. */
const common = <Value>(values: readonly Value[]): Value | undefined =>
  new Set(values).size === 1 ? values[0] : undefined;

/** The rule that all changes of one kind follow: `FREQ=YEARLY;BYMONTH=3;BYDAY=2SU`; `undefined` without one. */
function yearlyRule(changes: readonly ClockChange[]): string | undefined {
  const walls = changes.map(wallTime);
  const sizes = common(changes.map(({ before, after }) => `${before} ${after}`));
  const clock = common(walls.map((wall) => wall.getTime() % DAY));
  const [month, weekday] = [common(walls.map((wall) => wall.getUTCMonth())), common(walls.map((wall) => wall.getUTCDay()))];
  const week = common(walls.map((wall) => Math.ceil(wall.getUTCDate() / 7)));
  const isLast = walls.every((wall) => new Date(wall.getTime() + 7 * DAY).getUTCMonth() !== wall.getUTCMonth());
  if (sizes === undefined || clock === undefined || month === undefined || weekday === undefined) return undefined;
  if (week === undefined && !isLast) return undefined;
  return `FREQ=YEARLY;BYMONTH=${month + 1};BYDAY=${week ?? -1}${WEEKDAYS[weekday]}`;
}

/** Observances by yearly rules, if the zone has two changes in each of these years that follow them. */
function yearlyObservances(changes: readonly ClockChange[]): string[] | undefined {
  const kinds = [...Map.groupBy(changes, ({ before, after }) => after > before).values()];
  const rules = kinds.map(yearlyRule);
  if (kinds.length !== 2 || kinds.some(({ length }) => length !== YEARS)) return undefined;
  if (rules.some((rule) => rule === undefined)) return undefined;
  return kinds.flatMap(([first], index) =>
    first ? observance(first, localMoment(wallTime(first)), rules[index]) : [],
  );
}

const known = new LRUCache<string, readonly string[]>({ max: 100 });

/** The lines of the VTIMEZONE of a zone, right for moments from a year before to three years behind `now`. */
export function timeZoneLines(zone: string, now: number): readonly string[] {
  const first = new Date(now).getUTCFullYear() - 1;
  const name = `${zone} ${first}`;
  const lines = known.get(name) ?? makeLines(zone, first);
  known.set(name, lines);
  return lines;
}

function makeLines(zone: string, firstYear: number): readonly string[] {
  const [from, until] = [Date.UTC(firstYear, 0), Date.UTC(firstYear + YEARS, 0)];
  const changes = clockChanges(from, until - 1, zone);
  const offset = offsetAt(from, zone);
  const observances = yearlyObservances(changes) ?? [
    ...observance({ before: offset, after: offset }, '19700101T000000'),
    ...changes.flatMap((change) => observance(change, localMoment(wallTime(change)))),
  ];
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...observances, 'END:VTIMEZONE'];
}
