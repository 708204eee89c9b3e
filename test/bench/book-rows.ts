import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { writePriceBook } from '../../lib/workflows/pricebook/import-price-book.ts';
import { largeBook } from '../support/price-book.ts';
import type { CostRow } from './cost-rows.ts';
import { accountStore } from '../../lib/store/store.ts';

/** What clients may book themselves. */
export const OFFERED = 'Service 5';
export const OFFERED_ID = 6;

/**
 * 200 services with 5 bands and 20 parts each, of which Service 3 bills what is completed and clients book one, 2,000
 * parts with 2 quantity prices, and a dimension.
 */
export async function seedBook(table: TableWriter, accountId: string): Promise<void> {
  const scope = {
    account: accountId,
    organizationId: null,
    accountWide: true,
    zone: 'UTC',
    now: new Date('2026-11-21T12:00:00Z'),
  };
  const book = largeBook();
  const services = (book.services ?? []).map((service) => ({
    ...service,
    ...(service.Name === 'Service 3' ? { IsMigrateInvoice: true } : {}),
    ...(service.Name === OFFERED ? { SelfSelect: true, BaseDuration: 60 } : {}),
  }));
  const answer = await writePriceBook(accountStore(table, scope.account), scope, {
    ...book,
    services,
    dimensions: [{ Name: 'Width' }],
  });
  if (answer.kind === 'invalid') throw new Error(JSON.stringify(answer.errors));
}

const services =
  (count: number, parts: number) =>
  (answer: Record<string, unknown>): void => {
    const matches = answer['Matches'] as { AvailableParts?: unknown[]; AllAvailableParts?: unknown[] }[];
    const found = matches.reduce(
      (sum, { AvailableParts = [], AllAvailableParts = [] }) => sum + AvailableParts.length + AllAvailableParts.length,
      0,
    );
    if (matches.length !== count || found !== parts)
      throw new Error(`expected ${count} services with ${parts} parts, found ${matches.length} with ${found}`);
  };

export const bookRows: readonly CostRow[] = [
  {
    name: 'services/all, 200',
    operation: 'services/all',
    body: () => ({}),
    budget: { rounds: 2, readUnits: 80, writeUnits: 0 },
    check: services(200, 0),
  },
  {
    name: 'services/all with parts, of 2,000',
    operation: 'services/all',
    body: () => ({ IncludeParts: true }),
    budget: { rounds: 2, readUnits: 90, writeUnits: 0 },
    check: services(200, 4_000),
  },
  {
    name: 'services/details',
    operation: 'services/details',
    body: () => ({ Id: 7 }),
    budget: { rounds: 1, readUnits: 3, writeUnits: 0 },
    check: services(1, 0),
  },
  {
    name: 'services/details with parts',
    operation: 'services/details',
    body: () => ({ Id: 7, IncludeParts: true }),
    budget: { rounds: 2, readUnits: 10, writeUnits: 0 },
    check: services(1, 20),
  },
  {
    name: 'part/details',
    operation: 'part/details',
    body: () => ({ Id: 7 }),
    budget: { rounds: 1, readUnits: 1, writeUnits: 0 },
  },
  {
    name: 'part/getdimension',
    operation: 'part/getdimension',
    body: () => ({ DimensionId: 1 }),
    budget: { rounds: 1, readUnits: 1, writeUnits: 0 },
  },
  {
    name: 'part/getpartdimensions',
    operation: 'part/getpartdimensions',
    body: () => ({ PartId: 7 }),
    budget: { rounds: 1, readUnits: 2, writeUnits: 0 },
  },
];
