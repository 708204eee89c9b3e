import { type InvoiceChange, creditOf, isByCredit } from '../../domain/credits.ts';
import {
  type PaymentInput,
  applyPayment,
  applyPaymentInput,
  inputErrors,
  invoiceErrors,
  isSamePayment,
  touchesInvoice,
} from '../../domain/payments.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { PaymentRecord } from '../../entities/payments.ts';
import { InternalError, conflict, invalid, notFound } from '../../shared/failure.ts';
import { formatMoney } from '../../shared/money.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { findPayment } from '../../store/sales/payments.ts';
import type { ReadContext, WriteContext } from '../context.ts';
import { type RecordedPayment, throwErrors } from './record-payment.ts';
import { checkCredit, savePayments } from './save-payments.ts';

/**
 * Changes Reference, Method, Date or Amount of the payment that `field` of the request names. One that is applied to no
 * invoice is applied to the InvoiceId of the request.
 */
export async function changePayment(
  { id, field }: { readonly id: number; readonly field: string },
  input: PaymentInput,
  context: WriteContext,
): Promise<RecordedPayment> {
  const { before, invoice } = await loadPayment(id, field, input.InvoiceId, context);
  if (!before.InvoiceId) return applyToInvoice(before, invoice, input, context);
  throwErrors([...invoiceErrors(input, invoice, before), ...inputErrors(input, invoice.Zone)]);
  const after = applyPaymentInput(before, input, invoice.Zone);
  if (isSamePayment(before, after)) return { payment: before, changes: [], allocations: [] };
  checkCreditUse(before, after);
  const paidInvoice = touchesInvoice(invoice, before, after) ? payInvoice(invoice, before, after) : undefined;
  return saveChange({ before, after }, paidInvoice && { before: invoice, after: paidInvoice }, context);
}

/** Throws conflict where a payment by credit would differ from what was taken off the credit. */
function checkCreditUse(before: PaymentRecord, after: PaymentRecord): void {
  const { Id, Amount, FromCredit } = before;
  if (FromCredit ? Amount !== after.Amount || !isByCredit(after) : isByCredit(after) && !isByCredit(before))
    throw conflict(
      'fixed_value',
      FromCredit
        ? `Payment ${Id} is by credit: its Amount and Method cannot change. A negative Amount with Method Credit ` +
            'gives back to the credit.'
        : `Payment ${Id} is not by credit and cannot become that. Record a refund, and a payment with Method Credit.`,
    );
}

/** Applies a payment that is applied to no invoice yet, whole. Throws conflict where the invoice does not take it. */
async function applyToInvoice(
  before: PaymentRecord,
  invoice: InvoiceRecord,
  input: PaymentInput,
  context: WriteContext,
): Promise<RecordedPayment> {
  throwErrors([...invoiceErrors(input, invoice), ...inputErrors(input, invoice.Zone)]);
  if (before.FromCredit)
    throw conflict('fixed_value', `Payment ${before.Id} takes ${formatMoney(-before.Amount)} off the credit.`);
  const { Id: InvoiceId, Number: InvoiceNumber, ContactId } = invoice;
  const applied = { ...before, InvoiceId, InvoiceNumber, ContactId, InCredit: false };
  const after = applyPaymentInput(applied, { ...input, TransactionId: null }, invoice.Zone);
  checkCreditUse(before, after);
  const change = { before: invoice, after: payInvoice(invoice, undefined, after) };
  if (creditOf(before) > 0) await checkCredit(before.ContactId, creditOf(before), context);
  return saveChange({ before, after }, change, context);
}

function saveChange(
  payment: { readonly before: PaymentRecord; readonly after: PaymentRecord },
  invoice: InvoiceChange | undefined,
  context: WriteContext,
): RecordedPayment {
  const { payments, changes } = savePayments({ payments: [payment], invoices: invoice ? [invoice] : [] }, context);
  return { payment: payments[0] ?? payment.after, changes, allocations: [] };
}

/** Reads a payment and its invoice: in one round if the request repeats the InvoiceId. */
async function loadPayment(id: number, field: string, invoiceId: number | null | undefined, context: ReadContext) {
  const { table, caller } = context;
  const [before, expectedInvoice] = await Promise.all([
    findPayment(table, caller, id),
    invoiceId ? findInvoice(table, caller, invoiceId) : undefined,
  ]);
  if (!before) throw notFound('payment', field, id);
  if (!before.InvoiceId && (!expectedInvoice || expectedInvoice.OrganizationId !== before.OrganizationId))
    throw invoiceId
      ? notFound('invoice', 'Payment.InvoiceId', invoiceId)
      : invalid({
          field: 'Payment.InvoiceId',
          code: 'required',
          message: `is required: payment ${id} is applied to no invoice`,
        });
  const isExpected = !before.InvoiceId || expectedInvoice?.Id === before.InvoiceId;
  const invoice = isExpected ? expectedInvoice : await findInvoice(table, caller, before.InvoiceId);
  if (!invoice)
    throw new InternalError(`account ${caller.accountId}: payment ${id} has no invoice ${before.InvoiceId}`);
  return { before, invoice };
}

function payInvoice(invoice: InvoiceRecord, before: PaymentRecord | undefined, after: PaymentRecord): InvoiceRecord {
  const result = applyPayment(invoice, before, after);
  if (result.kind === 'refused') throw conflict(result.code, result.message);
  return result.invoice;
}
