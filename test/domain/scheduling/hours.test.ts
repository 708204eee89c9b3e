import { describe, expect, test } from 'vitest';
import { dayAfter, dayAt, dayBefore, gridStarts } from '../../../lib/domain/scheduling/calendar.ts';
import { timeOffOn, workingHoursOn, workingTime } from '../../../lib/domain/scheduling/plans.ts';
import { toLocal } from '../../../lib/shared/time/time.ts';
import { NEW_YORK, agent, at, dayIn, dayOff, shift } from '../../support/calendars.ts';

const HOUR = 3_600_000;
const LORD_HOWE = 'Australia/Lord_Howe';
const CAIRO = 'Africa/Cairo';
const forever = { StartDate: '', EndDate: '' };

const describeIntervals = (intervals: readonly { start: number; end: number }[], zone: string) =>
  intervals.map(({ start, end }) => `${toLocal(start, zone)} ${toLocal(end, zone)}`);

describe('a shift has the hours of the clock', () => {
  test.each([
    ['2026-03-07T12:00-05:00', NEW_YORK, 0, 480, 8, 'on an ordinary day'],
    ['2026-03-08T12:00-04:00', NEW_YORK, 0, 480, 7, 'an hour less over a spring-forward'],
    ['2026-03-08T12:00-04:00', NEW_YORK, 120, 180, 0, 'none in the hour that is not'],
    ['2026-03-08T12:00-04:00', NEW_YORK, 150, 240, 1, 'from the end of the jump when it begins in it'],
    ['2026-11-01T12:00-05:00', NEW_YORK, 0, 480, 9, 'an hour more over a fall-back'],
    ['2026-11-01T12:00-05:00', NEW_YORK, 30, 90, 1, 'to the first of two 1:30'],
    ['2026-11-01T12:00-05:00', NEW_YORK, 90, 150, 2, 'from the first of two 1:30'],
    ['2026-10-04T12:00+11:00', LORD_HOWE, 0, 480, 7.5, 'half an hour less where that is the change'],
    ['2026-04-05T12:00+10:30', LORD_HOWE, 0, 480, 8.5, 'half an hour more where that is the change'],
    ['2026-04-24T12:00+03:00', CAIRO, 0, 480, 7, 'less on a day without a midnight'],
    ['2026-10-29T12:00+03:00', CAIRO, 1200, 1440, 5, 'more on a day whose last hour comes twice'],
  ])('%s %s %i–%i: %d hours, %s', (noon, zone, start, end, hours) => {
    const working = workingHoursOn([dayIn(zone, noon)], [shift({ StartMinute: start, Minutes: end - start })], forever);
    expect(working.reduce((sum, { start: from, end: to }) => sum + to - from, 0) / HOUR).toBe(hours);
  });

  test('its edges are those of the clock, on both sides of a change', () => {
    const day = dayIn(NEW_YORK, '2026-03-08T12:00-04:00');
    expect(describeIntervals(workingHoursOn([dayBefore(day), day], [shift()], forever), NEW_YORK)).toEqual([
      '2026-03-07T08:00:00-05:00 2026-03-07T17:00:00-05:00',
      '2026-03-08T08:00:00-04:00 2026-03-08T17:00:00-04:00',
    ]);
  });
});

describe('shifts of the days', () => {
  const monday = dayIn(NEW_YORK, '2026-06-01T12:00-04:00');
  const week = [monday];
  for (let day = dayAfter(monday); week.length < 7; day = dayAfter(day)) week.push(day);
  const days = (slots: Parameters<typeof shift>[0][], dates = forever) =>
    workingHoursOn(week, slots.map(shift), dates).map(({ start }) => toLocal(start, NEW_YORK).slice(8, 10));

  test('of a day of the week, 0 Sunday to 6, or of every day', () => {
    expect(days([{ DayOfWeek: 0 }, { DayOfWeek: 1 }])).toEqual(['01', '07']);
    expect(days([{}])).toHaveLength(7);
  });

  test('from StartDate through EndDate, of the shift and of the agent, both inclusive', () => {
    expect(days([{ StartDate: '2026-06-03', EndDate: '2026-06-05' }])).toEqual(['03', '04', '05']);
    expect(days([{ StartDate: '2026-06-03' }], { StartDate: '', EndDate: '2026-06-04' })).toEqual(['03', '04']);
    expect(days([{}], { StartDate: '2026-06-07', EndDate: '' })).toEqual(['07']);
  });

  test('shifts that adjoin are one, also over midnight', () => {
    const night = workingHoursOn(
      [monday, dayAfter(monday)],
      [shift({ DayOfWeek: 1, StartMinute: 1320, Minutes: 120 }), shift({ DayOfWeek: 2, StartMinute: 0, Minutes: 360 })],
      forever,
    );
    expect(describeIntervals(night, NEW_YORK)).toEqual(['2026-06-01T22:00:00-04:00 2026-06-02T06:00:00-04:00']);
  });

  test('holidays and time off are subtracted: a day, some days, or a part of each', () => {
    const off = [dayOff('2026-06-02'), dayOff('2026-06-04', { Through: '2026-06-05', StartMinute: 600, Minutes: 90 })];
    const working = workingTime(
      week.slice(0, 5),
      [shift()],
      agent(1, { timeOff: [dayOff('2026-06-01', { StartMinute: 720 })] }),
      timeOffOn(week, off),
    );
    expect(
      describeIntervals(working, NEW_YORK).map((text) => text.replaceAll('2026-06-', '').replaceAll(':00-04:00', '')),
    ).toEqual([
      '01T08:00 01T12:00',
      '03T08:00 03T17:00',
      '04T08:00 04T10:00',
      '04T11:30 04T17:00',
      '05T08:00 05T10:00',
      '05T11:30 05T17:00',
    ]);
  });
});

describe('days', () => {
  test.each([
    [NEW_YORK, '2026-03-08T12:00Z', 23],
    [NEW_YORK, '2026-11-01T12:00Z', 25],
    [LORD_HOWE, '2026-10-04T00:00Z', 23.5],
    [LORD_HOWE, '2026-04-05T00:00Z', 24.5],
    [CAIRO, '2026-04-24T12:00Z', 23],
    [CAIRO, '2026-10-29T12:00Z', 25],
    ['Pacific/Apia', '2011-12-29T12:00Z', 24],
  ])('%s %s has %d hours', (zone, noon, hours) => {
    const day = dayIn(zone, noon);
    expect((day.end - day.start) / HOUR).toBe(hours);
    expect(dayAfter(day).start).toBe(day.end);
    expect(dayBefore(day).end).toBe(day.start);
  });

  test('an instant at which the clock shows yesterday for the second time belongs to the day that has begun', () => {
    // St. John's, 2006-10-29, 0:01 NDT → 2006-10-28, 23:01 NST.
    const midnight = at('2006-10-29T00:00-02:30');
    for (const minutes of [0, 1, 30, 60, 61])
      expect(dayAt(midnight + minutes * 60_000, 'America/St_Johns').date).toBe('2006-10-29');
    expect(dayAt(midnight - 1, 'America/St_Johns').date).toBe('2006-10-28');
  });

  const grid = (zone: string, noon: string, granularity: number, from: number, to: number) =>
    gridStarts(dayIn(zone, noon), granularity, { from, to }).map((each) => toLocal(each, zone).slice(11));

  test('starts are multiples of the granularity on the clock: none that clocks skip, of two the first', () => {
    expect(grid(NEW_YORK, '2026-03-08T12:00Z', 60, 0, 240)).toEqual([
      '00:00:00-05:00',
      '01:00:00-05:00',
      '03:00:00-04:00',
    ]);
    expect(grid(NEW_YORK, '2026-11-01T12:00Z', 30, 60, 150)).toEqual([
      '01:00:00-04:00',
      '01:30:00-04:00',
      '02:00:00-05:00',
    ]);
    expect(grid(LORD_HOWE, '2026-10-04T00:00Z', 30, 90, 181)).toEqual([
      '01:30:00+10:30',
      '02:30:00+11:00',
      '03:00:00+11:00',
    ]);
    expect(grid(LORD_HOWE, '2026-04-05T00:00Z', 30, 90, 150)).toEqual(['01:30:00+11:00', '02:00:00+10:30']);
    expect(grid('Asia/Kathmandu', '2026-06-01T06:00Z', 45, 500, 640)).toEqual([
      '09:00:00+05:45',
      '09:45:00+05:45',
      '10:30:00+05:45',
    ]);
  });
});
