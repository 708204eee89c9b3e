import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { Status, blankAppointment } from '../../../lib/domain/appointments/record.ts';
import { REPEATS, stepOf } from '../../../lib/domain/subscriptions/recurrence.ts';
import {
  afterVisit,
  clockAt,
  momentOn,
  movedPlan,
  seriesDays,
  visitStep,
  visitsLeft,
  visitsToMake,
  waitsForVisits,
  withCancel,
  withMove,
} from '../../../lib/domain/subscriptions/series.ts';
import type { AppointmentRecord } from '../../../lib/entities/appointments.ts';
import { type SeriesRecord, seriesEntity } from '../../../lib/entities/series.ts';
import { dateText, dayNumber } from '../../../lib/shared/time/calendar-dates.ts';
import { HOUR, MINUTE } from '../../../lib/shared/time/time.ts';

/** SERIES_RACES=10000 for more. */
const RACES = Number(process.env['SERIES_RACES'] ?? 300);

const repeat = fc.constantFrom(...REPEATS);
const day = fc.integer({ min: dayNumber('2026-01-01'), max: dayNumber('2036-12-31') });
const zone = fc.constantFrom('America/Chicago', 'Australia/Lord_Howe', 'Europe/Berlin', 'Asia/Kolkata', 'Africa/Cairo');

const dates = (days: readonly number[]): string[] => days.map(dateText);

describe('the days of a series', () => {
  test.each([
    ['2026-01-31', 'monthly', 1, 4, '2026-01-31 2026-02-28 2026-03-31 2026-04-30'],
    ['2027-12-31', 'monthly', 2, 3, '2027-12-31 2028-02-29 2028-04-30'],
    ['2028-02-29', 'yearly', 1, 5, '2028-02-29 2029-02-28 2030-02-28 2031-02-28 2032-02-29'],
    ['2026-03-06', 'weekly', 2, 3, '2026-03-06 2026-03-20 2026-04-03'],
    ['2026-02-27', 'daily', 1, 3, '2026-02-27 2026-02-28 2026-03-01'],
  ] as const)('%s %s, each %i, %i times', (first, words, interval, count, expected) => {
    const days = seriesDays(dayNumber(first), stepOf(words, interval), { count, through: undefined });
    expect(dates(days).join(' ')).toBe(expected);
  });

  test('are those of Temporal, counted from the first, within the count and through the last day', () => {
    const bounds = fc.record({
      count: fc.option(fc.integer({ min: 2, max: 60 })),
      through: fc.integer({ max: 2_000 }),
    });
    fc.assert(
      fc.property(
        day,
        repeat,
        fc.integer({ min: 1, max: 14 }),
        bounds,
        (first, words, interval, { count, through }) => {
          const unit = { daily: 'days', weekly: 'weeks', monthly: 'months', yearly: 'years' }[words];
          const [from, last] = [Temporal.PlainDate.from(dateText(first)), first + Math.max(through, 0)];
          const expected: string[] = [];
          for (let steps = 0; steps < (count ?? 367); steps++) {
            const next = from.add({ [unit]: steps * interval });
            if (Temporal.PlainDate.compare(next, Temporal.PlainDate.from(dateText(last))) > 0) break;
            expected.push(next.toString());
          }
          const days = seriesDays(first, stepOf(words, interval), { count: count ?? undefined, through: last });
          expect(dates(days)).toEqual(expected);
        },
      ),
      { numRuns: RACES },
    );
  });
});

describe('the time of day', () => {
  test.each([
    ['before both changes', '2026-03-07', '15:00Z'],
    ['in summer', '2026-03-08', '14:00Z'],
    ['after summer', '2026-11-01', '15:00Z'],
  ])('is 9:00 in Chicago %s', (_, date, expected) => {
    const at = momentOn(dayNumber(date), 9 * HOUR, 'America/Chicago');
    expect(new Date(at).toISOString()).toBe(`${date}T${expected.replace('Z', ':00.000Z')}`);
  });

  test('is that of Temporal in any zone, on any day; one that the clocks jump over is the end of the jump', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 1439 }), zone, (date, minute, timeZone) => {
        const wall = Temporal.PlainDate.from(dateText(date)).toPlainDateTime(
          Temporal.PlainTime.from({ hour: Math.floor(minute / 60), minute: minute % 60 }),
        );
        const at = momentOn(date, minute * MINUTE, timeZone);
        const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
        const expected = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
        const exists = expected.toPlainDateTime().equals(wall);
        const before = zoned.subtract({ nanoseconds: 1 });
        expect(exists ? zoned.toString() : before.toPlainDateTime().toString() < wall.toString()).toBe(
          exists ? expected.toString() : true,
        );
        expect(exists ? clockAt(at, timeZone) : minute * MINUTE).toBe(minute * MINUTE);
      }),
      { numRuns: RACES },
    );
  });
});

test.each([
  [0, '2026-01-31', '2026-01-31 2026-02-28 2026-03-31'],
  [0, '2026-01-30', '2026-01-30 2026-02-28 2026-03-30'],
  [1, '2026-02-27', '2026-01-31 2026-02-27 2026-03-27'],
  [2, '2026-04-01', '2026-01-31 2026-02-28 2026-04-01'],
])('visit %i of a month moved to %s, with those that follow', (place, to, expected) => {
  const Days = ['2026-01-31', '2026-02-28', '2026-03-31'].map(dayNumber);
  const plan = { Days, Months: 1, Anchors: [], Rules: [] };
  expect(dates(movedPlan(plan, place, dayNumber(to) - (Days[place] ?? 0)).Days).join(' ')).toBe(expected);
});

/* A series whose calls and worker take turns at random. */

const ZONE = 'America/Chicago';
const CLOCK = 9 * HOUR;

/** What the oracle knows of a visit: it is there at once, and every call changes it at once. */
interface Known {
  plan: Temporal.PlainDate;
  date: Temporal.PlainDate;
  isCanceled: boolean;
}

interface Race {
  readonly first: number;
  readonly months: number;
  readonly count: number;
  /** Sold by a proposal: the visits wait for their days. */
  readonly isSold: boolean;
  readonly turns: readonly Turn[];
}
type Turn = { readonly by: 'worker' | 'move' | 'moveAll' | 'cancel' | 'cancelAll'; at: number; days: number };

const race: fc.Arbitrary<Race> = fc.record({
  first: day,
  months: fc.constantFrom(0, 0, 1, 3),
  count: fc.integer({ min: 2, max: 60 }),
  isSold: fc.boolean(),
  turns: fc.array(
    fc.record({
      by: fc.constantFrom('worker', 'worker', 'worker', 'worker', 'move', 'moveAll', 'cancel', 'cancelAll'),
      at: fc.nat(59),
      days: fc.integer({ min: -20, max: 20 }),
    }),
    { maxLength: 60 },
  ),
});

/** The series and visits as the table has them, by the rules of the worker. */
class Stored {
  series: SeriesRecord;
  readonly visits: AppointmentRecord[] = [];
  /** On which a proposal queues its visits, whatever was moved since. */
  readonly soldDays: readonly number[];
  now = 1;

  constructor({ first, months, count, isSold }: Race) {
    const Days = seriesDays(first, { days: 7, months }, { count, through: undefined });
    const ProposalId = isSold ? 1 : 0;
    this.soldDays = Days;
    this.series = seriesEntity.blank({
      Id: 1,
      OrganizationId: 1,
      ProposalId,
      Days,
      VisitIds: [],
      Months: months,
      Clock: CLOCK,
      Created: 0,
    });
    this.make();
  }

  make(): void {
    const { Days, ProposalId, VisitIds } = this.series;
    const date = (ProposalId ? this.soldDays : Days)[VisitIds.length] ?? 0;
    const [Id, HashKey] = [VisitIds.length + 1, 'h'];
    const place = ProposalId
      ? { QueueDate: dateText(date) }
      : { Start: momentOn(date, this.series.Clock, ZONE), Status: Status.Scheduled };
    this.visits.push(
      blankAppointment({ Id, HashKey, OrganizationId: 1, ContactId: 1, Zone: ZONE, Created: 0, ...place }),
    );
    this.series = { ...this.series, VisitIds: [...VisitIds, Id] };
  }

  /** One transaction of the worker, or of the tasks of the proposal. Whether there was something to do. */
  work(): boolean {
    if (waitsForVisits(this.series)) this.make();
    else if (this.series.Changes[0]) this.change();
    else if (visitsToMake(this.series)) this.make();
    else return false;
    return true;
  }

  change(): void {
    const [change] = this.series.Changes;
    const visit = change && this.visits[change.Next];
    if (change && visit) {
      const step = visitStep(change, visit);
      const MovedAt = change.At;
      const next = {
        none: () => visit,
        cancel: () => ({ ...visit, Status: Status.Canceled }),
        queue: () => ({ ...visit, QueueDate: 'date' in step ? step.date : '', MovedAt }),
        move: () => ({ ...visit, Start: 'start' in step ? step.start : 0, MovedAt }),
        book: () => visit,
      }[step.kind]();
      this.visits[change.Next] = next;
    }
    this.series = afterVisit(this.series);
  }

  dateOf(place: number): Temporal.PlainDate {
    const { Start, QueueDate } = this.visits[place] as AppointmentRecord;
    return Start === null
      ? Temporal.PlainDate.from(QueueDate)
      : Temporal.Instant.fromEpochMilliseconds(Start).toZonedDateTimeISO(ZONE).toPlainDate();
  }

  moveOne(place: number, to: Temporal.PlainDate): void {
    const visit = this.visits[place] as AppointmentRecord;
    const at =
      visit.Start === null ? { QueueDate: to.toString() } : { Start: momentOn(dayNumber(to.toString()), CLOCK, ZONE) };
    this.visits[place] = { ...visit, ...at, MovedAt: this.now };
  }

  request = () => ({ At: this.now, By: 'test' });
}

/** The same calls on dates of Temporal, each whole at once. */
class Expected {
  readonly visits: Known[];
  readonly months: number;
  readonly #begins = new Set<number>();

  constructor({ first, months, count }: Race) {
    this.months = months;
    const from = Temporal.PlainDate.from(dateText(first));
    this.visits = Array.from({ length: count }, (_, place) => {
      const date = from.add(months ? { months: place * months } : { weeks: place });
      return { plan: date, date, isCanceled: false };
    });
  }

  from = (place: number): Known[] => this.visits.slice(place).filter(({ isCanceled }) => !isCanceled);

  moveAll(place: number, days: number): void {
    if (days === 0) return;
    this.#begins.add(place);
    let [from, steps] = [this.visits[place]?.plan.add({ days }), 0];
    for (const [at, visit] of this.visits.entries()) {
      if (at < place) continue;
      if (this.#begins.has(at)) [from, steps] = [visit.plan.add({ days }), 0];
      const plan = this.months ? (from ?? visit.plan).add({ months: steps++ * this.months }) : visit.plan.add({ days });
      visit.date = visit.date.add(visit.plan.until(plan));
      visit.plan = plan;
    }
  }
}

/** Does a turn with both. */
function take(turn: Turn, stored: Stored, expected: Expected): void {
  const place = turn.at % expected.visits.length;
  const [visit, known] = [stored.visits[place], expected.visits[place]];
  stored.now++;
  if (turn.by === 'worker') return void stored.work();
  if (!visit || !known || visit.Status === Status.Canceled) return;
  const isMoving = stored.series.Changes.some(({ Kind }) => Kind === 'move');
  const to = stored.dateOf(place).add({ days: turn.days });
  const turns = {
    cancel: () => {
      stored.visits[place] = { ...visit, Status: Status.Canceled };
      known.isCanceled = true;
    },
    cancelAll: () => {
      stored.visits[place] = { ...visit, Status: Status.Canceled };
      const reason = { CancelReasonId: 1, CancelReason: 'Rain', ...stored.request() };
      stored.series = withCancel(stored.series, place, reason);
      for (const each of expected.from(place)) each.isCanceled = true;
    },
    move: () => {
      stored.moveOne(place, to);
      known.date = to;
    },
    moveAll: () => {
      if (isMoving) return;
      stored.moveOne(place, to);
      const others = { Clock: null, ServiceAgentId: 0, AdditionalAgents: null, ...stored.request() };
      const move = { Kind: 'move' as const, shift: turn.days, includesFirst: false, ...others };
      stored.series = withMove(stored.series, place, move);
      expected.moveAll(place, turn.days);
    },
  };
  turns[turn.by]();
}

test('whatever is moved and canceled while the worker is at it: each visit once, where the calls alone would put it', () => {
  fc.assert(
    fc.property(race, (each) => {
      const [stored, expected] = [new Stored(each), new Expected(each)];
      for (const turn of each.turns) take(turn, stored, expected);
      let transactions = 0;
      while (stored.work()) transactions++;
      expect(transactions).toBeLessThan(60 + 60 * each.turns.length);
      expect(visitsLeft(stored.series)).toBe(0);
      expect(stored.series.VisitIds).toEqual(stored.visits.map((_, place) => place + 1));
      // What was canceled before it was made is never made.
      for (const { isCanceled } of expected.visits.slice(stored.visits.length)) expect(isCanceled).toBe(true);
      const states = expected.visits
        .slice(0, stored.visits.length)
        .map(({ date, isCanceled }) => [isCanceled, isCanceled ? '' : date.toString()]);
      const found = stored.visits.map(({ Status: status }, place) => {
        const isCanceled = status === Status.Canceled;
        return [isCanceled, isCanceled ? '' : stored.dateOf(place).toString()];
      });
      expect(found).toEqual(states);
    }),
    { numRuns: RACES },
  );
});
