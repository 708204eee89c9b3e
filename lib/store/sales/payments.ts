import type { Stored } from '../../entities/entity.ts';
import { type PaymentRecord, paymentEntity } from '../../entities/payments.ts';
import { type CallerScope, findVisible } from '../requests/caller.ts';
import type { Change } from '../dynamodb/changes.ts';
import type { TablePager, TableReader } from '../dynamodb/client.ts';
import type { Span } from '../dynamodb/filters.ts';
import { listRange } from '../dynamodb/records.ts';
import { type Query, indexedRecordChange, listRecords } from '../indexes.ts';
import { findBusinessKey } from '../erased-keys.ts';
import { layout } from '../keys.ts';

export async function findPayment(
  table: TableReader,
  scope: CallerScope,
  id: number,
): Promise<PaymentRecord | undefined> {
  const item = await findVisible(table, scope, layout.payment.key({ account: scope.accountId, id }));
  return item && paymentEntity.read(item);
}

/** The first use of a TransactionId. */
export interface UsedTransaction {
  readonly Id: number;
  readonly InvoiceId: number;
  /** As first requested; the payment may have another one now. */
  readonly Amount: number;
}

/** Finds the use of a TransactionId in the whole account, whichever organization it belongs to. */
export const findTransaction = async (
  table: TableReader,
  account: string,
  transaction: string,
  now: Date,
): Promise<UsedTransaction | undefined> =>
  (await findBusinessKey(table, account, layout.transaction.key({ account, transaction }), now)) as
    UsedTransaction | undefined;

/** The current payments of an invoice, by id, of all organizations. */
export async function listInvoicePayments(
  table: TableReader,
  account: string,
  invoice: number,
): Promise<PaymentRecord[]> {
  const partition = layout.invoicePayment.of({ account, id: invoice });
  const items = await listRange(table, { partition, from: 'PAYMENT#', to: 'PAYMENT#~', consistent: true });
  return items.map(({ Payment }) => paymentEntity.read(Payment as Stored));
}

/**
 * The changes that store a payment, its copy beside the invoice and the guard of its TransactionId; and the payment
 * with its new version.
 */
export function paymentChanges(
  account: string,
  { before, after, now }: { before: PaymentRecord | undefined; after: PaymentRecord; now: Date },
): { record: PaymentRecord; changes: Change[] } {
  const payment = { ...after, Updated: now.getTime() };
  const { Id, InvoiceId, TransactionId, Amount, Date: date, Day: day, Zone: zone, Created } = payment;
  const key = layout.payment.key({ account, id: Id });
  const at = { of: payment, key, date, day, zone, open: false, facts: { created: Created } };
  const { record, change } = indexedRecordChange(account, paymentEntity, at, { before, after: payment });
  const isNew = TransactionId !== '' && TransactionId !== before?.TransactionId;
  return {
    record,
    changes: [
      change,
      { put: { ...layout.invoicePayment.key({ account, id: InvoiceId, payment: Id }), Payment: record } },
      ...(isNew
        ? [
            {
              put: { ...layout.transaction.key({ account, transaction: TransactionId }), Id, InvoiceId, Amount },
              if: 'absent' as const,
            },
          ]
        : []),
    ],
  };
}

/** Payments must meet every criterion. */
export interface PaymentQuery extends Query {
  readonly created: Span;
}

/** A page of payments by date, then id, and the number of all matches. */
export async function queryPayments(
  table: TablePager,
  scope: CallerScope,
  { created, ...query }: PaymentQuery,
  now: Date,
): Promise<{ count: number; payments: PaymentRecord[] }> {
  const where = { created };
  // No payment is changed before it is imported: the index by time of change bounds the import too.
  const updated = { from: created.from };
  const { key } = layout.payment;
  const { count, records } = await listRecords(table, scope, paymentEntity, { updated, ...query, where, key }, now);
  return { count, payments: records };
}
