import type { ServiceRecord } from '../../../lib/entities/services.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  MAX_VISITS,
  alternateDates,
  isSubscription,
  findRecurrence,
} from '../../../lib/domain/subscriptions/recurrence.ts';
import { dateText, dayNumber, addMonths } from '../../../lib/shared/time/calendar-dates.ts';
import { SUMMER, subscription } from '../../support/subscriptions.ts';

const datesOf = (overrides: Partial<ServiceRecord>, date: string): string[] =>
  findRecurrence(subscription(overrides), { date }).visits.map(dateText);
const every = (RecurringEventSetting_Type: number, RecurringEventSetting_Frequency: number) => ({
  RecurringEventSetting_Type,
  RecurringEventSetting_Frequency,
});

describe('visits', () => {
  test.each<[string, Partial<ServiceRecord>, string, string[]]>([
    ['every 14 days', { IntervalDays: 14, VisitCount: 3 }, '2026-03-01', ['2026-03-01', '2026-03-15', '2026-03-29']],
    [
      'IntervalDays before RecurringEventSetting',
      { IntervalDays: 10, VisitCount: 2, ...every(2, 1) },
      '2026-03-01',
      ['2026-03-01', '2026-03-11'],
    ],
    [
      'every 2 days by setting',
      { VisitCount: 3, ...every(0, 2) },
      '2026-02-27',
      ['2026-02-27', '2026-03-01', '2026-03-03'],
    ],
    [
      'every 3 weeks: 21 days',
      { VisitCount: 3, ...every(1, 3) },
      '2026-03-01',
      ['2026-03-01', '2026-03-22', '2026-04-12'],
    ],
    [
      'every month from the 31st: short months end earlier, and the next is whole again',
      { VisitCount: 4, ...every(2, 1) },
      '2026-01-31',
      ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'],
    ],
    [
      'every month over a leap February',
      { VisitCount: 3, ...every(2, 1) },
      '2027-12-30',
      ['2027-12-30', '2028-01-30', '2028-02-29'],
    ],
    [
      'every 2 months over New Year',
      { VisitCount: 3, ...every(2, 2) },
      '2026-11-15',
      ['2026-11-15', '2027-01-15', '2027-03-15'],
    ],
    [
      'every year from a leap day',
      { VisitCount: 5, ...every(3, 1) },
      '2024-02-29',
      ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
    ],
    [
      'a frequency of 0 is ignored: evenly over a year, 365 / 2 = 182.5',
      { VisitCount: 2, ...every(2, 0) },
      '2026-03-01',
      ['2026-03-01', '2026-08-30'],
    ],
    ['an unknown type is ignored', { VisitCount: 1, ...every(9, 1) }, '2026-03-01', ['2026-03-01']],
    ['neither count nor interval: one visit', { VisitCount: 0 }, '2026-03-01', ['2026-03-01']],
    [
      'no count: as many as a year holds, 1 + 364 / 90 = 5.04',
      { VisitCount: 0, IntervalDays: 90 },
      '2026-03-01',
      ['2026-03-01', '2026-05-30', '2026-08-28', '2026-11-26', '2027-02-24'],
    ],
  ])('%s', (_, overrides, date, expected) => {
    expect(datesOf(overrides, date)).toEqual(expected);
  });

  test('are at most 366', () => {
    expect(datesOf({ VisitCount: 2_000_000_000, IntervalDays: 1 }, '2026-03-01')).toHaveLength(MAX_VISITS);
    expect(datesOf({ VisitCount: 0, ...every(3, 2_000_000_000) }, '2026-03-01')).toEqual(['2026-03-01']);
    expect(datesOf({ VisitCount: 9, ...every(2, 2_000_000_000) }, '2026-03-01')).toEqual(['2026-03-01']);
  });
});

describe('the season', () => {
  test.each<[string, Partial<ServiceRecord>, string, string[]]>([
    [
      'has not begun: the first visit is when it does',
      { ...SUMMER, IntervalDays: 100 },
      '2026-03-01',
      ['2026-04-01', '2026-07-10', '2026-10-18'],
    ],
    [
      'has begun: the first visit is on the day it is sold',
      { ...SUMMER, IntervalDays: 100 },
      '2026-05-01',
      ['2026-05-01', '2026-08-09'],
    ],
    ['ends today: one visit', { ...SUMMER, IntervalDays: 7 }, '2026-10-31', ['2026-10-31']],
    [
      'is over: that of the next year',
      { ...SUMMER, IntervalDays: 100 },
      '2026-11-01',
      ['2027-04-01', '2027-07-10', '2027-10-18'],
    ],
    [
      'is over for years',
      { SeasonStart: '2019-04-01T04:00:00Z', SeasonExpiration: '2019-11-01T03:59:59Z', IntervalDays: 100 },
      '2026-03-01',
      ['2026-04-01', '2026-07-10', '2026-10-18'],
    ],
    [
      'over New Year, in its second half',
      {
        SeasonStart: '2024-11-15T05:00:00Z',
        SeasonExpiration: '2025-03-16T03:59:59Z',
        IntervalDays: 30,
        VisitCount: 9,
      },
      '2026-02-01',
      ['2026-02-01', '2026-03-03'],
    ],
    [
      'over New Year, after it',
      {
        SeasonStart: '2024-11-15T05:00:00Z',
        SeasonExpiration: '2025-03-16T03:59:59Z',
        IntervalDays: 60,
        VisitCount: 9,
      },
      '2026-03-16',
      ['2026-11-15', '2027-01-14', '2027-03-15'],
    ],
    [
      'ends on a leap day, and on the 28th of other years',
      {
        SeasonStart: '2024-01-01T05:00:00Z',
        SeasonExpiration: '2024-03-01T04:59:59Z',
        IntervalDays: 58,
        VisitCount: 9,
      },
      '2026-01-01',
      ['2026-01-01', '2026-02-28'],
    ],
    [
      'without an end',
      { SeasonStart: '2026-04-01T04:00:00Z', IntervalDays: 30, VisitCount: 2 },
      '2026-03-01',
      ['2026-04-01', '2026-05-01'],
    ],
    [
      'without a beginning',
      { SeasonExpiration: '2026-04-01T03:59:59Z', IntervalDays: 30, VisitCount: 9 },
      '2026-03-01',
      ['2026-03-01', '2026-03-31'],
    ],
  ])('%s', (_, overrides, date, expected) => {
    expect(datesOf(overrides, date)).toEqual(expected);
  });

  test.each([
    // 214 days / 6 = 35.67: 0, 35, 71, 107, 142, 178 days later.
    ['whole', '2026-03-01', ['2026-04-01', '2026-05-06', '2026-06-11', '2026-07-17', '2026-08-21', '2026-09-26']],
    // The same distances from July 17 on: 35 and 71 days later; the 107th is November 1.
    ['half', '2026-07-17', ['2026-07-17', '2026-08-21', '2026-09-26']],
  ])('%s: visits are spread evenly', (_, date, expected) => {
    expect(datesOf(SUMMER, date)).toEqual(expected);
  });

  test('with fewer days than visits has one visit a day', () => {
    const short = { SeasonStart: '2026-04-01T04:00:00Z', SeasonExpiration: '2026-04-04T03:59:59Z', VisitCount: 9 };
    expect(datesOf(short, '2026-03-01')).toEqual(['2026-04-01', '2026-04-02', '2026-04-03']);
  });
});

describe('alternate days', () => {
  const alternates = (overrides: Partial<ServiceRecord>, visit: number, date = '2026-03-01') => {
    const service = subscription(overrides);
    return alternateDates(service, findRecurrence(service, { date }), visit).map(dateText);
  };
  test.each<[string, Partial<ServiceRecord>, number, string[]]>([
    ['none by default', { IntervalDays: 30 }, 0, []],
    [
      'those within the window',
      { IntervalDays: 30, AlternateDateWindowAfter: 3 },
      1,
      ['2026-04-01', '2026-04-02', '2026-04-03'],
    ],
    ['before the next visit', { IntervalDays: 3, AlternateDateWindowAfter: 9 }, 0, ['2026-03-02', '2026-03-03']],
    [
      'within the season',
      { SeasonExpiration: '2026-04-03T03:59:59Z', IntervalDays: 31, AlternateDateWindowAfter: 9 },
      1,
      ['2026-04-02'],
    ],
    ['of an unknown visit', { AlternateDateWindowAfter: 9 }, 99, []],
  ])('%s', (_, overrides, visit, expected) => {
    expect(alternates(overrides, visit)).toEqual(expected);
  });
});

test.each([
  [{ IsSubscription: true }, true],
  [{ IsSubscription: false, IsRecurring: true }, false],
  [{ IsSubscription: false, SchedulingMode: 2 }, true],
  [{ IsSubscription: false, SchedulingMode: 4 }, false],
  [{ IsSubscription: false, SchedulingMode: 3, VisitCount: 6 }, false],
])('%o is a subscription: %s', (overrides, expected) => {
  expect(isSubscription(subscription(overrides))).toBe(expected);
});

test('adding months keeps the day where the month has it, and never skips a month', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: -400, max: 400 }), (day, months) => {
      const from = new Date(`${dateText(day)}T00:00:00Z`);
      const to = new Date(`${dateText(addMonths(day, months))}T00:00:00Z`);
      const distance = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
      expect(distance).toBe(months);
      expect(to.getUTCDate()).toBeLessThanOrEqual(from.getUTCDate());
      expect(to.getUTCDate()).toBeGreaterThanOrEqual(Math.min(28, from.getUTCDate()));
    }),
  );
  expect(dayNumber(dateText(20_520))).toBe(20_520);
});
