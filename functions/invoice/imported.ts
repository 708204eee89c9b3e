import type { InvoiceRecord } from '../../lib/domain/invoices/record.ts';
import type { Change } from '../../lib/store/changes.ts';

/** What an import comes to: the invoice as it is then, and what is to be stored for it. */
export interface Imported {
  readonly invoice: InvoiceRecord;
  readonly changes: readonly Change[];
  readonly message?: string;
}
