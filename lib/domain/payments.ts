import type { Payment } from '../resources/invoices.ts';
import { type FieldError, applyText } from '../shared/field-errors.ts';
import { toUtc } from '../shared/format-moments.ts';
import { formatMoney } from '../shared/money.ts';
import { type TimeSpan, parseMoment, wholeSecond } from '../shared/read-moments.ts';
import { toKeyText } from '../shared/text.ts';
import { type InvoiceRecord, InvoiceStatus } from './invoices/record.ts';
import { withBalance } from './invoices/totals.ts';
import { cents, fromCents } from './pricing/cents.ts';

/** A payment as it is kept; below 0 it is a refund. Moments in milliseconds since 1970, money with 2 decimals. */
export interface PaymentRecord {
  readonly Id: number;
  readonly OrganizationId: number;
  readonly ContactId: number;
  readonly InvoiceId: number;
  readonly InvoiceNumber: string;
  readonly Reference: string;
  /** `""` for none. */
  readonly TransactionId: string;
  readonly Date: number;
  readonly Amount: number;
  readonly Method: string;
  readonly Created: number;
  readonly Updated: number;
  readonly V: number;
}

type Given<Value> = Value | null | undefined;

/** A payment as payment/import brings it: `undefined` leaves a field as it is, `null` clears it. */
export interface PaymentInput {
  readonly Id?: Given<number>;
  readonly InvoiceId?: Given<number>;
  readonly ContactId?: Given<number>;
  readonly InvoiceNumber?: Given<string>;
  readonly Reference?: Given<string>;
  readonly TransactionId?: Given<string>;
  readonly Date?: Given<string>;
  readonly Amount?: Given<number>;
  readonly Method?: Given<string>;
}

/** A payment of an invoice of which no more is known; it is dated now. */
export const blankPayment = ({ Id, OrganizationId, ContactId, Number }: InvoiceRecord, now: Date): PaymentRecord => ({
  Id: 0,
  OrganizationId,
  ContactId,
  InvoiceId: Id,
  InvoiceNumber: Number,
  Reference: '',
  TransactionId: '',
  Date: wholeSecond(now.getTime()),
  Amount: 0,
  Method: '',
  Created: now.getTime(),
  Updated: now.getTime(),
  V: 0,
});

const isCents = (amount: number): boolean => Number(amount.toFixed(2)) === amount;

/** What of an input is at fault by itself, whatever invoice it is of; `zone` is where its Date is read. */
export function inputErrors({ Amount, Date: date }: PaymentInput, zone: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Amount === 0) errors.push({ field: 'Amount', message: 'must not be 0' });
  if (Amount && !isCents(Amount)) errors.push({ field: 'Amount', message: 'must have at most 2 decimals' });
  const parsed = date ? parseMoment(date, zone) : undefined;
  if (parsed?.ok === false) errors.push({ field: 'Date', message: `cannot be read: ${parsed.reason}` });
  return errors;
}

/** Whether two texts name the same invoice of an organization. */
const isSameNumber = (one: string, other: string): boolean => toKeyText(one.trim()) === toKeyText(other);

/**
 * What in an input contradicts the invoice that its payment is of. `former` is the payment that it changes: what was
 * answered of it may come back, even where the invoice has got another number since.
 */
export function invoiceErrors(
  input: PaymentInput,
  invoice: Pick<InvoiceRecord, 'Id' | 'Number' | 'ContactId'>,
  former?: PaymentRecord,
): FieldError[] {
  const errors: FieldError[] = [];
  const told = (field: string, message: string) => errors.push({ field, message });
  const { InvoiceId, InvoiceNumber, ContactId, TransactionId } = input;
  if (InvoiceId && InvoiceId !== invoice.Id)
    told('InvoiceId', `is not the invoice of this payment, which is ${invoice.Id} and stays so`);
  const numbers = former ? [invoice.Number, former.InvoiceNumber] : [invoice.Number];
  if (InvoiceNumber?.trim() && !numbers.some((number) => isSameNumber(InvoiceNumber, number)))
    told('InvoiceNumber', `is not the number of invoice ${invoice.Id}, which is ${JSON.stringify(invoice.Number)}`);
  if (ContactId && ContactId !== invoice.ContactId && ContactId !== former?.ContactId)
    told('ContactId', `is not the contact of invoice ${invoice.Id}, which is ${invoice.ContactId}`);
  if (former && TransactionId?.trim() && TransactionId.trim() !== former.TransactionId)
    told('TransactionId', 'is not that of this payment; it is given once, when the payment is made');
  return errors;
}

/**
 * A payment with an input laid over it that has no faults; Date is read in `zone`. Texts are trimmed, `null` clears
 * them; a Date or Amount cannot be cleared and stays as it is.
 */
export function applyPaymentInput(payment: PaymentRecord, input: PaymentInput, zone: string): PaymentRecord {
  const parsed = input.Date ? parseMoment(input.Date, zone) : undefined;
  return {
    ...payment,
    Reference: applyText(input.Reference, payment.Reference),
    TransactionId: input.TransactionId?.trim() || payment.TransactionId,
    Method: applyText(input.Method, payment.Method),
    Date: parsed?.ok ? wholeSecond(parsed.at) : payment.Date,
    Amount: input.Amount ?? payment.Amount,
  };
}

/** Whether two states of a payment are the same, bookkeeping aside. */
export const isSamePayment = (one: PaymentRecord, other: PaymentRecord): boolean =>
  (['Reference', 'TransactionId', 'Date', 'Amount', 'Method'] as const).every((name) => one[name] === other[name]);

/** An invoice after a payment, or the sentence that says why it does not take it. */
export type Applied =
  | { readonly kind: 'applied'; readonly invoice: InvoiceRecord }
  | { readonly kind: 'refused'; readonly message: string };

type Sum = Pick<PaymentRecord, 'Amount' | 'Date'>;

const shown = (whole: number): string => formatMoney(fromCents(whole));

const refused = (message: string): Applied => ({ kind: 'refused', message });

/** Why an amount does not fit between nothing paid and all paid, with both figures; all in cents. */
function misfit({ Id, Paid, Total }: InvoiceRecord, amount: number, former: number | undefined): string | undefined {
  const [had, total] = [cents(Paid), cents(Total)];
  const [least, most] = [Math.min(total, 0), Math.max(total, 0)];
  const paid = had - (former ?? 0) + amount;
  if (paid >= least && paid <= most) return undefined;
  if (former !== undefined)
    return (
      `With ${shown(amount)} instead of ${shown(former)}, ${shown(paid)} would be paid of invoice ${Id}: ` +
      `it must be from ${shown(least)} to ${shown(most)}.`
    );
  if (paid > most)
    return total < 0
      ? `Of invoice ${Id}, a credit, ${shown(-had)} was refunded: a payment of ${shown(amount)} is more than that.`
      : `Invoice ${Id} has ${shown(most - had)} due: a payment of ${shown(amount)} is more than that.`;
  return total < 0
    ? `Of invoice ${Id}, a credit, ${shown(had - least)} is left: a refund of ${shown(-amount)} is more than that.`
    : `Of invoice ${Id}, ${shown(had)} was paid: a refund of ${shown(-amount)} is more than that.`;
}

/**
 * Why a Voided invoice does not take an amount: it gives back what was paid before it was voided, by refunds, a credit
 * by payments, and takes nothing else.
 */
function voidedMisfit(invoice: InvoiceRecord, amount: number, former: number | undefined): string | undefined {
  const { Id, Total } = invoice;
  if (former !== undefined)
    return `Invoice ${Id} is Voided; its payments keep their amounts. What was paid is given back by a refund.`;
  if (amount < 0 === Total < 0) return `Invoice ${Id} is Voided; it takes no ${Total < 0 ? 'refund' : 'payment'}.`;
  return misfit(invoice, amount, undefined);
}

/**
 * The invoice with a payment more, or with `before` changed to `after`. What is paid of an invoice is never below 0 nor
 * above its Total; a credit, whose Total is below 0, is settled by refunds. Where nothing is left due the invoice is
 * Paid, since the payment's date; a refund opens it again. Worked: of 107.20 with 100.00 paid, 7.20 settles it, 7.21 is
 * refused; of −50.00, −50.00 settles it. An Unapproved invoice takes nothing; a Voided one gives back what was paid, and
 * stays Voided with nothing due: with 60.00 paid, −60.00 leaves 0.00 paid, −60.01 is refused.
 */
export function applyPayment(invoice: InvoiceRecord, before: Sum | undefined, after: Sum): Applied {
  if (invoice.Status === InvoiceStatus.Unapproved)
    return refused(`Invoice ${invoice.Id} is Unapproved; open it with invoice/import before it is paid.`);
  const amount = cents(after.Amount);
  const former = before && cents(before.Amount);
  const isVoided = invoice.Status === InvoiceStatus.Voided;
  const message = (isVoided ? voidedMisfit : misfit)(invoice, amount, former);
  if (message) return refused(message);
  const paid = fromCents(cents(invoice.Paid) - (former ?? 0) + amount);
  return { kind: 'applied', invoice: withBalance(invoice, paid, after.Date) };
}

/**
 * Whether a change of a payment is one of its invoice: another amount, or another date of the payment since which the
 * invoice is Paid.
 */
export const touchesInvoice = (invoice: InvoiceRecord, before: Sum, after: Sum): boolean =>
  before.Amount !== after.Amount ||
  (invoice.Status === InvoiceStatus.Paid && invoice.DatePaid === before.Date && before.Date !== after.Date);

/** What payments of one invoice are asked for; every criterion given must hold. */
export interface PaymentCriteria {
  /** The one that the caller sees, `null` for all. */
  readonly organization: number | null;
  readonly contact?: number | undefined;
  readonly date: TimeSpan;
  readonly created: TimeSpan;
}

const within = (at: number, { from = -Infinity, through = Infinity }: TimeSpan): boolean => at >= from && at <= through;

/** The payments that meet the criteria, by date, then id. */
export const selectPayments = (
  payments: readonly PaymentRecord[],
  { organization, contact, date, created }: PaymentCriteria,
): PaymentRecord[] =>
  payments
    .filter(
      (payment) =>
        (organization === null || payment.OrganizationId === organization) &&
        (contact === undefined || payment.ContactId === contact) &&
        within(payment.Date, date) &&
        within(payment.Created, created),
    )
    .sort((one, other) => one.Date - other.Date || one.Id - other.Id);

/** The complete payment as every operation and event tells it. */
export const paymentToResource = (payment: PaymentRecord): Payment => ({
  Id: payment.Id,
  InvoiceId: payment.InvoiceId,
  ContactId: payment.ContactId,
  InvoiceNumber: payment.InvoiceNumber,
  Reference: payment.Reference,
  TransactionId: payment.TransactionId,
  Date: toUtc(payment.Date),
  Amount: payment.Amount,
  Method: payment.Method,
});
