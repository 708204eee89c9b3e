import { expect, test } from 'vitest';
import { isTimeOver, withinTime } from '../../lib/shared/within-time.ts';

test('work returns its result, and throws its own errors', () => {
  expect(withinTime(1_000, () => [1, 2])).toEqual([1, 2]);
  const own = new RangeError('own');
  expect(() =>
    withinTime(1_000, () => {
      throw own;
    }),
  ).toThrow(own);
});

test('work that never ends is stopped', () => {
  try {
    withinTime(50, () => {
      for (;;);
    });
    expect.unreachable();
  } catch (error) {
    expect(isTimeOver(error)).toBe(true);
  }
});
