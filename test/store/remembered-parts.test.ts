import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BookInput } from '../../lib/domain/pricebook/record.ts';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { listRememberedParts } from '../../lib/store/pricebook/parts.ts';
import { writePriceBook } from '../../lib/workflows/pricebook/import-price-book.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { accountStore } from '../../lib/store/store.ts';

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable({ stream: false });
});
afterAll(() => engine.stop());

const newAccount = () => writeAccount(openTable(), { name: 'Test company', now: new Date() });

async function writeBook(accountId: string, input: BookInput): Promise<void> {
  const scope = { account: accountId, organizationId: null, accountWide: true, now: new Date() };
  const answer = await writePriceBook(accountStore(openTable(), scope.account), scope, input);
  if (answer.kind === 'invalid') throw new Error(JSON.stringify(answer.errors));
}

describe('the parts of a price book', () => {
  const list = async (accountId: string) => {
    const table = openTable();
    const parts = await listRememberedParts(accountStore(table, accountId));
    return { names: parts.map(({ Name, UnitPrice }) => `${Name} ${UnitPrice}`), ...table.meter.usage };
  };

  test('are read once a version, and as they are now after each change', async () => {
    const { account: accountId } = await newAccount();
    expect((await list(accountId)).names).toEqual([]);
    const parts = Array.from({ length: 250 }, (_, part) => ({ Name: `Part ${part}`, UnitPrice: part }));
    await writeBook(accountId, { parts });
    const names = parts.map(({ Name, UnitPrice }) => `${Name} ${UnitPrice}`);
    const first = await list(accountId);
    expect(first).toMatchObject({ names, rounds: 2, writeUnits: 0 });
    expect(await list(accountId)).toMatchObject({ names, rounds: 1, readUnits: 1 });

    // A change of services does not change parts.
    await writeBook(accountId, { services: [{ Name: 'Windows' }] });
    expect(await list(accountId)).toMatchObject({ names, rounds: 1 });
    await writeBook(accountId, { parts: [{ Name: 'Part 3', UnitPrice: 99 }] });
    expect(await list(accountId)).toMatchObject({ names: names.with(3, 'Part 3 99'), rounds: 2 });
  });

  test('of accounts are never mixed up', async () => {
    const accounts = await Promise.all(['One', 'Other'].map(async (Name) => ({ Name, ...(await newAccount()) })));
    for (const { Name, account: accountId } of accounts)
      await writeBook(accountId, { parts: [{ Name, UnitPrice: 1 }] });
    for (const { Name, account: accountId } of [...accounts, ...accounts])
      expect((await list(accountId)).names).toEqual([`${Name} 1`]);
  });
});
