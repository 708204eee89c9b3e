import { type ApiKeyRecord, DEFAULT_IN_FLIGHT } from '../../lib/entities/api-keys.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Admission, startCpuTimer, tokensOf } from '../../lib/api/callers/rate-limit.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { chance } from '../support/random/random-pricing.ts';
import { type RateContainer, simulateRate } from '../support/oracles/rate-simulation.ts';

const NOW = Date.UTC(2026, 2, 8, 12);
const at = (seconds: number) => new Date(NOW + seconds * 1_000);
/** Simulations with other random delays: one, and many in `npm run prove -- random`. */
const SEEDS = Number(process.env['RATE_SEEDS'] ?? 1);
const newKey = (name: string, more: Partial<ApiKeyRecord> = {}) =>
  ({ Public: name, Rate: 50, Burst: 100, InFlight: DEFAULT_IN_FLIGHT, ...more }) as ApiKeyRecord;

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable({ stream: false });
});
afterAll(() => engine.stop());

/** Containers have memories of their own: each is a module instance. */
async function containers(count: number): Promise<RateContainer[]> {
  const all: RateContainer[] = [];
  while (all.length < count) {
    vi.resetModules();
    all.push(await import('../../lib/api/callers/rate-limit.ts'));
  }
  return all;
}

const storedItem = (key: ApiKeyRecord) => openTable().get(layout.rate.key({ public: key.Public }));

interface Refused {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers: Record<string, string>;
}

/** Calls one after another, each of the next container; gives how many passed in each second. */
async function passedEachSecond(all: RateContainer[], key: ApiKeyRecord, rate: number, seconds: number) {
  const table = openTable();
  const passed = Array.from({ length: seconds }, () => 0);
  for (let call = 0; call < rate * seconds; call++) {
    const now = at(Math.floor((call * 1_000) / rate) / 1_000);
    const admission = await all[call % all.length]?.admit(table, key, now).catch((error: Refused) => {
      expect(error.status).toBe(429);
    });
    const second = Math.floor(call / rate);
    if (admission) passed[second] = (passed[second] ?? 0) + 1;
    await admission?.end(now, 1);
  }
  return { passed, usage: table.meter.usage };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

describe('20 containers with one key of 50 calls a second', () => {
  test('let all of 2,000 calls pass at 40 a second, at 0.2 write units a call', async () => {
    const key = newKey('below');
    const { passed, usage } = await passedEachSecond(await containers(20), key, 40, 50);
    expect(sum(passed)).toBe(2_000);
    expect(usage.writeUnits / 2_000).toBeLessThanOrEqual(0.2);
    expect(usage.readUnits / 2_000).toBeLessThanOrEqual(0.1);
  });

  test('let 45 to 60 calls pass of 200 in every second after the burst', async () => {
    vi.spyOn(Math, 'random').mockImplementation(chance(1));
    const { passed, usage } = await passedEachSecond(await containers(20), newKey('above'), 200, 7);
    vi.restoreAllMocks();
    expect(passed[0]).toBeLessThanOrEqual(100 + 60);
    for (const calls of passed.slice(1)) {
      expect(calls).toBeGreaterThanOrEqual(45);
      expect(calls).toBeLessThanOrEqual(60);
    }
    expect(usage.writeUnits / 1_400).toBeLessThanOrEqual(0.3);
    expect(usage.requests / 1_400).toBeLessThanOrEqual(0.5);
  });

  /** What passed in any seconds in a row, less what flows into the bucket meanwhile: the least and the most. */
  function deviations(passed: readonly number[]): { readonly least: number; readonly most: number } {
    const stretches = passed.flatMap((_, begin) =>
      passed.slice(begin).map((__, length) => sum(passed.slice(begin, begin + length + 1)) - 50 * (length + 1)),
    );
    return { least: Math.min(...stretches), most: Math.max(...stretches) };
  }

  // A second of 44 follows some of 53, and what it leaves in the bucket passes in the next ones (decision 13): a caller
  // has its rate in any number of seconds, less at most a fifth of a second's calls.
  test('let the rate pass in any seconds with a slow table too, 60 at most in each, and all of 40 at any moments', async () => {
    const all = await containers(20);
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = chance(seed);
      vi.spyOn(Math, 'random').mockImplementation(random);
      const key = newKey(`simulated-${seed}`, { InFlight: 1_000 });
      const above = { key, perSecond: 200, seconds: SEEDS > 1 ? 20 : 8, isRandom: false };
      const { passed } = await simulateRate(all, above, random);
      const { least, most } = deviations(passed.slice(1));
      expect([seed, passed, least >= -10, most <= 20]).toEqual([seed, passed, true, true]);
      expect(Math.max(...passed.slice(1))).toBeLessThanOrEqual(60);
      const below = { ...above, key: { ...key, Public: `below-${seed}` }, perSecond: 40, isRandom: true };
      expect(sum((await simulateRate(all, below, random)).passed)).toBe(40 * below.seconds);
    }
    vi.restoreAllMocks();
  });

  test('let 20 calls at the same moment pass, each with one read and no write', async () => {
    const key = newKey('at-once');
    await openTable().update({ update: layout.rate.key({ public: key.Public }), set: { LastUsed: '2026-03-08' } });
    const table = openTable();
    const admissions = await Promise.all((await containers(20)).map(({ admit }) => admit(table, key, at(0))));
    await Promise.all(admissions.map((admission) => admission.end(at(0.01), 1)));
    expect(table.meter.usage).toMatchObject({ readUnits: 10, writeUnits: 0 });
  });
});

describe('a container', () => {
  test('that was idle for 10 s pays one read of half a unit and nothing else', async () => {
    const [container] = await containers(1);
    const key = newKey('idle');
    for (const seconds of [0, 10, 20, 45]) {
      for (const call of [0, 1, 2])
        await (await container?.admit(openTable(), key, at(seconds + call / 100)))?.end(at(seconds + call / 100), 1);
      const table = openTable();
      const later = at(seconds + 10.02);
      await (await container?.admit(table, key, later))?.end(later, 1);
      expect(table.meter.usage).toMatchObject({ requests: 1, readUnits: 0.5, writeUnits: 0 });
    }
  });

  test('writes the day of use once a day', async () => {
    const [container] = await containers(1);
    const key = newKey('daily');
    const used: unknown[] = [];
    for (const seconds of [0, 20, 86_400, 86_420]) {
      const table = openTable();
      await (await container?.admit(table, key, at(seconds)))?.end(at(seconds), 1);
      used.push([(await storedItem(key))?.['LastUsed'], table.meter.usage.writeUnits]);
    }
    expect(used).toEqual([
      ['2026-03-08', 1],
      ['2026-03-08', 0],
      ['2026-03-09', 1],
      ['2026-03-09', 0],
    ]);
  });

  test('alone allows a burst and then the rate, and says truly what remains and when to try again', async () => {
    const [container] = await containers(1);
    const key = newKey('alone');
    const table = openTable();
    const remaining: string[] = [];
    for (let call = 0; call < 100; call++) {
      const headers = await (await container?.admit(table, key, at(0)))?.end(at(0), 1);
      remaining.push(headers?.['RateLimit-Remaining'] ?? '');
    }
    const refused = (await container?.admit(table, key, at(0)).catch((error: unknown) => error)) as Refused;
    expect(remaining).toEqual(Array.from({ length: 100 }, (_, index) => String(99 - index)));
    expect(refused.headers).toEqual({
      'RateLimit-Limit': '100',
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '2',
      'Retry-After': '1',
    });
    let passed = 0;
    for (let call = 0; call < 60; call++)
      await container?.admit(table, key, at(1)).then(
        () => passed++,
        () => undefined,
      );
    // As many as may be in flight: none of these has ended.
    expect(passed).toBe(DEFAULT_IN_FLIGHT);
  });

  test('keeps the item of a key that is always in use below 1 KB', async () => {
    const all = await containers(3);
    const key = newKey('long');
    await passedEachSecond(all, key, 4, 40);
    const item = await storedItem(key);
    expect(Object.keys(item ?? {}).length).toBeLessThan(100);
    expect(JSON.stringify(item).length).toBeLessThan(1_400);
    expect(Object.keys(item ?? {}).filter((name) => name.startsWith('L')).length).toBeLessThanOrEqual(3);
  });
});

describe('the price of a call', () => {
  test.each([
    ['a booking', { readUnits: 13, writeUnits: 10 }, 12, 1],
    ['a call without the table', { readUnits: 0, writeUnits: 0 }, 0, 1],
    ['an acceptance with 40 visits', { readUnits: 2, writeUnits: 364 }, 35, 8],
    ['a quote that calculates for a second', { readUnits: 12, writeUnits: 0 }, 1_000, 11],
  ])('%s', (_, units, milliseconds, tokens) => {
    expect(tokensOf({ rounds: 1, requests: 1, ...units }, milliseconds)).toBe(tokens);
  });

  test('divides the processor time of a process between its calls', () => {
    const calculate = (milliseconds: number) => {
      const { user } = process.cpuUsage();
      while (process.cpuUsage().user - user < milliseconds * 1_000);
    };
    const first = startCpuTimer();
    calculate(20);
    const second = startCpuTimer();
    calculate(40);
    const [shorter, longer] = [second.end(), first.end()];
    expect(shorter).toBeGreaterThanOrEqual(20);
    expect(longer - shorter).toBeGreaterThanOrEqual(19);
    expect(first.end()).toBe(longer);
  });
});

describe('a call', () => {
  test('that cost more than its token makes the next ones wait, at most ten seconds', async () => {
    const [one, other] = await containers(2);
    const key = newKey('expensive');
    const table = openTable();
    const dear = await one?.admit(table, key, at(0));
    expect(await dear?.end(at(1), 230)).toMatchObject({ 'RateLimit-Remaining': '0', 'RateLimit-Reset': '5' });
    const refused = (await other?.admit(table, key, at(1)).catch((error: unknown) => error)) as Refused;
    expect([refused.code, refused.headers['Retry-After']]).toEqual(['rate_limited', '3']);
    await (await other?.admit(table, key, at(4)))?.end(at(4), 100_000);
    await (await one?.admit(table, key, at(4.2)))?.end(at(4.2), 1);
    const bankrupt = (await one?.admit(table, key, at(4.3)).catch((error: unknown) => error)) as Refused;
    expect(bankrupt.headers['Retry-After']).toBe('10');
    await expect(one?.admit(table, key, at(14.3))).resolves.toBeDefined();
  });

  test('is counted while it runs: a twenty-sixth at the same time is 429, and passes when one has ended', async () => {
    const [container] = await containers(1);
    const key = newKey('busy');
    const table = openTable();
    const running = await Promise.all(Array.from({ length: 25 }, () => container?.admit(table, key, at(0))));
    const refused = (await container?.admit(table, key, at(0)).catch((error: unknown) => error)) as Refused;
    expect([refused.code, refused.message, refused.headers['Retry-After']]).toEqual([
      'too_many_in_flight',
      'This key may have 25 calls in flight. Wait for the answer of one, then try again.',
      '1',
    ]);
    await running[0]?.end(at(0), 1);
    await running[0]?.end(at(0), 1);
    await expect(container?.admit(table, key, at(0))).resolves.toBeDefined();
    await expect(container?.admit(table, key, at(0))).rejects.toMatchObject({ code: 'too_many_in_flight' });
  });

  test('that runs for long is counted by all containers, until it ends or its container must be gone', async () => {
    const all = await containers(5);
    const key = newKey('long-calls', { InFlight: 3 });
    const table = openTable();
    const running: (Admission | undefined)[] = [];
    for (const container of all.slice(0, 3)) running.push(await container.admit(table, key, at(0)));
    await vi.waitFor(async () => {
      const names = Object.keys((await storedItem(key)) ?? {});
      expect(names.filter((name) => name.startsWith('C'))).toHaveLength(3);
    });
    await expect(all[3]?.admit(table, key, at(1))).rejects.toMatchObject({ code: 'too_many_in_flight' });
    await running[0]?.end(at(1), 1);
    const next = await all[3]?.admit(table, key, at(1.3));
    await next?.end(at(1.3), 1);
    const last = await all[4]?.admit(table, key, at(40));
    await last?.end(at(40), 1);
    await Promise.all(running.map((admission) => admission?.end(at(40), 1)));
    expect(Object.keys((await storedItem(key)) ?? {}).filter((name) => name.startsWith('C'))).toEqual([]);
  });
});
