import type { InvoicesMapping } from '../../../lib/domain/imports/mapping.ts';
import { type InvoiceRow, readInvoice } from '../../../lib/domain/imports/read-work.ts';
import { cents, fromCents } from '../../../lib/shared/money.ts';
import { retryUnavailable } from '../../../lib/store/dynamodb/errors.ts';
import {
  importOldInvoice,
  importOldPayments,
  unrecordedPayment,
} from '../../../lib/workflows/imports/import-balance.ts';
import type { ImportFile, SystemRun } from './run.ts';
import { eachRow, findClient, operator, requireContact, requireRow } from './work-rows.ts';

/** Imports the invoices of a file with their payments. */
export async function importInvoices(run: SystemRun, file: ImportFile): Promise<void> {
  const { report, mapping, columns } = file;
  const sums = { total: 0, balance: 0, bookedTotal: 0, bookedBalance: 0 };
  await eachRow(run, file, async (cells, line) => {
    const row = requireRow(readInvoice(mapping as InvoicesMapping, columns, cells, run.system.system));
    sums.total += row.total;
    sums.balance += row.balance;
    const client = await findClient(run, row.client);
    if (run.dryRun) return;
    const contact = await requireContact(run, client);
    const { isNew, isPaid, balance } = await importInvoiceRow(run, row, contact.Id);
    report[isNew ? 'Created' : isPaid ? 'Updated' : 'Unchanged']++;
    sums.bookedTotal += row.total;
    sums.bookedBalance += balance;
    if (balance !== row.balance)
      report.Lost.push({
        Line: line,
        Column: 'balance',
        Reason:
          `of invoice ${row.number} is ${fromCents(balance).toFixed(2)} here: ` +
          'more was paid since, or it is a draft',
      });
  });
  report.InFile = { Total: fromCents(sums.total), Balance: fromCents(sums.balance) };
  report.Booked = { Total: fromCents(sums.bookedTotal), Balance: fromCents(sums.bookedBalance) };
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
