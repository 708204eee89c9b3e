import type { Context } from '../../lib/api/context.ts';
import { conflict, faulty, notFound } from '../../lib/api/failure.ts';
import { save } from '../../lib/api/operation.ts';
import { under } from '../../lib/domain/faults.ts';
import { applyPayment, touchesInvoice } from '../../lib/domain/payments/apply.ts';
import {
  inputFaults, invoiceFaults, isSamePayment, mergePayment, type PaymentInput,
} from '../../lib/domain/payments/merge.ts';
import { findInvoice } from '../../lib/store/invoices.ts';
import { findPayment } from '../../lib/store/payments.ts';
import { answerOf, savePayment } from './saving.ts';

/** Changes a payment; `field` is what the request names it by. The whole of what was answered may be sent back. */
export async function changePayment(
  { table, caller, now }: Context<'table:write'>,
  { id, field, given }: { id: number; field: string; given: PaymentInput },
) {
  // Whoever sends the whole payment names its invoice, which then is read beside it and not after.
  const guess = given.InvoiceId;
  const [before, guessed] = await Promise.all([
    findPayment(table, caller, id),
    guess ? findInvoice(table, caller, guess) : undefined,
  ]);
  if (!before) throw notFound('payment', field, id);
  const invoice = guessed?.Id === before.InvoiceId ? guessed : await findInvoice(table, caller, before.InvoiceId);
  if (!invoice) throw new TypeError(`account ${caller.accountId}: payment ${id} has no invoice ${before.InvoiceId}`);
  const faults = [...invoiceFaults(given, invoice, before), ...inputFaults(given, invoice.Zone)];
  if (faults.length) throw faulty(under('Payment', faults));
  const after = mergePayment(before, given, invoice.Zone);
  if (isSamePayment(before, after)) return save([], answerOf(before));
  if (!touchesInvoice(invoice, before, after)) return savePayment(caller.accountId, { before, after }, undefined, now);
  const applied = applyPayment(invoice, before, after);
  if (applied.kind === 'refused') throw conflict(applied.message);
  return savePayment(caller.accountId, { before, after }, { before: invoice, after: applied.invoice }, now);
}
