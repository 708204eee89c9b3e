import {
  type InvoiceChange,
  creditOf,
  excessChange,
  isByCredit,
  toAllocations,
  withExcess,
} from '../../domain/credits.ts';
import {
  type PaymentInput,
  type PaymentRefusal,
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
import { add, formatMoney, subtract } from '../../shared/money.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { findPayment } from '../../store/sales/payments.ts';
import type { ReadContext, WriteContext } from '../context.ts';
import { type RecordedPayment, throwErrors } from './record-payment.ts';
import { checkCredit, savePayments } from './save-payments.ts';

/**
 * Changes Reference, Method, Date or Amount of the payment that `field` of the request names. One that is applied to no
 * invoice is applied to the InvoiceId of the request. What the invoice does not take is credit of the contact.
 */
export async function changePayment(
  { id, field }: { readonly id: number; readonly field: string },
  input: PaymentInput,
  context: WriteContext,
): Promise<RecordedPayment> {
  const { before, invoice } = await loadPayment(id, field, input.InvoiceId, context);
  if (!before.InvoiceId) return applyToInvoice(before, invoice, input, context);
  throwErrors([...invoiceErrors(input, invoice, before), ...inputErrors(input, invoice.Zone)]);
  const requested = applyPaymentInput(before, input, invoice.Zone);
  const after = withExcess(invoice, before, requested);
  if (isSamePayment(before, after)) return { payment: before, changes: [], allocations: [] };
  checkCreditUse(before, requested);
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

/** Applies a payment that is applied to no invoice yet. Throws conflict where the invoice takes nothing of it. */
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
  const after = withExcess(
    invoice,
    undefined,
    applyPaymentInput(applied, { ...input, TransactionId: null }, invoice.Zone),
  );
  checkCreditUse(before, after);
  const change = { before: invoice, after: payInvoice(invoice, undefined, after) };
  const used = subtract(creditOf(before), after.Excess ?? 0);
  if (used > 0) await checkCredit(before.ContactId, used, context);
  return saveChange({ before, after }, change, context);
}

async function saveChange(
  payment: { readonly before: PaymentRecord; readonly after: PaymentRecord },
  invoice: InvoiceChange | undefined,
  context: WriteContext,
): Promise<RecordedPayment> {
  const credit = await recordExcess(payment.before, payment.after, context);
  const { payments, changes } = savePayments(
    {
      payments: [payment, ...(credit ? [{ before: undefined, after: credit }] : [])],
      invoices: invoice ? [invoice] : [],
    },
    context,
  );
  return { payment: payments[0] ?? payment.after, changes, allocations: toAllocations(payments) };
}

/** The payment that changes the credit by the Excess of another. Throws conflict where that credit is used. */
async function recordExcess(
  before: PaymentRecord,
  after: PaymentRecord,
  context: WriteContext,
): Promise<PaymentRecord | undefined> {
  const change = excessChange(before, after, context.now);
  if (!change) return undefined;
  const { ContactId, Amount } = change;
  const [[Id = 0]] = await Promise.all([
    reserveIds(context.table, context.caller.accountId, 'Payment', 1),
    Amount < 0 ? checkCredit(ContactId, -Amount, context, takenBackTooMuch(before, after)) : undefined,
  ]);
  return { ...change, Id };
}

/** Why the credit that a payment left is not lowered: how low its Amount may be. */
function takenBackTooMuch(before: PaymentRecord, after: PaymentRecord) {
  const requested = add(after.Amount, after.Excess ?? 0);
  const taken = subtract(before.Excess ?? 0, after.Excess ?? 0);
  return (balance: number): PaymentRefusal => ({
    code: 'overpayment',
    message:
      `Payment.Amount ${formatMoney(requested)} takes ${formatMoney(taken)} off the credit that payment ${before.Id} ` +
      `left, and contact ${after.ContactId} has ${formatMoney(balance)} of it: it must be at least ` +
      `${formatMoney(subtract(add(requested, taken), Math.max(0, balance)))}.`,
  });
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
