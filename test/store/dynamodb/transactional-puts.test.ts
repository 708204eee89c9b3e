import { expect, test } from 'vitest';
import type { Change } from '../../../lib/store/dynamodb/changes.ts';
import { transactionalPuts } from '../../../lib/store/dynamodb/transactional-puts.ts';
import { testTable } from '../../support/stack/stack.ts';

test('items are put by transactions of at most 100 changes, and each is there', async () => {
  const table = testTable();
  const committed: (readonly Change[])[] = [];
  const commit: typeof table.commit = (changes, options) => {
    committed.push(changes);
    return table.commit(changes, options);
  };
  const PK = `A#puts${process.hrtime.bigint().toString(36)}`;
  const items = Array.from({ length: 240 }, (_, index) => ({ PK, SK: String(index) }));
  await transactionalPuts({ ...table, commit }).putMany(items);
  expect(committed.map(({ length }) => length)).toEqual([99, 99, 42]);
  expect(await table.getMany(items)).toHaveLength(items.length);
});
