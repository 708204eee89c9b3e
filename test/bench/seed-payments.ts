import type { PaymentRecord } from '../../lib/entities/payments.ts';
import { blankInvoice, blankLine, withTotals } from '../../lib/domain/invoices/record.ts';
import { blankPayment } from '../../lib/domain/payments.ts';
import type { Change } from '../../lib/store/dynamodb/changes.ts';
import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { invoiceChanges } from '../../lib/store/sales/invoices.ts';
import { layout } from '../../lib/store/keys.ts';
import { paymentChanges } from '../../lib/store/sales/payments.ts';

const START = Date.UTC(2026, 0, 1, 12);
const DAY = 86_400_000;

/** The ids of invoices that are there to be paid, above all others; their number is `PAY-{id}`. */
export const PAYABLE = 1_000_000_000;
const PAYABLES = 20;
/** The id below the first that payments of the seed are of, five each. */
export const PAID = PAYABLE + 1000;
/** So many payments are also listed by their invoices: what others have does not matter to one invoice's list. */
const LISTED = 1000;

const invoiceNumber = (id: number, contact: number) =>
  withTotals(
    blankInvoice({
      Id: id,
      OrganizationId: 1,
      ContactId: contact,
      Number: `PAY-${id}`,
      Zone: 'America/New_York',
      Date: Date.UTC(2040, 0, 1),
      Created: START,
      Lines: [blankLine({ Id: id, Description: 'Window cleaning', Rate: 100_000 })],
    }),
  );

/**
 * The n-th payment: 300 are dated a day, five are of an invoice and its contact, each is imported a second after the
 * one before.
 */
function paymentNumber(id: number): PaymentRecord {
  const place = Math.floor((id - 1) / 5);
  const blank = blankPayment(invoiceNumber(PAID + 1 + place, 1 + place), new Date(START + id * 1000));
  const date = START + Math.floor((id - 1) / 300) * DAY + (id % 300) * 60_000;
  return { ...blank, Id: id, Date: date, Amount: 25, Method: 'Card', Reference: 'Visa 4242' };
}

const puts = (changes: readonly Change[]) => changes.flatMap((change) => ('put' in change ? [change.put] : []));

/** Puts payments `from` to `through`, in batches, and invoices that are there to be paid. */
export async function seedPayments(
  table: TableWriter,
  account: string,
  { from, through }: { from: number; through: number },
): Promise<void> {
  const now = new Date(START);
  const payable = Array.from({ length: PAYABLES }, (_, index) => invoiceNumber(PAYABLE + index + 1, 700 + index));
  await table.putMany(
    payable.flatMap((after) => puts(invoiceChanges({ account }, { before: undefined, after, now }).changes)),
  );
  for (let first = from; first <= through; first += 250) {
    const made = Array.from({ length: Math.min(250, through - first + 1) }, (_, index) => paymentNumber(first + index));
    const changes = made.flatMap((after) => {
      const stored = paymentChanges({ account }, { before: undefined, after, now: new Date(after.Created) }).changes;
      return after.Id <= LISTED ? stored : stored.slice(0, 1);
    });
    await table.putMany(puts(changes));
  }
  await table.putMany([{ ...layout.lease.key({ account, kind: 'Payment' }), Last: through + 10_000 }]);
}
