import { describe, expect, test } from 'vitest';
import { calendarDays, calendarWeeks, parseTimeframe, reachableSpan } from '../../../lib/domain/scheduling/calendar.ts';
import { greatCircleDriving } from '../../../lib/domain/scheduling/plans.ts';
import { HERE, NEW_YORK, at } from '../../support/calendars.ts';

describe('driving', () => {
  const north = { ...HERE, latitude: HERE.latitude + 1 };

  test('takes 1.3 miles for a great-circle mile, at 30 miles an hour by default, rounded up', () => {
    expect(greatCircleDriving()(HERE, north)).toBe(180);
    expect(greatCircleDriving(60)(HERE, north)).toBe(90);
    expect(greatCircleDriving()(HERE, HERE)).toBe(0);
    expect(greatCircleDriving()(HERE, { ...HERE, latitude: HERE.latitude + 0.0001 })).toBe(1);
  });

  test('to and from an unknown place takes no time', () => {
    expect([greatCircleDriving()(null, HERE), greatCircleDriving()(HERE, null)]).toEqual([0, 0]);
  });
});

describe('timeframe', () => {
  test.each([
    ['', 0, 1440],
    [null, 0, 1440],
    [undefined, 0, 1440],
    ['Anytime', 0, 1440],
    ['morning', 0, 720],
    [' AFTERNOON ', 720, 1020],
    ['Evening', 1020, 1440],
    ['9:00-12:30', 540, 750],
    ['09:00 - 24:00', 540, 1440],
  ])('%j is minutes %i to %i', (text, from, to) => {
    expect(parseTimeframe(text)).toEqual({ from, to });
  });

  test.each([
    'noon',
    '9-12',
    '12:00-09:00',
    '9:00-9:00',
    '9:60-10:00',
    '22:00-24:01',
    '99:00-100:00',
    'constructor',
    '__proto__',
  ])('%j is invalid', (text) => {
    expect(parseTimeframe(text)).toBeUndefined();
  });
});

describe('the weeks and days of a stored calendar', () => {
  const touched = (start: string, end: string) => calendarWeeks({ start: at(start), end: at(end) });

  test('weeks begin on Monday 0:00 UTC and have the date of the Monday', () => {
    expect(touched('2026-03-08T23:00Z', '2026-03-09T00:00Z')).toEqual(['2026-03-02']);
    expect(touched('2026-03-08T23:00Z', '2026-03-09T00:01Z')).toEqual(['2026-03-02', '2026-03-09']);
    expect(touched('2026-03-09T00:00Z', '2026-03-09T00:00Z')).toEqual(['2026-03-09']);
    expect(touched('1969-12-31T00:00Z', '1970-01-06T00:00Z')).toEqual(['1969-12-29', '1970-01-05']);
  });

  test('days of UTC are those that an interval touches, not one that begins as it ends', () => {
    expect(calendarDays({ start: at('2026-03-09T23:00Z'), end: at('2026-03-10T00:00Z') })).toEqual(['2026-03-09']);
    expect(calendarDays({ start: at('2026-03-09T23:00Z'), end: at('2026-03-11T00:01Z') })).toEqual([
      '2026-03-09',
      '2026-03-10',
      '2026-03-11',
    ]);
  });

  test('a search needs the jobs of its days, of the day before, and of the days into which the last job may run', () => {
    const reach = reachableSpan(NEW_YORK, at('2026-03-08T15:00-04:00'), 14, { minutes: 120 }, 1);
    expect(reach).toEqual({ start: at('2026-03-07T00:00-05:00'), end: at('2026-03-23T00:00-04:00') });
    expect(calendarWeeks(reach)).toEqual(['2026-03-02', '2026-03-09', '2026-03-16', '2026-03-23']);
    expect(reachableSpan(NEW_YORK, at('2026-03-10T15:00-04:00'), 1, { minutes: 1500 }, 1).end).toBe(
      at('2026-03-13T00:00-04:00'),
    );
  });
});
