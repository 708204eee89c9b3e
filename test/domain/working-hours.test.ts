import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type TimeSlotInput,
  applyHolidays,
  applyTimeOff,
  applyTimeSlots,
  describeTimeOff,
} from '../../lib/domain/working-hours.ts';

const ZONE = 'America/New_York';
const errorFields = (...slots: TimeSlotInput[]): string[] => applyTimeSlots(slots).errors.map(({ field }) => field);
const morning = { DayOfWeek: 1, StartMinute: 480, Minutes: 240 };

describe('weekly hours', () => {
  test("have the day's name, dates as YYYY-MM-DD and normalised postal codes", () => {
    const { slots, errors } = applyTimeSlots([
      {
        ...morning,
        StartDate: '3/8/2026',
        EndDate: '2026-3-9',
        ServiceCategoryName: ' Mowing ',
        PostalCodes: '62701-1234; k1a 0b1',
      },
    ]);
    expect(errors).toEqual([]);
    expect(slots).toEqual([
      {
        ...morning,
        NameOfDay: 'Monday',
        StartDate: '2026-03-08',
        EndDate: '2026-03-09',
        ServiceCategoryName: 'Mowing',
        PostalCodes: '62701,K1A0B1',
      },
    ]);
  });

  test.each([
    [{ DayOfWeek: 0 }, 0, 'Sunday'],
    [{ DayOfWeek: 6 }, 6, 'Saturday'],
    [{ NameOfDay: 'wednesday' }, 3, 'Wednesday'],
    [{ DayOfWeek: 3, NameOfDay: 'Wednesday' }, 3, 'Wednesday'],
    [{}, null, ''],
  ])('%j is day %j, %j', (day, DayOfWeek, NameOfDay) => {
    expect(applyTimeSlots([{ ...day, StartMinute: 0, Minutes: 1440 }])).toMatchObject({
      slots: [{ DayOfWeek, NameOfDay }],
      errors: [],
    });
  });

  test.each<[string, TimeSlotInput, string[]]>([
    ['no minutes', { DayOfWeek: 1, StartMinute: 480 }, ['[0].Minutes']],
    ['an end after midnight', { DayOfWeek: 1, StartMinute: 1380, Minutes: 61 }, ['[0].Minutes']],
    ['a day with another name', { ...morning, NameOfDay: 'Tuesday' }, ['[0].NameOfDay']],
    ['an unknown day', { ...morning, DayOfWeek: null, NameOfDay: 'Someday' }, ['[0].NameOfDay']],
    ['an end before its start', { ...morning, StartDate: '2026-03-09', EndDate: '2026-03-08' }, ['[0].EndDate']],
    ['invalid dates', { ...morning, StartDate: 'soon', EndDate: '2026-02-30' }, ['[0].StartDate', '[0].EndDate']],
    ['invalid postal codes', { ...morning, PostalCodes: '62701, ?' }, ['[0].PostalCodes']],
  ])('%s: an error at the path of the field', (_, slot, fields) => {
    expect(errorFields(slot)).toEqual(fields);
  });

  test.each<[string, TimeSlotInput, string[]]>([
    ['an hour of it', { ...morning, StartMinute: 660, Minutes: 120 }, ['[1]']],
    ['every day', { StartMinute: 500, Minutes: 10 }, ['[1]']],
    ['dates that meet it', { ...morning, StartDate: '2026-01-01', EndDate: '2026-01-31' }, ['[1]']],
    ['the minute where it ends', { ...morning, StartMinute: 720 }, []],
    ['another day', { ...morning, DayOfWeek: 2 }, []],
    ['another category', { ...morning, ServiceCategoryName: 'Mowing' }, []],
    ['other postal codes', { ...morning, PostalCodes: '62701' }, []],
  ])('a second slot for %s overlaps the first, or not', (_, second, fields) => {
    expect(errorFields(morning, second)).toEqual(fields);
  });

  test('slots without a common date do not overlap', () => {
    expect(errorFields({ ...morning, EndDate: '2026-03-07' }, { ...morning, StartDate: '2026-03-08' })).toEqual([]);
    expect(errorFields({ ...morning, EndDate: '2026-03-08' }, { ...morning, StartDate: '2026-03-08' })).toEqual([
      '[1]',
    ]);
  });
});

const iso = (at: number) => new Date(at).toISOString();

describe('time off', () => {
  const texts: readonly (readonly [string, string, string | undefined, string, string])[] = [
    // The day on which clocks go forward has 23 hours.
    [ZONE, '2026-03-08', undefined, '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    [ZONE, '2026-12-21', '2026-12-31', '2026-12-21T05:00:00.000Z', '2027-01-01T05:00:00.000Z'],
    [ZONE, '2026-11-25 12:00', '2026-11-25 16:30', '2026-11-25T17:00:00.000Z', '2026-11-25T21:30:00.000Z'],
    // Half an hour off everybody else.
    ['America/St_Johns', '7/1/2026', undefined, '2026-07-01T02:30:00.000Z', '2026-07-02T02:30:00.000Z'],
  ];
  test.each(texts)('in %s from %s through %s is %s until %s', (zone, From, Through, from, until) => {
    const { timeOff, errors } = applyTimeOff([{ From, Through, Reason: ' Vacation ' }], zone);
    expect(errors).toEqual([]);
    expect(timeOff.map((each) => [iso(each.From), iso(each.Until), each.Reason])).toEqual([[from, until, 'Vacation']]);
  });

  test('that is unreadable or ends before it begins is an error of its field', () => {
    const input = [
      { From: 'soon' },
      { From: '2026-12-24', Through: '2026-12-23' },
      { From: '2026-12-24', Through: 'late' },
    ];
    expect(applyTimeOff(input, ZONE).errors.map(({ field }) => field)).toEqual([
      '[0].From',
      '[1].Through',
      '[2].Through',
    ]);
  });

  test('described and applied again is the same', () => {
    const hour = 3_600_000;
    const at = fc.integer({ min: Date.UTC(2026, 0) / hour, max: Date.UTC(2028, 0) / hour });
    fc.assert(
      fc.property(
        at,
        fc.integer({ min: 1, max: 400 }),
        fc.constantFrom(ZONE, 'America/St_Johns', 'UTC'),
        (from, hours, zone) => {
          const stretch = { From: from * hour, Until: (from + hours) * hour, Reason: '' };
          expect(applyTimeOff([describeTimeOff(stretch, zone)], zone).timeOff).toEqual([stretch]);
        },
      ),
    );
  });
});

test('holidays are the dates as written, in order, each once', () => {
  const { holidays, errors } = applyHolidays([
    { Date: '2027-01-01T00:00:00Z' },
    { Date: '12/25/2026', Name: 'Christmas Day' },
    { Date: '2026-12-25' },
    { Date: 'never' },
  ]);
  expect(holidays).toEqual([
    { Date: '2026-12-25', Name: 'Christmas Day' },
    { Date: '2027-01-01', Name: '' },
  ]);
  expect(errors.map(({ field }) => field)).toEqual(['[2].Date', '[3].Date']);
});
