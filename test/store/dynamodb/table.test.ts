import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type TableWriter, openTable } from '../../../lib/store/dynamodb/table.ts';
import { documentClient } from '../../../lib/store/dynamodb/client.ts';
import { StoreConflict, StoreFull, StoreUnavailable } from '../../../lib/store/dynamodb/errors.ts';
import type { Fault } from '../../support/faults/faulty-engine.ts';
import { type FaultyTable, startFaultyTable } from '../../support/faults/faulty-table.ts';

let faulty: FaultyTable;
beforeAll(async () => {
  faulty = await startFaultyTable();
});
afterAll(() => faulty.stop());
afterEach(() => faulty.line.fail(undefined));

let places = 0;
const place = () => ({ PK: `A#client#${++places}`, SK: 'ITEM' });

/**
 * The first requests of an operation end so, one after another; all later ones go well. Gives how many were asked for.
 */
function failing(operation: string, ...fates: (Fault | undefined)[]): () => number {
  const left = [...fates];
  let count = 0;
  faulty.line.fail((request) => {
    if (request !== operation) return undefined;
    count++;
    return left.shift();
  });
  return () => count;
}

const several = (kind: Fault, count: number): Fault[] => Array.from({ length: count }, () => kind);

describe('one conditional put', () => {
  test.each(['lostReply', 'errorAfter', 'errorBefore', 'throttled'] as const)(
    'is made once and not refused by its own first try: %s',
    async (kind) => {
      const key = place();
      await faulty.sound.commit([{ put: { ...key, V: 1 } }]);
      const requested = failing('PutItem', kind);
      await openTable().commit([{ put: { ...key, V: 2 }, if: { equals: { V: 1 } } }]);
      expect([requested(), (await faulty.sound.get(key))?.['V']]).toEqual([2, 2]);
    },
  );

  test('is a conflict, found in one round, where another was first', async () => {
    const key = place();
    await faulty.sound.commit([{ put: { ...key, V: 2, By: 'another' } }]);
    const table = openTable();
    await expect(table.commit([{ put: { ...key, V: 2, By: 'us' }, if: { equals: { V: 1 } } }])).rejects.toThrow(
      StoreConflict,
    );
    await expect(table.commit([{ put: { ...key, V: 1 }, if: 'absent' }])).rejects.toThrow(StoreConflict);
    expect([table.meter.usage.rounds, (await faulty.sound.get(key))?.['By']]).toEqual([2, 'another']);
  });

  test('is a conflict where another made that very version before a try of ours did', async () => {
    const key = place();
    await faulty.sound.commit([{ put: { ...key, V: 2, By: 'another' } }]);
    failing('PutItem', 'errorBefore');
    await expect(openTable().commit([{ put: { ...key, V: 2 }, if: { equals: { V: 1 } } }])).rejects.toThrow(
      StoreConflict,
    );
  });

  test('whose reply is lost and on which another has built since is not a conflict, or it would be made twice', async () => {
    const key = place();
    await faulty.sound.commit([{ put: { ...key, V: 1 } }]);
    let tries = 0;
    faulty.line.fail(async (operation) => {
      if (operation !== 'PutItem') return undefined;
      if (++tries === 1) return 'lostReply';
      await faulty.sound.commit([{ put: { ...key, V: 3 }, if: { equals: { V: 2 } } }]);
      return undefined;
    });
    await expect(openTable().commit([{ put: { ...key, V: 2 }, if: { equals: { V: 1 } } }])).rejects.toThrow(
      StoreUnavailable,
    );
  });

  test('is unavailable, not refused, where no try gets through', async () => {
    const key = place();
    const requested = failing('PutItem', ...several('errorBefore', 9));
    await expect(openTable().commit([{ put: key, if: 'absent' }])).rejects.toThrow(StoreUnavailable);
    expect([requested(), await faulty.sound.get(key)]).toEqual([4, undefined]);
  });
});

describe('a transaction', () => {
  const both = () => [place(), place()] as const;

  test.each(['lostReply', 'errorAfter', 'errorBefore', 'throttled', 'conflict'] as const)(
    'is made once, whatever becomes of its first two tries: %s',
    async (kind) => {
      const [one, other] = both();
      const requested = failing('TransactWriteItems', kind, kind);
      await openTable().commit([
        { put: one, if: 'absent' },
        { update: other, add: { Count: 1 } },
      ]);
      expect([requested(), (await faulty.sound.get(other))?.['Count']]).toEqual([3, 1]);
    },
  );

  test('that makes an item too large is StoreFull, and nothing of it is made', async () => {
    const [one, other] = both();
    await faulty.sound.commit([{ put: { ...one, Long: 'x'.repeat(409_000) } }]);
    const tooMuch = { set: { More: 'x'.repeat(1_000) } };
    await expect(openTable().commit([{ update: one, ...tooMuch }, { put: other }])).rejects.toThrow(StoreFull);
    await expect(openTable().update({ update: one, ...tooMuch })).rejects.toThrow(StoreFull);
    expect(await faulty.sound.get(other)).toBeUndefined();
  });

  test('of more than 4 MB is StoreFull, and nothing of it is made', async () => {
    const [{ PK }] = both();
    const items = Array.from({ length: 12 }, (_, index) => ({ PK, SK: String(index), Long: 'x'.repeat(380_000) }));
    await expect(openTable().commit(items.map((put) => ({ put })))).rejects.toThrow(StoreFull);
    expect((await faulty.sound.query({ partition: PK })).items).toEqual([]);
  });

  test('is made whole or not at all, and names the changes that did not hold', async () => {
    const [one, other] = both();
    await faulty.sound.commit([{ put: other }]);
    const refused = openTable().commit([{ put: one }, { put: other, if: 'absent' }]);
    await expect(refused).rejects.toMatchObject({ name: 'StoreConflict', transient: false, failed: [1] });
    expect(await faulty.sound.get(one)).toBeUndefined();
  });

  test.each(['conflict', 'throttled'] as const)(
    'gives up after the last attempt, with nothing made: %s',
    async (kind) => {
      const [one, other] = both();
      failing('TransactWriteItems', ...several(kind, 99));
      const error = kind === 'conflict' ? { name: 'StoreConflict', transient: true } : { name: 'StoreUnavailable' };
      await expect(openTable().commit([{ put: one }, { put: other }])).rejects.toMatchObject(error);
      expect(await faulty.sound.getMany([one, other])).toEqual([]);
    },
  );

  test('of more changes than DynamoDB takes is refused without a request', async () => {
    const requested = failing('TransactWriteItems');
    await expect(openTable().commit(Array.from({ length: 101 }, () => ({ put: place() })))).rejects.toThrow(StoreFull);
    await openTable().commit([]);
    expect(requested()).toBe(0);
  });
});

describe('an update', () => {
  const changed = async (key: { PK: string; SK: string }, change: object) => {
    await openTable().update({ update: key, ...change });
    return faulty.sound.get(key);
  };

  test('sets once what is not there yet, and leaves what is', async () => {
    const key = place();
    expect(await changed(key, { setOnce: { Since: 1 } })).toEqual({ ...key, Since: 1 });
    expect(await changed(key, { setOnce: { Since: 2, Until: 3 }, set: { Name: 'a' } })).toEqual({
      ...key,
      Since: 1,
      Until: 3,
      Name: 'a',
    });
  });

  test('sets and takes out entries of maps, whatever else they hold, in one with all other clauses', async () => {
    const key = place();
    await faulty.sound.putMany([{ ...key, Open: { 1: { Date: 'a' }, 2: { Date: 'b' } }, Other: {}, Left: 1 }]);
    const entries = {
      Open: { 1: undefined, 2: { Date: 'c' }, '3.x #y': { Date: 'd' }, 9: undefined },
      Other: { 1: 'e' },
    };
    const after = await changed(key, {
      entries,
      setOnce: { Since: 1 },
      set: { Name: 'a' },
      add: { V: 1 },
      remove: ['Left'],
      if: 'present',
    });
    expect(after).toEqual({
      ...key,
      Open: { 2: { Date: 'c' }, '3.x #y': { Date: 'd' } },
      Other: { 1: 'e' },
      Since: 1,
      Name: 'a',
      V: 1,
    });
  });

  test('of fifty different entries at once are all made', async () => {
    const [key, other] = [place(), place()];
    await faulty.sound.putMany([{ ...key, Open: { gone: 1 }, V: 0 }]);
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const commit = (index: number) =>
      openTable().commit([
        {
          update: key,
          entries: { Open: { [index]: index, gone: undefined } },
          setOnce: { First: index },
          add: { V: 1 },
          if: 'present',
        },
        { put: { PK: other.PK, SK: String(index) } },
      ]);
    await Promise.all(numbers.map(commit));
    const after = await faulty.sound.get(key);
    expect(after).toMatchObject({ Open: Object.fromEntries(numbers.map((index) => [index, index])), V: 50 });
    expect(numbers).toContain(after?.['First']);
    expect(Object.keys(after?.['Open'] as object)).toHaveLength(50);
  });

  test('of an entry without its map, or of a missing item, changes nothing', async () => {
    const [key, other] = [place(), place()];
    await faulty.sound.putMany([key]);
    await expect(openTable().update({ update: key, entries: { Open: { 1: 'a' } } })).rejects.toThrow();
    await expect(openTable().update({ update: other, setOnce: { Since: 1 }, if: 'present' })).rejects.toThrow(
      StoreConflict,
    );
    expect([await faulty.sound.get(key), await faulty.sound.get(other)]).toEqual([key, undefined]);
  });
});

describe('batches', () => {
  test('are done to the end where the table does half of each at a time', async () => {
    const items = Array.from({ length: 60 }, place);
    const writes = failing('BatchWriteItem', ...several('unprocessed', 6));
    await openTable().putMany(items);
    const reads = failing('BatchGetItem', ...several('unprocessed', 3));
    expect(await openTable().getMany(items)).toHaveLength(60);
    expect(writes()).toBeGreaterThan(3);
    expect(reads()).toBe(4);
    await openTable().putMany([], items.slice(1));
    expect(await faulty.sound.getMany(items)).toEqual(items.slice(0, 1));
  });
});

describe('reads', () => {
  test('bring a range in either order, from and through its ends, page after page', async () => {
    const { PK } = place();
    await faulty.sound.putMany(['a', 'b', 'c', 'd', 'e'].map((SK) => ({ PK, SK })));
    const table = openTable();
    const keysOf = async (range: object) => {
      const { items, next } = await table.query({ partition: PK, ...range });
      return [items.map(({ SK }) => SK).join(''), next];
    };
    expect(await keysOf({})).toEqual(['abcde', undefined]);
    expect(await keysOf({ from: 'b', to: 'd' })).toEqual(['bcd', undefined]);
    expect(await keysOf({ descending: true, limit: 2 })).toEqual(['ed', 'd']);
    expect(await keysOf({ descending: true, limit: 2, after: 'd' })).toEqual(['cb', 'b']);
    expect(await keysOf({ to: 'c', after: 'a' })).toEqual(['bc', undefined]);
  });

  test.each(['errorBefore', 'lostReply'] as const)('are repeated, and then unavailable: %s', async (kind) => {
    const key = place();
    await faulty.sound.commit([{ put: key }]);
    failing('GetItem', kind, kind);
    expect(await openTable().get(key)).toMatchObject(key);
    failing('GetItem', ...several(kind, 4));
    await expect(openTable().get(key)).rejects.toThrow(StoreUnavailable);
  });
});

describe('the endpoint', () => {
  // Templates for `sam local invoke` declare the variable, empty.
  test.each([
    ['', 'dynamodb.us-east-1.amazonaws.com'],
    ['http://127.0.0.1:8000', '127.0.0.1'],
  ])('of AWS_ENDPOINT_URL_DYNAMODB="%s" is %s', async (variable, host) => {
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', variable);
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.resetModules();
    const { documentClient } = await import('../../../lib/store/dynamodb/client.ts');
    const client = documentClient();
    let hostname: unknown;
    client.middlewareStack.add(
      () => async (parameters) => {
        ({ hostname } = parameters.request as { hostname: unknown });
        return { output: { $metadata: {} }, response: {} } as never;
      },
      { step: 'build', priority: 'low' },
    );
    await client.send(new GetCommand({ TableName: 'table', Key: { PK: 'A', SK: 'A' } }));
    vi.unstubAllEnvs();
    expect(hostname).toBe(host);
  });
});

describe('a table that always leaves a part of a batch', () => {
  /** Leaves all of every batch; returns how many were sent until `run` ends, by a clock that only waits move. */
  async function countBatches(
    run: () => Promise<unknown>,
  ): Promise<{ count: number; seconds: number; error: unknown }> {
    const { middlewareStack } = documentClient();
    let count = 0;
    middlewareStack.add(
      () => async (request) => {
        const { RequestItems } = request.input as { RequestItems: object };
        count++;
        const output = { UnprocessedKeys: RequestItems, UnprocessedItems: RequestItems, $metadata: { attempts: 1 } };
        return { output, response: {} };
      },
      { step: 'initialize', name: 'leaving' },
    );
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
    try {
      const startedAt = Date.now();
      const progress = { isDone: false };
      const result = run()
        .catch((error: unknown) => error)
        .finally(() => (progress.isDone = true));
      while (!progress.isDone) await vi.advanceTimersByTimeAsync(100);
      return { count, seconds: (Date.now() - startedAt) / 1_000, error: await result };
    } finally {
      vi.useRealTimers();
      middlewareStack.remove('leaving');
    }
  }

  test.each([
    ['read', (table: TableWriter) => table.getMany([place(), place()])],
    ['write', (table: TableWriter) => table.putMany([place()])],
  ])('ends a %s of a call within 8 s, and waits for that of a worker until its deadline', async (_, run) => {
    const call = await countBatches(() => run(openTable()));
    expect(call.error).toBeInstanceOf(StoreUnavailable);
    expect([call.count < 20, call.seconds < 8]).toEqual([true, true]);
    const worker = await countBatches(() => run(openTable({ deadline: Date.now() + 60_000 })));
    expect(worker.error).toBeInstanceOf(StoreUnavailable);
    expect([worker.seconds > 55, worker.seconds < 62, worker.count < 200]).toEqual([true, true, true]);
  });
});
