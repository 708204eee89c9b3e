import { LRUCache } from 'lru-cache';
import { type ClockChange, DAY, clockChanges, offsetAt } from '../shared/time/time.ts';
import { calendarMoment } from './calendar-buttons.ts';

/**
 * Writes the VTIMEZONE of a zone from the clocks that the runtime knows, the same by which its times are written.
 * Outlook reads no dates of changes (RDATE), only yearly rules (RRULE). So a zone that keeps its rules has those; one
 * that does not, such as Gaza or a zone that gives up the summer time, has an observance for each change of the period.
 */

/** In so many years the fourth Sunday of a month is not always its last one. */
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
  const [month, weekday] = [
    common(walls.map((wall) => wall.getUTCMonth())),
    common(walls.map((wall) => wall.getUTCDay())),
  ];
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

interface Period {
  readonly start: number;
  readonly end: number;
}

const known = new LRUCache<string, readonly string[]>({ max: 100 });

/** The lines of the VTIMEZONE of a zone, right for all moments of a period of less than a year. */
export function timeZoneLines(zone: string, period: Period): readonly string[] {
  const name = [zone, ...[period.start, period.end].map((at) => Math.floor(at / DAY))].join(' ');
  const lines = known.get(name) ?? makeLines(zone, period);
  known.set(name, lines);
  return lines;
}

function makeLines(zone: string, { start, end }: Period): readonly string[] {
  const year = new Date(start).getUTCFullYear() - 1;
  const yearly = yearlyObservances(clockChanges(Date.UTC(year, 0), Date.UTC(year + YEARS, 0) - 1, zone));
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...(yearly ?? singleObservances(zone, { start, end })), 'END:VTIMEZONE'];
}

/** The offset at the start, and an observance for each change since then. */
function singleObservances(zone: string, { start, end }: Period): string[] {
  const offset = offsetAt(start, zone);
  return [
    ...observance({ before: offset, after: offset }, '19700101T000000'),
    ...clockChanges(start, end, zone)
      .filter(({ at }) => at > start)
      .flatMap((change) => observance(change, localMoment(wallTime(change)))),
  ];
}
