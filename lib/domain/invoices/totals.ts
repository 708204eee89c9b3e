import Big from 'big.js';
import { formatMoney } from '../../shared/money.ts';
import { cents, fromCents, sum } from '../pricing/cents.ts';
import { lineTax } from '../pricing/discounts-and-tax.ts';
import type { InvoiceInput } from './apply-input.ts';
import { type InvoiceLineRecord, type InvoiceRecord, InvoiceStatus } from './record.ts';

/** Rate × Qty, rounded once: 19.995 × 1.5 = 29.9925 → 29.99; 0.333 × 1.5 = 0.4995 → 0.50. */
const extended = ({ Rate, Qty }: Pick<InvoiceLineRecord, 'Rate' | 'Qty'>): number => cents(new Big(Rate).times(Qty));

/**
 * The tax of a line in cents: 8.25 % of 59.97 is 4.95; a share of a divided tax where it still is of this amount and
 * rate.
 */
const taxed = ({ Taxable, TaxShare: share }: InvoiceLineRecord, net: number, rate: number): number => {
  const isShare = Taxable && share?.TaxRate === rate && cents(share.Extended) === net;
  return isShare ? cents(share.Tax) : lineTax(net, Taxable, rate);
};

/**
 * The invoice with so much paid in all, refunds taken off: its BalanceDue, and Paid with `at` as DatePaid where nothing
 * is due any more, Open again where something is. One that is Unapproved or Voided stays that; a voided one has nothing
 * due. A total of 107.20 with 100.00 paid leaves 7.20 due; with 107.20 it is Paid.
 */
export function withBalance(invoice: InvoiceRecord, paid: number, at: number): InvoiceRecord {
  const due = invoice.Status === InvoiceStatus.Voided ? 0 : cents(invoice.Total) - cents(paid);
  const figures = { Paid: fromCents(cents(paid)), BalanceDue: fromCents(due) };
  if (invoice.Status === InvoiceStatus.Voided || invoice.Status === InvoiceStatus.Unapproved)
    return { ...invoice, ...figures };
  return due === 0
    ? { ...invoice, ...figures, Status: InvoiceStatus.Paid, DatePaid: at }
    : { ...invoice, ...figures, Status: InvoiceStatus.Open, DatePaid: null };
}

/**
 * The invoice with its figures worked out anew from Rate and Qty of its lines, TaxRate and Paid. Tax is rounded line by
 * line, so that the lines of an invoice add up to it: two lines of 0.50 at 5 % are 0.03 + 0.03 = 0.06, where 5 % of
 * their sum would be 0.05. 3 × 19.99 = 59.97 taxed at 8.25 % (4.947525 → 4.95) and 40.00 untaxed: Subtotal 99.97, Tax
 * 4.95, Total 104.92. Where that leaves nothing due it is Paid, since `at` unless it was before.
 */
export function withTotals(invoice: InvoiceRecord, at = invoice.Date): InvoiceRecord {
  const nets = invoice.Lines.map(extended);
  const taxes = invoice.Lines.map((line, index) => taxed(line, nets[index] ?? 0, invoice.TaxRate));
  const [subtotal, tax] = [sum(nets), sum(taxes)];
  const figured = {
    ...invoice,
    Lines: invoice.Lines.map((line, index) => ({ ...line, Extended: fromCents(nets[index] ?? 0) })),
    Subtotal: fromCents(subtotal),
    Tax: fromCents(tax),
    Total: fromCents(subtotal + tax),
  };
  return withBalance(figured, invoice.Paid, invoice.DatePaid ?? at);
}

const TOLERANCE = '0.01';

/** With 2 decimals, or the 4 that it has. */
const shown = (said: number): string =>
  said === Number(said.toFixed(2)) ? formatMoney(said) : new Big(said).toFixed(4);

/**
 * What a caller says that an invoice comes to and that it does not, by more than 0.01; each with both figures. `[]`
 * where all that is said agrees.
 */
export function figureConflicts(
  { Lines, Subtotal, Tax, Total }: InvoiceRecord,
  input: Pick<InvoiceInput, 'Lines' | 'Subtotal' | 'Tax' | 'Total'>,
): string[] {
  const differs = (name: string, said: number | null | undefined, figure: number) =>
    typeof said === 'number' && new Big(said).minus(figure).abs().gt(TOLERANCE)
      ? [`${name} is given as ${shown(said)} and comes to ${formatMoney(figure)}`]
      : [];
  return [
    ...(input.Lines ?? []).flatMap(({ Extended }, index) =>
      differs(`Lines[${index}].Extended`, Extended, Lines[index]?.Extended ?? 0),
    ),
    ...differs('Subtotal', input.Subtotal, Subtotal),
    ...differs('Tax', input.Tax, Tax),
    ...differs('Total', input.Total, Total),
  ];
}
