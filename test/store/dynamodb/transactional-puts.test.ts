import { expect, test } from 'vitest';
import type { Change } from '../../../lib/store/dynamodb/changes.ts';
import { transactionalPuts } from '../../../lib/store/dynamodb/transactional-puts.ts';
import { testTable } from '../../support/stack/stack.ts';

test('items that lie side by side in the table are put by one transaction, and each is there', async () => {
  const table = testTable();
  const committed: (readonly Change[])[] = [];
  const commit: typeof table.commit = (changes, options) => {
    committed.push(changes);
    return table.commit(changes, options);
  };
  const run = process.hrtime.bigint().toString(36);
  const PARTITIONS = ['a', 'b', 'c'].map((word) => `A#puts${run}#${word}`);
  // As an import has them: for each contact one in every partition.
  const items = Array.from({ length: 240 }, (_, index) => ({
    PK: PARTITIONS[index % 3] ?? '',
    SK: String(index).padStart(3, '0'),
  }));
  await transactionalPuts({ ...table, commit }).putMany(items);
  const partitions = committed.map((changes) => [
    ...new Set(changes.map((change) => ('put' in change ? change.put.PK : ''))),
  ]);
  expect(partitions).toEqual([PARTITIONS.slice(0, 2), PARTITIONS.slice(1), PARTITIONS.slice(2)]);
  expect(await table.getMany(items)).toHaveLength(items.length);
});
