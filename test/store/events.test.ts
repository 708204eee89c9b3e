import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PatientTable, openTable } from '../../lib/store/dynamodb/table.ts';
import { documentClient } from '../../lib/store/dynamodb/client.ts';
import {
  type NewEvent,
  appendEvents,
  writeClearedThrough,
  findQueue,
  listEvents,
  listStoredEvents,
  writeRetention,
  splitTransactions,
} from '../../lib/store/events/events.ts';
import { StoreConflict } from '../../lib/store/dynamodb/errors.ts';
import { retry } from '../../lib/shared/promises.ts';
import { eventKey, expiryAt, extendSequence, hashChange, toSequence } from '../../lib/store/events/event-sequence.ts';
import { layout } from '../../lib/store/keys.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import type { DataSubscriberEvent } from '../../lib/resources/events.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { invoke } from '../support/stack/invoke.ts';
import { hideItem } from '../support/faults/lagging-reads.ts';
import { accountStore } from '../../lib/store/store.ts';

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable();
});
afterAll(() => engine.stop());

const DAY = 86_400_000;
const NOW = new Date(Date.UTC(2026, 10, 21, 12));
/** An event that fetch can return. */
const CALL = JSON.stringify({
  Kind: 'call.logged',
  TransactionKind: null,
  Id: 1,
  OrganizationId: 1,
  ContactId: null,
  At: NOW.toISOString(),
  Changed: [],
  Data: { Id: 1 },
  Truncated: false,
});
let accounts = 0;
let account: string;
let reader: { readonly account: string; readonly subscriber: string };
let table: PatientTable;
beforeEach(() => {
  account = `store${++accounts}`;
  reader = { account, subscriber: 'default' };
  table = openTable();
});

const events = (count: number, { from = 1, payload = '{}' } = {}): NewEvent[] =>
  Array.from({ length: count }, (_, index) => ({ change: `Contact.${from + index}.1`, payload }));

/** Changes of the same second. */
const committed = (count: number, second: number, from = 1): NewEvent[] =>
  events(count, { from }).map((event) => ({ ...event, committedAt: second * 1_000 }));

async function queue(list: readonly NewEvent[], now = NOW): Promise<void> {
  for (const part of splitTransactions(list))
    await appendEvents(accountStore(table, account), part, now, Date.now() + 10_000);
}

/** What a call asks of the table. */
async function costOf(run: (table: PatientTable) => Promise<unknown>) {
  const metered = openTable();
  await run(metered);
  return metered.meter.usage;
}

const idsFrom = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('reading events', () => {
  test('gives any stretch of ids in order, across blocks', async () => {
    await queue(events(230));
    for (const [first, last] of [
      [1, 1],
      [1, 100],
      [49, 51],
      [50, 50],
      [131, 230],
    ] as const) {
      expect((await listEvents(accountStore(table, account), first, last)).events.map(({ id }) => id)).toEqual(
        idsFrom(first, last),
      );
    }
    expect(await listEvents(accountStore(table, account), 231, 230)).toEqual({ events: [], missing: undefined });
  });

  test('asks for 100 in one round, after one for the sequence, and for 1,000 as well', async () => {
    await queue(events(1_000));
    const cost = (count: number) =>
      costOf(async (metered) => {
        const { next } = await findQueue(accountStore(metered, reader.account), reader.subscriber, NOW);
        await listEvents(accountStore(metered, account), next, next + count - 1);
      });
    expect([(await cost(100)).rounds, (await cost(1_000)).rounds]).toEqual([2, 2]);
  });

  test('stops before 3 MB of payload, or where a block does not fit a page, and goes on from there without gap', async () => {
    const payload = JSON.stringify({ Data: 'x'.repeat(90_000) });
    await queue(events(60, { payload }));
    const read: number[] = [];
    for (let first = 1; first <= 60; first = read.length + 1) {
      const { events: page } = await listEvents(accountStore(table, account), first, 60);
      expect(page.length).toBeGreaterThan(0);
      expect(page.reduce((sum, event) => sum + event.payload.length, 0)).toBeLessThanOrEqual(3_000_000);
      read.push(...page.map(({ id }) => id));
    }
    expect(read).toEqual(idsFrom(1, 60));
  });

  test('never passes over an id while workers write', async () => {
    const writers = Promise.all([0, 1, 2].map((worker) => queue(events(300, { from: worker * 1_000 }))));
    let seen = 0;
    for (let done = false; !done;) {
      done = await Promise.race([writers.then(() => true), new Promise<false>((later) => setTimeout(later, 1, false))]);
      const { last } = await findQueue(accountStore(table, reader.account), reader.subscriber, NOW);
      const { events: page } = await listEvents(accountStore(table, account), seen + 1, last);
      expect(page.map(({ id }) => id)).toEqual(idsFrom(seen + 1, last));
      seen = last;
    }
    expect(seen).toBe(900);
  });
});

describe('while a transaction commits, and a reader sees its newest id and not all of its events,', () => {
  const idsIn = (body: Record<string, unknown>) => (body['Events'] as DataSubscriberEvent[]).map(({ Id }) => Id);
  const call = async (body: object) => {
    const { key } = await createKey(accountStore(table, account), { role: 'Owner', name: 'test', now: new Date() });
    return (await invoke('datasubscriber/fetch', body, { key })).body;
  };

  test.each([
    ['in the middle of a block', 6, 10],
    ['first of a block', 50, 60],
    ['last', 10, 10],
    ['first of all', 1, 10],
  ])(
    'fetch ends before the hidden event (%s), counts none behind it, and continues there',
    async (_, hidden, count) => {
      await queue(events(count, { payload: CALL }));
      const reveal = hideItem(eventKey({ account }, hidden));
      const cut = await call({});
      expect([idsIn(cut), cut['EventCount']]).toEqual([idsFrom(1, hidden - 1), hidden - 1]);
      reveal();
      const rest = await call(hidden > 1 ? { ClearThroughId: hidden - 1 } : {});
      expect([idsIn(rest), rest['EventCount']]).toEqual([idsFrom(hidden, count), count - hidden + 1]);
    },
  );
});

describe('clearing', () => {
  test('moves the cursor of one subscriber in one write, and leaves the events to others', async () => {
    await queue(events(60));
    const cost = await costOf(async (metered) =>
      expect(
        await writeClearedThrough(accountStore(metered, reader.account), reader.subscriber, 50, NOW),
      ).toMatchObject({ last: 60, next: 51 }),
    );
    expect([cost.rounds, cost.requests]).toEqual([1, 1]);
    expect(await findQueue(accountStore(table, account), 'other', NOW)).toMatchObject({ last: 60, next: 1 });
    expect((await listEvents(accountStore(table, account), 1, 3)).events).toHaveLength(3);
  });

  test('twice or backwards changes nothing', async () => {
    await queue(events(10));
    await writeClearedThrough(accountStore(table, reader.account), reader.subscriber, 7, NOW);
    expect(await writeClearedThrough(accountStore(table, reader.account), reader.subscriber, 7, NOW)).toMatchObject({
      last: 10,
      next: 8,
    });
    expect(await writeClearedThrough(accountStore(table, reader.account), reader.subscriber, 3, NOW)).toMatchObject({
      last: 10,
      next: 8,
    });
    expect(await findQueue(accountStore(table, reader.account), reader.subscriber, NOW)).toMatchObject({
      last: 10,
      next: 8,
    });
  });

  test('beyond the newest event is refused, also in an empty queue', async () => {
    expect(await writeClearedThrough(accountStore(table, reader.account), reader.subscriber, 1, NOW)).toBeUndefined();
    await queue(events(2));
    expect(await writeClearedThrough(accountStore(table, reader.account), reader.subscriber, 3, NOW)).toBeUndefined();
    expect(await findQueue(accountStore(table, reader.account), reader.subscriber, NOW)).toMatchObject({
      last: 2,
      next: 1,
    });
  });

  test('whose reply was lost is done, and says so when repeated', async () => {
    await queue(events(5));
    const stack = documentClient().middlewareStack;
    let lost = 0;
    stack.add(
      (next) => async (input) => {
        const reply = await next(input);
        if (lost++ === 0) throw Object.assign(new Error('lost'), { name: 'TimeoutError', $retryable: {} });
        return reply;
      },
      { step: 'deserialize', priority: 'low', name: 'lossy' },
    );
    expect(await writeClearedThrough(accountStore(table, reader.account), reader.subscriber, 4, NOW)).toMatchObject({
      last: 5,
      next: 5,
    });
    stack.remove('lossy');
    expect(lost).toBeGreaterThan(1);
  });
});

describe('retention', () => {
  test('a subscriber that was away for long continues with the oldest readable event, at the same cost', async () => {
    const sequence = layout.sequence.key({ account });
    await queue(events(3));
    await table.update({ update: sequence, set: { Last: 5_000_000 } });
    await queue(events(3, { from: 10 }), new Date(NOW.getTime() + 40 * DAY));
    const later = new Date(NOW.getTime() + 41 * DAY);
    const cost = await costOf(async (metered) => {
      const { next, last } = await findQueue(accountStore(metered, reader.account), reader.subscriber, later);
      expect((await listEvents(accountStore(metered, account), next, last)).events.map(({ id }) => id)).toEqual([
        5_000_001, 5_000_002, 5_000_003,
      ]);
    });
    expect([cost.rounds, cost.requests]).toEqual([2, 2]);
  });

  test('is 30 days, in the TTL of the event as well, and can be set', async () => {
    const expiryOf = async (id: number) =>
      ((await table.query({ partition: layout.event.of({ account, block: 0 }) })).items[id - 1]?.['TTL'] as number) -
      NOW.getTime() / 1000;
    await queue(events(1));
    await writeRetention(accountStore(table, account), 60);
    await queue(events(1, { from: 2 }));
    const days = [await expiryOf(1), await expiryOf(2)].map((seconds) => Math.floor(seconds / 86_400));
    expect(days).toEqual([30, 60]);
    expect(
      await findQueue(accountStore(table, reader.account), reader.subscriber, new Date(NOW.getTime() + 31 * DAY)),
    ).toMatchObject({ last: 2, next: 2 });
  });
});

describe('a transaction', () => {
  test('has at most 99 events and 3.5 MB, in their order', () => {
    const sizes = (list: NewEvent[][]) => list.map((part) => part.length);
    expect(sizes(splitTransactions(events(200)))).toEqual([99, 99, 2]);
    expect(sizes(splitTransactions(events(60, { payload: 'é'.repeat(50_000) })))).toEqual([35, 25]);
    expect(splitTransactions(events(100)).flat()).toEqual(events(100));
    expect(splitTransactions([])).toEqual([]);
  });

  test('with the largest events there can be is one that the engine takes', async () => {
    await queue(events(40, { payload: JSON.stringify({ Data: 'x'.repeat(100_000) }) }));
    expect((await findQueue(accountStore(table, reader.account), reader.subscriber, NOW)).last).toBe(40);
  });
});

describe('a change becomes one event', () => {
  /**
   * Fails requests of these operations, by their count from 1, and returns all operations requested in the meantime.
   */
  async function whileFailing(
    choose: (operation: string, count: number) => 'conflict' | 'lostReply' | undefined,
    run: () => Promise<unknown>,
  ): Promise<string[]> {
    const { middlewareStack } = documentClient();
    const requested: string[] = [];
    middlewareStack.add(
      (next, { commandName = '' }) =>
        async (input) => {
          requested.push(commandName);
          const failure = choose(commandName, requested.filter((name) => name === commandName).length);
          if (failure === 'conflict')
            throw Object.assign(new Error('conflict'), {
              name: 'TransactionCanceledException',
              CancellationReasons: [{ Code: 'TransactionConflict' }],
            });
          const reply = await next(input);
          if (failure) throw Object.assign(new Error('lost'), { name: 'TimeoutError' });
          return reply;
        },
      { step: 'initialize', name: 'failing' },
    );
    try {
      await run();
    } finally {
      middlewareStack.remove('failing');
    }
    return requested;
  }

  const append = (list: readonly NewEvent[]) =>
    appendEvents(accountStore(table, account), list, NOW, Date.now() + 10_000);

  test('after a conflict with another worker: it reads again instead of repeating the transaction', async () => {
    const isFirst = (name: string, count: number) => name === 'TransactWriteItemsCommand' && count === 1;
    const requested = await whileFailing(
      (name, count) => (isFirst(name, count) ? 'conflict' : undefined),
      () => append(events(1)),
    );
    const [read, write] = ['GetItemCommand', 'TransactWriteItemsCommand'];
    expect(requested).toEqual([read, write, 'UpdateItemCommand', write]);
    expect((await findQueue(accountStore(table, reader.account), reader.subscriber, NOW)).last).toBe(1);
  });

  test('also where an older event is lost for good, as after a restore: it is not waited for without end', async () => {
    await queue(committed(60, 100));
    await table.putMany([], [eventKey({ account }, 5)]);
    expect(await append(committed(3, 100, 4))).toBe(1);
    expect(await append(committed(1, 100, 4))).toBe(0);
  });

  test('after a lost reply of a transaction larger than what the queue remembers', async () => {
    await whileFailing(
      (name, count) => (name === 'TransactWriteItemsCommand' && count === 1 ? 'lostReply' : undefined),
      async () => expect(await append(committed(99, 100))).toBe(0),
    );
    expect((await findQueue(accountStore(table, reader.account), reader.subscriber, NOW)).last).toBe(99);
  });

  test('delivered again hours later, alone, and with a moment that is not known', async () => {
    const hour = 3_600;
    for (let later = 0; later < 5; later++) await queue(committed(60, 100 + later * hour, 1 + later * 60));
    expect(await append(committed(3, 100 + hour, 61))).toBe(0);
    expect(await append(events(5, { from: 100 }))).toBe(0);
    expect(await append(committed(2, 100 + hour, 1_000))).toBe(2);
    expect(await append([{ change: 'Contact.2000.1', payload: '{}' }])).toBe(1);
    expect(await append(committed(1, NOW.getTime() / 1_000, 2_000))).toBe(0);
    expect((await findQueue(accountStore(table, reader.account), reader.subscriber, NOW)).last).toBe(303);
  });

  test('by any number of workers, in any order of redelivery, with lost replies and workers that die', async () => {
    const step = fc.record({
      shard: fc.nat({ max: 2 }),
      /** Where its delivery begins: so many changes before the end of what the shard has handled. */
      again: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 130 })),
      size: fc.integer({ min: 1, max: 60 }),
      failure: fc.constantFrom(undefined, undefined, undefined, 'conflict' as const, 'lostReply' as const),
      dies: fc.boolean(),
    });
    // Changes of a shard in their order, some in the same second; a shard may be behind the others for long.
    const shards = [0, 1, 2].map((shard) =>
      Array.from({ length: 3_000 }, (_, index): NewEvent => ({
        change: `Task${shard}.${index}.1`,
        committedAt: 1_000 * (1_000 * shard + Math.floor(index / 7)),
        payload: '{}',
      })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), async (steps) => {
        account = `model${++accounts}`;
        reader = { account, subscriber: 'default' };
        const handled = [0, 0, 0];
        const queued = [0, 0, 0];
        for (const { shard, again, size, failure, dies } of steps) {
          const start = Math.max(0, (handled[shard] ?? 0) - again);
          const batch = shards[shard]?.slice(start, start + size) ?? [];
          await whileFailing(
            (name, count) => (name === 'TransactWriteItemsCommand' && count === 1 ? failure : undefined),
            () => append(batch),
          );
          queued[shard] = Math.max(queued[shard] ?? 0, start + size);
          if (!dies) handled[shard] = Math.max(handled[shard] ?? 0, start + size);
        }
        const { last } = await findQueue(accountStore(table, reader.account), reader.subscriber, NOW);
        const keys = Array.from({ length: last }, (_, index) => eventKey({ account }, index + 1));
        const changes = (await table.getMany(keys)).sort((a, b) => Number(a.SK) - Number(b.SK));
        const expected = shards.flatMap((all, shard) => all.slice(0, queued[shard]).map(({ change }) => change));
        const names = changes.map(({ Change }) => Change as string);
        expect(names.toSorted()).toEqual(expected.toSorted());
        for (const [shard] of shards.entries()) {
          const ofShard = names.filter((name) => name.startsWith(`Task${shard}.`));
          expect(ofShard).toEqual(shards[shard]?.slice(0, queued[shard]).map(({ change }) => change));
        }
      }),
      { numRuns: 6 },
    );
  });
});

/** Queues an event as the version before did: without a number, and without the list of the changes of a block. */
async function appendAsBefore(event: NewEvent): Promise<void> {
  const item = await table.get(layout.sequence.key({ account }));
  const { Last, Days } = toSequence(item);
  const { expires, days } = expiryAt(Days, Last + 1, NOW, 30);
  const change = { hash: hashChange(event.change), second: Math.floor((event.committedAt ?? 0) / 1_000) };
  const { set, through } = extendSequence(item, [change], days);
  const row = {
    QueuedAt: NOW.getTime(),
    Payload: event.payload,
    Change: event.change,
    Through: through[0],
    TTL: expires,
  };
  await table.commit([
    { update: layout.sequence.key({ account }), set, if: { equals: { Last: item?.['Last'], Closed: undefined } } },
    { put: { ...eventKey({ account }, Last + 1), ...row } },
  ]);
}

async function namesInQueue(): Promise<(string | undefined)[]> {
  const { last } = await findQueue(accountStore(table, reader.account), reader.subscriber, NOW);
  const stored = await listStoredEvents(accountStore(table, account), 1, last);
  expect(stored.map(({ id }) => id)).toEqual(idsFrom(1, last));
  return stored.map(({ change }) => change);
}

describe('workers of several shards', () => {
  const append = (list: readonly NewEvent[]) =>
    appendEvents(accountStore(table, account), list, NOW, Date.now() + 20_000);
  const line = async () => {
    const item = await table.get(layout.sequence.key({ account }));
    return { Turns: item?.['Turns'], Served: item?.['Served'] };
  };
  /** Takes the next number and does nothing with it. */
  const takeNumberAndDie = () => table.update({ update: layout.sequence.key({ account }), add: { Turns: 1 } });

  test('take turns: all are served, in order each, and nearly no transaction is lost', async () => {
    const sent = { transactions: 0 };
    documentClient().middlewareStack.add(
      (next, { commandName }) =>
        (input) => {
          if (commandName === 'TransactWriteItemsCommand') sent.transactions++;
          return next(input);
        },
      { step: 'initialize', name: 'counter' },
    );
    const shards = Array.from({ length: 6 }, (_, shard) => committed(60, 100, 1 + shard * 60));
    await Promise.all(
      shards.map(async (shard) => {
        for (let start = 0; start < shard.length; start += 20) await append(shard.slice(start, start + 20));
      }),
    );
    documentClient().middlewareStack.remove('counter');
    const names = await namesInQueue();
    for (const shard of shards) {
      const expected = shard.map(({ change }) => change);
      expect(names.filter((name) => expected.includes(name ?? ''))).toEqual(expected);
    }
    expect(names).toHaveLength(360);
    expect(sent.transactions, '18 transactions').toBeLessThanOrEqual(20);
  });

  test('wait a second for one that died with a number, once', async () => {
    await append(events(20));
    await takeNumberAndDie();
    await takeNumberAndDie();
    const startedAt = performance.now();
    expect(await append(events(20, { from: 100 }))).toBe(20);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    // The next one waits for none of them.
    const { Turns, Served } = await line();
    expect(Served).toBe(Turns);
    expect(await append(events(20, { from: 200 }))).toBe(20);
    expect(await namesInQueue()).toHaveLength(60);
  });

  test('pass over one that is slow, which then takes a new number', async () => {
    const { middlewareStack } = documentClient();
    let transactions = 0;
    const [reached, passed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    middlewareStack.add(
      (next, { commandName }) =>
        async (input) => {
          const isFirst = commandName === 'TransactWriteItemsCommand' && transactions++ === 0;
          if (isFirst) {
            reached.resolve();
            await passed.promise;
          }
          return next(input);
        },
      { step: 'initialize', name: 'slow' },
    );
    const slow = append(events(20));
    await reached.promise;
    expect(await append(events(20, { from: 100 }))).toBe(20);
    passed.resolve();
    expect(await slow).toBe(20);
    middlewareStack.remove('slow');
    expect(await namesInQueue()).toHaveLength(40);
  });

  test('give the turn on where all their changes are events already, and where the table refuses one', async () => {
    await append(events(30));
    expect(await append(events(30))).toBe(0);
    expect(await line()).toEqual({ Turns: 2, Served: 2 });
    const tooLarge = events(20, { from: 100 }).map((event) => ({
      ...event,
      payload: randomBytes(300_000).toString('hex'),
    }));
    await expect(append(tooLarge)).rejects.toThrow();
    expect(await line()).toEqual({ Turns: 3, Served: 3 });
  });

  test('with one of the version before: each change is one event, whoever queues it and whoever gets it again', async () => {
    const before = committed(130, 100);
    const after = committed(130, 100, 1_000);
    for (let index = 0; index < 130; index += 26) {
      await Promise.all([
        append(after.slice(index, index + 26)),
        (async () => {
          for (const event of before.slice(index, index + 26))
            await retry(() => appendAsBefore(event), { isTransient: (error) => error instanceof StoreConflict });
        })(),
      ]);
    }
    expect((await namesInQueue()).toSorted()).toEqual([...before, ...after].map(({ change }) => change).toSorted());
    for (const list of [before, after]) for (const part of splitTransactions(list)) expect(await append(part)).toBe(0);
  });
});

describe('a change that comes again', () => {
  test('is found among thousands of its second by few reads', async () => {
    await queue(committed(2_000, 100));
    const { readUnits, rounds } = await costOf((metered) =>
      appendEvents(accountStore(metered, account), committed(99, 100), NOW, Date.now() + 10_000),
    );
    expect((await findQueue(accountStore(table, reader.account), reader.subscriber, NOW)).last).toBe(2_000);
    // 40 blocks, and the 99 events.
    expect(readUnits).toBeLessThan(150);
    expect(rounds).toBeLessThanOrEqual(9);
  });

  test('is found where the blocks name a part of their changes, as with 90 days of retention', async () => {
    await writeRetention(accountStore(table, account), 90);
    const today = Math.floor(NOW.getTime() / DAY);
    const Days = Object.fromEntries(Array.from({ length: 91 }, (_, index) => [today + 1 + index, 8]));
    await table.update({ update: layout.sequence.key({ account }), set: { Last: 7, Days } });
    for (const event of committed(120, 100))
      await appendEvents(accountStore(table, account), [event], NOW, Date.now() + 10_000);
    const endOfBlock = (await table.get(eventKey({ account }, 99))) as { Block?: Uint8Array } | undefined;
    expect(endOfBlock?.Block?.length).toBeLessThan(50 * 4);
    for (const part of splitTransactions(committed(120, 100)))
      expect(await appendEvents(accountStore(table, account), part, NOW, Date.now() + 10_000)).toBe(0);
  });
});

describe('what queueing costs', () => {
  const KILOBYTE = JSON.stringify({ Data: randomBytes(460).toString('hex') });
  const units = async (list: readonly NewEvent[], now = NOW) =>
    (await costOf((metered) => appendEvents(accountStore(metered, account), list, now, Date.now() + 10_000)))
      .writeUnits;

  test('a lone event of 1 KB is 4 units, also with 90 days of retention and three subscribers', async () => {
    await writeRetention(accountStore(table, account), 90);
    const today = Math.floor(NOW.getTime() / DAY);
    const Days = Object.fromEntries(Array.from({ length: 91 }, (_, index) => [today + 92 + index, 1 + index]));
    await table.update({ update: layout.sequence.key({ account }), set: { Last: 92, Days } });
    const last = new Date(NOW.getTime() + 91 * DAY);
    for (const subscriber of ['default', 'warehouse', 'crm'])
      await writeClearedThrough(accountStore(table, account), subscriber, 90, last);
    for (let count = 0; count < 10; count++) {
      const [event] = events(1, { from: 1_000 + count, payload: KILOBYTE });
      const lone = event ? [{ ...event, committedAt: last.getTime() + 1_000 * count }] : [];
      expect(await units(lone, last)).toBeLessThanOrEqual(4);
    }
  });

  test('of 1 KB in batches is less than 3 units each, and of 1.5 KB of text as well', async () => {
    expect((await units(events(99, { payload: KILOBYTE }))) / 99).toBeLessThan(3);
    const text = JSON.stringify({ Data: 'The boiler in the cellar loses pressure over night. '.repeat(30) });
    expect((await units(events(99, { from: 200, payload: text }))) / 99).toBeLessThan(3);
  });

  test('a backlog of one shard, 200 changes a second, is read for no longer than its second', async () => {
    const all = Array.from({ length: 2_000 }, (_, index) => ({
      change: `Task.${index}.1`,
      committedAt: 5 * index,
      payload: '{}',
    }));
    const usages = [];
    for (const part of splitTransactions(all))
      usages.push(
        await costOf((metered) => appendEvents(accountStore(metered, account), part, NOW, Date.now() + 10_000)),
      );
    expect(Math.max(...usages.map(({ readUnits }) => readUnits))).toBeLessThan(30);
    expect(Math.max(...usages.map(({ rounds }) => rounds))).toBeLessThanOrEqual(6);
  });
});
