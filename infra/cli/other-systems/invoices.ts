import type { InvoicesMapping } from '../../../lib/domain/imports/mapping.ts';
import { type InvoiceRow, readInvoice } from '../../../lib/domain/imports/read-work.ts';
import { cents, fromCents } from '../../../lib/shared/money.ts';
import { retryUnavailable } from '../../../lib/store/dynamodb/errors.ts';
import {
  importOldInvoice,
  importOldPayments,
  unrecordedPayment,
} from '../../../lib/workflows/imports/import-balance.ts';
import { reportLosses } from '../imports/report.ts';
import type { ImportFile, SystemRun } from './run.ts';
import { type WorkKind, importWork } from './work.ts';
import { operator } from './write-once.ts';

/** Imports the invoices of a file with their payments. */
export async function importInvoices(run: SystemRun, file: ImportFile<InvoicesMapping>): Promise<void> {
  const { report, mapping, columns } = file;
  const invoices: WorkKind<InvoiceRow> = {
    read: (cells) => readInvoice(mapping, columns, cells, run.system.system),
    async write(row, { line, contact }) {
      if (!contact) return undefined;
      const { isNew, isPaid, balance } = await importInvoiceRow(run, row, contact.Id);
      const due = `of invoice ${row.number} is ${fromCents(balance).toFixed(2)} here`;
      const reason = `${due}: more was paid since, or it is a draft`;
      if (balance !== row.balance) reportLosses(report, line, [{ column: 'balance', reason }]);
      return { count: isNew ? 'Created' : isPaid ? 'Updated' : 'Unchanged', booked: { total: row.total, balance } };
    },
  };
  await importWork(run, file, invoices);
}

/** The invoice and its payments; `balance` is what is due now, in cents. */
async function importInvoiceRow(
  run: SystemRun,
  row: InvoiceRow,
  contactId: number,
): Promise<{ readonly isNew: boolean; readonly isPaid: boolean; readonly balance: number }> {
  const context = operator(run);
  const { invoice, isNew } = await retryUnavailable(async () => {
    const { invoice: stored, changes } = await importOldInvoice(row, contactId, context);
    await run.store.table.commit(changes);
    return { invoice: stored, isNew: changes.length > 0 };
  });
  const unrecorded = unrecordedPayment(row, invoice);
  const isDue = unrecorded !== 0 && Math.sign(unrecorded) === Math.sign(row.total);
  if (!isDue) return { isNew, isPaid: false, balance: cents(invoice.BalanceDue) };
  await retryUnavailable(async () => {
    const { changes } = await importOldPayments(row, invoice, run.system.system, context);
    await run.store.table.commit(changes);
  });
  return { isNew, isPaid: true, balance: cents(invoice.BalanceDue) - unrecorded };
}
