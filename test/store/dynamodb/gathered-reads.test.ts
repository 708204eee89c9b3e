import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TableReader, openTable } from '../../../lib/store/dynamodb/table.ts';
import { documentClient } from '../../../lib/store/dynamodb/client.ts';
import { StoreConflict } from '../../../lib/store/dynamodb/errors.ts';
import { Verification } from '../../../lib/store/dynamodb/verification.ts';
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

describe('Another attempt of a write', () => {
  /** A write that has read the items of some ids, each in its first version. */
  async function attempt(...ids: number[]) {
    const verification = new Verification<TableReader>();
    verification.begin();
    const table = openTable({ gathersReads: true, verification });
    await openTable().putMany(ids.map((id) => ({ ...keyOf(id), Id: id, V: 1 })));
    await table.getMany(ids.map(keyOf));
    return table;
  }
  const inVersion = (id: number, V: number) => ({ ...keyOf(id), Id: id, V });
  const next = (id: number) => ({ put: inVersion(id, 2), if: { equals: { V: 1 } } });
  /** What the next attempt reads, and by which requests. */
  async function readAgain(table: Awaited<ReturnType<typeof attempt>>, ...ids: number[]) {
    await table.beginAgain?.();
    sent.length = 0;
    const items = await table.getMany(ids.map(keyOf));
    return { versions: Object.fromEntries(items.map(({ Id, V }) => [Id, V])), requests: [...sent] };
  }

  test.each([
    ['a transaction', (table: ReturnType<typeof openTable>) => table.commit([next(301), next(302)])],
    ['a single put', (table: ReturnType<typeof openTable>) => table.commit([next(301)])],
  ])('reads after a conflict of %s only the item whose condition failed', async (_, commit) => {
    const table = await attempt(301, 302, 303);
    await openTable().putMany([inVersion(301, 7)]);
    await expect(commit(table)).rejects.toThrow(StoreConflict);
    const expected = { versions: { 301: 7, 302: 1, 303: 1 }, requests: ['GetItemCommand'] };
    expect(await readAgain(table, 301, 302, 303)).toEqual(expected);
    // The attempt after it too.
    await openTable().putMany([inVersion(302, 8)]);
    await expect(table.commit([next(302), { check: keyOf(301), if: 'present' }])).rejects.toThrow(StoreConflict);
    const later = { versions: { 301: 7, 302: 8, 303: 1 }, requests: ['GetItemCommand'] };
    expect(await readAgain(table, 301, 302, 303)).toEqual(later);
  });

  test('keeps nothing beyond its decision: what is read after a commit, or after a write of it, is of then', async () => {
    const table = await attempt(331, 332, 333);
    await openTable().putMany([inVersion(331, 7)]);
    await expect(table.commit([next(331), next(332)])).rejects.toThrow(StoreConflict);
    await table.beginAgain?.();
    await openTable().putMany([inVersion(332, 8), inVersion(333, 9)]);
    await table.update({ update: keyOf(332), set: { Name: 'x' } });
    expect(await table.get(keyOf(332))).toMatchObject({ V: 8, Name: 'x' });
    await expect(table.commit([next(331), { check: keyOf(333), if: 'present' }])).rejects.toThrow(StoreConflict);
    expect(await table.get(keyOf(333))).toMatchObject({ V: 9 });
  });

  test('reads again what the call itself wrote', async () => {
    const table = await attempt(311, 312, 313, 314);
    await openTable().putMany([inVersion(311, 9)]);
    await table.commit([next(312), { check: keyOf(313), if: 'present' }]);
    await table.putMany([inVersion(313, 3)]);
    await table.update({ update: keyOf(314), set: { V: 4 } });
    await expect(table.commit([next(311), next(312)])).rejects.toThrow(StoreConflict);
    expect(await readAgain(table, 311, 312, 313, 314)).toEqual({
      versions: { 311: 9, 312: 2, 313: 3, 314: 4 },
      requests: ['BatchGetItemCommand'],
    });
  });

  test('reads all again where no conflict names its items, and what was read more than a second ago', async () => {
    const table = await attempt(321, 322);
    await openTable().putMany([inVersion(321, 5)]);
    expect(await readAgain(table, 321, 322)).toEqual({
      versions: { 321: 5, 322: 1 },
      requests: ['BatchGetItemCommand'],
    });
    await expect(table.commit([next(321), { check: keyOf(322), if: 'present' }])).rejects.toThrow(StoreConflict);
    await openTable().putMany([inVersion(322, 6)]);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await readAgain(table, 321, 322)).toEqual({
      versions: { 321: 5, 322: 6 },
      requests: ['BatchGetItemCommand'],
    });
  });
});
