import type { Context } from '../../api/context.ts';
import { save } from '../../api/operation.ts';
import {
  type PaymentInput,
  applyPayment,
  inputErrors,
  invoiceErrors,
  isSamePayment,
  applyPaymentInput,
  touchesInvoice,
} from '../../domain/payments.ts';
import { conflict, invalid, notFound } from '../../shared/failure.ts';
import { prefixErrors } from '../../shared/field-errors.ts';
import { findInvoice } from '../../store/invoices.ts';
import { findPayment } from '../../store/payments.ts';
import { toPaymentAnswer, savedPayment } from './record-payment.ts';

/** Changes a payment; `field` is what the request names it by. The whole of what was answered may be sent back. */
export async function changePayment(
  { table, caller, now }: Context<'table:write'>,
  { id, field, input }: { id: number; field: string; input: PaymentInput },
) {
  // Whoever sends the whole payment names its invoice, which then is read beside it and not after.
  const guess = input.InvoiceId;
  const [before, guessed] = await Promise.all([
    findPayment(table, caller, id),
    guess ? findInvoice(table, caller, guess) : undefined,
  ]);
  if (!before) throw notFound('payment', field, id);
  const invoice = guessed?.Id === before.InvoiceId ? guessed : await findInvoice(table, caller, before.InvoiceId);
  if (!invoice) throw new TypeError(`account ${caller.accountId}: payment ${id} has no invoice ${before.InvoiceId}`);
  const errors = [...invoiceErrors(input, invoice, before), ...inputErrors(input, invoice.Zone)];
  if (errors.length) throw invalid(...prefixErrors('Payment', errors));
  const after = applyPaymentInput(before, input, invoice.Zone);
  if (isSamePayment(before, after)) return save([], toPaymentAnswer(before));
  if (!touchesInvoice(invoice, before, after)) return savedPayment(caller.accountId, { before, after }, undefined, now);
  const applied = applyPayment(invoice, before, after);
  if (applied.kind === 'refused') throw conflict(applied.message);
  return savedPayment(caller.accountId, { before, after }, { before: invoice, after: applied.invoice }, now);
}
