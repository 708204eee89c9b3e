import { describe, expect, test } from 'vitest';
import { type TimeSlotInput, applyTimeSlots } from '../../lib/domain/working-hours.ts';

const ZONE = 'America/New_York';
const faultsOf = (...slots: TimeSlotInput[]): string[] => applyTimeSlots(slots, ZONE).errors.map(({ field }) => field);
const morning = { DayOfWeek: 1, StartMinute: 480, Minutes: 240 };

describe('weekly hours', () => {
  test("are stored whole, with the day's name, dates as YYYY-MM-DD and postal codes normalised", () => {
    const { slots, errors } = applyTimeSlots(
      [
        {
          ...morning,
          StartDate: '3/8/2026',
          EndDate: '2026-3-9',
          ServiceCategoryName: ' Mowing ',
          PostalCodes: '62701-1234; k1a 0b1',
        },
      ],
      ZONE,
    );
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
    expect(applyTimeSlots([{ ...day, StartMinute: 0, Minutes: 1440 }], ZONE)).toMatchObject({
      slots: [{ DayOfWeek, NameOfDay }],
      errors: [],
    });
  });

  test.each<[string, TimeSlotInput, string[]]>([
    ['no minutes', { DayOfWeek: 1, StartMinute: 480 }, ['[0].Minutes']],
    ['an end after midnight', { DayOfWeek: 1, StartMinute: 1380, Minutes: 61 }, ['[0].Minutes']],
    ['a day that does not bear its name', { ...morning, NameOfDay: 'Tuesday' }, ['[0].NameOfDay']],
    ['a day that is none', { ...morning, DayOfWeek: null, NameOfDay: 'Someday' }, ['[0].NameOfDay']],
    ['an end before its start', { ...morning, StartDate: '2026-03-09', EndDate: '2026-03-08' }, ['[0].EndDate']],
    ['dates that are none', { ...morning, StartDate: 'soon', EndDate: '2026-02-30' }, ['[0].StartDate', '[0].EndDate']],
    ['postal codes that are none', { ...morning, PostalCodes: '62701, ?' }, ['[0].PostalCodes']],
  ])('%s are at fault, by the path of the field', (_, slot, fields) => {
    expect(faultsOf(slot)).toEqual(fields);
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
    expect(faultsOf(morning, second)).toEqual(fields);
  });

  test('slots of dates that do not meet do not overlap', () => {
    expect(faultsOf({ ...morning, EndDate: '2026-03-07' }, { ...morning, StartDate: '2026-03-08' })).toEqual([]);
    expect(faultsOf({ ...morning, EndDate: '2026-03-08' }, { ...morning, StartDate: '2026-03-08' })).toEqual(['[1]']);
  });
});
