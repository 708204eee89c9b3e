import type { Context } from '../../lib/api/context.ts';
import { conflict, faulty } from '../../lib/api/failure.ts';
import { save } from '../../lib/api/operation.ts';
import { under } from '../../lib/domain/faults.ts';
import { applyPayment } from '../../lib/domain/payments/apply.ts';
import {
  blankPayment, inputFaults, invoiceFaults, mergePayment, type PaymentInput,
} from '../../lib/domain/payments/merge.ts';
import { leaseIds, stockIds } from '../../lib/store/ids.ts';
import { findPayment, findTransaction, type UsedTransaction } from '../../lib/store/payments.ts';
import { namedInvoice } from './named.ts';
import { answerOf, savePayment } from './saving.ts';

type Writing = Context<'table:write'>;

/** What of a new payment is at fault, whatever invoice it is of. */
const newFaults = (given: PaymentInput) => [
  ...(given.Amount === undefined || given.Amount === null ? [{ field: 'Amount', message: 'is required' }] : []),
  ...(given.InvoiceId || given.InvoiceNumber?.trim()
    ? []
    : [{ field: 'InvoiceId', message: 'or InvoiceNumber is required' }]),
  ...inputFaults(given, 'UTC'),
];

/** The payment that a TransactionId made, where it is asked for once more as it was then. */
async function repeated(
  { table, caller }: Writing,
  made: UsedTransaction,
  { InvoiceId, Amount, TransactionId }: { InvoiceId: number; Amount: number; TransactionId: string },
) {
  const isSame = made.InvoiceId === InvoiceId && made.Amount === Amount;
  const payment = isSame ? await findPayment(table, caller, made.Id) : undefined;
  if (payment) return save([], answerOf(payment));
  throw conflict(
    `TransactionId ${JSON.stringify(TransactionId)} was used for a payment of another invoice or Amount. ` +
      'Repeat what was sent then, or use a new one for a new payment.',
  );
}

/** Records a new payment, in two rounds where its invoice is named by id. */
export async function recordPayment(context: Writing, given: PaymentInput) {
  const { table, caller, now } = context;
  const early = newFaults(given);
  if (early.length) throw faulty(under('Payment', early));
  const TransactionId = given.TransactionId?.trim() ?? '';
  const [invoice, made] = await Promise.all([
    namedInvoice(context, given),
    TransactionId ? findTransaction(table, caller.accountId, TransactionId) : undefined,
    stockIds(table, caller.accountId, 'Payment', 1),
  ]);
  const faults = [...invoiceFaults(given, invoice), ...inputFaults(given, invoice.Zone)];
  if (faults.length) throw faulty(under('Payment', faults));
  const payment = mergePayment(blankPayment(invoice, now), given, invoice.Zone);
  if (made) return repeated(context, made, payment);
  const applied = applyPayment(invoice, undefined, payment);
  if (applied.kind === 'refused') throw conflict(applied.message);
  const [Id = 0] = await leaseIds(table, caller.accountId, 'Payment', 1);
  const after = { ...payment, Id };
  return savePayment(caller.accountId, { before: undefined, after }, { before: invoice, after: applied.invoice }, now);
}
