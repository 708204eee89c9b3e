import ICAL from 'ical.js';
import { RRuleTemporal } from 'rrule-temporal';
import { DAY, SECOND } from '../../shared/time/time.ts';
import { type Interval, merge, overlaps } from '../scheduling/calendar.ts';
import { FeedError } from './feed-error.ts';
import { type ToInstant, feedZones } from './feed-zones.ts';

/**
 * Reads when somebody is busy from an iCalendar file (RFC 5545). Only the properties below are read, so titles, places
 * and guests never leave the text, and a line that is wrong elsewhere does not matter.
 */
const READ = new Set(
  (
    'BEGIN END UID DTSTART DTEND DURATION RRULE RDATE EXDATE RECURRENCE-ID STATUS TRANSP TZID TZOFFSETFROM ' +
    'TZOFFSETTO X-MICROSOFT-CDO-BUSYSTATUS'
  ).split(' '),
);

/** The most events of a file, repetitions of an event that are looked at, and busy times. */
const MAX_EVENTS = 20_000;
const MAX_REPETITIONS = 20_000;
const MAX_TIMES = 5_000;
const MAX_TIMES_A_DAY = 100;

export interface FeedOptions {
  /** The organization's zone: of whole days, of times without a zone, and of unknown zones. */
  readonly zone: string;
  /** The time that is read. */
  readonly window: Interval;
  /** Whether a UID is that of a visit of the account, which has its own time. */
  readonly isVisit: (uid: string) => boolean;
}

/** A time as the file writes it: the reading of a clock, and the name of the clock's zone. */
interface Written {
  readonly wall: number;
  readonly tzid: string;
  readonly isDate: boolean;
}

/** The merged busy times in the window. Throws FeedError, whatever the file has in it. */
export function readFeed(text: string, options: FeedOptions): Interval[] {
  try {
    return readTimes(text, options);
  } catch (error) {
    // Errors of the libraries quote the file.
    throw error instanceof FeedError ? error : new FeedError('The iCalendar file cannot be read.');
  }
}

function readTimes(text: string, options: FeedOptions): Interval[] {
  const file = parse(text);
  const events = file.getAllSubcomponents('vevent');
  if (events.length > MAX_EVENTS) throw new FeedError(`The calendar has more than ${MAX_EVENTS} events.`);
  const reader = new FeedReader(file, options);
  const series = Map.groupBy(events, (event) => textOf(event, 'uid'));
  const times = [...series].flatMap(([uid, own]) => (options.isVisit(uid) ? [] : reader.busyTimes(own)));
  const { start, end } = options.window;
  const merged = merge(times.map((time) => ({ start: Math.max(start, time.start), end: Math.min(end, time.end) })));
  if (merged.length > MAX_TIMES) throw new FeedError(`The calendar has more than ${MAX_TIMES} separate busy times.`);
  const ofDays = Map.groupBy(merged, (time) => Math.floor(time.start / DAY));
  if ([...ofDays.values()].some(({ length }) => length > MAX_TIMES_A_DAY))
    throw new FeedError(`The calendar has more than ${MAX_TIMES_A_DAY} separate busy times on a day.`);
  return merged;
}

function parse(text: string): ICAL.Component {
  // A line goes on where the next one begins with a space or a tab.
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n(?![ \t])|\r(?![\n \t])/);
  const read = lines.filter((line) => READ.has((/^[A-Za-z0-9-]+/.exec(line)?.[0] ?? '').toUpperCase()));
  if (!/^BEGIN:VCALENDAR\s*$/i.test(read[0] ?? '')) throw new FeedError('The answer is not an iCalendar file.');
  const parsed = ICAL.parse(read.join('\r\n')) as unknown[];
  // A text may have several calendars.
  const [first] = (typeof parsed[0] === 'string' ? [parsed] : parsed) as unknown[][];
  return new ICAL.Component(first as never);
}

const textOf = (event: ICAL.Component, name: string): string => String(event.getFirstPropertyValue(name) ?? '');

const FREE = new Set(['FREE', 'WORKINGELSEWHERE']);

const isBusy = (event: ICAL.Component): boolean =>
  textOf(event, 'status').toUpperCase() !== 'CANCELLED' &&
  textOf(event, 'transp').toUpperCase() !== 'TRANSPARENT' &&
  !FREE.has(textOf(event, 'x-microsoft-cdo-busystatus').toUpperCase());

const isTime = (value: unknown): value is ICAL.Time => value instanceof ICAL.Time;

const wallOf = ({ year, month, day, hour, minute, second, isDate }: ICAL.Time): number =>
  isDate ? Date.UTC(year, month - 1, day) : Date.UTC(year, month - 1, day, hour, minute, second);

function written(time: ICAL.Time, property?: ICAL.Property): Written {
  const tzid = time.zone === ICAL.Timezone.utcTimezone ? 'UTC' : String(property?.getParameter('tzid') ?? '');
  return { wall: wallOf(time), tzid: time.isDate ? '' : tzid, isDate: time.isDate };
}

/** The times of a property that may occur several times, each with several values. */
const timesOf = (event: ICAL.Component, name: string): Written[] =>
  event.getAllProperties(name).flatMap((property) =>
    property
      .getValues()
      .filter(isTime)
      .map((time) => written(time, property)),
  );

function startOf(event: ICAL.Component): Written | undefined {
  const property = event.getFirstProperty('dtstart');
  const value = property?.getFirstValue();
  return property && isTime(value) ? written(value, property) : undefined;
}

class FeedReader {
  readonly #instantIn: (tzid: string) => ToInstant;
  readonly #window: Interval;

  constructor(file: ICAL.Component, { zone, window }: FeedOptions) {
    this.#instantIn = feedZones(file, zone);
    this.#window = window;
  }

  /** The busy times of the events with one UID: a series, and those of its events that were changed. */
  busyTimes(events: readonly ICAL.Component[]): Interval[] {
    const { changed = [], base = [] } = Object.groupBy(events, (event) =>
      event.hasProperty('recurrence-id') ? 'changed' : 'base',
    );
    const moved = changed.flatMap((event) => timesOf(event, 'recurrence-id'));
    const ofSeries = base.filter(isBusy).flatMap((event) => this.#series(event, moved));
    const ofChanged = changed.filter(isBusy).flatMap((event) => this.#single(event));
    return [...ofSeries, ...ofChanged].filter((time) => overlaps(time, this.#window));
  }

  #at({ wall, tzid }: Written): number {
    return this.#instantIn(tzid)(wall);
  }

  #single(event: ICAL.Component): Interval[] {
    const start = startOf(event);
    return start ? [this.#timeFrom(event, start)(start.wall)] : [];
  }

  /** The time of an event that begins at a reading of the clock of its start. */
  #timeFrom(event: ICAL.Component, start: Written): (wall: number) => Interval {
    const toInstant = this.#instantIn(start.tzid);
    const [end] = timesOf(event, 'dtend');
    const duration = event.getFirstPropertyValue('duration');
    const seconds = duration instanceof ICAL.Duration ? duration.toSeconds() : 0;
    if (start.isDate) {
      const length = Math.max(DAY, end ? end.wall - start.wall : seconds * SECOND);
      return (wall) => ({ start: toInstant(wall), end: toInstant(wall + length) });
    }
    // People read the end on the clock: a shift from 22:00 to 6:00 ends at 6:00 when clocks change in between.
    if (end && end.tzid === start.tzid) {
      const length = end.wall - start.wall;
      return (wall) => ({ start: toInstant(wall), end: toInstant(wall + length) });
    }
    const length = end ? this.#at(end) - this.#at(start) : seconds * SECOND;
    return (wall) => ({ start: toInstant(wall), end: toInstant(wall) + length });
  }

  #series(event: ICAL.Component, moved: readonly Written[]): Interval[] {
    const start = startOf(event);
    if (!start) return [];
    const timeFrom = this.#timeFrom(event, start);
    const first = timeFrom(start.wall);
    const isLeftOut = this.#matcher(start, [...timesOf(event, 'exdate'), ...moved]);
    const repeated = event.getAllProperties('rrule').flatMap((property) => {
      const rule = property.getFirstValue();
      return rule instanceof ICAL.Recur ? this.#repetitionsOf(rule, start, first.end - first.start) : [];
    });
    const starts = [start.wall, ...repeated, ...this.#addedStarts(event, start)];
    return starts
      .filter((wall) => !isLeftOut(wall))
      .map(timeFrom)
      .concat(this.#addedPeriods(event));
  }

  /** Whether a start is one of those; a date stands for any time on it, and for whole days only the date counts. */
  #matcher(start: Written, others: readonly Written[]): (wall: number) => boolean {
    const dayOf = (wall: number) => Math.floor(wall / DAY);
    const byDay = others.filter((each) => start.isDate || each.isDate);
    const days = new Set(byDay.map(({ wall }) => dayOf(wall)));
    const instants = new Set(others.filter((each) => !byDay.includes(each)).map((each) => this.#at(each)));
    const toInstant = this.#instantIn(start.tzid);
    return (wall) => days.has(dayOf(wall)) || (instants.size > 0 && instants.has(toInstant(wall)));
  }

  /** RDATE, as readings of the clock of the start. */
  #addedStarts(event: ICAL.Component, start: Written): number[] {
    return timesOf(event, 'rdate').map((added) =>
      added.tzid === start.tzid || start.isDate ? added.wall : start.wall + this.#at(added) - this.#at(start),
    );
  }

  /** RDATE with periods, which have their own length. */
  #addedPeriods(event: ICAL.Component): Interval[] {
    return event.getAllProperties('rdate').flatMap((property) =>
      property
        .getValues()
        .filter((value) => value instanceof ICAL.Period)
        .map((period) => ({
          start: this.#at(written(period.start, property)),
          end: this.#at(written(period.getEnd(), property)),
        })),
    );
  }

  /**
   * The starts by a rule that may matter for the window, as readings of the clock of the first start. The rule counts
   * on that clock: 9:00 stays 9:00 when clocks change.
   */
  #repetitionsOf(rule: ICAL.Recur, start: Written, length: number): number[] {
    const toInstant = this.#instantIn(start.tzid);
    const until = Math.min(this.#window.end, rule.until ? this.#lastStart(rule.until, start) + 1 : Infinity);
    // The end of a rule may be in another zone.
    rule.until = null;
    const from = new Date(this.#window.start - length - 2 * DAY);
    const walls = repeat(start.wall, rule.toString(), { from, until: new Date(this.#window.end + 2 * DAY) });
    return walls.filter((wall) => toInstant(wall) < until);
  }

  /** The last instant at which a repetition may begin. */
  #lastStart(until: ICAL.Time, start: Written): number {
    const { wall, tzid, isDate } = written(until);
    if (isDate) return this.#instantIn(start.tzid)(wall + DAY) - 1;
    return this.#instantIn(tzid || start.tzid)(wall);
  }
}

/** The repetitions by a rule on a clock in an interval of it. */
function repeat(start: number, rule: string, { from, until }: { readonly from: Date; readonly until: Date }): number[] {
  const first = new Date(start).toISOString().replace(/[-:]|\.\d+Z$/g, '');
  const repetition = new RRuleTemporal({
    rruleString: `DTSTART;TZID=UTC:${first}\nRRULE:${rule}`,
    maxIterations: MAX_REPETITIONS,
  });
  try {
    return repetition.between(from, until, true).map(({ epochMilliseconds }) => epochMilliseconds);
  } catch {
    // The library throws plain errors; one rule that ends nowhere is enough to refuse the calendar.
    throw new FeedError('The calendar has an event that repeats too often.');
  }
}
