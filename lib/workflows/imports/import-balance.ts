import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { InvoiceRow } from '../../domain/imports/read-work.ts';
import type { InvoiceInput } from '../../domain/invoices/record.ts';
import type { PaymentInput } from '../../domain/payments.ts';
import { cents, fromCents } from '../../shared/money.ts';
import { createInvoice } from '../invoices/import-invoice.ts';
import { recordPayment } from '../payments/record-payment.ts';
import type { ImportedInvoice } from '../invoices/import-invoice.ts';
import type { RecordedPayment } from '../payments/record-payment.ts';
import type { WriteContext } from '../context.ts';

/**
 * The invoice of another system, with its number: one line for the amount before tax and one for the tax, because a
 * rate would round it again. Importing it again changes nothing.
 */
export const importOldInvoice = (row: InvoiceRow, contactId: number, context: WriteContext): Promise<ImportedInvoice> =>
  createInvoice(toInvoice(row, contactId), context);

function toInvoice(row: InvoiceRow, ContactId: number): InvoiceInput {
  const { total, tax, subject, notes } = row;
  const line = (Description: string, amount: number) => ({
    Description,
    Rate: fromCents(amount),
    Qty: 1,
    Taxable: false,
  });
  return {
    ContactId,
    Number: row.number,
    Date: row.day,
    Status: row.status,
    InvoiceType: total < 0 ? 'Credit' : 'Standard',
    TaxRate: 0,
    Lines: [line(subject || 'Balance brought forward', total - tax), ...(tax ? [line('Tax', tax)] : [])],
    Total: fromCents(total),
    CustomerNotes: notes,
  };
}

/** The amount still to be recorded as paid, in cents: what the other system has, less what is recorded here. */
export const unrecordedPayment = (row: InvoiceRow, invoice: InvoiceRecord): number =>
  invoice.Status === 0 || invoice.Status === 3 ? 0 : row.total - row.balance - cents(invoice.Paid);

/**
 * The payments of the other system up to the balance of the row, as one. The TransactionId contains the sum, so that a
 * file with a later balance adds the difference: 20.00 paid, then 60.00 in all, become payments of 20.00 and 40.00.
 */
export const importOldPayments = (
  row: InvoiceRow,
  invoice: InvoiceRecord,
  system: string,
  context: WriteContext,
): Promise<RecordedPayment> => {
  const paid = fromCents(row.total - row.balance).toFixed(2);
  const payment: PaymentInput = {
    InvoiceId: invoice.Id,
    Amount: fromCents(unrecordedPayment(row, invoice)),
    Method: 'Imported',
    Reference: `Paid in ${system}`,
    TransactionId: `${system}:${row.number}:${paid}`,
    Date: row.paidOn || row.day,
  };
  return recordPayment(payment, context);
};
