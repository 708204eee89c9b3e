import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { queryInvoices } from '../../lib/store/sales/invoices.ts';
import { type TableWriter, openTable } from '../../lib/store/dynamodb/table.ts';
import { seedAppointments } from '../bench/seed-appointments.ts';
import { seedInvoices } from '../bench/seed-invoices.ts';
import { seedTasks } from '../bench/seed-tasks.ts';
import { listReader } from '../support/list-readers.ts';
import { type TestTable, startTable } from '../support/stack/engine.ts';
import { invoke } from '../support/stack/invoke.ts';
import { storeOf, accountStore } from '../../lib/store/store.ts';

/**
 * Lists of one organization, read from their first page to the end. `npm run prove -- lists` has more records, also on
 * DynamoDB Local, which ends a page of an index at 1 MB as DynamoDB does.
 */
const RECORDS = Number(process.env['DEEP_RECORDS'] ?? 3_100);
const INVOICES = Number(process.env['DEEP_INVOICES'] ?? 0);
const TAKE = 500;

let engine: TestTable;
let account: string;
let key: string;

async function load(seed: (table: TableWriter) => Promise<void>): Promise<void> {
  const table = openTable();
  await engine.load((loader) => seed({ ...table, putMany: async (items, removals) => loader.put(items, removals) }));
}

beforeAll(async () => {
  engine = await startTable({ stream: false });
  const now = new Date();
  ({ account } = await writeAccount(openTable(), { name: 'Deep', now }));
  const limits = { rate: 10_000, inFlight: 1_000 };
  ({ key } = await createKey(accountStore(openTable(), account), { name: 'reader', role: 'ReadOnly', now, ...limits }));
  await load(async (table) => {
    for (const seed of [seedInvoices, seedTasks, seedAppointments])
      await seed(table, account, { from: 1, through: RECORDS });
  });
}, 600_000);
afterAll(() => engine.stop());

test.each([
  // One more, far above the others, has 20 payments.
  ['invoice/query', 'Invoices', 'Id', { FromDate: '2000-01-01' }, RECORDS + 1],
  ['task/query', 'Tasks', 'Id', { IncludeCompleted: true }, RECORDS],
  ['appointments/query', 'Appointments', 'AppointmentId', {}, RECORDS],
])(
  '%s pages through all records of an organization, full pages with the exact Count',
  async (operation, list, id, filter, total) => {
    const ids: unknown[] = [];
    for (let Skip = 0; Skip < total; Skip += TAKE) {
      const { status, body } = await invoke(operation, { ...filter, Skip, Take: TAKE }, { key });
      expect(status, JSON.stringify(body).slice(0, 300)).toBe(200);
      const records = body[list] as Record<string, unknown>[];
      expect([body['Count'], records.length]).toEqual([total, Math.min(TAKE, total - Skip)]);
      ids.push(...records.map((record) => record[id]));
    }
    expect(new Set(ids).size).toBe(total);
  },
  600_000,
);

describe.each(INVOICES ? [INVOICES] : [])('%d invoices of an organization', () => {
  test('cost 25 read units a thousand at the first page, and every other page three rounds', async () => {
    await load((table) => seedInvoices(table, 'large', { from: 1, through: INVOICES }));
    const scope = { account: 'large', organizationId: 1, reader: listReader('large') };
    const page = async (skip: number) => {
      const table = openTable();
      const startedAt = performance.now();
      const query = { date: {}, updated: {}, skip, take: 100 };
      const { count, invoices } = await queryInvoices(storeOf(table, scope), query, new Date());
      const seconds = (performance.now() - startedAt) / 1000;
      const { rounds, readUnits, writeUnits } = table.meter.usage;
      process.stdout.write(
        `skip ${skip}: ${seconds.toFixed(2)} s, ${rounds} rounds, ${readUnits} RRU, ${writeUnits} WRU\n`,
      );
      expect([count, invoices.length]).toEqual([INVOICES + 1, 100]);
      return { rounds, readUnits, writeUnits };
    };
    const first = await page(0);
    expect(first.readUnits).toBeLessThanOrEqual(60 + (25 * INVOICES) / 1_000);
    expect(first.writeUnits).toBeLessThanOrEqual(10 + (5 * INVOICES) / 1_000);
    for (const skip of [100, INVOICES / 2, INVOICES - 100]) {
      const { rounds, readUnits, writeUnits } = await page(skip);
      expect(rounds).toBeLessThanOrEqual(3);
      expect([readUnits, writeUnits]).toEqual([expect.toSatisfy((units: number) => units <= 60), 1]);
    }
  }, 600_000);
});
