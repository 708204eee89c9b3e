import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ExpiryDays,
  countPresent,
  endOfPage,
  expiryAt,
  oldestReadable,
  presentRanges,
  startOfTail,
} from '../../lib/store/events/event-sequence.ts';

const DAY = 86_400_000;
const at = (day: number, hour = 12) => new Date(day * DAY + hour * 3_600_000);

describe('how long events can be read', () => {
  test('with 30 days: through the 30th day after, wherever in its day an event was queued', () => {
    const { expires, days } = expiryAt({}, 1, at(100, 23), 30);
    expect([expires, days]).toEqual([131 * 86_400, { 131: 1 }]);
    expect([oldestReadable(days ?? {}, 5, at(130, 23)), oldestReadable(days ?? {}, 5, at(131, 0))]).toEqual([1, 6]);
  });

  test('the list is written once a day and drops days that are over', () => {
    const first = expiryAt({ 90: 1, 131: 7 }, 9, at(100), 30);
    const next = expiryAt({ 90: 1, 131: 7 }, 9, at(101), 30);
    expect([first.days, next.days]).toEqual([undefined, { 131: 7, 132: 9 }]);
  });

  test('after the retention was shortened, no event expires before an older one', () => {
    expect(expiryAt({ 131: 7 }, 9, at(101), 1)).toEqual({ expires: 131 * 86_400, days: undefined });
  });

  test('what can be read is always one stretch of ids up to the last, however the retention changes and the clock runs', () => {
    const step = fc.record({
      later: fc.integer({ min: 0, max: 40 }),
      events: fc.integer({ min: 1, max: 5 }),
      retention: fc.integer({ min: 1, max: 90 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), fc.integer({ min: 0, max: 100 }), (steps, wait) => {
        let days: ExpiryDays = {};
        let day = 100;
        const expiries: number[] = [];
        for (const { later, events, retention } of steps) {
          day += later;
          const queued = expiryAt(days, expiries.length + 1, at(day), retention);
          days = queued.days ?? days;
          for (let index = 0; index < events; index++) expiries.push(queued.expires);
          expect(queued.expires).toBeGreaterThanOrEqual((day + retention + 1) * 86_400);
        }
        const readable = expiries.flatMap((expires, index) =>
          expires * 1000 > at(day + wait).getTime() ? [index + 1] : [],
        );
        expect(oldestReadable(days, expiries.length, at(day + wait))).toBe(readable[0] ?? expiries.length + 1);
        expect(readable).toEqual(readable.map((_, index) => expiries.length - readable.length + index + 1));
      }),
    );
  });
});

describe('ids that no event has', () => {
  const range = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 15 }));
  const bounds = fc.record({ first: fc.integer({ min: 1, max: 50 }), length: fc.integer({ min: 0, max: 60 }) });

  test('are left out of pages, counts and tails, and nothing else is', () => {
    fc.assert(
      fc.property(fc.array(range, { maxLength: 4 }), bounds, fc.integer({ min: 1, max: 20 }), (gaps, page, count) => {
        const absent = gaps.map(([first, length]) => ({ first, last: first + length }));
        const [first, last] = [page.first, page.first + page.length - 1];
        const isAbsent = (id: number) => absent.some((gap) => gap.first <= id && id <= gap.last);
        const ids = Array.from({ length: page.length }, (_, index) => first + index).filter((id) => !isAbsent(id));
        const found = presentRanges(absent, first, last).flatMap((each) =>
          Array.from({ length: each.last - each.first + 1 }, (_, index) => each.first + index),
        );
        expect(found).toEqual(ids);
        expect(countPresent(absent, first, last)).toBe(ids.length);
        expect(endOfPage(absent, first, last, count)).toBe(ids[count - 1] ?? last);
        expect(startOfTail(absent, first, last, count)).toBe(ids.at(-count) ?? first);
      }),
    );
  });
});
