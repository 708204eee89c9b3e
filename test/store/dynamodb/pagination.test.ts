import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTable } from '../../../lib/store/dynamodb/table.ts';
import { RangeTooLarge } from '../../../lib/store/dynamodb/errors.ts';
import { readFixedPage, readOrderedPage } from '../../../lib/store/dynamodb/lists/pagination.ts';
import { MAX_LIST_ENTRIES } from '../../../lib/store/dynamodb/lists/range-entries.ts';
import { padded } from '../../../lib/store/keys.ts';
import { type TestTable, startTable } from '../../support/stack/engine.ts';
import { listReader } from '../../support/list-readers.ts';

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable({ stream: false });
});
afterAll(() => engine.stop());

interface IdRecord {
  readonly Id: number;
}

let lists = 0;

interface ListInput {
  readonly skip: number;
  readonly take: number;
  readonly reader?: string;
  readonly account?: string;
  readonly query?: string;
  readonly descending?: boolean;
  readonly isCompared?: boolean;
  /** Which records belong to the list. */
  readonly matches?: (id: number) => boolean;
}

/** A list whose entries are in memory and whose bookmarks are in the table. */
function listOf(ids: readonly number[], kind: 'ordered' | 'fixed' = 'ordered') {
  const name = `list${++lists}`;
  const entries = [...ids];
  const add = (added: readonly number[]) => void entries.push(...added);
  const ask = async ({
    descending = false,
    isCompared = false,
    reader = 'one',
    matches = () => true,
    ...input
  }: ListInput) => {
    const table = openTable();
    let read = 0;
    const order = (one: string, other: string) => (one === other ? 0 : one < other === descending ? 1 : -1);
    const list = {
      account: 'pages',
      query: `${name} ${descending} ${isCompared}`,
      ...input,
      reader: listReader(reader),
      async read(some: readonly number[]) {
        read += some.length;
        await table.get({ PK: 'A#pages', SK: 'ROUND' });
        return some.filter(matches).map((Id): IdRecord => ({ Id }));
      },
    };
    const orderKeys = entries.map(padded).sort(order);
    const { records, hasMore } =
      kind === 'fixed'
        ? await readFixedPage(
            table,
            { ...list, findAll: async () => ({ ids: orderKeys.map(Number), isCompared }) },
            NOW,
          )
        : await readOrderedPage(table, {
            ...list,
            isCompared,
            async find(after, count) {
              const behind = orderKeys.filter((orderKey) => after === undefined || order(orderKey, after) > 0);
              const found = behind.slice(0, Math.ceil(count / 2));
              const through = found.length < behind.length ? found.at(-1) : undefined;
              return { entries: found.map((orderKey) => ({ id: Number(orderKey), orderKey })), through, read: count };
            },
          });
    return { ids: records.map(({ Id }) => Id), hasMore, usage: table.meter.usage, read };
  };
  return { ask, add };
}

const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
const isEven = (id: number): boolean => id % 2 === 0;
const NOW = new Date();

describe.each(['ordered', 'fixed'] as const)('pages, %s', (kind) => {
  test('are disjoint, complete, full and in order, for any entries, any matches and any length of page', async () => {
    const lists = fc.record({
      ids: fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 120 }),
      takes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      descending: fc.boolean(),
      isCompared: fc.boolean(),
      matches: fc.constantFrom(
        isEven,
        (id: number) => id % 7 > 0,
        (id: number) => id > 200,
        () => true,
      ),
    });
    await fc.assert(
      fc.asyncProperty(lists, async ({ ids, takes, ...input }) => {
        const { ask } = listOf(ids, kind);
        const sorted = [...ids].sort((a, b) => (input.descending ? b - a : a - b)).filter(input.matches);
        for (let page = 0, skip = 0, hasMore = true; hasMore; page++) {
          const take = takes[page % takes.length] ?? 1;
          const found = await ask({ skip, take, ...input });
          expect(found.ids).toEqual(sorted.slice(skip, skip + take));
          skip += take;
          hasMore = found.hasMore;
          if (!hasMore) expect(sorted.slice(skip)).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('are full where some of their records are gone', async () => {
    const { ask } = listOf(numbers(1, 400), kind);
    const pages = [];
    for (let skip = 0; pages.at(-1)?.hasMore !== false; skip += 50)
      pages.push(await ask({ skip, take: 50, matches: (id) => id % 10 > 0 }));
    expect(pages.flatMap(({ ids }) => ids)).toEqual(numbers(1, 400).filter((id) => id % 10));
    expect(pages.slice(0, -1).map(({ ids }) => ids.length)).toEqual(pages.slice(0, -1).map(() => 50));
  });

  test('end the search where too many would have to be compared', async () => {
    const { ask } = listOf(numbers(1, 5_200), kind);
    const page = { skip: 0, take: 100, isCompared: true };
    expect((await ask({ ...page, matches: (id) => id > 4_000 })).ids).toEqual(numbers(4_001, 4_100));
    await expect(ask({ ...page, matches: () => false })).rejects.toThrow(RangeTooLarge);
  });
});

describe('pages one after another', () => {
  test('have each record once while others are added before and behind', async () => {
    const { ask, add } = listOf(numbers(101, 200));
    const first = await ask({ skip: 0, take: 40 });
    add([...numbers(1, 30), ...numbers(201, 210)]);
    const second = await ask({ skip: 40, take: 40 });
    const third = await ask({ skip: 80, take: 40 });
    expect([...first.ids, ...second.ids, ...third.ids]).toEqual(numbers(101, 210));
  });

  test('of two readers do not affect each other while records are added', async () => {
    const { ask, add } = listOf(numbers(101, 200));
    const seen = { one: (await ask({ skip: 0, take: 40 })).ids, other: [] as number[] };
    add(numbers(1, 30));
    for (const skip of [0, 40]) {
      seen.other.push(...(await ask({ reader: 'other', skip, take: 40 })).ids);
      seen.one.push(...(await ask({ skip: skip + 40, take: 40 })).ids);
    }
    for (const skip of [80, 120]) seen.other.push(...(await ask({ reader: 'other', skip, take: 40 })).ids);
    expect(seen).toEqual({ one: numbers(101, 200), other: [...numbers(1, 30), ...numbers(101, 200)] });
  });

  test('cost the same, page 20 as page 2', async () => {
    const { ask } = listOf(numbers(1, 1_000));
    const costs: object[] = [];
    for (let page = 0; page < 20; page++) {
      const { usage, read } = await ask({ skip: page * 50, take: 50 });
      costs.push({ rounds: usage.rounds, requests: usage.requests, read });
    }
    // Entries are in memory here: the first page has the lists of the reader, the records and the place where it ends.
    expect(costs[0]).toEqual({ rounds: 2, requests: 3, read: 50 });
    expect(costs.slice(1)).toEqual(costs.slice(1).map(() => ({ rounds: 2, requests: 3, read: 50 })));
  });

  test('end where too many entries would have to be read', async () => {
    const { ask } = listOf([]);
    await expect(ask({ skip: MAX_LIST_ENTRIES + 1, take: 1 })).rejects.toThrow(RangeTooLarge);
  });
});

describe('a page out of turn', () => {
  test('is the same page, and reads no record that it skips where entries decide', async () => {
    const { ask } = listOf(numbers(1, 700));
    expect(await ask({ skip: 630, take: 20 })).toMatchObject({ ids: numbers(631, 650), read: 20 });
    expect((await ask({ skip: 650, take: 20 })).usage.requests, 'the next one is in turn').toBe(3);
    expect((await ask({ skip: 700, take: 20 })).ids).toEqual([]);
    expect((await ask({ skip: 5_000, take: 20 })).ids).toEqual([]);
  });

  test('is correct also where records must be read to decide', async () => {
    const { ask } = listOf(numbers(1, 200));
    expect((await ask({ skip: 60, take: 20, isCompared: true, matches: isEven })).ids).toEqual(
      numbers(61, 80).map((place) => place * 2),
    );
  });

  test('does not use the cursor of another query, another length of page or another account', async () => {
    const { ask } = listOf(numbers(1, 100));
    await ask({ skip: 0, take: 30 });
    expect((await ask({ skip: 30, take: 10, query: 'another question', descending: true })).ids).toEqual(
      numbers(61, 70).reverse(),
    );
    expect((await ask({ skip: 30, take: 7 })).ids).toEqual(numbers(31, 37));
    expect((await ask({ skip: 37, take: 3 })).ids).toEqual(numbers(38, 40));
    expect((await ask({ skip: 30, take: 5, account: 'other' })).ids).toEqual(numbers(31, 35));
  });
});
