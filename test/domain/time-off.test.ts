import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyHolidays, applyTimeOff, describeTimeOff } from '../../lib/domain/working-hours.ts';

const iso = (at: number) => new Date(at).toISOString();

describe('time off', () => {
  const NEW_YORK = 'America/New_York';
  const texts: readonly (readonly [string, string, string | undefined, string, string])[] = [
    // The day on which clocks go forward has 23 hours.
    [NEW_YORK, '2026-03-08', undefined, '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    [NEW_YORK, '2026-12-21', '2026-12-31', '2026-12-21T05:00:00.000Z', '2027-01-01T05:00:00.000Z'],
    [NEW_YORK, '2026-11-25 12:00', '2026-11-25 16:30', '2026-11-25T17:00:00.000Z', '2026-11-25T21:30:00.000Z'],
    // Half an hour off everybody else.
    ['America/St_Johns', '7/1/2026', undefined, '2026-07-01T02:30:00.000Z', '2026-07-02T02:30:00.000Z'],
  ];
  test.each(texts)('in %s from %s through %s is %s until %s', (zone, From, Through, from, until) => {
    const { timeOff, errors } = applyTimeOff([{ From, Through, Reason: ' Vacation ' }], zone);
    expect(errors).toEqual([]);
    expect(timeOff.map((each) => [iso(each.From), iso(each.Until), each.Reason])).toEqual([[from, until, 'Vacation']]);
  });

  test('that cannot be read, or ends before it begins, is a fault of its field', () => {
    const input = [
      { From: 'soon' },
      { From: '2026-12-24', Through: '2026-12-23' },
      { From: '2026-12-24', Through: 'late' },
    ];
    expect(applyTimeOff(input, NEW_YORK).errors.map(({ field }) => field)).toEqual([
      '[0].From',
      '[1].Through',
      '[2].Through',
    ]);
  });

  test('is written so that it is read as the same', () => {
    const hour = 3_600_000;
    const at = fc.integer({ min: Date.UTC(2026, 0) / hour, max: Date.UTC(2028, 0) / hour });
    fc.assert(
      fc.property(
        at,
        fc.integer({ min: 1, max: 400 }),
        fc.constantFrom(NEW_YORK, 'America/St_Johns', 'UTC'),
        (from, hours, zone) => {
          const stretch = { From: from * hour, Until: (from + hours) * hour, Reason: '' };
          expect(applyTimeOff([describeTimeOff(stretch, zone)], zone).timeOff).toEqual([stretch]);
        },
      ),
    );
  });
});

test('holidays are kept by date, each once', () => {
  const { holidays, errors } = applyHolidays(
    [{ Date: '2027-01-01' }, { Date: '12/25/2026', Name: 'Christmas Day' }, { Date: '2026-12-25' }, { Date: 'never' }],
    'America/New_York',
  );
  expect(holidays).toEqual([
    { Date: '2026-12-25', Name: 'Christmas Day' },
    { Date: '2027-01-01', Name: '' },
  ]);
  expect(errors.map(({ field }) => field)).toEqual(['[2].Date', '[3].Date']);
});
