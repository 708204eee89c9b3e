import { type InvoiceRecord, InvoiceStatus } from '../entities/invoices.ts';
import { type PaymentRecord, paymentEntity, type PaymentAllocation } from '../entities/payments.ts';
import type { Input } from '../resources/fields.ts';
import { type FieldError, collectErrors, prefixErrors } from '../shared/failure.ts';
import { add, cents, formatMoney, fromCents, subtract, sum } from '../shared/money.ts';
import { type PaymentInput, type PaymentRefusal, amountErrors, applyPayment, isByCredit } from './payments.ts';

/**
 * The credit of a contact: money that fits no invoice. It is the sum of payments without an invoice that count in it.
 * Paying by credit is two payments that add up to 0: one of the invoice, and one that takes the amount off the credit.
 */

/** What an invoice is to get of a payment. */
export type AllocationInput = Input<typeof PaymentAllocation>;

/** Invoices of one payment: with their payments, contact and guards they fit in a transaction. */
export const MAX_ALLOCATIONS = 20;

type Counted = Pick<PaymentRecord, 'InvoiceId' | 'InCredit' | 'Amount'>;

/** What a payment counts in the credit of its contact. */
export const creditOf = (payment: Counted | undefined): number =>
  payment?.InCredit && !payment.InvoiceId ? payment.Amount : 0;

/** What is wrong with the parts of a new payment, without looking at the invoices. */
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

/** A part of a payment, with the invoice that gets it. */
export interface Share {
  readonly invoice: InvoiceRecord;
  readonly amount: number;
}

/**
 * What an invoice gets of a payment that names it alone: all of it, or what is due where that is less. An invoice with
 * nothing due gets all, and refuses it: it may be a payment that was sent twice.
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
      /** One for each share, then the credit; the first has the TransactionId. */
      readonly parts: readonly PaymentRecord[];
      readonly invoices: readonly InvoiceChange[];
    }
  | ({ readonly kind: 'refused' } & PaymentRefusal);

/**
 * A new payment in its parts: one of each invoice, and what they leave as credit of its contact. 120.00 for an invoice
 * with 100.00 due are 100.00 of that invoice and 20.00 of credit. A payment by credit takes off the credit what the
 * invoices get.
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

/** A part of a divided payment, with the invoice that has it. */
export interface PaidPart {
  readonly payment: PaymentRecord;
  readonly invoice: InvoiceRecord;
}

export interface ChangedPart extends PaidPart {
  readonly after: PaymentRecord;
}

/** All the money of a payment: what its invoices have, and what it left as credit. */
export const wholeAmount = (parts: readonly PaidPart[]): number =>
  add(parts[0]?.payment.Excess ?? 0, ...parts.map(({ payment }) => payment.Amount));

/** What an invoice takes in place of a payment that it has, or gives back in place of a refund. */
function roomFor({ payment, invoice }: PaidPart, isRefund: boolean): number {
  const { Total, Paid, Status } = invoice;
  if (Status === InvoiceStatus.Voided) return isRefund ? -Infinity : Infinity;
  return subtract(add(isRefund ? Math.min(Total, 0) : Math.max(Total, 0), payment.Amount), Paid);
}

/**
 * The parts of a divided payment when `changed`, its first, has another Amount, which is all that was paid: the invoices
 * get it in their order, each up to its share, and the rest is credit. Of 110.00 over 70.00 and 30.00, 130.00 are
 * 70.00, 30.00 and 30.00 of credit; 95.00 are 70.00 and 25.00; 60.00 are 60.00 and 0.00; 110.00 are as at first.
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
 * A changed payment, or one that is applied to its first invoice, with what the invoice takes of its new Amount; the
 * rest is its Excess. The new Amount is all of the money: where 100.00 of a payment left 20.00 as credit, 130.00 is
 * 30.00 of credit, 110.00 is 10.00, 90.00 is 0.00. The Amount that answers show, 100.00, changes nothing.
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

/** What comes to the credit, or below 0 goes off it, where the Excess of a payment changes: a payment of its own. */
export function excessChange(before: PaymentRecord, after: PaymentRecord, now: Date): PaymentRecord | undefined {
  const Amount = subtract(after.Excess ?? 0, before.Excess ?? 0);
  if (!Amount) return undefined;
  const { Id, OrganizationId, ContactId, Zone, Reference, Date: date, Day, Method } = after;
  return paymentEntity.blank({
    Id: 0,
    OrganizationId,
    ContactId,
    InvoiceId: 0,
    Zone,
    Reference,
    Date: date,
    Day,
    Method,
    Amount,
    InCredit: true,
    SplitOf: after.SplitOf ?? Id,
    Created: now.getTime(),
  });
}

/** Why a contact cannot give so much of its credit; `undefined` if it can. */
export const creditRefusal = (contact: number, credit: number, amount: number): PaymentRefusal | undefined =>
  credit < amount
    ? {
        code: 'overpayment',
        message: `Contact ${contact} has ${formatMoney(credit)} credit; ${formatMoney(amount)} exceeds that.`,
      }
    : undefined;

/**
 * The parts with their ids; all but the first say of what they are a part. Of `isAllocated` money the first has what
 * each invoice is to get.
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

/** What became of the parts of a divided payment; none for one that is whole. */
export const toAllocations = (parts: readonly PaymentRecord[]): PaymentAllocation[] =>
  parts.length > 1 ? parts.map(({ InvoiceId, Amount, Id: PaymentId }) => ({ InvoiceId, Amount, PaymentId })) : [];

/** Whether a repeated request divides its payment as the first did. */
export function isSameDivision(recorded: readonly AllocationInput[], requested: readonly AllocationInput[]): boolean {
  const ofInvoices = (all: readonly AllocationInput[]) =>
    all.flatMap(({ InvoiceId, Amount }) => (InvoiceId ? `${InvoiceId}: ${Amount}` : []));
  const first = ofInvoices(recorded);
  return requested.length ? first.join() === ofInvoices(requested).join() : first.length <= 1;
}

const isPayable = (invoice: InvoiceRecord): boolean =>
  applyPayment(invoice, undefined, { Amount: invoice.BalanceDue, Date: 0 }).kind === 'applied';

/** What the oldest open invoices get of a credit, as many as one transaction takes: the oldest first, each its due. */
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
