import type { CostRow } from './cost-rows.ts';
import { PAID_OFTEN } from './seed-invoices.ts';

const invoices = (count: number, page: number) => (answer: Record<string, unknown>) => {
  const found = (answer['Invoices'] as unknown[]).length;
  if (found !== page || (count && answer['Count'] !== count))
    throw new Error(`expected ${page} invoices of ${count}, found ${found} of ${String(answer['Count'])}`);
};

let numbers = 0;
const invoice = (more: object = {}) => ({
  ContactId: 600 + (numbers % 50),
  TaxRate: 8.25,
  Lines: [
    { ServiceId: 1, Rate: 80, Qty: 2, Taxable: true },
    { PartId: 1, Rate: 9.5 },
  ],
  Number: `bench-${Date.now()}-${numbers++}`,
  Date: '2042-01-01',
  ...more,
});

/** An invoice of its own for every run, so that none is changed twice. */
const made =
  (change: object): CostRow['body'] =>
  async (_, call) => {
    const { body } = await call('invoice/import', { Invoice: invoice() });
    return { InvoiceId: body['InvoiceId'], Invoice: change };
  };

const day = { FromDate: '2026-01-03', ThroughDate: '2026-01-03' };
const minutes = { UpdatedFrom: '2026-01-01T12:05:00Z', UpdatedThrough: '2026-01-01T12:07:29Z' };
const prepared =
  (criteria: object, Skip: number): CostRow['body'] =>
  async (_, call) => {
    await call('invoice/query', criteria);
    return { ...criteria, Skip };
  };

/**
 * Key, account and organization, which a write reads strongly (decision 15), contact, service, part and number. The
 * invoice, its guard and its contact, two units a kilobyte in a transaction, and the entries of the invoice in four
 * indexes: 10, and 2 more for each of invoice and contact that is above a kilobyte.
 */
const imported = { rounds: 4, readUnits: 7, writeUnits: 14 };

export const invoiceRows: readonly CostRow[] = [
  { name: 'invoice/import, new', operation: 'invoice/import', body: () => ({ Invoice: invoice() }), budget: imported },
  {
    name: 'invoice/import, new without number',
    operation: 'invoice/import',
    body: () => ({ Invoice: invoice({ Number: '' }) }),
    budget: imported,
  },
  {
    name: 'invoice/import, repeated by its number',
    operation: 'invoice/import',
    budget: { rounds: 4, readUnits: 8, writeUnits: 0 },
    body: async (_, call) => {
      const Invoice = invoice();
      await call('invoice/import', { Invoice });
      return { Invoice };
    },
  },
  {
    name: 'invoice/import, update',
    operation: 'invoice/import',
    body: made({ Lines: [{ Description: 'Windows', Rate: 100, Taxable: true }] }),
    budget: { rounds: 2, readUnits: 4, writeUnits: 14 },
  },
  {
    name: 'invoice/import, void',
    operation: 'invoice/import',
    body: made({ Status: 'Voided' }),
    budget: { rounds: 2, readUnits: 4, writeUnits: 14 },
  },
  {
    name: 'invoice/get',
    operation: 'invoice/get',
    body: () => ({ InvoiceId: 500 }),
    budget: { rounds: 1, readUnits: 1, writeUnits: 0 },
  },
  {
    name: 'invoice/get, 20 payments',
    operation: 'invoice/get',
    body: () => ({ InvoiceId: PAID_OFTEN }),
    budget: { rounds: 1, readUnits: 4, writeUnits: 0 },
  },
  {
    name: 'invoice/get with its contact',
    operation: 'invoice/get',
    body: () => ({ InvoiceId: 500, IncludeContact: true }),
    budget: { rounds: 2, readUnits: 2, writeUnits: 0 },
  },
  {
    name: 'invoice/query of a day, page 1 of 3',
    operation: 'invoice/query',
    body: () => day,
    budget: { rounds: 3, readUnits: 70, writeUnits: 5 },
    check: invoices(300, 100),
  },
  {
    name: 'invoice/query of a day, page 3',
    operation: 'invoice/query',
    body: prepared(day, 200),
    budget: { rounds: 3, readUnits: 63, writeUnits: 2 },
    check: invoices(300, 100),
  },
  {
    name: 'invoice/query of 20 deposits of a day',
    operation: 'invoice/query',
    body: () => ({ ...day, InvoiceType: 'Deposit', Status: 'Open' }),
    budget: { rounds: 2, readUnits: 30, writeUnits: 0 },
    check: invoices(20, 20),
  },
  {
    name: 'invoice/query of 150 changes',
    operation: 'invoice/query',
    body: () => minutes,
    budget: { rounds: 3, readUnits: 70, writeUnits: 5 },
    check: invoices(150, 100),
  },
  {
    name: 'invoice/query of a contact',
    operation: 'invoice/query',
    body: () => ({ ContactId: 150 }),
    budget: { rounds: 3, readUnits: 6, writeUnits: 0 },
    check: invoices(5, 5),
  },
];
