import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { MINUTE } from '../../../lib/shared/time/time.ts';
import { openTable } from '../../../lib/store/dynamodb/table.ts';
import { prefetchIds, reserveIds } from '../../../lib/store/dynamodb/records.ts';
import { layout } from '../../../lib/store/keys.ts';
import { atRandom, missedErrors } from '../../support/faults/faulty-engine.ts';
import { type FaultyTable, startFaultyTable } from '../../support/faults/faulty-table.ts';
import { accountStore } from '../../../lib/store/store.ts';

let faulty: FaultyTable;
beforeAll(async () => {
  faulty = await startFaultyTable();
});
afterAll(() => faulty.stop());
afterEach(() => faulty.line.fail(undefined));

/** Leases as another container does, which holds blocks of its own. */
async function container(): Promise<typeof reserveIds> {
  vi.resetModules();
  return (await import('../../../lib/store/dynamodb/records.ts')).reserveIds;
}

test('ids taken at once, of a block that does not reach for all, are each whole and no two the same', async () => {
  const table = openTable();
  await prefetchIds(accountStore(table, 'busy'), 'Contact', 3);
  const taken = await Promise.all(
    Array.from({ length: 60 }, (_, index) => reserveIds(accountStore(table, 'busy'), 'Contact', (index % 3) + 1)),
  );
  expect(taken.map(({ length }) => length)).toEqual(Array.from({ length: 60 }, (_, index) => (index % 3) + 1));
  const ids = taken.flat();
  expect(new Set(ids).size).toBe(ids.length);
  expect(Math.min(...ids)).toBe(1);
});

test('concurrent containers never take the same id, also where replies are lost and requests fail', async () => {
  const containers = [await container(), await container(), await container()];
  const shares = { lostReply: 0.1, errorBefore: 0.1, errorAfter: 0.1 };
  faulty.line.fail(atRandom(41, shares));
  const leases = containers.flatMap((lease) =>
    Array.from({ length: 25 }, (_, index) => lease(accountStore(openTable(), 'shared'), 'Note', (index % 4) + 1)),
  );
  // Here and there all tries fail, and the call is told so.
  const taken = (await Promise.allSettled(leases)).flatMap((lease) =>
    lease.status === 'fulfilled' ? [lease.value] : [],
  );
  const ids = taken.flat();
  expect(ids).not.toEqual([]);
  expect(missedErrors(faulty.line, shares)).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  for (const some of taken) expect(some, 'ascending').toEqual([...some].sort((a, b) => a - b));
});

test('each account counts each kind from 1, and a block serves the calls that follow', async () => {
  const lease = await container();
  const table = openTable();
  expect(await lease(accountStore(table, 'first'), 'Tag', 1)).toEqual([1]);
  expect(await lease(accountStore(table, 'first'), 'Tag', 2)).toEqual([2, 3]);
  expect(table.meter.usage.requests).toBe(1);
  expect(await lease(accountStore(table, 'first'), 'Call', 1)).toEqual([1]);
  expect(await lease(accountStore(table, 'second'), 'Tag', 1)).toEqual([1]);
  const another = await container();
  expect(
    (await another(accountStore(table, 'first'), 'Tag', 1))[0],
    'above all that the first has leased',
  ).toBeGreaterThan(3);
});

test('the last id is the largest int32', async () => {
  await faulty.sound.commit([
    { put: { ...layout.lease.key({ account: 'full', kind: 'Contact' }), Last: 2 ** 31 - 21 } },
  ]);
  const lease = await container();
  expect((await lease(accountStore(openTable(), 'full'), 'Contact', 20)).at(-1)).toBe(2 ** 31 - 1);
  await expect(lease(accountStore(openTable(), 'full'), 'Contact', 1)).rejects.toThrow('has used every Contact id');
});

test('a block of a large account lapses after 10 minutes; the ids of a small one stay without gaps', async () => {
  const [small, large] = [await container(), await container()];
  await faulty.sound.commit([{ put: { ...layout.lease.key({ account: 'large', kind: 'Invoice' }), Last: 60_000 } }]);
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const take = async () =>
      (
        await Promise.all([
          small(accountStore(openTable(), 'small'), 'Invoice', 1),
          large(accountStore(openTable(), 'large'), 'Invoice', 1),
        ])
      ).flat();
    expect(await take()).toEqual([1, 60_001]);
    vi.setSystemTime(Date.now() + 9 * MINUTE);
    expect(await take()).toEqual([2, 60_002]);
    vi.setSystemTime(Date.now() + 2 * MINUTE);
    expect(await take()).toEqual([3, 60_021]);
  } finally {
    vi.useRealTimers();
  }
});
