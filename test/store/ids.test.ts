import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTable } from '../../lib/store/client.ts';
import { leaseIds, stockIds } from '../../lib/store/ids.ts';
import { startTable, type TestTable } from '../support/engine.ts';

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable();
});
afterAll(() => engine.stop());

test('ids taken at once, of a block that does not reach for all, are each whole and no two the same', async () => {
  const table = openTable();
  await stockIds(table, 'busy', 'Contact', 3);
  const taken = await Promise.all(Array.from({ length: 60 }, (_, index) => leaseIds(table, 'busy', 'Contact', (index % 3) + 1)));
  expect(taken.map(({ length }) => length)).toEqual(Array.from({ length: 60 }, (_, index) => (index % 3) + 1));
  const ids = taken.flat();
  expect(new Set(ids).size).toBe(ids.length);
  expect(Math.min(...ids)).toBe(1);
});
