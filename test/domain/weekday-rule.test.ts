import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { movedPlan, ruleOfVisit, seriesDays } from '../../lib/domain/subscriptions/series.ts';
import { LAST, type WeekdayRule, movedRule, nextRuleDay, weekdayRuleDays } from '../../lib/domain/weekday-rule.ts';
import {
  type WeekdayRuleInput,
  describeRule,
  normalizeMonthDay,
  parseRecurrenceRule,
  readWeekdayRule,
  toRecurrenceRule,
} from '../../lib/domain/weekday-rule-text.ts';
import { dateText, dayNumber } from '../../lib/shared/time/calendar-dates.ts';

/** WEEKDAY_RUNS=10000 for more. */
const numRuns = Number(process.env['WEEKDAY_RUNS'] ?? 300);

function ruleOf(input: WeekdayRuleInput, every = 1): WeekdayRule {
  const { rule, errors } = readWeekdayRule(input, every);
  if (!rule) throw new Error(JSON.stringify(errors));
  return rule;
}

const dates = (days: Iterable<number>): string[] => [...days].map(dateText);
const series = (rule: WeekdayRule, first: string, count: number): string[] =>
  dates(seriesDays(dayNumber(first), rule, { count, through: undefined }));

describe('the days of a rule', () => {
  test.each<[string, WeekdayRuleInput, number, string, string[]]>([
    [
      'Monday, Wednesday and Friday from a Wednesday',
      { Days: ['Mon', 'Wed', 'Fri'] },
      1,
      '2035-03-07',
      ['2035-03-07', '2035-03-09', '2035-03-12', '2035-03-14', '2035-03-16'],
    ],
    [
      'every second week on Monday and Thursday: the weeks are counted from that of the first visit',
      { Days: ['Mon', 'Thu'] },
      2,
      '2035-03-08',
      ['2035-03-08', '2035-03-19', '2035-03-22', '2035-04-02'],
    ],
    [
      'a Sunday is the last day of its week, so its Monday is 8 days later',
      { Days: ['Sun', 'Mon'] },
      2,
      '2035-03-11',
      ['2035-03-11', '2035-03-19', '2035-03-25', '2035-04-02'],
    ],
    [
      'the first Tuesday',
      { On: 'first Tuesday' },
      1,
      '2035-01-02',
      ['2035-01-02', '2035-02-06', '2035-03-06', '2035-04-03', '2035-05-01'],
    ],
    ['the last Friday', { On: 'last Fri' }, 1, '2035-01-26', ['2035-01-26', '2035-02-23', '2035-03-30', '2035-04-27']],
    [
      'the third Tuesday every third month',
      { On: '3rd Tue' },
      3,
      '2035-01-16',
      ['2035-01-16', '2035-04-17', '2035-07-17'],
    ],
    [
      'a fifth Monday, skipped where a month has four',
      { On: 'fifth Monday' },
      1,
      '2035-01-29',
      ['2035-01-29', '2035-04-30', '2035-07-30', '2035-10-29'],
    ],
    [
      'a fifth Monday, or the last where a month has four',
      { On: '5th Mon', IfMissing: 'last' },
      1,
      '2035-01-29',
      ['2035-01-29', '2035-02-26', '2035-03-26', '2035-04-30'],
    ],
  ])('%s', (_, input, every, first, expected) => {
    expect(series(ruleOf(input, every), first, expected.length)).toEqual(expected);
  });

  test('end with the year 9999, however rare they are', () => {
    const rule = ruleOf({ On: 'fifth Friday' }, 12);
    const days = dates(weekdayRuleDays(rule, dayNumber('2036-02-29')));
    expect(days.slice(0, 3)).toEqual(['2036-02-29', '2064-02-29', '2092-02-29']);
    expect(days.at(-1)).toMatch(/^99/);
    expect(dates(weekdayRuleDays(ruleOf({ Days: ['Sun'] }), dayNumber('9999-12-20')))).toEqual(['9999-12-26']);
  });

  test.each([
    [{ Days: ['Mon', 'Thu'] }, 2, '2035-03-09', '2035-03-12'],
    [{ On: 'first Tuesday' }, 6, '2035-03-07', '2035-04-03'],
    [{ On: 'fifth Monday' }, 1, '2035-02-01', '2035-04-30'],
  ])('%j begins on its next day, in whatever week or month', (input, every, from, expected) => {
    expect(dateText(nextRuleDay(ruleOf(input, every), dayNumber(from)) ?? 0)).toBe(expected);
  });
});

const weekday = fc.integer({ min: 0, max: 6 });
const rule: fc.Arbitrary<WeekdayRule> = fc.oneof(
  fc.record({
    kind: fc.constant('weekly' as const),
    every: fc.integer({ min: 1, max: 6 }),
    weekdays: fc.uniqueArray(weekday, { minLength: 1 }).map((days) => days.toSorted((one, other) => one - other)),
    weekStart: fc.constant(0),
  }),
  fc.record({
    kind: fc.constant('monthly' as const),
    every: fc.integer({ min: 1, max: 6 }),
    weekday,
    ordinal: fc.constantFrom(1, 2, 3, 4, 5, LAST),
  }),
);
const day = fc.integer({ min: dayNumber('2026-01-01'), max: dayNumber('2036-12-31') });

/** Whether a date is one of a rule that began on `first`, by the calendar of Temporal alone. */
function isOn(of: WeekdayRule, first: Temporal.PlainDate, date: Temporal.PlainDate): boolean {
  if (of.kind === 'weekly') {
    const monday = (each: Temporal.PlainDate) => each.subtract({ days: each.dayOfWeek - 1 });
    const weeks = monday(first).until(monday(date), { largestUnit: 'days' }).days / 7;
    return of.weekdays.includes(date.dayOfWeek - 1) && weeks % of.every === 0;
  }
  const months = (date.year - first.year) * 12 + date.month - first.month;
  const inOrder = of.ordinal === LAST ? date.day > date.daysInMonth - 7 : Math.ceil(date.day / 7) === of.ordinal;
  return date.dayOfWeek - 1 === of.weekday && inOrder && months % of.every === 0;
}

test('the days are those that the calendar of Temporal has from the first on, one by one', () => {
  fc.assert(
    fc.property(rule, day, (of, from) => {
      const begin = nextRuleDay(of, from) ?? 0;
      const first = Temporal.PlainDate.from(dateText(begin));
      const last = first.add({ days: 800 });
      const expected: string[] = [];
      for (let date = first; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 }))
        if (isOn(of, first, date)) expected.push(date.toString());
      const through = dayNumber(last.toString());
      const found = seriesDays(begin, of, { count: undefined, through });
      expect(dates(found)).toEqual(expected.slice(0, 367));
      // None is in front of the first.
      let earlier = first.subtract({ days: 1 });
      while (Temporal.PlainDate.compare(earlier, Temporal.PlainDate.from(dateText(from))) >= 0) {
        expect(isOn({ ...of, every: 1 }, first, earlier)).toBe(false);
        earlier = earlier.subtract({ days: 1 });
      }
    }),
    { numRuns },
  );
});

describe('a rule that moves', () => {
  test.each<[WeekdayRuleInput, string, string, string]>([
    [{ Days: ['Mon', 'Wed', 'Fri'] }, '2035-03-07', '2035-03-08', 'every week on Tue, Thu and Sat'],
    [{ Days: ['Fri', 'Sat'] }, '2035-03-09', '2035-03-11', 'every week on Mon and Sun'],
    [{ On: 'first Tuesday' }, '2035-03-06', '2035-03-07', 'every month on the first Wednesday'],
    [{ On: 'first Tuesday' }, '2035-03-06', '2035-03-13', 'every month on the second Tuesday'],
    [{ On: 'first Tuesday' }, '2035-01-02', '2035-01-31', 'every month on the last Wednesday'],
    [{ On: 'last Friday' }, '2035-03-30', '2035-03-29', 'every month on the last Thursday'],
    [{ On: 'last Friday' }, '2035-03-30', '2035-03-23', 'every month on the fourth Friday'],
    [{ On: 'fifth Monday' }, '2035-01-29', '2035-01-30', 'every month on the fifth Tuesday'],
    [{ On: 'fifth Monday' }, '2035-01-29', '2035-01-28', 'every month on the fourth Sunday'],
  ])('%j, from %s to %s, is %s', (input, from, to, expected) => {
    const [before, after] = [dayNumber(from), dayNumber(to)];
    expect(describeRule(movedRule(ruleOf(input), after - before, after))).toBe(expected);
  });

  test('keeps the days of every second week together, by weeks that begin as much later', () => {
    const moved = movedRule(ruleOf({ Days: ['Mon', 'Thu'] }, 2), 4, dayNumber('2035-03-09'));
    expect(describeRule(moved)).toBe('every 2 weeks on Mon and Fri, with weeks from Fri');
    expect(toRecurrenceRule(moved)).toBe('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;WKST=FR');
    expect(series(moved, '2035-03-09', 4)).toEqual(['2035-03-09', '2035-03-12', '2035-03-23', '2035-03-26']);
  });

  test('has the days of its weeks moved by as many, and those of its months by its new rule', () => {
    fc.assert(
      fc.property(rule, day, fc.integer({ min: -40, max: 40 }), (of, from, shift) => {
        const first = nextRuleDay(of, from) ?? 0;
        const before = seriesDays(first, of, { count: 20, through: undefined });
        const moved = movedRule(of, shift, first + shift);
        const after = seriesDays(first + shift, moved, { count: 20, through: undefined });
        expect(weekdayRuleDays(moved, first + shift).next().value).toBe(first + shift);
        if (of.kind === 'weekly') expect(after).toEqual(before.map((each) => each + shift));
        expect(parseRecurrenceRule(toRecurrenceRule(moved))).toMatchObject({ kind: of.kind, every: of.every });
      }),
      { numRuns },
    );
  });
});

describe('a series that is moved from a visit on', () => {
  const plan = (input: WeekdayRuleInput, first: string, every = 1) => {
    const of = ruleOf(input, every);
    const Days = seriesDays(dayNumber(first), of, { count: 6, through: undefined });
    return { Days, Months: 0, Anchors: [], Rules: [toRecurrenceRule(of)] };
  };

  test('has another rule from there on', () => {
    const moved = movedPlan(plan({ On: 'first Tuesday' }, '2035-01-02'), 2, 1);
    expect(dates(moved.Days)).toEqual([
      '2035-01-02',
      '2035-02-06',
      '2035-03-07',
      '2035-04-04',
      '2035-05-02',
      '2035-06-06',
    ]);
    expect([0, 1, 2, 5].map((visit) => ruleOfVisit(moved, visit))).toEqual([
      'FREQ=MONTHLY;BYDAY=1TU',
      'FREQ=MONTHLY;BYDAY=1TU',
      'FREQ=MONTHLY;BYDAY=1WE',
      'FREQ=MONTHLY;BYDAY=1WE',
    ]);
  });

  test('from an earlier visit moves each part by its own rule', () => {
    const twice = movedPlan(movedPlan(plan({ On: 'first Tuesday' }, '2035-01-02'), 4, 9), 1, 1);
    expect(dates(twice.Days)).toEqual([
      '2035-01-02',
      '2035-02-07',
      '2035-03-07',
      '2035-04-04',
      '2035-05-11',
      '2035-06-08',
    ]);
    expect(twice).toMatchObject({
      Anchors: [1, 4],
      Rules: ['1TU', '1WE', '2FR'].map((on) => `FREQ=MONTHLY;BYDAY=${on}`),
    });
    expect(movedPlan(twice, 0, 7)).toMatchObject({ Anchors: [1, 4], Rules: { length: 3 } });
  });

  test('by weeks moves every visit by the same number of days', () => {
    const before = plan({ Days: ['Mon', 'Wed', 'Fri'] }, '2035-03-05', 2);
    const moved = movedPlan(before, 1, 3);
    expect(moved.Days).toEqual(before.Days.map((each, visit) => (visit < 1 ? each : each + 3)));
    expect(ruleOfVisit(moved, 1)).toBe('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH,SA;WKST=TH');
  });

  test('by a version without rules still has a rule for every visit', () => {
    const moved = movedPlan(plan({ On: 'first Tuesday' }, '2035-01-02'), 2, 1);
    expect(ruleOfVisit({ ...moved, Anchors: [] }, 5)).toBe('FREQ=MONTHLY;BYDAY=1TU');
    expect(movedPlan({ ...moved, Anchors: [] }, 3, 1)).toMatchObject({ Anchors: [3], Rules: { length: 2 } });
  });
});

describe('the words of a rule', () => {
  test.each<[WeekdayRuleInput, string]>([
    [{ Days: ['mon', 'WEDNESDAY', 'Fr', 'Monday'] }, 'every week on Mon, Wed and Fri'],
    [{ Days: ['Tues.', 'thurs', 'Sundays', ' Sat '] }, 'every week on Tue, Thu, Sat and Sun'],
    [{ On: 'FIRST monday' }, 'every month on the first Monday'],
    [{ On: 'the 2nd tues' }, 'every month on the second Tuesday'],
    [{ On: ' last  Fri ' }, 'every month on the last Friday'],
    [{ On: 'fifth Sat', IfMissing: 'skip' }, 'every month on the fifth Saturday'],
    [{ On: 'fifth Sat', IfMissing: 'last' }, 'every month on the last Saturday'],
    [{ On: 'third Sat', IfMissing: 'last' }, 'every month on the third Saturday'],
  ])('%j are %s', (input, expected) => {
    expect(describeRule(ruleOf(input))).toBe(expected);
  });

  test.each<[WeekdayRuleInput, string]>([
    [{ Days: ['Mon', 'Someday'] }, 'Days[1]'],
    [{ Days: ['M'] }, 'Days[0]'],
    [{ Days: ['s'] }, 'Days[0]'],
    [{ Days: [''] }, 'Days[0]'],
    [{ On: 'Monday' }, 'On'],
    [{ On: 'sixth Monday' }, 'On'],
    [{ On: '1th Monday' }, 'On'],
    [{ On: 'first of May' }, 'On'],
    [{ Days: ['Mon'], On: 'first Monday' }, 'On'],
  ])('%j is refused at %s', (input, field) => {
    expect(readWeekdayRule(input, 1)).toMatchObject({ rule: undefined, errors: [{ field }] });
  });

  test.each([
    ['the 1ST mon', 'first Monday'],
    ['Last fri', 'last Friday'],
    ['some day', 'some day'],
  ])('%s is stored as %s', (text, expected) => {
    expect(normalizeMonthDay(text)).toBe(expected);
  });

  test('are those of RFC 5545, and read back', () => {
    expect(toRecurrenceRule(ruleOf({ Days: ['Thu', 'Mon'] }, 2))).toBe('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH');
    expect(toRecurrenceRule(ruleOf({ On: 'last Friday' }, 3))).toBe('FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR');
    expect(parseRecurrenceRule('')).toBeUndefined();
    fc.assert(
      fc.property(rule, (of) => {
        expect(parseRecurrenceRule(toRecurrenceRule(of))).toEqual(of);
      }),
      { numRuns },
    );
  });
});
