import type { CostRow } from './cost-rows.ts';
import { PAID, PAYABLE } from './seed-payments.ts';

const payments = (count: number, page: number) => (answer: Record<string, unknown>) => {
  const found = (answer['Payments'] as unknown[]).length;
  if (found !== page || (count && answer['Count'] !== count))
    throw new Error(`expected ${page} payments of ${count}, found ${found} of ${String(answer['Count'])}`);
};

/** One invoice that is there to be paid after another. */
let last = 0;
const another = () => PAYABLE + 1 + (last++ % 20);

let transactions = 0;
const transaction = () => ({ TransactionId: `bench-${Date.now()}-${transactions++}` });

const day = { FromDate: '2026-01-03', ThroughDate: '2026-01-03' };
const minutes = {
  CreatedFrom: '2026-01-01T12:05:00Z',
  CreatedThrough: '2026-01-01T12:07:29Z',
  FromDate: '2026-01-01',
  ThroughDate: '2026-01-04',
};
const prepared =
  (criteria: object, Skip: number): CostRow['body'] =>
  async (_, call) => {
    await call('payment/query', criteria);
    return { ...criteria, Skip };
  };

/**
 * The payment and its copy, its invoice, contact and guard, two units each in a transaction; and the entries of payment
 * and invoice in the indexes.
 */
const imported = { rounds: 2, readUnits: 3, writeUnits: 20 };
/**
 * A TransactionId is unique in the organization, which for a key of the account the invoice says: a round more. Its
 * guard is also looked for under the key of earlier versions, where it was unique in the account.
 */
const identified = { rounds: 4, readUnits: 5, writeUnits: 20 };

export const paymentRows: readonly CostRow[] = [
  {
    name: 'payment/import',
    operation: 'payment/import',
    body: () => ({ Payment: { InvoiceId: another(), Amount: 1.5, Method: 'Card' } }),
    budget: imported,
  },
  {
    name: 'payment/import with TransactionId',
    operation: 'payment/import',
    body: () => ({ Payment: { InvoiceId: another(), Amount: 1.5, ...transaction() } }),
    budget: identified,
  },
  {
    name: 'payment/import by number',
    operation: 'payment/import',
    body: () => ({ Payment: { InvoiceNumber: `pay-${another()}`, Amount: 1.5, ...transaction() } }),
    budget: { ...identified, rounds: 5, readUnits: 6 },
  },
  {
    name: 'payment/import, TransactionId repeated',
    operation: 'payment/import',
    budget: { rounds: 4, readUnits: 6, writeUnits: 0 },
    body: async (_, call) => {
      const Payment = { InvoiceId: another(), Amount: 1.5, ...transaction() };
      await call('payment/import', { Payment });
      return { Payment };
    },
  },
  {
    name: 'payment/import, another Amount',
    operation: 'payment/import',
    budget: imported,
    body: async (_, call) => {
      const { body } = await call('payment/import', { Payment: { InvoiceId: another(), Amount: 1.5 } });
      return { Payment: { ...(body['Payment'] as object), Amount: 2.5 } };
    },
  },
  {
    name: 'payment/query of a day, page 1 of 3',
    operation: 'payment/query',
    body: () => day,
    budget: { rounds: 3, readUnits: 60, writeUnits: 5 },
    check: payments(300, 100),
  },
  {
    name: 'payment/query of a day, page 3',
    operation: 'payment/query',
    body: prepared(day, 200),
    budget: { rounds: 3, readUnits: 55, writeUnits: 2 },
    check: payments(300, 100),
  },
  {
    name: 'payment/query of 150 imported within four days',
    operation: 'payment/query',
    body: () => minutes,
    // Neither range ends within the entries of the first round, which reads both: four days have 1,200.
    budget: { rounds: 4, readUnits: 100, writeUnits: 5 },
    // An account of 1,000 payments has fewer in these days.
    perThousand: { rounds: 0, readUnits: 0.25, writeUnits: 0 },
    check: payments(150, 100),
  },
  {
    name: 'payment/query of a contact',
    operation: 'payment/query',
    body: () => ({ ContactId: 150 }),
    budget: { rounds: 3, readUnits: 5, writeUnits: 0 },
    check: payments(5, 5),
  },
  {
    name: 'payment/query of an invoice',
    operation: 'payment/query',
    body: () => ({ InvoiceId: PAID + 150 }),
    budget: { rounds: 1, readUnits: 2, writeUnits: 0 },
    check: payments(5, 5),
  },
];
