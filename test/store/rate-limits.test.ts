import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openTable } from '../../lib/store/dynamodb/client.ts';
import { takeFromBucket, takeTokens } from '../../lib/store/rate-limits.ts';
import { atRandom } from '../support/faulty-engine.ts';
import { type FaultyTable, startFaultyTable } from '../support/faulty-table.ts';

const limit = { rate: 50, burst: 100, requested: 25 };

describe('a token bucket', () => {
  test.each([
    ['full, never used', 0, 10_000, { granted: 25, fullAt: 10_500, remaining: 75 }],
    ['full since long', 9_000, 10_000, { granted: 25, fullAt: 10_500, remaining: 75 }],
    ['half full', 11_000, 10_000, { granted: 25, fullAt: 11_500, remaining: 25 }],
    ['nearly empty', 11_900, 10_000, { granted: 5, fullAt: 12_000, remaining: 0 }],
    ['one call left', 11_980, 10_000, { granted: 1, fullAt: 12_000, remaining: 0 }],
    ['empty', 12_000, 10_000, { granted: 0, fullAt: 12_000, remaining: 0 }],
    ['emptier than empty, by another clock', 12_500, 10_000, { granted: 0, fullAt: 12_500, remaining: 0 }],
  ])('%s', (_, fullAt, now, expected) => {
    expect(takeFromBucket(fullAt, now, limit)).toMatchObject(expected);
  });

  test('says how long until one call is available', () => {
    expect(takeFromBucket(12_000, 10_000, limit).retryAfterSeconds).toBeCloseTo(0.02, 9);
    expect(takeFromBucket(12_500, 10_000, limit).retryAfterSeconds).toBeCloseTo(0.52, 9);
    expect(
      takeFromBucket(10_000 + 600_000, 10_000, { rate: 0.1, burst: 60, requested: 1 }).retryAfterSeconds,
    ).toBeCloseTo(10, 9);
  });

  const limits = fc.record({
    rate: fc.double({ min: 0.1, max: 1_000, noNaN: true }),
    burst: fc.integer({ min: 1, max: 2_000 }),
  });
  const takes = fc.array(
    fc.record({ pause: fc.integer({ min: 0, max: 20_000 }), requested: fc.integer({ min: 1, max: 100 }) }),
    { minLength: 1, maxLength: 60 },
  );

  test('in any interval, no more is granted than a burst and the rate', () => {
    fc.assert(
      fc.property(limits, takes, ({ rate, burst }, steps) => {
        let fullAt = 0;
        let now = 1_000_000;
        const granted: { at: number; calls: number }[] = [];
        for (const { pause, requested } of steps) {
          now += pause;
          const next = takeFromBucket(fullAt, now, { rate, burst, requested });
          fullAt = next.fullAt;
          granted.push({ at: now, calls: next.granted });
        }
        for (const [from, { at: start }] of granted.entries()) {
          let sum = 0;
          for (const { at, calls } of granted.slice(from)) {
            sum += calls;
            expect(sum).toBeLessThanOrEqual(burst + (rate * (at - start)) / 1_000 + 1e-3);
          }
        }
      }),
    );
  });

  test('a caller that waits as long as Retry-After says gets a call', () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: 0, max: 5_000_000 }), ({ rate, burst }, ahead) => {
        const now = 1_000_000;
        const refused = takeFromBucket(now + ahead, now, { rate, burst, requested: 1 });
        fc.pre(refused.granted === 0);
        expect(refused.retryAfterSeconds).toBeGreaterThan(0);
        expect(
          takeFromBucket(refused.fullAt, now + Math.ceil(refused.retryAfterSeconds) * 1_000, {
            rate,
            burst,
            requested: 1,
          }).granted,
        ).toBe(1);
      }),
    );
  });
});

describe('the bucket in the table', () => {
  let faulty: FaultyTable;
  beforeAll(async () => {
    faulty = await startFaultyTable();
  });
  afterAll(() => faulty.stop());
  afterEach(() => faulty.line.fail(undefined));

  const now = new Date(Date.UTC(2026, 2, 8));
  const small = { now, rate: 5, burst: 40, requested: 3 };
  const granted = (grants: readonly Awaited<ReturnType<typeof takeTokens>>[]) =>
    grants.reduce((sum, take) => sum + (take.kind === 'granted' ? take.calls : 0), 0);
  const take = (key: string, limits = small) => takeTokens(openTable(), key, limits);

  test('concurrent containers together get the burst and no more', async () => {
    const grants: Awaited<ReturnType<typeof takeTokens>>[] = [];
    for (let round = 0; round < 6; round++)
      grants.push(...(await Promise.all(Array.from({ length: 4 }, () => take('many')))));
    expect(granted(grants)).toBe(40);
    expect(grants.at(-1)).toEqual({ kind: 'empty', retryAfterSeconds: 1 });
    expect(await take('many', { ...small, now: new Date(now.getTime() + 1_000) })).toEqual({
      kind: 'granted',
      calls: 3,
      remaining: 2,
    });
  });

  test('gives no more than the burst where replies are lost', async () => {
    faulty.line.fail(atRandom(31, { lostReply: 0.3 }));
    const grants: Awaited<ReturnType<typeof takeTokens>>[] = [];
    for (let round = 0; round < 20; round++) grants.push(await take('lossy'));
    expect(faulty.line.befallen.lostReply).toBeGreaterThan(3);
    expect(granted(grants)).toBeGreaterThan(0);
    expect(granted(grants)).toBeLessThanOrEqual(40);
  });

  test('notes the day of use, and is one write for a block of calls', async () => {
    const table = openTable();
    await takeTokens(table, 'noted', { ...small, requested: 25 });
    expect(table.meter.usage).toMatchObject({ writeUnits: 1, readUnits: 1, rounds: 2 });
    expect(await faulty.sound.get({ PK: 'RATE#noted', SK: 'RATE' })).toMatchObject({ LastUsed: '2026-03-08' });
  });
});
