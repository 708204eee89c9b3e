import { type InvoiceRecord, InvoiceStatus, InvoiceType } from '../../lib/entities/invoices.ts';
import { blankInvoice, blankLine, withTotals } from '../../lib/domain/invoices/record.ts';
import { blankPayment } from '../../lib/domain/payments.ts';
import type { Change } from '../../lib/store/dynamodb/changes.ts';
import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { invoiceChanges } from '../../lib/store/sales/invoices.ts';
import { layout } from '../../lib/store/keys.ts';
import { paymentChanges } from '../../lib/store/sales/payments.ts';

const START = Date.UTC(2026, 0, 1, 12);
const DAY = 86_400_000;

/** One with 20 payments, far above the ids of all others. */
export const PAID_OFTEN = 1_100_000_000;
const PAYMENTS = 20;

const lines = ['Window cleaning', 'Gutters', 'Travel'].map((Description, index) =>
  blankLine({ Id: index + 1, Description, Rate: 40, Qty: 2, Taxable: index < 2 }),
);

/**
 * The n-th invoice: 300 are dated a day, five a contact, three lines, every tenth is a deposit and every third
 * unapproved.
 */
function invoiceNumber(id: number, input: Partial<InvoiceRecord> = {}): InvoiceRecord {
  return withTotals(
    blankInvoice({
      Id: id,
      OrganizationId: 1,
      ContactId: 1 + Math.floor((id - 1) / 5),
      Number: `S-${id}`,
      Zone: 'America/New_York',
      Created: START,
      Date: START + Math.floor((id - 1) / 300) * DAY + (id % 300) * 60_000,
      Status: id % 3 ? InvoiceStatus.Open : InvoiceStatus.Unapproved,
      InvoiceType: id % 10 ? InvoiceType.Standard : InvoiceType.Deposit,
      TaxRate: 8.25,
      RateName: 'State',
      Lines: lines,
      ...input,
    }),
  );
}

const puts = (changes: readonly Change[]) => changes.flatMap((change) => ('put' in change ? [change.put] : []));

/**
 * Puts invoices `from` to `through`, in batches; each has changed a second after the one before. Contacts do not list
 * them.
 */
export async function seedInvoices(
  table: TableWriter,
  account: string,
  { from, through }: { from: number; through: number },
): Promise<void> {
  const often = invoiceNumber(PAID_OFTEN, { ContactId: 1, Date: Date.UTC(2041, 0, 1) });
  const now = new Date(START);
  const payments = Array.from({ length: PAYMENTS }, (_, index) => ({
    ...blankPayment(often, now),
    Id: PAID_OFTEN + index,
    Date: Date.UTC(2041, 0, 1 + index),
    Amount: 1,
  }));
  await table.putMany([
    ...puts(invoiceChanges({ account }, { before: undefined, after: often, now }).changes),
    ...payments.flatMap((after) => puts(paymentChanges({ account }, { before: undefined, after, now }).changes)),
  ]);
  for (let first = from; first <= through; first += 250) {
    const made = Array.from({ length: Math.min(250, through - first + 1) }, (_, index) => invoiceNumber(first + index));
    const changes = made.flatMap(
      (after) =>
        invoiceChanges({ account }, { before: undefined, after, now: new Date(START + after.Id * 1000) }).changes,
    );
    await table.putMany(puts(changes));
  }
  await table.putMany([
    { ...layout.lease.key({ account, kind: 'Invoice' }), Last: through + 10_000 },
    { ...layout.lease.key({ account, kind: 'InvoiceLine' }), Last: through + 10_000 },
  ]);
}
