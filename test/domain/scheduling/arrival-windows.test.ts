import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyArrivalWindows } from '../../../lib/domain/scheduling/arrival-windows.ts';
import type { Calendar, SearchWindow, Timeframe, Work } from '../../../lib/domain/scheduling/calendar.ts';
import { checkSlot } from '../../../lib/domain/scheduling/check.ts';
import {
  arrivalWindowAround,
  arrivalWindowAt,
  arrivalWindowsOf,
} from '../../../lib/domain/scheduling/arrival-windows.ts';
import { findSlots } from '../../../lib/domain/scheduling/slots.ts';
import { startOfDate, toLocal } from '../../../lib/shared/time/time.ts';
import { shift } from '../../support/calendars.ts';
import { naiveWindows } from '../../support/oracles/naive-windows.ts';
import { CHANGES, randomSearch } from '../../support/random/random-calendars.ts';

const RUNS = Number(process.env['WINDOW_SEARCHES'] ?? 12);
const HOUR = 60;

const hours = (StartMinute: number, Minutes: number) => shift({ StartMinute, Minutes });

interface Case {
  readonly zone?: string;
  readonly date?: string;
  readonly works?: readonly [from: number, minutes: number];
  readonly windows: readonly (readonly [from: number, to: number])[];
  readonly minutes?: number;
  /** Hours that an appointment takes. */
  readonly taken?: readonly [from: number, to: number];
  readonly now?: number;
  /** The first hour that the notice allows. */
  readonly notice?: number;
  readonly timeframe?: Timeframe;
}

/** `8:00-10:00 at 8:00 for 2` of the windows that a search of one day finds. */
function offeredWindows({ zone = 'America/New_York', date = '2026-06-01', windows, ...more }: Case): string[] {
  const {
    works = [8 * HOUR, 9 * HOUR],
    minutes = 60,
    taken,
    now = 0,
    notice,
    timeframe = { from: 0, to: 1440 },
  } = more;
  const at = (hour: number) => Date.parse(`${date}T00:00Z`) + (hour + 4) * 3_600_000;
  const calendar: Calendar = {
    zone,
    agents: [{ agent: { Id: 1, Name: 'Ann', StartDate: '', EndDate: '', TimeSlots: [hours(...works)] }, timeOff: [] }],
    jobs: taken ? [{ appointmentId: 7, agentId: 1, start: at(taken[0]), end: at(taken[1]), position: null }] : [],
    holidays: [],
    postalCodes: '',
    startPosition: null,
    driveTimes: () => 0,
  };
  const work: Work = {
    category: '',
    fixedLocation: true,
    seasonFirst: null,
    seasonLast: null,
    minutes,
    postalCode: '',
    position: null,
  };
  const arrivalWindows = windows.map(([from, to]) => ({ from: from * HOUR, to: to * HOUR }));
  const from = startOfDate(date, zone);
  const period =
    notice === undefined ? undefined : { first: at(notice), until: Infinity, notice: 'Too soon.', horizon: '' };
  const window: SearchWindow = {
    from,
    days: 1,
    now: now && at(now),
    granularity: 30,
    timeframe,
    arrivalWindows,
    period,
  };
  const clock = (moment: number) => toLocal(moment, zone).slice(11, 16).replace(/^0/, '');
  return findSlots(calendar, work, window).slots.map(
    ({ start, arrival, capacity }) =>
      `${clock(arrival?.start ?? 0)}-${clock(arrival?.end ?? 0)} at ${clock(start)} for ${capacity}`,
  );
}

test.each<[string, Case, readonly string[]]>([
  [
    'each window once, with room for two visits of an hour',
    {
      windows: [
        [8, 10],
        [10, 12],
      ],
    },
    ['8:00-10:00 at 8:00 for 2', '10:00-12:00 at 10:00 for 2'],
  ],
  [
    'the part of a window that lies in the hours',
    { works: [9 * HOUR, 8 * HOUR], windows: [[8, 10]] },
    ['8:00-10:00 at 9:00 for 1'],
  ],
  ['a start within, however long the work is', { minutes: 240, windows: [[8, 10]] }, ['8:00-10:00 at 8:00 for 1']],
  [
    'no window whose starts do not hold the work',
    { minutes: 240, works: [8 * HOUR, 3 * HOUR], windows: [[8, 10]] },
    [],
  ],
  [
    'what an appointment leaves',
    {
      windows: [
        [8, 10],
        [10, 12],
      ],
      taken: [8, 9.5],
    },
    ['8:00-10:00 at 9:30 for 1', '10:00-12:00 at 10:00 for 2'],
  ],
  [
    'no window that has begun',
    {
      windows: [
        [8, 10],
        [10, 12],
      ],
      now: 8.5,
    },
    ['10:00-12:00 at 10:00 for 2'],
  ],
  [
    'a window that begins before the notice ends, while it has a start that is allowed',
    {
      windows: [
        [7, 9],
        [8, 10],
        [10, 12],
      ],
      notice: 9 + 5 / 60,
    },
    ['8:00-10:00 at 9:30 for 1', '10:00-12:00 at 10:00 for 2'],
  ],
  [
    'no window that leaves the timeframe',
    {
      windows: [
        [8, 10],
        [11, 13],
      ],
      timeframe: { from: 0, to: 720 },
    },
    ['8:00-10:00 at 8:00 for 2'],
  ],
  [
    'windows that overlap, each with its own room',
    {
      windows: [
        [8, 12],
        [10, 12],
      ],
    },
    ['8:00-12:00 at 8:00 for 4', '10:00-12:00 at 10:00 for 2'],
  ],
  [
    'an hour less where clocks go forward',
    {
      date: '2026-03-08',
      works: [0, 1440],
      windows: [
        [1, 3],
        [2, 3],
        [2, 4],
      ],
    },
    ['1:00-3:00 at 1:00 for 1', '3:00-4:00 at 3:00 for 1'],
  ],
  [
    'an hour more where clocks go back',
    { date: '2026-11-01', works: [0, 1440], windows: [[1, 3]] },
    ['1:00-3:00 at 1:00 for 2'],
  ],
  ['the end of a day', { works: [20 * HOUR, 4 * HOUR], windows: [[22, 24]] }, ['22:00-0:00 at 22:00 for 2']],
  ['the clock of another zone', { zone: 'Asia/Kathmandu', windows: [[8, 10]] }, ['8:00-10:00 at 8:00 for 2']],
])('a search offers %s', (_, input, expected) => {
  expect(offeredWindows(input)).toEqual(expected);
});

const hour = fc.integer({ min: 0, max: 48 });
const arrivalWindow = fc
  .tuple(hour, hour)
  .filter(([one, other]) => one !== other)
  .map(([one, other]) => ({ from: Math.min(one, other) * 30, to: Math.max(one, other) * 30 }));
const arrivalWindows = fc.uniqueArray(arrivalWindow, { minLength: 1, maxLength: 4, selector: ({ from }) => from });

describe('random searches around a change of clocks', () => {
  test.each(CHANGES)('%s %s: windows and their room are those of a naive search that books one by one', (...change) => {
    let found = 0;
    fc.assert(
      fc.property(randomSearch(change), arrivalWindows, ({ calendar, work, window }, windows) => {
        const search = { ...window, arrivalWindows: windows };
        const expected = naiveWindows(calendar, work, search);
        fc.pre(expected !== undefined);
        const { slots, reason } = findSlots(calendar, work, search);
        const toWindow = ({ start, agentId, arrival, capacity }: (typeof slots)[number]) => ({
          start,
          agentId,
          from: arrival?.start,
          through: arrival?.end,
          capacity,
        });
        expect(slots.map(toWindow)).toEqual(expected);
        expect(reason === null).toBe(slots.length > 0);
        for (const slot of slots) expect(checkSlot(calendar, work, slot).ok).toBe(true);
        found += slots.length;
      }),
      { numRuns: RUNS, seed: 6 },
    );
    expect(found).toBeGreaterThan(0);
  });
});

test('a service of exact times has no window at any moment, another one those of its organization', () => {
  const moment = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) });
  const isIn = (window: { start: number; end: number } | undefined, start: number) =>
    window !== undefined && window.start <= start && start < window.end;
  fc.assert(
    fc.property(arrivalWindows, moment, fc.boolean(), (windows, start, ExactTimes) => {
      const ArrivalWindows = windows.map(({ from, to }) => ({ From: from, Through: to }));
      const offering = { organization: { ArrivalWindows, Timezone: 'Asia/Kathmandu' }, service: { ExactTimes } };
      const [, hour = 0, minute = 0] = /T(\d\d):(\d\d)/.exec(toLocal(start, 'Asia/Kathmandu'))?.map(Number) ?? [];
      const clock = hour * 60 + minute;
      const expected = !ExactTimes && windows.some(({ from, to }) => from <= clock && clock < to);
      const around = arrivalWindowAround(offering, start);
      expect([around !== undefined, isIn(around, start)]).toEqual([expected, expected]);
      expect(arrivalWindowsOf(offering)).toEqual(ExactTimes ? [] : windows);
      expect(arrivalWindowAt(offering, around?.start ?? start) !== undefined).toBe(expected);
    }),
  );
});

describe('windows of a company file', () => {
  test.each([
    ['one', '8:00-10:00', []],
    ['two in any order', '10:00-24:00 8:00-10:00', []],
    ['one that ends before it begins', '10:00-8:00', ['[0].Through']],
    ['one without minutes', '8-10:00', ['[0].Through']],
    ['two that begin alike', '8:00-10:00 8:00-12:00', ['[1].From']],
    ['49', Array.from({ length: 49 }, (_, index) => `0:${index + 10}-24:00`).join(' '), ['']],
  ])('%s: wrong are %3$j', (_, text, fields) => {
    const input = text.split(' ').map((each) => ({ From: each.split('-')[0], Through: each.split('-')[1] }));
    const { windows, errors } = applyArrivalWindows([], input);
    expect(errors.map(({ field }) => field)).toEqual(fields);
    const starts = windows.map(({ From }) => From);
    expect(starts).toEqual(starts.toSorted((one, other) => one - other));
  });

  test('stay without the setting, and end with null', () => {
    const before = [{ From: 480, Through: 600 }];
    expect(applyArrivalWindows(before, undefined).windows).toEqual(before);
    expect(applyArrivalWindows(before, null).windows).toEqual([]);
  });
});
