import type { RecordOf } from '../../entities/declaration/entity.ts';
import {
  type PaymentRecord,
  invoicePaymentEntity,
  paymentEntity,
  usedTransactionEntity,
} from '../../entities/payments.ts';
import { finderOf, isVisible } from '../visibility.ts';
import type { StoreAccount, StorePager, StoreReader } from '../store.ts';
import type { Change } from '../dynamodb/changes.ts';
import type { DateSpan } from '../../shared/time/read-moments.ts';
import { listRange } from '../dynamodb/records.ts';
import { type Query, listRecords, listedChange } from '../indexes.ts';
import { findBusinessKey } from '../erased-keys.ts';
import { layout } from '../keys.ts';

export const findPayment = finderOf(paymentEntity, layout.payment);

/** The payments of `ids` that exist for the caller. */
export async function findPayments(store: StoreReader, ids: readonly number[]): Promise<PaymentRecord[]> {
  const { table, account } = store;
  const items = ids.length ? await table.getMany(ids.map((id) => layout.payment.key({ account, id }))) : [];
  return items.map(paymentEntity.read).filter((payment) => isVisible(store, payment));
}

/** The first use of a TransactionId. */
export type TransactionUse = RecordOf<typeof usedTransactionEntity>;

/** The first use of a TransactionId in an organization. */
export async function findTransaction(
  store: StoreReader,
  organizationId: number,
  transaction: string,
): Promise<TransactionUse | undefined> {
  const key = layout.transaction.key({ account: store.account, transaction, organization: organizationId });
  const item = await findBusinessKey(store, key);
  return item && usedTransactionEntity.read(item);
}

/** The current payments of an invoice, by id, of all organizations. */
export async function listInvoicePayments({ account, table }: StoreReader, invoice: number): Promise<PaymentRecord[]> {
  const partition = layout.invoicePayment.of({ account, id: invoice });
  const items = await listRange(table, { partition, from: 'PAYMENT#', to: 'PAYMENT#~', consistent: true });
  return items.map((item) => invoicePaymentEntity.read(item).Payment);
}

/** A payment to be stored; `requested` is what its TransactionId guards, if the payment was divided. */
export interface PaymentWrite {
  readonly before: PaymentRecord | undefined;
  readonly after: PaymentRecord;
  readonly requested?: Pick<TransactionUse, 'Amount' | 'Allocations'> | undefined;
}

/**
 * The changes that store a payment, its copy with the invoice and the guard of its TransactionId; and the payment with
 * its new version.
 */
export function paymentChanges(
  store: StoreAccount,
  { before, after, now, requested }: PaymentWrite & { readonly now: Date },
): { record: PaymentRecord; changes: Change[] } {
  const { account } = store;
  const { record, change } = listedChange(store, paymentEntity, layout.payment, { before, after, now });
  const { Id, InvoiceId, TransactionId, Amount } = record;
  const transaction = { account, transaction: TransactionId, organization: record.OrganizationId };
  const isNew = TransactionId !== '' && TransactionId !== before?.TransactionId;
  return {
    record,
    changes: [
      change,
      // An unapplied payment is listed with no invoice.
      ...(InvoiceId
        ? [{ put: { ...layout.invoicePayment.key({ account, id: InvoiceId, payment: Id }), Payment: record } }]
        : []),
      ...(isNew
        ? [
            {
              put: { ...layout.transaction.key(transaction), Id, InvoiceId, Amount, ...requested },
              if: 'absent' as const,
            },
          ]
        : []),
    ],
  };
}

/** The changes that remove a payment as it was read, and free its TransactionId. */
export function removedPaymentChanges({ account }: StoreAccount, payment: PaymentRecord): Change[] {
  const { Id: id, V, InvoiceId, TransactionId: transaction, OrganizationId: organization } = payment;
  const guard = transaction ? [layout.transaction.key({ account, transaction, organization })] : [];
  const copy = InvoiceId ? [layout.invoicePayment.key({ account, id: InvoiceId, payment: id })] : [];
  return [
    { remove: layout.payment.key({ account, id }), if: { equals: { V } } },
    ...copy.map((remove) => ({ remove })),
    ...guard.map((remove) => ({ remove, if: { equals: { Id: id } } })),
  ];
}

/** Criteria that payments must all meet. */
export interface PaymentQuery extends Query {
  readonly created: DateSpan;
}

/** A page of payments by date, then id, and the number of all matches. */
export async function queryPayments(
  store: StorePager,
  { created, ...query }: PaymentQuery,
  now: Date,
): Promise<{ count: number; payments: PaymentRecord[] }> {
  const list = { ...query, where: {}, changedAfter: { created }, key: layout.payment.key };
  const { count, records } = await listRecords(store, paymentEntity, list, now);
  return { count, payments: records };
}
