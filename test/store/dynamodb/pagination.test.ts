import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTable } from '../../../lib/store/dynamodb/client.ts';
import { type UncountedList, paginateUncounted } from '../../../lib/store/dynamodb/pagination.ts';
import { padded } from '../../../lib/store/keys.ts';
import { type TestTable, startTable } from '../../support/engine.ts';

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable({ stream: false });
});
afterAll(() => engine.stop());

interface IdRecord {
  readonly Id: number;
}

let lists = 0;

/** A list of things in `shards` ranges, in the order of their ids. */
async function listOf(ids: readonly number[], shards: number) {
  const name = `list${++lists}`;
  const partition = (shard: number) => `A#pages#${name}#${shard}`;
  const add = (added: readonly number[]) =>
    openTable().putMany(added.map((Id) => ({ PK: partition(Id % shards), SK: padded(Id), Id })));
  await add(ids);
  const ranges = (descending: boolean) =>
    Array.from({ length: shards }, (_, shard) => ({ partition: partition(shard), descending, consistent: true }));
  const ask = async ({
    descending = false,
    ...input
  }: Partial<UncountedList<IdRecord>> & { descending?: boolean; skip: number; take: number }) => {
    const table = openTable();
    let read = 0;
    const found = await paginateUncounted<IdRecord>(table, {
      account: 'pages',
      query: `${name} ${descending} ${input.exact ?? true}`,
      exact: true,
      ranges: ranges(descending),
      ...input,
      read: async (some) => {
        read += some.length;
        return (input.read ?? (async (all) => all.map((Id) => ({ Id }))))(some);
      },
    });
    return { ids: found.map(({ Id }) => Id), usage: table.meter.usage, read };
  };
  return { ask, add };
}

const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
const even = async (ids: readonly number[]): Promise<IdRecord[]> =>
  ids.filter((id) => id % 2 === 0).map((Id) => ({ Id }));

describe('pages one after another', () => {
  test('are disjoint, complete and in order, for any ranges, any matches and any length of page', async () => {
    const lists = fc.record({
      ids: fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 120 }),
      shards: fc.integer({ min: 1, max: 8 }),
      takes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      descending: fc.boolean(),
      exact: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(lists, async ({ ids, shards, takes, descending, exact }) => {
        const { ask } = await listOf(ids, shards);
        const sorted = [...ids].sort((a, b) => (descending ? b - a : a - b)).filter((id) => exact || id % 2 === 0);
        const seen: number[] = [];
        for (let page = 0; seen.length < sorted.length; page++) {
          const take = takes[page % takes.length] ?? 1;
          const found = (await ask({ skip: seen.length, take, descending, exact, ...(exact ? {} : { read: even }) }))
            .ids;
          expect(found).toEqual(sorted.slice(seen.length, seen.length + take));
          seen.push(...found);
        }
        expect(
          (await ask({ skip: seen.length, take: 5, descending, exact, ...(exact ? {} : { read: even }) })).ids,
        ).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('have each record once while others are added before and behind', async () => {
    const { ask, add } = await listOf(numbers(101, 200), 4);
    const first = await ask({ skip: 0, take: 40 });
    await add([...numbers(1, 30), ...numbers(201, 210)]);
    const second = await ask({ skip: 40, take: 40 });
    const third = await ask({ skip: 80, take: 40 });
    expect([...first.ids, ...second.ids, ...third.ids]).toEqual(numbers(101, 210));
  });

  test.each([
    ['two readers', 'one', 'other'],
    ['two readers of one name', 'same', 'same'],
  ])('of %s do not affect each other while records are added', async (_, one, other) => {
    const { ask, add } = await listOf(numbers(101, 200), 4);
    const seen = { one: (await ask({ reader: one, skip: 0, take: 40 })).ids, other: [] as number[] };
    await add(numbers(1, 30));
    for (const skip of [0, 40]) {
      seen.other.push(...(await ask({ reader: other, skip, take: 40 })).ids);
      seen.one.push(...(await ask({ reader: one, skip: skip + 40, take: 40 })).ids);
    }
    for (const skip of [80, 120]) seen.other.push(...(await ask({ reader: other, skip, take: 40 })).ids);
    expect(seen).toEqual({ one: numbers(101, 200), other: [...numbers(1, 30), ...numbers(101, 200)] });
  });

  test('cost the same, page 20 as page 2', async () => {
    const { ask } = await listOf(numbers(1, 1_000), 8);
    const costs: object[] = [];
    for (let page = 0; page < 20; page++) {
      const { usage, read } = await ask({ skip: page * 50, take: 50 });
      costs.push({ rounds: usage.rounds, requests: usage.requests, read });
    }
    expect(costs[0]).toEqual({ rounds: 2, requests: 9, read: 50 });
    // A later page finds its bookmark first, and marks it as continued.
    expect(costs.slice(1)).toEqual(costs.slice(1).map(() => ({ rounds: 3, requests: 11, read: 50 })));
  });
});

describe('a page out of turn', () => {
  test('is the same page, and reads no record that it skips where entries decide', async () => {
    const { ask } = await listOf(numbers(1, 700), 8);
    expect(await ask({ skip: 630, take: 20 })).toMatchObject({ ids: numbers(631, 650), read: 20 });
    expect((await ask({ skip: 650, take: 20 })).usage.requests, 'the next one is in turn').toBe(11);
    expect((await ask({ skip: 700, take: 20 })).ids).toEqual([]);
    expect((await ask({ skip: 5_000, take: 20 })).ids).toEqual([]);
  });

  test('is correct also where records must be read to decide', async () => {
    const { ask } = await listOf(numbers(1, 200), 3);
    expect((await ask({ skip: 60, take: 20, exact: false, read: even })).ids).toEqual(
      numbers(61, 80).map((place) => place * 2),
    );
  });

  test('does not use the cursor of another query, another length of page or another account', async () => {
    const { ask } = await listOf(numbers(1, 100), 2);
    await ask({ skip: 0, take: 30 });
    expect((await ask({ skip: 30, take: 10, query: 'another question', descending: true })).ids).toEqual(
      numbers(61, 70).reverse(),
    );
    expect((await ask({ skip: 30, take: 7 })).ids).toEqual(numbers(31, 37));
    expect((await ask({ skip: 37, take: 3 })).ids).toEqual(numbers(38, 40));
    expect((await ask({ skip: 30, take: 5, account: 'other' })).ids).toEqual(numbers(31, 35));
  });
});
