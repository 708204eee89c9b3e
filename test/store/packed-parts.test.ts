import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { BookInput } from '../../lib/domain/pricebook/record.ts';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { layout } from '../../lib/store/keys.ts';
import { writePriceBook } from '../../lib/workflows/pricebook/import-price-book.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable({ stream: false });
});
afterAll(() => engine.stop());

const newAccount = () => writeAccount(openTable(), { name: 'Test company', now: new Date() });

async function writeBook(accountId: string, input: BookInput): Promise<void> {
  const scope = { accountId, organizationId: null, accountWide: true, now: new Date() };
  const answer = await writePriceBook(openTable(), scope, input);
  if (answer.kind === 'invalid') throw new Error(JSON.stringify(answer.errors));
}

describe('the parts of a price book', () => {
  /** What a container that starts now reads, and what it costs. */
  const listIn = async (accountId: string, { freshContainer = true } = {}) => {
    if (freshContainer) vi.resetModules();
    const { listPackedParts } = await import('../../lib/store/pricebook/parts.ts');
    const table = openTable();
    const parts = await listPackedParts(table, accountId);
    return { parts, ...table.meter.usage };
  };
  const names = ({ parts }: { parts: readonly { Name: string; UnitPrice: number }[] }) =>
    parts.map(({ Name, UnitPrice }) => `${Name} ${UnitPrice}`);

  test('are packed by the first reader, remembered by each container, and read again after a change', async () => {
    const { accountId } = await newAccount();
    expect((await listIn(accountId)).parts).toEqual([]);
    const parts = Array.from({ length: 250 }, (_, part) => ({
      Name: `Part ${part}`,
      UnitPrice: part,
      QtyPricing: [{ AtLeast: 10, Price: 2.5 }],
      CustomerNotes: 'é'.repeat(200),
    }));
    await writeBook(accountId, { parts });
    const packing = await listIn(accountId);
    expect([packing.rounds, packing.readUnits > 60, packing.writeUnits > 0]).toEqual([4, true, true]);
    expect(names(packing)).toEqual(parts.map(({ Name, UnitPrice }) => `${Name} ${UnitPrice}`));
    const other = await listIn(accountId);
    expect(other).toMatchObject({ rounds: 2, writeUnits: 0 });
    expect(other.readUnits).toBeLessThan(8);
    const strip = ({ PK: _, SK: __, ...part }: Record<string, unknown>) => part;
    expect(other.parts).toEqual(packing.parts.map((part) => strip({ ...part })));
    expect(await listIn(accountId, { freshContainer: false })).toMatchObject({ rounds: 1, readUnits: 1 });

    await writeBook(accountId, { services: [{ Name: 'Windows' }] });
    expect(await listIn(accountId)).toMatchObject({ rounds: 2, writeUnits: 0 });
    await writeBook(accountId, { parts: [{ Name: 'Part 3', UnitPrice: 99 }] });
    expect(names(await listIn(accountId, { freshContainer: false }))[3]).toBe('Part 3 99');
    expect(names(await listIn(accountId))[3]).toBe('Part 3 99');
  });

  test('are read from the table where pieces of the packed list are missing or of two writers', async () => {
    const { accountId } = await newAccount();
    await writeBook(accountId, { parts: [{ Name: 'Screen', UnitPrice: 4 }] });
    await listIn(accountId);
    const fingerprint = 'parts-1-1';
    const range = { partition: layout.cursor.of({ account: accountId, fingerprint }) };
    const [piece] = (await openTable().query(range)).items;
    if (!piece) throw new Error('nothing is packed');
    await openTable().putMany([{ ...piece, Pieces: 2 }]);
    expect(names(await listIn(accountId))).toEqual(['Screen 4']);
    const strange = { ...piece, SK: `${piece.SK}x`, Digest: 'other', Pieces: 1 };
    await openTable().putMany([strange]);
    expect(names(await listIn(accountId))).toEqual(['Screen 4']);
  });
});
