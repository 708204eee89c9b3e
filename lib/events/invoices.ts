import { InvoiceStatus, type InvoiceRecord } from '../domain/invoices/record.ts';
import { invoiceOf } from '../domain/invoices/view.ts';
import type { Image } from './image.ts';
import type { EntityKind } from './kinds.ts';

const recordOf = (image: Image): InvoiceRecord => image as unknown as InvoiceRecord;

/** What has happened when the status becomes this one. */
const becoming: Readonly<Record<number, string>> = {
  [InvoiceStatus.Paid]: 'invoice.paid',
  [InvoiceStatus.Voided]: 'invoice.voided',
};

function kindOf({ Status: was }: InvoiceRecord, { Status: is }: InvoiceRecord): string {
  if (was === is) return 'invoice.updated';
  if (is === InvoiceStatus.Open) return was === InvoiceStatus.Unapproved ? 'invoice.approved' : 'invoice.reopened';
  return becoming[is] ?? 'invoice.updated';
}

/** Changes of invoices. A payment changes one too, and has an event of its own beside. */
export const invoice: EntityKind = {
  kinds: { created: 'invoice.created', updated: 'invoice.updated', deleted: 'invoice.deleted' },
  transactionKind: 0,
  transaction: (image) => {
    const { Date: date, Subtotal: subtotal } = recordOf(image);
    return { date, subtotal };
  },
  resource: (image, { baseUrl }) => invoiceOf(recordOf(image), { baseUrl, contact: null, associated: true }),
  contactId: ({ ContactId }) => ContactId as number,
  updated: ({ before, after }) => (before && after ? kindOf(recordOf(before), recordOf(after)) : undefined),
};
