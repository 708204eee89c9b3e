import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectFailure } from '../support/failed.ts';
import { type TestAccount, testAccount } from '../support/stack/stack.ts';

let account: TestAccount;
let contact = 0;
beforeAll(async () => {
  account = await testAccount();
  const { body } = await account.call('contacts/addupdate', { Name: 'Ana Reyes', Email: 'ana@example.com' });
  contact = (body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
});

interface Paged {
  readonly operation: string;
  readonly filter: () => object;
  readonly list: string;
  readonly size: 'Take' | 'Limit';
  readonly add: () => Promise<unknown>;
}

let tag = 'listed';

const RUNS = Number(process.env['LIST_RUNS'] ?? 1);

/** A list as it was when it was begun, and where the last page of it ended. */
interface Begun {
  readonly name: string;
  readonly ids: readonly number[];
  end: number;
}

/** One key and User-Agent, at the address of all tests, with the lists that it began: the newest first. */
class Reader {
  readonly key: string;
  readonly program: string;
  lists: Begun[] = [];
  position = 0;

  constructor(key: string, program: string) {
    this.key = key;
    this.program = program;
  }
}

let added = 0;
const kinds: readonly [string, Paged][] = [
  [
    'tasks',
    {
      operation: 'task/query',
      filter: () => ({ ContactId: contact }),
      list: 'Tasks',
      size: 'Take',
      add: () => account.call('task/create', { ContactId: contact, Description: 'Call', Due: '2027-03-01' }),
    },
  ],
  [
    'invoices',
    {
      operation: 'invoice/query',
      filter: () => ({ ContactId: contact }),
      list: 'Invoices',
      size: 'Take',
      add: () =>
        account.call('invoice/import', {
          Invoice: { ContactId: contact, Date: '2027-03-01', Lines: [{ Description: 'Work', Rate: 1, Qty: 1 }] },
        }),
    },
  ],
  [
    'contacts',
    {
      operation: 'contacts/locate',
      filter: () => ({ TagSearch: [tag] }),
      list: 'Matches',
      size: 'Limit',
      add: () => account.call('contacts/addupdate', { Name: 'Lee', Email: `lee${++added}@example.com`, Tags: [tag] }),
    },
  ],
];

async function page({ operation, filter, list, size }: Paged, Skip: number, headers: Record<string, string> = {}) {
  const answer = await account.call(operation, { ...filter(), Skip, [size]: 4 }, { headers });
  expect(answer.status, answer.text).toBe(200);
  return {
    ids: (answer.body[list] as { Id: number }[]).map(({ Id }) => Id),
    list: answer.headers.get('x-list') ?? '',
    next: answer.headers.get('x-next-skip'),
  };
}

async function readAll(kind: Paged): Promise<number[]> {
  const ids: number[] = [];
  for (let found = await page(kind, 0); found.ids.length; found = await page(kind, ids.length)) ids.push(...found.ids);
  return ids;
}

describe.each(kinds)('a list of %s', (_, kind) => {
  test('that a reader begins again at once has everything, also what was added since it stopped', async () => {
    for (let number = 0; number < 16; number++) await kind.add();
    for (const skip of [0, 4, 8]) await page(kind, skip);
    for (let number = 0; number < 5; number++) await kind.add();
    const ids = await readAll(kind);
    expect([ids.length, new Set(ids).size]).toEqual([21, 21]);
  });

  test('names the next page in X-Next-Skip, and none after the last', async () => {
    const ids: number[] = [];
    const skips: (string | null)[] = ['0'];
    for (let skip = skips.at(-1); skip; skip = skips.at(-1)) {
      const found = await page(kind, Number(skip));
      ids.push(...found.ids);
      skips.push(found.next);
    }
    expect([ids.length, new Set(ids).size]).toEqual([21, 21]);
    expect(skips).toEqual(['0', '4', '8', '12', '16', '20', null]);
  });

  test('goes on exactly with X-List, whoever else reads', async () => {
    const before = await readAll(kind);
    const first = await page(kind, 0);
    const ids = [...first.ids];
    for (let skip = 4; skip < before.length; skip += 4) {
      await kind.add();
      // The same reader and another one begin lists of their own, and read on.
      for (const headers of [{}, { 'User-Agent': 'another program' }]) {
        await page(kind, 0, headers);
        await page(kind, skip, headers);
      }
      const next = await page(kind, skip, { 'User-Agent': 'a third program', 'X-List': first.list });
      expect(next.list).toBe(first.list);
      ids.push(...next.ids);
    }
    expect(ids).toEqual(before);
  });

  test('that is unknown, or of another key, is 400 with the header', async () => {
    const { list } = await page(kind, 0);
    const send = (headers: Record<string, string>, key?: string) =>
      account.call(kind.operation, { ...kind.filter(), Skip: 4, [kind.size]: 4 }, { headers, ...(key ? { key } : {}) });
    for (const answer of [
      await send({ 'X-List': 'nonsense' }),
      await send({ 'X-List': list }, await account.newKey()),
    ]) {
      expectFailure(answer, 400);
      expect(answer.body['Errors']).toMatchObject([{ Field: 'X-List' }]);
    }
  });
});

describe.each(kinds)('a random sequence of readers of %s', (_, { operation, filter, list, size, add }) => {
  const TAKE = 3;
  const step = fc.record({
    reader: fc.nat(2),
    action: fc.constantFrom('begin', 'next', 'next', 'next', 'follow', 'follow', 'add'),
  });
  const sequences = fc.record({
    initial: fc.integer({ min: 4, max: 13 }),
    steps: fc.array(step, { minLength: 10, maxLength: 25 }),
  });

  test('gets exactly the rows of its list, also after a new beginning, additions and with X-List', async () => {
    const otherKey = await account.newKey();
    await fc.assert(
      fc.asyncProperty(sequences, async ({ initial, steps }) => {
        tag = `listed ${++added}`;
        const { body } = await account.call('contacts/addupdate', { Name: tag, Email: `own${added}@example.com` });
        contact = (body['Matches'] as { Id: number }[])[0]?.Id ?? 0;
        const readers = [
          new Reader(account.key, 'tab'),
          new Reader(account.key, 'job'),
          new Reader(otherKey, 'tab'),
        ] as const;
        /** The rows of the list if it began now. Only additions change them. */
        let rows: number[] = [];
        const grow = async () => {
          await add();
          const all = await account.call(operation, { ...filter(), [size]: 100 });
          const before = rows;
          rows = (all.body[list] as { Id: number }[]).map(({ Id }) => Id);
          // Where the new one stands is not judged here: containers give ids in no order.
          expect(rows.filter((id) => before.includes(id))).toEqual(before);
          expect(rows).toHaveLength(before.length + 1);
        };
        for (let number = 0; number < initial; number++) await grow();
        expect(rows).toHaveLength(initial);

        const read = async (key: string, Skip: number, headers: Record<string, string>) => {
          const answer = await account.call(operation, { ...filter(), Skip, [size]: TAKE }, { key, headers });
          expect(answer.status, answer.text).toBe(200);
          const ids = (answer.body[list] as { Id: number }[]).map(({ Id }) => Id);
          return { ids, name: answer.headers.get('x-list') ?? '', next: answer.headers.get('x-next-skip') };
        };
        const expected = ({ ids, name }: Pick<Begun, 'ids' | 'name'>, skip: number) => {
          const end = skip + TAKE;
          return { ids: ids.slice(skip, end), name, next: end < ids.length ? String(end) : null };
        };
        for (const { reader: number, action } of steps) {
          const reader = readers[number] ?? readers[0];
          const { key, program, lists, position } = reader;
          const going = lists.find(({ end }) => end === position) ?? lists[0];
          const latest = lists[0];
          if (action === 'add') await grow();
          else if (action === 'follow' && latest && latest.end < latest.ids.length) {
            // Somebody else goes on with that very list.
            const headers = { 'User-Agent': `another ${program}`, 'X-List': latest.name };
            expect(await read(key, latest.end, headers)).toEqual(expected(latest, latest.end));
            latest.end += TAKE;
          } else if (action === 'next' && going && position < going.ids.length) {
            expect(await read(key, position, { 'User-Agent': program })).toEqual(expected(going, position));
            going.end = position + TAKE;
            reader.position = going.end;
          } else {
            const page = await read(key, 0, { 'User-Agent': program });
            const begun: Begun = { name: page.name, ids: rows, end: TAKE };
            expect(page).toEqual(expected(begun, 0));
            reader.lists = [begun, ...lists].slice(0, 8);
            reader.position = TAKE;
          }
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
