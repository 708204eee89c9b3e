import { InvoiceStatus, type InvoiceRecord } from '../invoices/record.ts';
import { settled } from '../invoices/totals.ts';
import { moneyText } from '../money-text.ts';
import { cents, fromCents } from '../pricing/cents.ts';
import type { PaymentRecord } from './record.ts';

/** An invoice after a payment, or the sentence that says why it does not take it. */
export type Applied =
  | { readonly kind: 'applied'; readonly invoice: InvoiceRecord }
  | { readonly kind: 'refused'; readonly message: string };

type Sum = Pick<PaymentRecord, 'Amount' | 'Date'>;

const shown = (whole: number): string => moneyText(fromCents(whole));

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
  return { kind: 'applied', invoice: settled(invoice, paid, after.Date) };
}

/**
 * Whether a change of a payment is one of its invoice: another amount, or another date of the payment since which the
 * invoice is Paid.
 */
export const touchesInvoice = (invoice: InvoiceRecord, before: Sum, after: Sum): boolean =>
  before.Amount !== after.Amount ||
  (invoice.Status === InvoiceStatus.Paid && invoice.DatePaid === before.Date && before.Date !== after.Date);
