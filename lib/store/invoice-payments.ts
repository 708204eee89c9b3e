import type { InvoiceRecord } from '../domain/invoices/record.ts';
import type { PaymentRecord } from '../domain/payments/record.ts';
import type { TableReader } from './client.ts';
import { thingOf } from './entities.ts';
import { layout } from './layout.ts';
import { readRange } from './ranges.ts';
import { isSeen, type Viewer } from './viewer.ts';

/**
 * The invoice with its payments, by date, then id, where it exists for a caller who sees one organization, or all
 * (`null`); both as of one moment. One request for some 2,000 payments.
 */
export async function findInvoicePayments(
  table: TableReader,
  viewer: Viewer,
  id: number,
): Promise<{ invoice: InvoiceRecord; payments: PaymentRecord[] } | undefined> {
  const { PK: partition, SK } = layout.invoice.key({ account: viewer.accountId, id });
  const items = await readRange(table, { partition, consistent: true });
  const item = items.find((one) => one.SK === SK);
  if (!item || !isSeen(viewer, item)) return undefined;
  const payments = items.flatMap((one) => (one === item ? [] : [one['Payment'] as PaymentRecord]));
  return {
    invoice: thingOf<InvoiceRecord>(item),
    payments: payments.sort((a, b) => a.Date - b.Date || a.Id - b.Id),
  };
}
