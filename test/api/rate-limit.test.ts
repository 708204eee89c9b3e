import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CpuTime, type admit, cpuTokens, tokensLeft, tokensOf } from '../../lib/api/callers/rate-limit.ts';
import { type ApiKeyRecord, DEFAULT_IN_FLIGHT } from '../../lib/entities/api-keys.ts';
import type { Failure } from '../../lib/shared/failure.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';

const NOW = Date.UTC(2026, 2, 8, 12);
const at = (seconds: number) => new Date(NOW + Math.round(seconds * 1_000));
const newKey = (name: string, more: Partial<ApiKeyRecord> = {}) =>
  ({ Public: name, Rate: 50, Burst: 100, InFlight: DEFAULT_IN_FLIGHT, ...more }) as ApiKeyRecord;

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable({ stream: false });
});
afterAll(() => engine.stop());

interface Container {
  readonly admit: typeof admit;
}

/** Containers have memories of their own: each is a module instance. */
async function containers(count: number): Promise<Container[]> {
  const all: Container[] = [];
  while (all.length < count) {
    vi.resetModules();
    all.push(await import('../../lib/api/callers/rate-limit.ts'));
  }
  return all;
}

async function twoContainers(): Promise<[Container, Container]> {
  const [one, other] = await containers(2);
  return [one as Container, other as Container];
}

const storedItem = async (key: ApiKeyRecord) => (await openTable().get(layout.rate.key({ public: key.Public }))) ?? {};

/** A whole call; gives its RateLimit headers, or the failure. */
async function call(
  { admit }: Container,
  key: ApiKeyRecord,
  seconds: number,
  { table = openTable(), tokens = 1 } = {},
) {
  try {
    return await (await admit(table, key, at(seconds), '203.0.113.9')).end(at(seconds), tokens);
  } catch (error) {
    return error as Failure;
  }
}

const isPassed = (result: Awaited<ReturnType<typeof call>>) => !('status' in result);

/** Calls one after another, each of the next container; gives how many passed in each second. */
async function passedEachSecond(all: readonly Container[], key: ApiKeyRecord, rate: number, seconds: number) {
  const table = openTable();
  const passed = Array.from({ length: seconds }, () => 0);
  for (let index = 0; index < rate * seconds; index++) {
    const container = all[index % all.length] as Container;
    const second = Math.floor(index / rate);
    if (isPassed(await call(container, key, index / rate, { table }))) passed[second] = (passed[second] ?? 0) + 1;
  }
  return { passed, usage: table.meter.usage };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

describe('the bucket of a key with 50 calls a second and bursts of 100', () => {
  const left = (...spent: (readonly [secondsAgo: number, tokens: number])[]) =>
    tokensLeft(new Map(spent.map(([secondsAgo, tokens]) => [1_000 - secondsAgo, tokens])), newKey('bucket'), 1_000);

  test.each([
    ['is full where nothing was spent', [], 100],
    ['holds what is left', [[0, 30]], 70],
    ['gains the rate in a second', [[1, 100]], 50],
    ['gains no more than the burst', [[20, 100]], 100],
    [
      'adds up what was spent one after another',
      [
        [2, 100],
        [1, 45],
        [0, 10],
      ],
      45,
    ],
    ['is overdrawn by late or expensive calls', [[0, 160]], -60],
    ['is overdrawn by no more than it gains in ten seconds', [[0, 9_000]], -500],
    ['forgets what was spent 30 seconds ago', [[30, 9_000]], 100],
    ['is the same in a second of another container whose clock is ahead', [[-1, 90]], 100],
  ] as const)('%s', (_, spent, tokens) => {
    expect(left(...spent)).toBe(tokens);
  });
});

describe('one container', () => {
  const calls = fc.array(fc.record({ pause: fc.integer({ min: 0, max: 900 }), many: fc.integer({ min: 1, max: 9 }) }), {
    minLength: 1,
    maxLength: 25,
  });
  const limits = fc.record({ Rate: fc.integer({ min: 1, max: 8 }), more: fc.integer({ min: 0, max: 8 }) });

  test('refuses a call only where more than Burst and the rate of the other seconds would pass in some seconds', async () => {
    const [container] = await twoContainers();
    let keys = 0;
    const property = fc.asyncProperty(calls, limits, async (steps, { Rate, more }) => {
      const key = newKey(`property-${keys++}`, { Rate, Burst: Rate + more });
      const passed: number[] = [];
      let milliseconds = 0;
      for (const { pause, many } of steps) {
        milliseconds += pause;
        const second = Math.floor(milliseconds / 1_000);
        for (let index = 0; index < many; index++) {
          const isAllowed = Array.from({ length: 30 }, (_, others) => others).every(
            (others) => passed.filter((one) => one >= second - others).length < key.Burst + others * Rate,
          );
          expect(isPassed(await call(container, key, milliseconds / 1_000))).toBe(isAllowed);
          if (isAllowed) passed.push(second);
        }
      }
    });
    await fc.assert(property, { numRuns: 30 });
  });

  test('allows a burst and then the rate, and says truly what remains and when to try again', async () => {
    const [container] = await twoContainers();
    const key = newKey('alone');
    const remaining: unknown[] = [];
    for (let index = 0; index < 100; index++) remaining.push(await call(container, key, 0));
    expect(remaining).toEqual(
      Array.from({ length: 100 }, (_, index) => ({
        'RateLimit-Limit': '100',
        'RateLimit-Remaining': String(99 - index),
        'RateLimit-Reset': index < 50 ? '1' : '2',
      })),
    );
    expect(await call(container, key, 0.9)).toMatchObject({
      code: 'rate_limited',
      message: 'This key may make 50 calls a second, 100 at once. Try again in 1 s.',
      headers: { 'RateLimit-Limit': '100', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '2', 'Retry-After': '1' },
    });
    const { passed } = await passedEachSecond([container], newKey('steady'), 60, 10);
    expect([passed[0], sum(passed)]).toEqual([60, 100 + 9 * 50]);
    expect(passed.slice(5)).toEqual([50, 50, 50, 50, 50]);
  });

  test('adds what it counted at most four times a second, of 1 write unit each', async () => {
    const [container] = await twoContainers();
    const key = newKey('additions', { Rate: 1_000, Burst: 2_000 });
    const { passed, usage } = await passedEachSecond([container], key, 100, 40);
    expect(sum(passed)).toBe(4_000);
    expect(usage).toMatchObject({ requests: 160, writeUnits: 160, readUnits: 0 });
    expect(Object.keys(await storedItem(key)).filter((name) => name.startsWith('S')).length).toBeLessThanOrEqual(32);
  });

  test('writes the day and the network of the last use', async () => {
    const [container] = await twoContainers();
    const key = newKey('daily');
    for (const seconds of [0, 86_400]) {
      await call(container, key, seconds);
      expect(await storedItem(key)).toMatchObject({
        LastUsed: at(seconds).toISOString().slice(0, 10),
        UsedFrom: '203.0.113.0/24',
      });
    }
  });

  test('has a released call in flight no longer, and charges what it cost once, at its end', async () => {
    const [{ admit }] = await twoContainers();
    const key = newKey('released', { InFlight: 1 });
    const outer = await admit(openTable(), key, at(0));
    await expect(admit(openTable(), key, at(0))).rejects.toMatchObject({ code: 'too_many_in_flight' });
    outer.release();
    const inner = await admit(openTable(), key, at(0));
    outer.release();
    await expect(admit(openTable(), key, at(0))).rejects.toMatchObject({ code: 'too_many_in_flight' });
    expect(await inner.end(at(0), 1)).toMatchObject({ 'RateLimit-Remaining': '98' });
    expect(await outer.end(at(0), 5)).toMatchObject({ 'RateLimit-Remaining': '94' });
    expect(await outer.end(at(0), 5)).toMatchObject({ 'RateLimit-Remaining': '94' });
  });

  test('lets calls pass while the table is away, and no more than its own count allows', async () => {
    const [container] = await twoContainers();
    const table = openTable({ endpoint: 'http://127.0.0.1:1' });
    const passed: boolean[] = [];
    for (let index = 0; index < 6; index++)
      passed.push(isPassed(await call(container, newKey('away', { Rate: 2, Burst: 4 }), 0, { table })));
    expect(passed).toEqual([true, true, true, true, false, false]);
  });
});

describe('the containers of a key', () => {
  test('together let all calls of a caller at 40 a second pass', async () => {
    const { passed, usage } = await passedEachSecond(await containers(20), newKey('below'), 40, 15);
    expect(sum(passed)).toBe(600);
    expect(usage).toMatchObject({ requests: 600, writeUnits: 600, readUnits: 0 });
  });

  test.each([2, 20])(
    '%d of them let the rate pass of 200 calls a second, and what they count in 250 ms',
    async (count) => {
      const { passed } = await passedEachSecond(await containers(count), newKey(`above-${count}`), 200, 10);
      expect(sum(passed)).toBeGreaterThanOrEqual(100 + 9 * 50);
      expect(sum(passed)).toBeLessThanOrEqual(100 + 9 * 50 + 200 / 4);
      for (const calls of passed.slice(1)) expect(calls).toBeLessThanOrEqual(50 + 200 / 4);
    },
  );

  test('may each let a burst pass before they know of each other, and then wait until it is paid for', async () => {
    const [one, other] = await twoContainers();
    const key = newKey('at-once');
    for (const container of [one, other])
      for (let index = 0; index < 80; index++) expect(isPassed(await call(container, key, 0.1))).toBe(true);
    await call(one, key, 0.4);
    await call(other, key, 0.5);
    await call(one, key, 0.8);
    expect(await call(one, key, 0.9)).toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '2' } });
    expect(await call(other, key, 1.2)).toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '1' } });
    expect(isPassed(await call(one, key, 2))).toBe(true);
  });

  test('count with those of the version before, which counts by quarters of a second', async () => {
    const [container] = await twoContainers();
    const key = newKey('versions');
    const quarter = (seconds: number) => (at(seconds).getTime() / 250).toString(36);
    const [before, late, old] = [`S${quarter(-0.5)}`, `S${quarter(-0.25)}`, `S${quarter(-40.5)}`];
    await openTable().update({
      update: layout.rate.key({ public: key.Public }),
      set: { LastUsed: '2026-03-08', [`L${quarter(-5)}`]: 3, Ck8dJ2mPq: NOW },
      add: { [before]: 60, [late]: 38, [old]: 500 },
    });
    expect(await call(container, key, 0)).toMatchObject({ 'RateLimit-Remaining': '51' });
    await call(container, key, 1);
    expect(await storedItem(key)).toMatchObject({
      [`S${quarter(0)}`]: 1,
      [`S${quarter(1)}`]: 1,
      [before]: 60,
      [late]: 38,
    });
    expect(await storedItem(key)).not.toHaveProperty(old);
  });
});

describe('the CPU of a call', () => {
  test.each([
    [0, 0],
    [199, 0],
    [200, 1],
    [1_050, 5],
  ])('of %d ms costs %d tokens besides the one of the call', (milliseconds, tokens) => {
    expect(cpuTokens(milliseconds)).toBe(tokens);
  });

  test('is charged to one of the calls that run at once', () => {
    const cpu = vi.spyOn(process, 'cpuUsage');
    const usedBy = (milliseconds: number) => cpu.mockReturnValue({ user: (1e9 + milliseconds) * 1_000, system: 0 });
    usedBy(0);
    const [one, other] = [new CpuTime(), new CpuTime()];
    usedBy(300);
    expect(one.take()).toBe(300);
    usedBy(350);
    expect(other.take()).toBe(50);
    cpu.mockRestore();
  });
});

describe('the price of a call', () => {
  test.each([
    ['a booking', { readUnits: 13, writeUnits: 10 }, 1],
    ['a call without the table', { readUnits: 0, writeUnits: 0 }, 1],
    ['an acceptance with 40 visits', { readUnits: 2, writeUnits: 364 }, 8],
    ['the first page of 100,000 records', { readUnits: 2_500, writeUnits: 100 }, 19],
  ])('%s', (_, units, tokens) => {
    expect(tokensOf({ rounds: 1, requests: 1, ...units })).toBe(tokens);
  });

  test('above one token makes the next calls of all containers wait, at most ten seconds', async () => {
    const [one, other] = await twoContainers();
    const key = newKey('expensive');
    const table = openTable();
    await call(one, key, 0);
    const admission = await one.admit(table, key, at(0.1));
    expect(await admission.end(at(0.5), 230)).toMatchObject({ 'RateLimit-Remaining': '0', 'RateLimit-Reset': '5' });
    expect(await admission.end(at(0.5), 230)).toMatchObject({ 'RateLimit-Reset': '5' });
    expect(isPassed(await call(other, key, 1))).toBe(true);
    expect(await call(other, key, 1)).toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '2' } });
    expect(isPassed(await call(other, key, 3))).toBe(true);
    await call(one, key, 4, { tokens: 100_000 });
    expect(await call(one, key, 4.3)).toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '11' } });
    expect(isPassed(await call(one, key, 15))).toBe(true);
  });
});

test('a call counts while it runs: a twenty-sixth in the same process is 429, and passes when one has ended', async () => {
  const [container, other] = await twoContainers();
  const key = newKey('busy');
  const table = openTable();
  const running = await Promise.all(Array.from({ length: 25 }, () => container.admit(table, key, at(0))));
  expect(await call(container, key, 0)).toMatchObject({
    code: 'too_many_in_flight',
    message: 'This key may have 25 calls in flight. Wait for the answer of one, then try again.',
    headers: { 'Retry-After': '1', 'RateLimit-Remaining': '75' },
  });
  expect(isPassed(await call(other, key, 0))).toBe(true);
  await running[0]?.end(at(0), 1);
  await running[0]?.end(at(0), 1);
  await expect(container.admit(table, key, at(0))).resolves.toBeDefined();
  await expect(container.admit(table, key, at(0))).rejects.toMatchObject({ code: 'too_many_in_flight' });
});
