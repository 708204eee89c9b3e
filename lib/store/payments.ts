import type { PaymentRecord } from '../domain/payments.ts';
import { type CallerScope, findVisible } from './caller.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TablePager, TableReader } from './dynamodb/client.ts';
import type { Span } from './dynamodb/filters.ts';
import { listRange, toRecord } from './dynamodb/records.ts';
import { type Query, indexedRecordChange, listRecords } from './indexes.ts';
import { layout } from './keys.ts';

const KIND = 'Payment';

/** The payment, where it exists for a caller who sees one organization, or all (`null`). */
export async function findPayment(
  table: TableReader,
  scope: CallerScope,
  id: number,
): Promise<PaymentRecord | undefined> {
  const item = await findVisible(table, scope, layout.payment.key({ account: scope.accountId, id }));
  return item && toRecord<PaymentRecord>(item);
}

/** What a TransactionId was first used for. */
export interface UsedTransaction {
  /** The payment. */
  readonly Id: number;
  readonly InvoiceId: number;
  /** As it was asked for; the payment may have another since. */
  readonly Amount: number;
}

/** What a TransactionId was used for in the account, whoever may see it. */
export const findTransaction = async (
  table: TableReader,
  account: string,
  transaction: string,
): Promise<UsedTransaction | undefined> =>
  (await table.get(layout.transaction.key({ account, transaction }))) as UsedTransaction | undefined;

/** The payments of an invoice, as they are at this moment, by id; whether the caller sees them is not asked. */
export async function listInvoicePayments(
  table: TableReader,
  account: string,
  invoice: number,
): Promise<PaymentRecord[]> {
  const partition = layout.invoicePayment.of({ account, id: invoice });
  const items = await listRange(table, { partition, from: 'PAYMENT#', to: 'PAYMENT#~', consistent: true });
  return items.map(({ Payment }) => Payment as PaymentRecord);
}

/**
 * The changes that store a payment: itself, as its invoice lists it, and the guard of its TransactionId; and the
 * payment with its new version.
 */
export function paymentChanges(
  account: string,
  { before, after, now }: { before: PaymentRecord | undefined; after: PaymentRecord; now: Date },
): { record: PaymentRecord; changes: Change[] } {
  const payment = { ...after, Updated: now.getTime() };
  const { Id, InvoiceId, TransactionId, Amount, Date: date, Created } = payment;
  const key = layout.payment.key({ account, id: Id });
  const at = { kind: KIND, of: payment, key, date, facts: { created: Created } };
  const { record, change } = indexedRecordChange(account, at, { before, after: payment });
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

/** What payments are asked for; every criterion given must hold. */
export interface PaymentQuery extends Query {
  readonly created: Span;
}

/** A page of payments by date, then id; and how many there are in all. */
export async function queryPayments(
  table: TablePager,
  scope: CallerScope,
  { created, ...asked }: PaymentQuery,
  now: Date,
): Promise<{ count: number; payments: PaymentRecord[] }> {
  const where = { created };
  const { key } = layout.payment;
  const { count, records } = await listRecords<PaymentRecord>(table, scope, { ...asked, kind: KIND, where, key }, now);
  return { count, payments: records };
}
