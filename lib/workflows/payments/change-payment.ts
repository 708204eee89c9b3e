import type { Context } from '../../api/context.ts';
import { save } from '../../api/operation.ts';
import {
  type PaymentInput,
  applyPayment,
  inputFaults,
  invoiceFaults,
  isSamePayment,
  mergePayment,
  touchesInvoice,
} from '../../domain/payments.ts';
import { conflict, invalid, notFound } from '../../shared/failure.ts';
import { under } from '../../shared/field-errors.ts';
import { findInvoice } from '../../store/invoices.ts';
import { findPayment } from '../../store/payments.ts';
import { answerOf, savePayment } from './record-payment.ts';

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
  if (faults.length) throw invalid(...under('Payment', faults));
  const after = mergePayment(before, given, invoice.Zone);
  if (isSamePayment(before, after)) return save([], answerOf(before));
  if (!touchesInvoice(invoice, before, after)) return savePayment(caller.accountId, { before, after }, undefined, now);
  const applied = applyPayment(invoice, before, after);
  if (applied.kind === 'refused') throw conflict(applied.message);
  return savePayment(caller.accountId, { before, after }, { before: invoice, after: applied.invoice }, now);
}
