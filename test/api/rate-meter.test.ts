import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Decision, type MeterEvent, type MeterState, newMeter, step } from '../../lib/api/callers/rate-meter.ts';
import { type RateState, noState } from '../../lib/store/requests/rate-limits.ts';

const NOW = Date.UTC(2026, 2, 8, 12);
const WINDOW = NOW / 250;
const limit = { rate: 50, burst: 100 };
const used: RateState = { ...noState, lastUsed: '2026-03-08' };
const call = (now = NOW, more: Partial<Extract<MeterEvent, { kind: 'call' }>> = {}): MeterEvent => ({
  kind: 'call',
  now,
  limit,
  maxInFlight: 10,
  random: 0.5,
  mayLearn: true,
  ...more,
});
const end = (now = NOW, tokens = 1, name = 'a'): MeterEvent => ({ kind: 'end', now, tokens, call: name, random: 0.5 });
const read = (known: RateState, now = NOW): MeterEvent => ({ kind: 'read', now, known });

/** Of a container whose first call has still to learn the state. */
const asking = step(newMeter, call()).state;

function run(events: readonly MeterEvent[], from: MeterState = asking): { state: MeterState; decision: Decision } {
  let result = { state: from, decision: { kind: 'nothing' } as Decision };
  for (const event of events) result = step(result.state, event);
  return result;
}

describe('a call', () => {
  const empty: RateState = { ...used, spent: new Map([[WINDOW, 100]]) };
  const others = (count: number): RateState => ({
    ...used,
    calls: new Map(Array.from({ length: count }, (_, index) => [`other ${index}`, NOW + 1_000])),
  });
  test.each<[string, MeterEvent[], Decision]>([
    ['of a new container learns the state first', [call()], { kind: 'learn first', how: 'read' }],
    ['with a full bucket passes', [read(used), call()], { kind: 'pass', beside: undefined }],
    ['on a new day passes, and is reported', [read(noState), call()], { kind: 'pass', beside: 'report' }],
    [
      'with a state of 3 seconds ago passes, and the state is read beside it',
      [read(used), call(NOW + 3_000)],
      { kind: 'pass', beside: 'read' },
    ],
    [
      'with a state of 10 seconds ago learns it first',
      [read(used), call(NOW + 10_000)],
      { kind: 'learn first', how: 'read' },
    ],
    ['with an empty bucket is refused by a fresh state', [read(empty), call()], { kind: 'no tokens', seconds: 1 }],
    [
      'with an empty bucket is not refused by a state of 201 ms ago',
      [read({ ...empty, spent: new Map([[WINDOW, 600]]) }), call(NOW + 201)],
      { kind: 'learn first', how: 'read consistently' },
    ],
    [
      'that may learn no more is refused by what is known',
      [read({ ...empty, spent: new Map([[WINDOW, 600]]) }), call(NOW + 201, { mayLearn: false })],
      { kind: 'no tokens', seconds: 11 },
    ],
    ['beside 9 long calls of others passes', [read(others(9)), call()], { kind: 'pass', beside: undefined }],
    ['beside 10 long calls of others is refused', [read(others(10)), call()], { kind: 'too many in flight' }],
    [
      'beside 10 long calls of which one must be gone passes',
      [read({ ...others(10), calls: new Map([...others(9).calls, ['gone', NOW]]) }), call()],
      { kind: 'pass', beside: undefined },
    ],
  ])('%s', (_, events, decision) => {
    expect(run(events).decision).toEqual(decision);
  });

  test('that is registered is not counted twice by its own container', () => {
    const known = { ...used, calls: new Map([['a', NOW + 30_000]]) };
    const events = [read(used), call(), { kind: 'long', call: 'a' } as const, { kind: 'report', now: NOW } as const];
    const { state } = run([...events, read(known)]);
    expect(step(state, call(NOW, { maxInFlight: 2 })).decision.kind).toBe('pass');
    expect(step(state, call(NOW, { maxInFlight: 1 })).decision.kind).toBe('too many in flight');
  });
});

describe('the end of a call', () => {
  test('that was never registered is nothing to write', () => {
    const { decision, state } = run([read(used), call(), { kind: 'long', call: 'a' }, end()]);
    expect([decision, state.longCalls.size, state.endedCalls.size]).toEqual([{ kind: 'nothing' }, 0, 0]);
  });

  test('that was registered is reported at once when no other call runs, for the container may freeze', () => {
    const registered = [call(), { kind: 'long', call: 'a' } as const, { kind: 'report', now: NOW } as const];
    expect(run([read(used), ...registered, end()]).decision).toEqual({ kind: 'pass', beside: 'report' });
    const { state, decision } = run([read(used), call(), ...registered, end()]);
    expect([decision, [...state.endedCalls]]).toEqual([{ kind: 'nothing' }, ['a']]);
    expect(step(state, { kind: 'report', now: NOW }).decision).toMatchObject({ report: { begun: [], ended: ['a'] } });
  });
});

describe('any calls of one container', () => {
  const events = fc.array(
    fc.record({
      wait: fc.integer({ min: -20, max: 700 }),
      tokens: fc.nat(300),
      ends: fc.boolean(),
      reports: fc.boolean(),
    }),
    { maxLength: 60 },
  );

  /** Takes the steps as the shell does, with a table of its own; calls `check` after each. */
  function simulate(all: readonly { wait: number; tokens: number; ends: boolean; reports: boolean }[]) {
    let now = NOW;
    let state = step(asking, read(used)).state;
    const table = new Map<number, number>();
    const charged: { at: number; tokens: number }[] = [];
    let running = 0;
    for (const [index, { wait, tokens, ends, reports }] of all.entries()) {
      now += wait;
      const before = structuredClone(state);
      const asked = step(state, call(now, { mayLearn: false, maxInFlight: 20 }));
      expect(state, 'a step changes nothing').toEqual(before);
      state = asked.state;
      if (asked.decision.kind === 'pass') {
        running++;
        charged.push({ at: now, tokens: 1 });
        if (ends) {
          state = step(state, end(now, tokens, String(index))).state;
          running--;
          if (tokens > 1) charged.push({ at: now, tokens: tokens - 1 });
        }
      }
      if (reports) {
        const { decision, state: begun } = step(state, { kind: 'report', now });
        if (decision.kind !== 'write') throw new Error(decision.kind);
        for (const [window, spent] of decision.report.spent) table.set(window, (table.get(window) ?? 0) + spent);
        const known = { ...used, spent: new Map(table) };
        state = step(begun, { kind: 'reported', report: decision.report, known }).state;
      }
    }
    return { state, table, charged, running, now };
  }

  test('count each token once: what is reported and what is not is what they were charged', () => {
    fc.assert(
      fc.property(events, (all) => {
        const { state, table, charged, now } = simulate(all);
        const since = Math.floor((now - 9_000) / 250);
        const later = (spent: ReadonlyMap<number, number>) =>
          [...spent].filter(([window]) => window >= since).reduce((sum, [, tokens]) => sum + tokens, 0);
        const total = charged.filter(({ at }) => Math.floor(at / 250) >= since);
        expect(later(table) + later(state.unreported)).toBe(total.reduce((sum, { tokens }) => sum + tokens, 0));
      }),
    );
  });

  test('count those in flight, and pass no more than the burst and what flows in', () => {
    fc.assert(
      fc.property(events, (all) => {
        const { state, charged, running, now } = simulate(all);
        expect(state.inFlight).toBe(running);
        const calls = charged.filter(({ tokens }) => tokens === 1).length;
        const seconds = (Math.max(now, ...charged.map(({ at }) => at)) - NOW) / 1_000;
        expect(calls).toBeLessThanOrEqual(limit.burst + limit.rate * (seconds + 0.25) + 1);
        expect(state.bucket.level).toBeGreaterThanOrEqual(-10 * limit.rate);
        expect(state.bucket.level).toBeLessThanOrEqual(limit.burst);
      }),
    );
  });
});
