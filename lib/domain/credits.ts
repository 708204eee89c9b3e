import { type InvoiceRecord, InvoiceStatus } from '../entities/invoices.ts';
import type { PaymentAllocation, PaymentRecord } from '../entities/payments.ts';
import type { Input } from '../resources/fields.ts';
import { type FieldError, collectErrors, prefixErrors } from '../shared/failure.ts';
import { pick } from '../shared/objects.ts';
import { add, cents, formatMoney, fromCents, subtract, sum } from '../shared/money.ts';
import {
  type PaymentInput,
  type PaymentRefusal,
  amountErrors,
  applyPayment,
  blankUnapplied,
  isByCredit,
} from './payments.ts';

/**
 * The credit of a contact: money beyond its invoices. It is the sum of the payments without an invoice that count
 * towards it. Paying by credit makes two payments that add up to 0: one on the invoice, and one that takes the amount
 * off the credit.
 */

/** What an invoice should get of a payment. */
export type AllocationInput = Input<typeof PaymentAllocation>;

/** The most invoices of one payment: with their payments, contact and guards they fit in a transaction. */
export const MAX_ALLOCATIONS = 20;

type Counted = Pick<PaymentRecord, 'InvoiceId' | 'InCredit' | 'Amount'>;

/** The amount that a payment adds to its contact's credit. */
export const creditOf = (payment: Counted | undefined): number =>
  payment?.InCredit && !payment.InvoiceId ? payment.Amount : 0;

/** Errors in the allocation of a new payment that show without looking at the invoices. */
export function allocationErrors(payment: PaymentInput, allocations: readonly AllocationInput[]): FieldError[] {
  const total = payment.Amount ?? 0;
  const ids = allocations.map(({ InvoiceId }) => InvoiceId);
  const errors = allocations.flatMap(({ InvoiceId, Amount }, index) =>
    prefixErrors(`Allocations[${index}]`, [
      ...collectErrors(
        ['InvoiceId', !InvoiceId && 'is required', 'required'],
        ['InvoiceId', Boolean(InvoiceId) && ids.indexOf(InvoiceId) < index && `repeats ${InvoiceId}`, 'duplicate'],
        ['Amount', !Amount && 'is required and not 0', 'required'],
        ['Amount', Boolean(Amount && total) && Amount! > 0 !== total > 0 && 'must have the sign of Amount', 'range'],
      ),
      ...amountErrors(Amount || undefined),
    ]),
  );
  if (!allocations.length || errors.length) return errors;
  const given = add(...allocations.map(({ Amount }) => Amount ?? 0));
  const isOver = Math.abs(given) > Math.abs(total);
  return collectErrors(
    ['Allocations', isOver && `are ${formatMoney(given)}, more than Amount ${formatMoney(total)}`, 'mismatch'],
    [
      'Allocations',
      !isOver && isByCredit(payment) && given !== total && 'must add up to Amount in a payment by credit',
      'mismatch',
    ],
    ['Payment.InvoiceId', Boolean(payment.InvoiceId) && 'is not sent beside Allocations', 'mismatch'],
    ['Payment.InvoiceNumber', Boolean(payment.InvoiceNumber?.trim()) && 'is not sent beside Allocations', 'mismatch'],
  );
}

/** Part of a payment, with the invoice that gets it. */
export interface Share {
  readonly invoice: InvoiceRecord;
  readonly amount: number;
}

/**
 * What an invoice gets of a payment that names only it: all, or the balance due if that is less. An invoice with
 * nothing due gets everything, and refuses it, because the payment may have been sent twice.
 */
export function shareOf(invoice: InvoiceRecord, payment: PaymentRecord): Share {
  const { Status, BalanceDue } = invoice;
  const isCapped = Status === InvoiceStatus.Open && BalanceDue > 0 && !payment.FromCredit;
  return { invoice, amount: isCapped ? Math.min(payment.Amount, BalanceDue) : payment.Amount };
}

export interface InvoiceChange {
  readonly before: InvoiceRecord;
  readonly after: InvoiceRecord;
}

export type DividedPayment =
  | {
      readonly kind: 'divided';
      /** One part per share, then the credit; the first has the TransactionId. */
      readonly parts: readonly PaymentRecord[];
      readonly invoices: readonly InvoiceChange[];
    }
  | ({ readonly kind: 'refused' } & PaymentRefusal);

/**
 * Divides a new payment into one part per invoice and a remainder as the contact's credit. 120.00 for an invoice with
 * 100.00 due are 100.00 on the invoice and 20.00 of credit. A payment by credit takes off the credit what the invoices
 * get.
 */
export function dividePayment(payment: PaymentRecord, shares: readonly Share[]): DividedPayment {
  const invoices: InvoiceChange[] = [];
  const parts: PaymentRecord[] = [];
  for (const { invoice, amount } of shares) {
    const { Id: InvoiceId, Number: InvoiceNumber } = invoice;
    const part = { ...payment, InvoiceId, InvoiceNumber, Amount: amount };
    const result = applyPayment(invoice, undefined, part);
    if (result.kind === 'refused') return result;
    invoices.push({ before: invoice, after: result.invoice });
    parts.push(part);
  }
  const given = fromCents(sum(shares.map(({ amount }) => cents(amount))));
  const rest = payment.FromCredit ? subtract(0, given) : subtract(payment.Amount, given);
  const excess = shares.length && !payment.FromCredit && rest !== 0 ? { Excess: rest } : {};
  if (rest !== 0) parts.push({ ...payment, InvoiceId: 0, InvoiceNumber: '', Amount: rest, InCredit: true });
  return {
    kind: 'divided',
    parts: parts.map((part, index) => (index ? { ...part, TransactionId: '' } : { ...part, ...excess })),
    invoices,
  };
}

/** Part of a divided payment, with the invoice that has it. */
export interface PaidPart {
  readonly payment: PaymentRecord;
  readonly invoice: InvoiceRecord;
}

export interface ChangedPart extends PaidPart {
  readonly after: PaymentRecord;
}

/** The total of a payment: what its invoices have, and what it left as credit. */
export const wholeAmount = (parts: readonly PaidPart[]): number =>
  add(parts[0]?.payment.Excess ?? 0, ...parts.map(({ payment }) => payment.Amount));

/** What an invoice accepts in place of a payment it has, or returns in place of a refund. */
function roomFor({ payment, invoice }: PaidPart, isRefund: boolean): number {
  const { Total, Paid, Status } = invoice;
  if (Status === InvoiceStatus.Voided) return isRefund ? -Infinity : Infinity;
  return subtract(add(isRefund ? Math.min(Total, 0) : Math.max(Total, 0), payment.Amount), Paid);
}

/**
 * Divides a payment again when `changed`, its first part, has a new Amount, which is the new total: the invoices get it
 * in order, each up to its share, and the rest is credit. With 110.00 split into 70.00 and 30.00: 130.00 becomes 70.00,
 * 30.00 and 30.00 of credit; 95.00 becomes 70.00 and 25.00; 60.00 becomes 60.00 and 0.00; 110.00 is divided as at
 * first.
 */
export function divideAgain(parts: readonly PaidPart[], changed: PaymentRecord): readonly ChangedPart[] {
  const isRefund = changed.Amount < 0;
  let left = changed.Amount;
  const divided = parts.map((part, index) => {
    const before = part.payment;
    const limits = [left, changed.Shares?.[index]?.Amount ?? before.Amount, roomFor(part, isRefund)];
    const Amount = isRefund ? Math.max(...limits) : Math.min(...limits);
    left = subtract(left, Amount);
    return { ...part, after: { ...(index ? before : changed), Amount } };
  });
  return divided.map((part, index) => (index ? part : { ...part, after: { ...part.after, Excess: left } }));
}

/**
 * A changed payment, or one that is applied to its first invoice, with what the invoice accepts of its new Amount; the
 * rest is its Excess. The new Amount is the total: if 100.00 of a payment left 20.00 as credit, 130.00 makes 30.00 of
 * credit, 110.00 makes 10.00, 90.00 makes 0.00. The Amount that answers show, 100.00, changes nothing.
 */
export function withExcess(
  invoice: InvoiceRecord,
  before: Pick<PaymentRecord, 'Amount' | 'Excess'> | undefined,
  after: PaymentRecord,
): PaymentRecord {
  const { Amount: previous = 0, Excess: left = 0 } = before ?? {};
  if (before && (after.Amount === previous || after.Amount === add(previous, left)))
    return { ...after, Amount: previous };
  const { Total, Paid, Status } = invoice;
  const room = subtract(add(Total, previous), Paid);
  const isOver = Status !== InvoiceStatus.Voided && Total > 0 && room > 0 && after.Amount > room;
  const Amount = isOver ? room : after.Amount;
  const Excess = subtract(after.Amount, Amount);
  return { ...after, Amount, ...(Excess || left ? { Excess } : {}) };
}

/** The payment that adds a changed Excess to the credit, or takes it off if negative. */
export function excessChange(before: PaymentRecord, after: PaymentRecord, now: Date): PaymentRecord | undefined {
  const Amount = subtract(after.Excess ?? 0, before.Excess ?? 0);
  if (!Amount) return undefined;
  const same = pick(after, 'OrganizationId', 'ContactId', 'Zone', 'Reference', 'Date', 'Day', 'Method');
  return blankUnapplied({ ...same, Id: 0, Amount, InCredit: true, SplitOf: after.SplitOf ?? after.Id }, now);
}

/** Why a contact cannot spend this much credit; `undefined` if it can. */
export const creditRefusal = (contact: number, credit: number, amount: number): PaymentRefusal | undefined =>
  credit < amount
    ? {
        code: 'overpayment',
        message: `Contact ${contact} has ${formatMoney(credit)} credit; ${formatMoney(amount)} exceeds that.`,
      }
    : undefined;

/**
 * Gives the parts their ids; all but the first refer to the payment they are part of. If the money `isAllocated`, the
 * first lists what each invoice gets.
 */
export function withIds(
  parts: readonly PaymentRecord[],
  ids: readonly number[],
  isAllocated: boolean,
): PaymentRecord[] {
  const identified = parts.map((part, index) => ({
    ...part,
    Id: ids[index] ?? 0,
    SplitOf: index ? (ids[0] ?? 0) : null,
  }));
  const [first, ...others] = identified;
  if (!first || !isAllocated) return identified;
  const ofInvoices = identified.filter(({ InvoiceId }) => InvoiceId);
  return [{ ...first, Shares: ofInvoices.map(({ Id: PaymentId, Amount }) => ({ PaymentId, Amount })) }, ...others];
}

/** The parts of a divided payment; empty for one that is not divided. */
export const toAllocations = (parts: readonly PaymentRecord[]): PaymentAllocation[] =>
  parts.length > 1 ? parts.map(({ InvoiceId, Amount, Id: PaymentId }) => ({ InvoiceId, Amount, PaymentId })) : [];

/** Whether a repeated request divides its payment as the first one did. */
export function isSameDivision(recorded: readonly AllocationInput[], requested: readonly AllocationInput[]): boolean {
  const ofInvoices = (all: readonly AllocationInput[]) =>
    all.flatMap(({ InvoiceId, Amount }) => (InvoiceId ? `${InvoiceId}: ${Amount}` : []));
  const first = ofInvoices(recorded);
  return requested.length ? first.join() === ofInvoices(requested).join() : first.length <= 1;
}

const isPayable = (invoice: InvoiceRecord): boolean =>
  applyPayment(invoice, undefined, { Amount: invoice.BalanceDue, Date: 0 }).kind === 'applied';

/** Spends a credit on the oldest open invoices, each up to its balance, as many as one transaction allows. */
export function spendCredit(credit: number, invoices: readonly InvoiceRecord[]): Share[] {
  let left = cents(credit);
  return invoices
    .filter((invoice) => invoice.BalanceDue > 0 && isPayable(invoice))
    .toSorted((one, other) => one.Date - other.Date || one.Id - other.Id)
    .slice(0, MAX_ALLOCATIONS)
    .flatMap((invoice) => {
      const amount = Math.min(left, cents(invoice.BalanceDue));
      left -= amount;
      return amount > 0 ? [{ invoice, amount: fromCents(amount) }] : [];
    });
}
