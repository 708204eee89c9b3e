import type { New } from '../entities/declaration/entity.ts';
import { type PaymentRecord, paymentEntity, type Payment } from '../entities/payments.ts';
import { type InvoiceRecord, InvoiceStatus } from '../entities/invoices.ts';
import { type Input, applyText } from '../resources/fields.ts';
import { type FieldError, collectErrors } from '../shared/failure.ts';
import { MAX_CENTS, cents, formatMoney, fromCents } from '../shared/money.ts';
import { toLocalDay, wholeSecond } from '../shared/time/time.ts';
import { type DateSpan, type ParsedMoment, isInSpan, parseMoment } from '../shared/time/read-moments.ts';
import { dayOfRecord, toRecordDate } from './record-dates.ts';
import { isSameNumber, withBalance } from './invoices/record.ts';
import { LIST_LIMITS, describeLimit } from './list-limits.ts';

/** `undefined` leaves a field as it is, `null` clears it. */
export type PaymentInput = Input<typeof Payment>;

/** What a payment is for: an invoice, or nothing if Id is 0. */
export type PaidInvoice = Pick<InvoiceRecord, 'Id' | 'OrganizationId' | 'ContactId' | 'Number' | 'Zone'>;

/** A new payment, dated now. */
export const blankPayment = ({ Id, OrganizationId, ContactId, Number, Zone }: PaidInvoice, now: Date): PaymentRecord =>
  paymentEntity.blank({
    Id: 0,
    OrganizationId,
    ContactId,
    InvoiceId: Id,
    InvoiceNumber: Number,
    Date: wholeSecond(now.getTime()),
    Zone,
    Amount: 0,
    Created: now.getTime(),
  });

type UnappliedInput = Omit<New<typeof paymentEntity.fields>, 'InvoiceId' | 'Created'>;

/** A new payment without an invoice; below 0 for a refund. */
export const blankUnapplied = (input: UnappliedInput, now: Date): PaymentRecord =>
  paymentEntity.blank({ ...input, InvoiceId: 0, Created: now.getTime() });

const hasWholeCents = (amount: number): boolean => Number(amount.toFixed(2)) === amount;

/** The limit of an invoice line. Keeps the sums of a contact's payments and credit exact. */
const MAX_AMOUNT = fromCents(MAX_CENTS);

export const amountErrors = (Amount: number | null | undefined): FieldError[] =>
  collectErrors(
    ['Amount', Amount === 0 && 'must not be 0', 'range'],
    ['Amount', Boolean(Amount) && !hasWholeCents(Amount ?? 0) && 'must have at most 2 decimals', 'range'],
    ['Amount', Math.abs(Amount ?? 0) > MAX_AMOUNT && `must be at most ${formatMoney(MAX_AMOUNT)} in size`, 'range'],
  );

/** Errors of an input that do not depend on its invoice; Date is read in `zone`. */
export function inputErrors({ Amount, Date: date }: PaymentInput, zone: string): FieldError[] {
  const errors = amountErrors(Amount);
  const parsed = date ? parseMoment(date, zone) : undefined;
  if (parsed?.ok === false) errors.push({ field: 'Date', code: 'format', message: `cannot be read: ${parsed.reason}` });
  return errors;
}

export const namesInvoice = ({ InvoiceId, InvoiceNumber }: PaymentInput): boolean =>
  Boolean(InvoiceId || InvoiceNumber?.trim());

/**
 * Fields that a new payment lacks; if `isDivided` it names its invoices. A payment without an invoice is credit of its
 * contact.
 */
export function missingFields(input: PaymentInput, isDivided: boolean): FieldError[] {
  const { Amount, ContactId } = input;
  return collectErrors(
    ['Amount', (Amount === undefined || Amount === null) && 'is required', 'required'],
    [
      'InvoiceId',
      !namesInvoice(input) &&
        !ContactId &&
        !isDivided &&
        'or InvoiceNumber is required; a payment without an invoice needs ContactId',
      'required',
    ],
  );
}

/**
 * Contradictions between an input and the invoice of its payment. `before` is the payment being changed: values from an
 * earlier response may be sent back, even if the invoice's number has changed since.
 */
export function invoiceErrors(
  { InvoiceId, InvoiceNumber, ContactId, TransactionId }: PaymentInput,
  invoice: Pick<InvoiceRecord, 'Id' | 'Number' | 'ContactId'>,
  before?: PaymentRecord,
): FieldError[] {
  const errors: FieldError[] = [];
  const numbers = [invoice.Number, ...(before ? [before.InvoiceNumber] : [])];
  if (InvoiceId && InvoiceId !== invoice.Id)
    errors.push({
      field: 'InvoiceId',
      code: 'mismatch',
      message: `must stay ${invoice.Id}, the invoice of this payment`,
    });
  if (InvoiceNumber?.trim() && !numbers.some((number) => isSameNumber(InvoiceNumber, number)))
    errors.push({
      field: 'InvoiceNumber',
      code: 'mismatch',
      message: `is not the number of invoice ${invoice.Id}, which is ${JSON.stringify(invoice.Number)}`,
    });
  if (ContactId && ContactId !== invoice.ContactId && ContactId !== before?.ContactId)
    errors.push({
      field: 'ContactId',
      code: 'mismatch',
      message: `is not the contact of ${invoice.Id ? `invoice ${invoice.Id}` : 'the payment'}, which is ${invoice.ContactId}`,
    });
  if (before && TransactionId?.trim() && TransactionId.trim() !== before.TransactionId)
    errors.push({ field: 'TransactionId', code: 'fixed', message: 'cannot change after the payment is recorded' });
  return errors;
}

/** Whether a payment is by credit. */
export const isByCredit = ({ Method }: Pick<PaymentInput, 'Method'>): boolean =>
  Method?.trim().toLowerCase() === 'credit';

/**
 * Applies a valid input to the payment; Date is read in `zone`. Texts are trimmed, `null` clears them; a Date or Amount
 * cannot be cleared and stays. Method `CREDIT` is stored as `Credit`, by which programs recognize it.
 */
export function applyPaymentInput(payment: PaymentRecord, input: PaymentInput, zone: string): PaymentRecord {
  const parsed = input.Date ? parseMoment(input.Date, zone) : undefined;
  return {
    ...payment,
    Reference: applyText(input.Reference, payment.Reference),
    TransactionId: input.TransactionId?.trim() || payment.TransactionId,
    Method: isByCredit(input) ? 'Credit' : applyText(input.Method, payment.Method),
    ...(parsed?.ok ? paymentDate(payment, parsed, zone) : {}),
    Amount: input.Amount ?? payment.Amount,
  };
}

function paymentDate(
  { Date: at, Day, Zone }: PaymentRecord,
  parsed: Extract<ParsedMoment, { ok: true }>,
  zone: string,
) {
  const given = toRecordDate(parsed, zone, { at, Day, Zone });
  return { Date: given.at, Day: given.Day, Zone: given.Zone };
}

/** Whether two states of a payment are equal, apart from bookkeeping. */
export const isSamePayment = (left: PaymentRecord, right: PaymentRecord): boolean =>
  (['Reference', 'TransactionId', 'Date', 'Day', 'Amount', 'Excess', 'Method'] as const).every(
    (name) => left[name] === right[name],
  );

export type AppliedPayment =
  | { readonly kind: 'applied'; readonly invoice: InvoiceRecord }
  | ({ readonly kind: 'refused' } & PaymentRefusal);

export interface PaymentRefusal {
  readonly code: 'wrong_state' | 'overpayment' | 'limit_reached';
  readonly message: string;
}

type Amount = Pick<PaymentRecord, 'Amount' | 'Date'> & Partial<Pick<PaymentRecord, 'FromCredit'>>;

const formatCents = (amount: number): string => formatMoney(fromCents(amount));

/**
 * Why an amount would bring the paid sum below zero or above the total; all in cents. Any excess is credit, as a
 * payment without an invoice.
 */
function rangeError(
  { Id, ContactId, Paid, Total }: InvoiceRecord,
  amount: number,
  previous: number | undefined,
  fromCredit = false,
): PaymentRefusal | undefined {
  const [paid, total] = [cents(Paid), cents(Total)];
  const [min, max] = [Math.min(total, 0), Math.max(total, 0)];
  const newlyPaid = paid - (previous ?? 0) + amount;
  if (newlyPaid >= min && newlyPaid <= max) return undefined;
  if (previous !== undefined)
    return {
      code: 'overpayment',
      message:
        `Changing ${formatCents(previous)} to ${formatCents(amount)} would make ${formatCents(newlyPaid)} the amount ` +
        `paid of invoice ${Id}; it must be from ${formatCents(min)} to ${formatCents(max)}.`,
    };
  const overpaid =
    total >= 0 && newlyPaid > max && !fromCredit
      ? ` Record the other ${formatCents(newlyPaid - max)} as credit of the contact: a payment with ContactId ` +
        `${ContactId} and InvoiceId 0.`
      : '';
  const kind = amount > 0 ? 'payment' : 'refund';
  const state =
    newlyPaid > max
      ? total < 0
        ? `is a credit with ${formatCents(-paid)} refunded`
        : `has ${formatCents(max - paid)} due`
      : total < 0
        ? `is a credit with ${formatCents(paid - min)} left to refund`
        : `has ${formatCents(paid)} paid`;
  const message = `Invoice ${Id} ${state}; a ${kind} of ${formatCents(Math.abs(amount))} exceeds that.${overpaid}`;
  return { code: 'overpayment', message };
}

/**
 * Why a Voided invoice refuses an amount: it only returns what was paid before; a credit invoice, what was refunded.
 */
function voidedError(invoice: InvoiceRecord, amount: number, previous: number | undefined): PaymentRefusal | undefined {
  const wrongState = (message: string): PaymentRefusal => ({ code: 'wrong_state', message });
  const { Id, Total } = invoice;
  if (previous !== undefined)
    return wrongState(
      `Invoice ${Id} is Voided; the amounts of its payments cannot change. Record a refund of what was paid.`,
    );
  if (amount < 0 === Total < 0)
    return wrongState(`Invoice ${Id} is Voided; it takes no ${Total < 0 ? 'refund' : 'payment'}.`);
  return rangeError(invoice, amount, undefined);
}

/**
 * The invoice with a new payment, or with `before` changed to `after`. The paid sum of an invoice is never below 0 or
 * above its Total; a credit, whose Total is negative, is settled by refunds. An invoice with nothing due is Paid, with
 * the date of the payment; a refund reopens it. For 107.20 with 100.00 paid, 7.20 settles it and 7.21 is refused; for
 * −50.00, −50.00 settles it. An Unapproved invoice accepts no payment. A Voided one returns what was paid and stays
 * Voided with nothing due: with 60.00 paid, −60.00 leaves 0.00 paid and −60.01 is refused.
 */
export function applyPayment(invoice: InvoiceRecord, before: Amount | undefined, after: Amount): AppliedPayment {
  const { Id, Status } = invoice;
  if (Status === InvoiceStatus.Unapproved) {
    const message = `Invoice ${Id} is Unapproved. Open it with invoice/import before you record payments.`;
    return { kind: 'refused', code: 'wrong_state', message };
  }
  const amount = cents(after.Amount);
  const previous = before && cents(before.Amount);
  const findError = Status === InvoiceStatus.Voided ? voidedError : rangeError;
  const refusal = findError(invoice, amount, previous, after.FromCredit);
  if (refusal) return { kind: 'refused', ...refusal };
  const { PaymentCount = 0 } = invoice;
  if (!before && PaymentCount >= LIST_LIMITS.payments.entries) {
    const limit = describeLimit(LIST_LIMITS.payments);
    return {
      kind: 'refused',
      code: 'limit_reached',
      message: `Invoice ${Id} has as many payments and refunds as it may have: ${limit}.`,
    };
  }
  const paid = fromCents(cents(invoice.Paid) - (previous ?? 0) + amount);
  return {
    kind: 'applied',
    invoice: withBalance(before ? invoice : { ...invoice, PaymentCount: PaymentCount + 1 }, paid, after.Date),
  };
}

/**
 * Whether a changed payment changes its invoice: by its amount, or by its date if the invoice has been Paid since that
 * date.
 */
export const touchesInvoice = (invoice: InvoiceRecord, before: Amount, after: Amount): boolean =>
  before.Amount !== after.Amount ||
  (invoice.Status === InvoiceStatus.Paid && invoice.DatePaid === before.Date && before.Date !== after.Date);

/** Criteria that payments must all meet. */
export interface PaymentCriteria {
  /** `null` for all. */
  readonly organization: number | null;
  readonly contact?: number | undefined;
  readonly date: DateSpan;
  readonly created: DateSpan;
  /** The current zone of their organization. */
  readonly zone: string;
}

/** The payments that meet the criteria, sorted by date, then id. */
export const selectPayments = (
  payments: readonly PaymentRecord[],
  { organization, contact, date, created, zone }: PaymentCriteria,
): PaymentRecord[] =>
  payments
    .filter(
      (payment) =>
        (organization === null || payment.OrganizationId === organization) &&
        (contact === undefined || payment.ContactId === contact) &&
        isInSpan(payment.Date, dayOfRecord(payment.Date, payment.Day, zone), date) &&
        isInSpan(payment.Created, toLocalDay(payment.Created, zone), created),
    )
    .sort((left, right) => left.Date - right.Date || left.Id - right.Id);

export const paymentToResource = (payment: PaymentRecord): Payment => paymentEntity.toResource(payment);
