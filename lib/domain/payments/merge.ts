import type { Fault } from '../faults.ts';
import type { InvoiceRecord } from '../invoices/record.ts';
import { keyText } from '../key-text.ts';
import { parseMoment, wholeSecond } from '../moments-in.ts';
import { saidText } from '../said.ts';
import type { PaymentRecord } from './record.ts';

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
export const blankPayment = (
  { Id, OrganizationId, ContactId, Number }: InvoiceRecord,
  now: Date,
): PaymentRecord => ({
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
export function inputFaults({ Amount, Date: date }: PaymentInput, zone: string): Fault[] {
  const faults: Fault[] = [];
  if (Amount === 0) faults.push({ field: 'Amount', message: 'must not be 0' });
  if (Amount && !isCents(Amount)) faults.push({ field: 'Amount', message: 'must have at most 2 decimals' });
  const parsed = date ? parseMoment(date, zone) : undefined;
  if (parsed?.ok === false) faults.push({ field: 'Date', message: `cannot be read: ${parsed.reason}` });
  return faults;
}

/** Whether two texts name the same invoice of an organization. */
const isSameNumber = (one: string, other: string): boolean => keyText(one.trim()) === keyText(other);

/**
 * What in an input contradicts the invoice that its payment is of. `former` is the payment that it changes: what was
 * answered of it may come back, even where the invoice has got another number since.
 */
export function invoiceFaults(
  given: PaymentInput,
  invoice: Pick<InvoiceRecord, 'Id' | 'Number' | 'ContactId'>,
  former?: PaymentRecord,
): Fault[] {
  const faults: Fault[] = [];
  const told = (field: string, message: string) => faults.push({ field, message });
  const { InvoiceId, InvoiceNumber, ContactId, TransactionId } = given;
  if (InvoiceId && InvoiceId !== invoice.Id)
    told('InvoiceId', `is not the invoice of this payment, which is ${invoice.Id} and stays so`);
  const numbers = former ? [invoice.Number, former.InvoiceNumber] : [invoice.Number];
  if (InvoiceNumber?.trim() && !numbers.some((number) => isSameNumber(InvoiceNumber, number)))
    told('InvoiceNumber', `is not the number of invoice ${invoice.Id}, which is ${JSON.stringify(invoice.Number)}`);
  if (ContactId && ContactId !== invoice.ContactId && ContactId !== former?.ContactId)
    told('ContactId', `is not the contact of invoice ${invoice.Id}, which is ${invoice.ContactId}`);
  if (former && TransactionId?.trim() && TransactionId.trim() !== former.TransactionId)
    told('TransactionId', 'is not that of this payment; it is given once, when the payment is made');
  return faults;
}

/**
 * A payment with an input laid over it that has no faults; Date is read in `zone`. Texts are trimmed, `null` clears
 * them; a Date or Amount cannot be cleared and stays as it is.
 */
export function mergePayment(payment: PaymentRecord, given: PaymentInput, zone: string): PaymentRecord {
  const parsed = given.Date ? parseMoment(given.Date, zone) : undefined;
  return {
    ...payment,
    Reference: saidText(given.Reference, payment.Reference),
    TransactionId: given.TransactionId?.trim() || payment.TransactionId,
    Method: saidText(given.Method, payment.Method),
    Date: parsed?.ok ? wholeSecond(parsed.at) : payment.Date,
    Amount: given.Amount ?? payment.Amount,
  };
}

/** Whether two states of a payment are the same, bookkeeping aside. */
export const isSamePayment = (one: PaymentRecord, other: PaymentRecord): boolean =>
  (['Reference', 'TransactionId', 'Date', 'Amount', 'Method'] as const).every((name) => one[name] === other[name]);
