import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentDaysOff } from '../../../lib/domain/appointments/calendar.ts';
import { dayAt } from '../../../lib/domain/scheduling/calendar.ts';
import { timeOffOn } from '../../../lib/domain/scheduling/plans.ts';

const NEW_YORK = 'America/New_York';
const off = (From: string, Until: string, zone = NEW_YORK) =>
  agentDaysOff({ From: Date.parse(From), Until: Date.parse(Until), Reason: 'Dentist' }, zone).map(
    ({ From: from, Through, StartMinute, Minutes }) => [from, Through, StartMinute, Minutes],
  );

describe('time off as days', () => {
  test.each([
    ['a whole day', '2026-03-09T00:00-04:00', '2026-03-10T00:00-04:00', [['2026-03-09', '2026-03-09', null, null]]],
    [
      'whole days over a change of clocks',
      '2026-03-07T00:00-05:00',
      '2026-03-10T00:00-04:00',
      [['2026-03-07', '2026-03-09', null, null]],
    ],
    ['part of a day', '2026-03-09T12:00-04:00', '2026-03-09T13:30-04:00', [['2026-03-09', '2026-03-09', 720, 90]]],
    [
      'the rest of a day',
      '2026-03-09T12:00-04:00',
      '2026-03-10T00:00-04:00',
      [['2026-03-09', '2026-03-09', 720, null]],
    ],
    [
      'from noon over a weekend until nine',
      '2026-03-06T12:00-05:00',
      '2026-03-09T09:00-04:00',
      [
        ['2026-03-06', '2026-03-06', 720, null],
        ['2026-03-07', '2026-03-08', null, null],
        ['2026-03-09', '2026-03-09', 0, 540],
      ],
    ],
    [
      'over one midnight',
      '2026-03-09T22:00-04:00',
      '2026-03-10T02:00-04:00',
      [
        ['2026-03-09', '2026-03-09', 1320, null],
        ['2026-03-10', '2026-03-10', 0, 120],
      ],
    ],
    ['nothing', '2026-03-09T22:00-04:00', '2026-03-09T22:00-04:00', []],
  ])('%s', (_, from, until, days) => {
    expect(off(from, until)).toEqual(days);
  });

  test('takes exactly the time it says, where no clock is changed', () => {
    const minute = fc.integer({ min: 0, max: 20 * 1440 }).map((minutes) => Date.UTC(2026, 5, 1) + minutes * 60_000);
    fc.assert(
      fc.property(
        minute,
        minute,
        fc.constantFrom(NEW_YORK, 'Asia/Kolkata', 'Australia/Lord_Howe'),
        (one, other, zone) => {
          const [From, Until] = [Math.min(one, other), Math.max(one, other)];
          const days = [];
          for (let day = dayAt(From - 86_400_000, zone); day.start < Until + 86_400_000; day = dayAt(day.end, zone))
            days.push(day);
          expect(timeOffOn(days, agentDaysOff({ From, Until, Reason: '' }, zone))).toEqual(
            From < Until ? [{ start: From, end: Until }] : [],
          );
        },
      ),
    );
  });
});
