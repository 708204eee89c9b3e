import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTable } from '../../../lib/store/dynamodb/client.ts';
import { documentClient } from '../../../lib/store/dynamodb/document-client.ts';
import { type TestTable, startTable } from '../../support/stack/engine.ts';

const keyOf = (id: number) => ({ PK: 'A#1', SK: String(id).padStart(4, '0') });
const sent: string[] = [];
let engine: TestTable;

beforeAll(async () => {
  engine = await startTable({ stream: false });
  await openTable().putMany(Array.from({ length: 150 }, (_, id) => ({ ...keyOf(id), Id: id })));
  documentClient().middlewareStack.add(
    (next, { commandName = '' }) =>
      (input) => {
        sent.push(commandName);
        return next(input);
      },
    { step: 'initialize', name: 'gatheredReads' },
  );
});
afterAll(() => engine.stop());

test('reads that begin at the same moment are one request, and each gets its own items', async () => {
  const id = fc.nat(170);
  const reads = fc.array(fc.oneof(id, fc.array(id, { maxLength: 4 })), { minLength: 2, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(reads, async (all) => {
      sent.length = 0;
      const table = openTable({ gathersReads: true });
      const alone = openTable();
      const read = (from: typeof table) => (one: number | number[]) =>
        typeof one === 'number'
          ? from.get(keyOf(one))
          : from.getMany([...new Set(one)].map(keyOf)).then((items) => items.sort((a, b) => (a.SK < b.SK ? -1 : 1)));
      const together = await Promise.all(all.map(read(table)));
      expect(sent.length).toBe(all.flat().length ? 1 : 0);
      expect(together).toEqual(await Promise.all(all.map(read(alone))));
    }),
    { numRuns: 30 },
  );
});

test('consistent reads and others are two requests, a lone one is GetItem, and 150 keys are two', async () => {
  const table = openTable({ gathersReads: true });
  sent.length = 0;
  await Promise.all([table.get(keyOf(1)), table.get(keyOf(2)), table.get(keyOf(3), { consistent: false })]);
  expect(sent.sort()).toEqual(['BatchGetItemCommand', 'GetItemCommand']);
  sent.length = 0;
  const all = await Promise.all(Array.from({ length: 150 }, (_, id) => table.get(keyOf(id))));
  expect(all.map((item) => item?.['Id'])).toEqual(Array.from({ length: 150 }, (_, id) => id));
  expect(sent).toEqual(['BatchGetItemCommand', 'BatchGetItemCommand']);
});

test('keys read ahead are in the request of what else is read, and cost the next read of each nothing', async () => {
  const table = openTable({ gathersReads: true });
  sent.length = 0;
  table.prefetch?.([keyOf(1), keyOf(2), keyOf(160)]);
  const first = await table.get(keyOf(3));
  expect(sent).toEqual(['BatchGetItemCommand']);
  const ahead = await table.getMany([keyOf(1), keyOf(160), keyOf(2)]);
  expect([first, ...ahead].map((item) => item?.['Id'])).toEqual([3, 1, 2]);
  expect(sent).toHaveLength(1);
  expect((await table.getMany([keyOf(1), keyOf(4)])).map((item) => item['Id'])).toEqual([1, 4]);
  expect(sent).toHaveLength(2);
});

test('an item is read by itself, alone and beside others', async () => {
  const whole = (id: number) => ({ ...keyOf(id), Id: id, Other: 'attribute' });
  for (const table of [openTable(), openTable({ gathersReads: true })]) {
    const read = await Promise.all([table.get(whole(1)), table.get(whole(2)), table.getMany([whole(3), keyOf(4)])]);
    expect(read.flat().map((item) => item?.['Id'])).toEqual(expect.arrayContaining([1, 2, 3, 4]));
    expect((await table.get(whole(1)))?.['Id']).toBe(1);
  }
});

test('a request that fails fails each of its reads, and those that it read ahead for', async () => {
  const table = openTable({ gathersReads: true, tableName: 'no-table' });
  table.prefetch?.([keyOf(5)]);
  const results = await Promise.allSettled([table.get(keyOf(1)), table.get(keyOf(2)), table.getMany([keyOf(3)])]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(table.get(keyOf(5))).rejects.toThrow();
});
