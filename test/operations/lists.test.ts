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
      filter: () => ({ TagSearch: ['listed'] }),
      list: 'Matches',
      size: 'Limit',
      add: () =>
        account.call('contacts/addupdate', { Name: 'Lee', Email: `lee${++added}@example.com`, Tags: ['listed'] }),
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
