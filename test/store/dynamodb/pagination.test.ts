import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTable } from '../../../lib/store/dynamodb/table.ts';
import { RangeTooLarge } from '../../../lib/store/dynamodb/errors.ts';
import { paginate } from '../../../lib/store/dynamodb/lists/pagination.ts';
import { SPARE_ENTRIES, type UncountedList } from '../../../lib/store/dynamodb/lists/lists.ts';
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

type ListInput = Partial<Omit<UncountedList<IdRecord>, 'find' | 'reader'>> & {
  skip: number;
  take: number;
  reader?: string;
};

/** A list whose entries are in memory and whose bookmarks are in the table. */
function listOf(ids: readonly number[]) {
  const name = `list${++lists}`;
  const entries = [...ids];
  const add = (added: readonly number[]) => void entries.push(...added);
  const ask = async ({
    descending = false,
    compared = false,
    reader = 'one',
    ...input
  }: ListInput & { descending?: boolean; compared?: boolean }) => {
    const table = openTable();
    let read = 0;
    const order = (one: string, other: string) => (one === other ? 0 : one < other === descending ? 1 : -1);
    const found = await paginate<IdRecord>(table, {
      account: 'pages',
      reader: listReader(reader),
      query: `${name} ${descending} ${compared}`,
      async find(after, count) {
        const orderKeys = entries.map(padded).sort(order);
        const behind = orderKeys.filter((orderKey) => after === undefined || order(orderKey, after) > 0);
        const toEntry = (orderKey: string) => ({ id: Number(orderKey), orderKey });
        const some = behind.slice(0, count + SPARE_ENTRIES).map((orderKey) => ({ ...toEntry(orderKey), at: 0 }));
        return {
          entries: compared ? behind.map(toEntry) : some,
          hasMore: !compared && behind.length > some.length,
          undecided: compared ? 'names' : undefined,
        };
      },
      maxCompared: () => 500,
      matches: () => true,
      ...input,
      read: async (some, options) => {
        read += some.length;
        if (input.read) await table.get({ PK: 'A#pages', SK: 'ROUND' });
        return (input.read ?? (async (all) => all.map((Id) => ({ Id }))))(some, options);
      },
    });
    const { records, isShort, goesOn } = found;
    return { ids: records.map(({ Id }) => Id), isShort, goesOn, usage: table.meter.usage, read };
  };
  return { ask, add };
}

const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
const even = async (ids: readonly number[]): Promise<IdRecord[]> =>
  ids.filter((id) => id % 2 === 0).map((Id) => ({ Id }));

describe('pages one after another', () => {
  test('are disjoint, complete and in order, for any entries, any matches and any length of page', async () => {
    const lists = fc.record({
      ids: fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 120 }),
      takes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      descending: fc.boolean(),
      compared: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(lists, async ({ ids, takes, descending, compared }) => {
        const { ask } = listOf(ids);
        const sorted = [...ids].sort((a, b) => (descending ? b - a : a - b)).filter((id) => !compared || id % 2 === 0);
        const seen: number[] = [];
        for (let page = 0; seen.length < sorted.length; page++) {
          const take = takes[page % takes.length] ?? 1;
          const input = { skip: seen.length, take, descending, compared, ...(compared ? { read: even } : {}) };
          const { ids: found, goesOn } = await ask(input);
          expect(found).toEqual(sorted.slice(seen.length, seen.length + take));
          seen.push(...found);
          expect(goesOn).toBe(seen.length < sorted.length);
        }
        expect(
          (await ask({ skip: seen.length, take: 5, descending, compared, ...(compared ? { read: even } : {}) })).ids,
        ).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

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
    // Whether the reader has other lists is read beside the entries, which are in memory here.
    expect(costs[0]).toEqual({ rounds: 2, requests: 2, read: 50 });
    // A later page finds its list first.
    expect(costs.slice(1)).toEqual(costs.slice(1).map(() => ({ rounds: 2, requests: 2, read: 50 })));
  });
});

describe('outdated entries', () => {
  /** Pages until one has fewer than requested and does not say that more follow. */
  async function askAll(takes: readonly number[], total: number, everyGone: number) {
    const { ask } = listOf(numbers(1, total));
    const read = async (ids: readonly number[]) => ids.filter((id) => id % everyGone).map((Id) => ({ Id }));
    const pages = [];
    for (let skip = 0, page = 0; ; page++) {
      const take = takes[page] ?? takes.at(-1) ?? 1;
      pages.push({ take, ...(await ask({ skip, take, read })) });
      const last = pages.at(-1);
      if (!last?.goesOn) return pages;
      skip += take;
    }
  }

  test.each([
    [10, [30], 200],
    [7, [20, 50], 200],
    // The size of records is known behind a page of more than 100, and not behind one of 50.
    [100, [300, 300, 50, 300], 2_000],
    [10, [300, 300, 50, 300], 2_000],
  ])('of which every %ith is gone cost %j at most 4 rounds; pages are full or say so', async (gone, takes, total) => {
    const pages = await askAll(takes, total, gone);
    expect(pages.flatMap(({ ids }) => ids)).toEqual(numbers(1, total).filter((id) => id % gone));
    for (const { ids, isShort, take } of pages.slice(0, -1))
      expect([ids.length, isShort]).toEqual([isShort ? ids.length : take, ids.length < take]);
    // Entries are in memory here: a first page reads only the lists of its reader in their round.
    expect(pages.filter(({ usage }, page) => usage.rounds > (page ? 3 : 4))).toEqual([]);
    expect(pages[0]?.isShort).toBe(gone === 10 && total === 2_000);
  });

  test('that are right after all, as records that have just changed, cost no fifth round', async () => {
    const { ask } = listOf(numbers(1, 200));
    const isLate = (id: number) => id % 9 === 0;
    const read = async (ids: readonly number[], { consistent }: { readonly consistent: boolean }) =>
      ids.filter((id) => id % 10).map((Id) => ({ Id, isOld: !consistent && isLate(Id) }));
    const matches = (record: IdRecord & { readonly isOld?: boolean }) => record.isOld !== true;
    const pages = [];
    for (let skip = 0; skip < 200; skip += 20) pages.push(await ask({ skip, take: 20, read, matches }));
    expect(pages.flatMap(({ ids }) => ids)).toEqual(numbers(1, 200).filter((id) => id % 10));
    expect(pages.filter(({ ids }) => ids.length > 20)).toEqual([]);
    expect(pages.filter(({ usage }, page) => usage.rounds > (page ? 3 : 4))).toEqual([]);
  });

  test('that are too many end the search', async () => {
    const { ask } = listOf(numbers(1, 200));
    const gone = async () => [];
    await expect(ask({ skip: 0, take: 100, read: gone, maxCompared: () => 20 })).rejects.toThrow(RangeTooLarge);
    await expect(ask({ skip: 0, take: 100, read: gone, maxCompared: () => 20, compared: true })).rejects.toThrow(
      RangeTooLarge,
    );
  });
});

describe('a page out of turn', () => {
  test('is the same page, and reads no record that it skips where entries decide', async () => {
    const { ask } = listOf(numbers(1, 700));
    expect(await ask({ skip: 630, take: 20 })).toMatchObject({ ids: numbers(631, 650), read: 20 });
    expect((await ask({ skip: 650, take: 20 })).usage.requests, 'the next one is in turn').toBe(2);
    expect((await ask({ skip: 700, take: 20 })).ids).toEqual([]);
    expect((await ask({ skip: 5_000, take: 20 })).ids).toEqual([]);
  });

  test('is correct also where records must be read to decide', async () => {
    const { ask } = listOf(numbers(1, 200));
    expect((await ask({ skip: 60, take: 20, compared: true, read: even })).ids).toEqual(
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
