import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  type BookingRules,
  bookingPeriod,
  refuseOutside,
  rulesOf,
} from '../../../lib/domain/scheduling/booking-period.ts';
import { findSlots } from '../../../lib/domain/scheduling/slots.ts';
import { NEW_YORK, agent, at, calendar, dayOff, job, shift, window, work } from '../../support/calendars.ts';
import { CHANGES } from '../../support/random/random-calendars.ts';

const none: BookingRules = { MinimumNotice: null, MinimumNoticeDays: null, HorizonDays: null };
const weekdays = [1, 2, 3, 4, 5].map((DayOfWeek) => shift({ DayOfWeek }));
const office = (more: object = {}) => calendar({ agents: [agent(1, { TimeSlots: weekdays })], ...more });

describe('the first moment that a notice allows', () => {
  const FRIDAY = '2026-03-06T17:00-05:00';
  test.each([
    ['no rule', {}, FRIDAY, FRIDAY, {}],
    ['minutes', { MinimumNotice: 120 }, FRIDAY, '2026-03-06T19:00-05:00', {}],
    ['a day of minutes, over the change of clocks', { MinimumNotice: 2880 }, FRIDAY, '2026-03-08T18:00-04:00', {}],
    ['one working day: the next one', { MinimumNoticeDays: 1 }, FRIDAY, '2026-03-09T00:00-04:00', {}],
    ['two, over a weekend', { MinimumNoticeDays: 2 }, FRIDAY, '2026-03-10T00:00-04:00', {}],
    ['one, from a Sunday', { MinimumNoticeDays: 1 }, '2026-03-08T12:00-04:00', '2026-03-09T00:00-04:00', {}],
    [
      'one, before a holiday',
      { MinimumNoticeDays: 1 },
      FRIDAY,
      '2026-03-10T00:00-04:00',
      { holidays: [dayOff('2026-03-09')] },
    ],
    [
      'one, while the only agent is off',
      { MinimumNoticeDays: 1 },
      FRIDAY,
      '2026-03-11T00:00-04:00',
      { agents: [agent(1, { TimeSlots: weekdays, timeOff: [dayOff('2026-03-09', { Through: '2026-03-10' })] })] },
    ],
    ['the later of both', { MinimumNotice: 5 * 1440, MinimumNoticeDays: 1 }, FRIDAY, '2026-03-11T18:00-04:00', {}],
  ] as const)('%s', (_, rules, now, first, more) => {
    expect(bookingPeriod(office(more), { ...none, ...rules }, at(now)).first).toBe(at(first));
  });

  test('is never, where nobody works', () => {
    const { first } = bookingPeriod(office({ agents: [] }), { ...none, MinimumNoticeDays: 1 }, at(FRIDAY));
    expect(first).toBeGreaterThan(at('2027-01-01T00:00Z'));
  });
});

test('a horizon ends with its last day, also over a change of clocks', () => {
  const until = (now: string, HorizonDays: number) => bookingPeriod(office(), { ...none, HorizonDays }, at(now)).until;
  expect(until('2026-03-06T23:59-05:00', 1)).toBe(at('2026-03-08T00:00-05:00'));
  expect(until('2026-03-06T00:00-05:00', 2)).toBe(at('2026-03-09T00:00-04:00'));
  expect(until('2026-03-06T00:00-05:00', 30)).toBe(at('2026-04-06T00:00-04:00'));
});

test('each rule of a service is in the place of the same rule of its organization, and switches off no other', () => {
  const organization = { MinimumNotice: 60, MinimumNoticeDays: 2, HorizonDays: 30 };
  expect(rulesOf(none, organization)).toEqual(organization);
  expect(rulesOf({ ...none, HorizonDays: 90 }, organization)).toEqual({ ...organization, HorizonDays: 90 });
  expect(rulesOf({ ...none, MinimumNotice: 0 }, organization)).toEqual({ ...organization, MinimumNotice: 0 });
  expect(rulesOf({ ...none, MinimumNoticeDays: 0 }, organization)).toEqual({ ...organization, MinimumNoticeDays: 0 });
});

test('the sentence of a notice names the rule that ends later', () => {
  const noticeOf = (rules: Partial<BookingRules>) =>
    bookingPeriod(office(), { ...none, ...rules }, at('2026-03-06T17:00-05:00')).notice;
  expect(noticeOf({ MinimumNotice: 120, MinimumNoticeDays: 2 })).toContain('is 2 working days: nothing');
  expect(noticeOf({ MinimumNotice: 5 * 1440, MinimumNoticeDays: 1 })).toContain('is 5 days: nothing');
  expect(noticeOf({ MinimumNotice: 0, MinimumNoticeDays: 0 })).toBe('');
});

describe('a search without slots', () => {
  const NOW = '2026-06-01T10:00-04:00';
  const search = (rules: Partial<BookingRules>, from: string, more: object = {}) => {
    const input = office();
    const period = bookingPeriod(input, { ...none, ...rules }, at(NOW));
    return findSlots({ ...input, ...more }, work(), window(from, { now: at(NOW), period })).reason;
  };
  const notice = 'The minimum notice is 10 hr: nothing can be booked before Mon, Jun 1 2026 8:00 PM.';

  test.each([
    [
      'notice',
      { MinimumNoticeDays: 2 },
      NOW,
      {},
      'The minimum notice is 2 working days: nothing can be booked before Wed, Jun 3 2026 12:00 AM.',
    ],
    [
      'horizon',
      { HorizonDays: 1 },
      '2026-06-03T00:00-04:00',
      {},
      'Visits can be booked at most 1 day ahead: through Tue, Jun 2 2026.',
    ],
    [
      'hours',
      { MinimumNotice: 600 },
      NOW,
      {},
      `The only service agent who can do this does not work from Mon, Jun 1 2026 8:00 PM through Mon, Jun 1 2026. ${notice}`,
    ],
    [
      'booked',
      { HorizonDays: 14 },
      NOW,
      { jobs: [job(NOW, '2026-06-01T17:00-04:00')] },
      'Fully booked from Mon, Jun 1 2026 10:00 AM through Mon, Jun 1 2026: ' +
        '1 appointment of 1 service agent leave no room for 1 hr and the drives.',
    ],
  ] as const)('for %s names the rule with its figure where that is why', (cause, rules, from, more, message) => {
    expect(search(rules, from, more)).toEqual({ cause, message });
  });
});

test('a start outside the period is refused with the figure', () => {
  const rules = { MinimumNotice: 120, MinimumNoticeDays: null, HorizonDays: 30 };
  const period = bookingPeriod(office(), rules, at('2026-06-01T10:00-04:00'));
  const refused = (start: string) => refuseOutside(period, at(start), NEW_YORK);
  expect(refused('2026-06-01T11:59-04:00')).toEqual({
    code: 'too_soon',
    message:
      'The start, Mon, Jun 1 2026 11:59 AM, is too soon. ' +
      'The minimum notice is 2 hr: nothing can be booked before Mon, Jun 1 2026 12:00 PM.',
  });
  expect(refused('2026-07-02T00:00-04:00')).toEqual({
    code: 'too_far_ahead',
    message:
      'The start, Thu, Jul 2 2026 12:00 AM, is too far ahead. ' +
      'Visits can be booked at most 30 days ahead: through Wed, Jul 1 2026.',
  });
  for (const start of ['2026-06-01T12:00-04:00', '2026-07-01T23:59-04:00']) expect(refused(start)).toBeUndefined();
});

/** The period as one would count it on a paper calendar, with Temporal. */
describe('the period equals that of a walk through the days', () => {
  const RUNS = Number(process.env['SEARCHES'] ?? 20);
  test.each(CHANGES)('%s %s', (zone, change) => {
    const dateAt = (offset: number) => Temporal.PlainDate.from(change).add({ days: offset }).toString();
    const off = fc
      .record({ from: fc.integer({ min: -5, max: 12 }), days: fc.nat(3) })
      .map(({ from, days }) => dayOff(dateAt(from), { Through: dateAt(from + days) }));
    const agents = fc.record({
      weekdays: fc.subarray([0, 1, 2, 3, 4, 5, 6]),
      begins: fc.option(fc.integer({ min: -3, max: 9 }).map(dateAt), { nil: '', freq: 2 }),
      timeOff: fc.array(off, { maxLength: 1 }),
    });
    const rules = fc.record({
      MinimumNotice: fc.option(fc.integer({ min: 0, max: 6_000 })),
      MinimumNoticeDays: fc.option(fc.nat(8)),
      HorizonDays: fc.option(fc.integer({ min: 1, max: 40 })),
    });
    const minute = fc.integer({ min: -4 * 1440, max: 4 * 1440 });
    fc.assert(
      fc.property(
        fc.array(agents, { maxLength: 3 }),
        fc.array(off, { maxLength: 2 }),
        rules,
        minute,
        (crew, holidays, given, minutes) => {
          const now = Date.parse(`${change}T00:00Z`) + minutes * 60_000;
          const hours = calendar({
            zone,
            holidays,
            agents: crew.map(({ weekdays: days, begins, timeOff }, index) =>
              agent(index, { StartDate: begins, timeOff, TimeSlots: days.map((DayOfWeek) => shift({ DayOfWeek })) }),
            ),
          });
          const shown = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
          const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).epochMilliseconds;
          // Where clocks go back over midnight they show yesterday again, although the day has begun.
          const today = startOf(shown.add({ days: 1 })) <= now ? shown.add({ days: 1 }) : shown;
          const isIn = (date: string, list: readonly { From: string; Through: string }[]) =>
            list.some(({ From, Through }) => From <= date && date <= Through);
          const isWorked = (date: Temporal.PlainDate) =>
            !isIn(date.toString(), holidays) &&
            crew.some(
              (each) =>
                each.weekdays.includes(date.dayOfWeek % 7) &&
                date.toString() >= each.begins &&
                !isIn(date.toString(), each.timeOff),
            );
          const ahead = Array.from({ length: 400 }, (_, index) => today.add({ days: index + 1 }));
          const days = given.MinimumNoticeDays ?? 0;
          const nth = days ? (ahead.filter(isWorked)[days - 1] ?? ahead[399]) : undefined;
          const { first, until } = bookingPeriod(hours, given, now);
          expect(first).toBe(Math.max(now + (given.MinimumNotice ?? 0) * 60_000, nth ? startOf(nth) : now));
          expect(until).toBe(
            given.HorizonDays === null ? Infinity : startOf(today.add({ days: given.HorizonDays + 1 })),
          );
        },
      ),
      { numRuns: RUNS, seed: 6 },
    );
  });
});
