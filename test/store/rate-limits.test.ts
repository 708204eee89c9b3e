import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bucketLevel,
  overdrawn,
  refilled,
  scarceLevel,
  secondsToNextToken,
  sharedPace,
  windowAt,
} from '../../lib/store/requests/rate-limits.ts';

const limit = { rate: 50, burst: 100 };
const NOW = Date.UTC(2026, 2, 8);
const full = { level: 100, at: 0 };

/** A state with tokens spent so many milliseconds before now. */
const spentBefore = (...spent: (readonly [milliseconds: number, tokens: number])[]) => ({
  spent: new Map(spent.map(([milliseconds, tokens]) => [windowAt(NOW - milliseconds), tokens])),
  levels: new Map<number, number>(),
});

describe('the bucket of a key', () => {
  test.each([
    ['is full where nothing was spent', spentBefore(), 100],
    ['holds what is left', spentBefore([0, 30]), 70],
    ['refills by the rate', spentBefore([1_000, 100]), 50],
    ['refills to the burst and no further', spentBefore([20_000, 100]), 100],
    ['adds up what was spent one after another', spentBefore([2_000, 100], [1_000, 80], [0, 10]), 10],
    ['is overdrawn by late or expensive calls', spentBefore([0, 160]), -60],
    ['is overdrawn by no more than it gains in ten seconds', spentBefore([0, 9_000]), -500],
  ])('%s', (_, state, level) => {
    expect(bucketLevel(state, limit, NOW)).toBe(level);
  });

  test('goes on from a level that was fixed, whatever is known from before it', () => {
    const levels = new Map([
      [windowAt(NOW - 8_000), 100],
      [windowAt(NOW - 2_000), -40],
    ]);
    const { spent } = spentBefore([9_000, 500], [1_000, 20]);
    expect(bucketLevel({ spent, levels }, limit, NOW)).toBe(40);
  });

  test.each([
    [0, 1],
    [-49, 1],
    [-50, 2],
    [-500, 11],
  ])('at level %d says to wait %d s', (level, seconds) => {
    expect(secondsToNextToken(level, limit)).toBe(seconds);
    expect(refilled({ level, at: NOW }, limit, NOW + seconds * 1_000).level).toBeGreaterThanOrEqual(1);
  });

  test.each([
    [12.5, 62.5],
    [11.25, 60],
    [6.25, 50],
    [-20, 47.5],
    [-25, 47.5],
    [-26, 0],
  ])('is scarce below 12.5; at level %d containers let %d a second pass together', (level, pace) => {
    expect(scarceLevel(limit)).toBe(12.5);
    expect(sharedPace(level, limit)).toBe(pace);
  });

  const times = fc.array(
    fc.record({ pause: fc.integer({ min: 0, max: 3_000 }), tokens: fc.integer({ max: 90, min: 1 }) }),
    { minLength: 1, maxLength: 60 },
  );

  test('is within the refill of one window of a bucket that is filled continuously', () => {
    fc.assert(
      fc.property(times, (steps) => {
        const spent = new Map<number, number>();
        let exact = full;
        let now = NOW;
        for (const { pause, tokens } of steps) {
          now += pause;
          exact = refilled(exact, limit, now);
          exact = { ...exact, level: overdrawn(exact.level - tokens, limit) };
          spent.set(windowAt(now), (spent.get(windowAt(now)) ?? 0) + tokens);
          const level = bucketLevel({ spent, levels: new Map() }, limit, now);
          expect(level).toBeGreaterThanOrEqual(exact.level - 1e-6);
          expect(level).toBeLessThanOrEqual(exact.level + 12.5 + 1e-6);
        }
      }),
    );
  });
});
