import type { PaymentRecord } from '../domain/payments/record.ts';
import type { Change } from './changes.ts';
import type { TablePager, TableReader } from './client.ts';
import { nextVersion, thingOf } from './entities.ts';
import type { Span } from './facts.ts';
import { indexKeys } from './indexes.ts';
import { layout } from './layout.ts';
import { list } from './listing.ts';
import { readRange } from './ranges.ts';

const KIND = 'Payment';

interface Viewer {
  readonly accountId: string;
  readonly organizationId: number | null;
}

/** The payment, where it exists for a caller who sees one organization, or all (`null`). */
export async function findPayment(
  table: TableReader,
  { accountId, organizationId }: Viewer,
  id: number,
): Promise<PaymentRecord | undefined> {
  const item = await table.get(layout.payment.key({ account: accountId, id }));
  return item && (organizationId === null || item['OrganizationId'] === organizationId)
    ? thingOf<PaymentRecord>(item)
    : undefined;
}

/** What a TransactionId was first used for. */
export interface Transaction {
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
): Promise<Transaction | undefined> =>
  (await table.get(layout.transaction.key({ account, transaction }))) as Transaction | undefined;

/** The payments of an invoice, as they are at this moment, by id; whether the caller sees them is not asked. */
export async function paymentsOfInvoice(
  table: TableReader,
  account: string,
  invoice: number,
): Promise<PaymentRecord[]> {
  const partition = layout.invoicePayment.of({ account, id: invoice });
  const items = await readRange(table, { partition, from: 'PAYMENT#', to: 'PAYMENT#~', consistent: true });
  return items.map(({ Payment }) => Payment as PaymentRecord);
}

/**
 * The changes that store a payment: itself, as its invoice lists it, and the guard of its TransactionId; and the
 * payment with its new version.
 */
export function storePayment(
  account: string,
  { before, after, now }: { before: PaymentRecord | undefined; after: PaymentRecord; now: Date },
): { thing: PaymentRecord; changes: Change[] } {
  const payment = { ...after, Updated: now.getTime() };
  const { Id, OrganizationId, ContactId, InvoiceId, TransactionId, Amount, Date: date, Created, Updated } =
    payment;
  const indexes = indexKeys({
    account,
    kind: KIND,
    id: Id,
    organization: OrganizationId,
    contact: ContactId,
    date,
    updated: Updated,
    facts: { C: Created },
  });
  const { thing, change } = nextVersion(KIND, layout.payment.key({ account, id: Id }), {
    before,
    after: payment,
    indexes,
  });
  const isNew = TransactionId !== '' && TransactionId !== before?.TransactionId;
  return {
    thing,
    changes: [
      change,
      { put: { ...layout.invoicePayment.key({ account, id: InvoiceId, payment: Id }), Payment: thing } },
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
export interface PaymentQuery {
  readonly contact?: number | undefined;
  readonly date: Span;
  readonly created: Span;
  readonly skip: number;
  readonly take: number;
}

/** A page of payments by date, then id; and how many there are in all. */
export async function queryPayments(
  table: TablePager,
  { accountId, organizationId }: Viewer,
  { contact, date, created, skip, take }: PaymentQuery,
  now: Date,
): Promise<{ count: number; payments: PaymentRecord[] }> {
  const { count, items } = await list(
    table,
    {
      account: accountId,
      organization: organizationId,
      kind: KIND,
      contact,
      date,
      skip,
      take,
      where: { C: created },
      key: (payment) => layout.payment.key({ account: accountId, id: payment }),
    },
    now,
  );
  return { count, payments: items.map((item) => thingOf<PaymentRecord>(item)) };
}
