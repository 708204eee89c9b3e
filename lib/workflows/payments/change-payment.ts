import {
  type ChangedPart,
  type InvoiceChange,
  type PaidPart,
  creditOf,
  divideAgain,
  excessChange,
  toAllocations,
  wholeAmount,
  withExcess,
} from '../../domain/credits.ts';
import {
  type PaymentInput,
  type PaymentRefusal,
  applyPayment,
  applyPaymentInput,
  inputErrors,
  invoiceErrors,
  isByCredit,
  isSamePayment,
  touchesInvoice,
} from '../../domain/payments.ts';
import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { PaymentRecord } from '../../entities/payments.ts';
import { conflict } from '../../shared/failure.ts';
import { formatMoney, subtract } from '../../shared/money.ts';
import { isMeant } from '../../store/contacts/contacts.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import { getOrganization } from '../../store/organizations/organizations.ts';
import type { ReadContext, WriteContext } from '../context.ts';
import { loadParts, loadPayment } from './load-payment.ts';
import { type RecordedPayment, throwErrors, withMeantContact } from './record-payment.ts';
import { checkCredit, savePayments } from './save-payments.ts';

/**
 * Changes Reference, Method, Date or Amount of the payment that `field` of the request names. The Amount is the whole
 * payment: what the invoices do not take becomes credit of the contact. A payment without an invoice is applied to the
 * one in the request, if it names one.
 */
export async function changePayment(
  { id, field }: { readonly id: number; readonly field: string },
  sent: PaymentInput,
  context: WriteContext,
): Promise<RecordedPayment> {
  const { before, invoice } = await loadPayment(id, field, sent, context);
  const input = await withMeantContact(sent, invoice?.ContactId ?? before.ContactId, context);
  if (!invoice) return changeUnapplied(before, input, context);
  if (!before.InvoiceId) return applyToInvoice(before, invoice, input, context);
  throwErrors([...invoiceErrors(input, invoice, before), ...inputErrors(input, invoice.Zone)]);
  const parts = await loadParts({ payment: before, invoice }, context);
  const requested = requestedChange(before, applyPaymentInput(before, input, invoice.Zone), wholeAmount(parts));
  const [first, ...others] = changedParts(parts, requested).filter(
    ({ payment, after }, index) => !index || !isSamePayment(payment, after),
  );
  if (!first || (!others.length && isSamePayment(before, first.after)))
    return { payment: before, changes: [], allocations: [] };
  const invoices = [first, ...others].flatMap(({ payment, after, invoice: of }) =>
    touchesInvoice(of, payment, after) ? [{ before: of, after: payInvoice(of, payment, after) }] : [],
  );
  return saveChange(first, { others, invoices, whole: wholeAmount(parts) }, context);
}

/**
 * The payment with the request applied; `whole` is everything paid by it so far. Sending the Amount that answers show,
 * or the whole, changes nothing. Throws if the Amount belongs to another payment, or was taken off the credit.
 */
function requestedChange(before: PaymentRecord, requested: PaymentRecord, whole: number): PaymentRecord {
  const after = requested.Amount === whole ? { ...requested, Amount: before.Amount } : requested;
  checkCreditUse(before, after);
  if (after.Amount === before.Amount) return after;
  const { Id, SplitOf, Shares } = before;
  if (SplitOf)
    throw conflict(
      'fixed_value',
      `Payment ${Id} is a part of payment ${SplitOf}: change the Amount of that one, which is all that was paid.`,
    );
  if (Shares && after.Amount < 0 !== whole < 0)
    throwErrors([
      { field: 'Amount', code: 'range', message: `must be ${whole < 0 ? 'below' : 'above'} 0, as it was divided` },
    ]);
  return after;
}

/** The parts of a payment, the first of which changes to `requested`. */
function changedParts(parts: readonly [PaidPart, ...PaidPart[]], requested: PaymentRecord): readonly ChangedPart[] {
  const [first] = parts;
  const { payment, invoice } = first;
  if (!requested.Shares) return [{ ...first, after: withExcess(invoice, payment, requested) }];
  return requested.Amount === payment.Amount ? [{ ...first, after: requested }] : divideAgain(parts, requested);
}

/** Throws conflict if a payment by credit would differ from what was taken off the credit. */
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

/** Changes a payment without an invoice. Throws conflict if the credit that it lowers is used. */
async function changeUnapplied(
  before: PaymentRecord,
  input: PaymentInput,
  context: WriteContext,
): Promise<RecordedPayment> {
  const { Timezone } = await getOrganization(context.store, before.OrganizationId);
  const of = { Id: 0, Number: '', ContactId: before.ContactId };
  throwErrors([...invoiceErrors(input, of, before), ...inputErrors(input, Timezone)]);
  const after = requestedChange(before, applyPaymentInput(before, input, Timezone), before.Amount);
  if (isSamePayment(before, after)) return { payment: before, changes: [], allocations: [] };
  const taken = subtract(creditOf(before), creditOf(after));
  if (taken > 0) await checkCredit(before.ContactId, taken, context);
  const { payments, changes } = savePayments({ payments: [{ before, after }], invoices: [] }, context);
  return { payment: payments[0] ?? after, changes, allocations: [] };
}

/** Applies a payment without an invoice to one. Throws conflict if the invoice takes nothing of it. */
async function applyToInvoice(
  before: PaymentRecord,
  invoice: InvoiceRecord,
  input: PaymentInput,
  context: WriteContext,
): Promise<RecordedPayment> {
  throwErrors([...invoiceErrors(input, invoice, before), ...inputErrors(input, invoice.Zone)]);
  await checkContact(before, invoice, context);
  if (before.FromCredit)
    throw conflict('fixed_value', `Payment ${before.Id} takes ${formatMoney(-before.Amount)} off the credit.`);
  const { Id: InvoiceId, Number: InvoiceNumber, ContactId } = invoice;
  const requested = applyPaymentInput(before, input, invoice.Zone);
  const applied = { ...requestedChange(before, requested, before.Amount), InvoiceId, InvoiceNumber, ContactId };
  const after = withExcess(invoice, undefined, { ...applied, InCredit: false });
  const change = { before: invoice, after: payInvoice(invoice, undefined, after) };
  const used = subtract(creditOf(before), after.Excess ?? 0);
  if (used > 0) await checkCredit(before.ContactId, used, context);
  return saveChange({ payment: before, after }, { invoices: [change], whole: before.Amount }, context);
}

/** Throws conflict if the money of one contact would pay an invoice of another. */
async function checkContact(
  { Id, ContactId }: PaymentRecord,
  invoice: InvoiceRecord,
  { store }: ReadContext,
): Promise<void> {
  // If contacts were merged, records of either may still be moving.
  const isSame =
    !ContactId ||
    (await isMeant(store, ContactId, invoice.ContactId)) ||
    (await isMeant(store, invoice.ContactId, ContactId));
  if (!isSame)
    throw conflict(
      'fixed_value',
      `Payment ${Id} is of contact ${ContactId}, and invoice ${invoice.Id} of contact ${invoice.ContactId}. Pay it ` +
        `back to contact ${ContactId} (a negative Amount), and record a payment of contact ${invoice.ContactId}.`,
    );
}

/** What changes beside the payment of the request. */
interface ChangedMoney {
  readonly others?: readonly ChangedPart[];
  readonly invoices: readonly InvoiceChange[];
  /** Everything paid so far. */
  readonly whole: number;
}

async function saveChange(
  first: Pick<ChangedPart, 'payment' | 'after'>,
  { others = [], invoices, whole }: ChangedMoney,
  context: WriteContext,
): Promise<RecordedPayment> {
  const credit = await recordExcess(first, whole, context);
  const changed = [first, ...others].map(({ payment, after }) => ({ before: payment, after }));
  const { payments, changes } = savePayments(
    { payments: [...changed, ...(credit ? [{ before: undefined, after: credit }] : [])], invoices },
    context,
  );
  return { payment: payments[0] ?? first.after, changes, allocations: toAllocations(payments) };
}

/** The payment that changes the credit by the Excess of another. Throws conflict if that credit is used. */
async function recordExcess(
  { payment: before, after }: Pick<ChangedPart, 'payment' | 'after'>,
  whole: number,
  context: WriteContext,
): Promise<PaymentRecord | undefined> {
  const change = excessChange(before, after, context.now);
  if (!change) return undefined;
  const { ContactId, Amount } = change;
  const [[Id = 0]] = await Promise.all([
    reserveIds(context.store, 'Payment', 1),
    Amount < 0 ? checkCredit(ContactId, -Amount, context, takenBackTooMuch(before, -Amount, whole)) : undefined,
  ]);
  return { ...change, Id };
}

/** Why the credit that a payment left cannot be lowered, with the lowest possible Amount. */
const takenBackTooMuch =
  ({ Id, ContactId }: PaymentRecord, taken: number, whole: number) =>
  (balance: number): PaymentRefusal => ({
    code: 'overpayment',
    message:
      `Payment.Amount takes ${formatMoney(taken)} off the credit that payment ${Id} left, and contact ${ContactId} ` +
      `has ${formatMoney(balance)} of it: it must be at least ${formatMoney(subtract(whole, Math.max(0, balance)))}.`,
  });

function payInvoice(invoice: InvoiceRecord, before: PaymentRecord | undefined, after: PaymentRecord): InvoiceRecord {
  const result = applyPayment(invoice, before, after);
  if (result.kind === 'refused') throw conflict(result.code, result.message);
  return result.invoice;
}
