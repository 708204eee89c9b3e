import type { InvoiceRecord } from '../../lib/entities/invoices.ts';
import { blankInvoice, blankLine, withTotals } from '../../lib/domain/invoices/record.ts';
import { contactSummaryChanges } from '../../lib/store/contacts/contacts.ts';
import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { reserveIds } from '../../lib/store/dynamodb/records.ts';
import { findInvoice, invoiceChanges } from '../../lib/store/sales/invoices.ts';
import { accountStore, storeOf } from '../../lib/store/store.ts';

/** An open invoice with one untaxed line; by default of contact 1 of organization 1 in New York. */
export const invoiceOver = (total: number, input: Pick<InvoiceRecord, 'Id'> & Partial<InvoiceRecord>): InvoiceRecord =>
  withTotals(
    blankInvoice({
      OrganizationId: 1,
      ContactId: 1,
      Number: `N-${input.Id}`,
      Zone: 'America/New_York',
      Created: Date.UTC(2026, 2, 2, 15),
      Lines: [blankLine({ Id: input.Id, Description: 'Window cleaning', Rate: total })],
      ...input,
    }),
  );

/** Stores such an invoice, as invoice/import would, and returns it. */
export async function putInvoice(
  table: TableWriter,
  account: string,
  total: number,
  input: Partial<InvoiceRecord> = {},
): Promise<InvoiceRecord> {
  const [Id = 0] = input.Id ? [input.Id] : await reserveIds(accountStore(table, account), 'Invoice', 1);
  const now = new Date();
  const after = invoiceOver(total, { ...input, Id });
  const { record, changes, contactSummary } = invoiceChanges({ account }, { before: undefined, after, now });
  await table.commit([...changes, ...contactSummaryChanges({ account }, after.ContactId, contactSummary, now)]);
  return record;
}

/** The invoice as the table holds it. */
export async function readInvoice(table: TableWriter, accountId: string, id: number): Promise<InvoiceRecord> {
  const invoice = await findInvoice(storeOf(table, { account: accountId, organizationId: null }), id);
  if (!invoice) throw new Error(`no invoice ${id}`);
  return invoice;
}
