import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Interval, findContaining, merge, overlaps, subtract } from '../../../lib/domain/scheduling/calendar.ts';

const spans = (...pairs: [number, number][]): Interval[] => pairs.map(([start, end]) => ({ start, end }));

const any = fc.array(fc.record({ start: fc.integer({ min: 0, max: 40 }), end: fc.integer({ min: 0, max: 40 }) }), {
  maxLength: 12,
});
const normal = any.map(merge);
/** The points 0 to 40 that belong to some of them. */
const points = (intervals: readonly Interval[]) =>
  Array.from({ length: 41 }, (_, at) => intervals.some(({ start, end }) => start <= at && at < end));
const isNormal = (intervals: readonly Interval[]) =>
  intervals.every(({ start, end }, index) => start < end && (intervals[index - 1]?.end ?? -1) < start);

describe('worked examples', () => {
  test('merge joins what overlaps or touches and drops what is empty', () => {
    expect(merge(spans([12, 17], [9, 12], [11, 13], [20, 20], [30, 25]))).toEqual(spans([9, 17]));
  });

  test('subtract', () => {
    expect(subtract(spans([8, 17], [20, 22]), spans([7, 9], [12, 13], [16, 21]))).toEqual(
      spans([9, 12], [13, 16], [21, 22]),
    );
  });

  test('what touches does not overlap, and what is empty overlaps nothing', () => {
    expect(overlaps({ start: 9, end: 10 }, { start: 10, end: 11 })).toBe(false);
    expect(overlaps({ start: 9, end: 11 }, { start: 10, end: 12 })).toBe(true);
    expect(overlaps({ start: 10, end: 10 }, { start: 9, end: 12 })).toBe(false);
  });

  test('findContaining finds the interval that contains the whole', () => {
    expect(findContaining(spans([8, 12], [13, 17]), { start: 9, end: 12 })).toEqual({ start: 8, end: 12 });
    expect(findContaining(spans([8, 12], [13, 17]), { start: 11, end: 14 })).toBeUndefined();
  });
});

describe('laws', () => {
  test('merge keeps the points and gives the one normal form', () => {
    fc.assert(
      fc.property(any, (intervals) => {
        expect(points(merge(intervals))).toEqual(points(intervals));
        expect(isNormal(merge(intervals))).toBe(true);
        expect(merge(merge(intervals).toReversed())).toEqual(merge(intervals));
      }),
    );
  });

  test('subtract keeps the points of the first list alone; the rest and what was subtracted make up the whole', () => {
    fc.assert(
      fc.property(normal, normal, (from, taken) => {
        const rest = subtract(from, taken);
        expect(points(rest)).toEqual(points(from).map((is, at) => is && points(taken)[at] !== true));
        expect(isNormal(rest)).toBe(true);
        expect(subtract(rest, taken)).toEqual(rest);
        expect(merge([...rest, ...subtract(from, rest)])).toEqual(from);
      }),
    );
  });

  test('an interval is contained if subtracting the others leaves nothing of it', () => {
    fc.assert(
      fc.property(
        normal,
        fc.integer({ min: 0, max: 39 }),
        fc.integer({ min: 1, max: 10 }),
        (intervals, start, length) => {
          const one = { start, end: start + length };
          expect(findContaining(intervals, one) !== undefined).toBe(subtract([one], intervals).length === 0);
        },
      ),
    );
  });
});
