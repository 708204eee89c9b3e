import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  failingReceiver,
  hangingReceiver,
  simulateCallbacks,
  wellReceiver,
} from '../support/oracles/callback-simulation.ts';

const START = Date.UTC(2026, 10, 22, 12);
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: START });
});
afterEach(() => void vi.useRealTimers());

test.each([
  { events: 1_000, perSecond: 40, tableMilliseconds: 5, until: 27_000, late: 1_000 },
  { events: 1_000, perSecond: 1_000, tableMilliseconds: 5, until: 6_000, late: 1_000 },
  { events: 1_000, perSecond: 200, tableMilliseconds: 100, until: 30_000, late: 6_000 },
])(
  'a host gets $perSecond events/s on time beside one that hangs, where a table request takes $tableMilliseconds ms',
  async ({ late, ...load }) => {
    const run = async (...others: Parameters<typeof simulateCallbacks>[0]) => {
      const done = simulateCallbacks([wellReceiver, ...others], load);
      await vi.advanceTimersByTimeAsync(load.until + 15_000);
      return done;
    };
    const [alone = []] = await run(undefined, undefined);
    const [beside = [], hanging = []] = await run(hangingReceiver, failingReceiver);
    expect([alone.length, beside.length]).toEqual([334, 334]);
    expect(Math.max(...beside) - Math.max(...alone)).toBeLessThan(late);
    // Two containers at first, ten calls each at most; then none until its pause is over.
    expect(hanging.length).toBeLessThanOrEqual(30);
  },
);

test('a host that answers slowly gets its backlog from the queue, at the pace that it can take, by at most 3 messages each', async () => {
  let sends = 0;
  const load = { events: 500, perSecond: 100, tableMilliseconds: 5, until: 240_000, onSend: () => void sends++ };
  const done = simulateCallbacks([{ milliseconds: 2_500, status: 204 }], load);
  await vi.advanceTimersByTimeAsync(load.until + 15_000);
  const [calls = []] = await done;
  expect(calls).toHaveLength(500);
  expect(Math.max(...calls)).toBeLessThan(190_000);
  expect(sends / calls.length).toBeLessThanOrEqual(3);
});
