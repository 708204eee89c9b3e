import Big from 'big.js';
import type { InvoiceLineRecord, InvoiceRecord } from '../../entities/invoices.ts';
import { omit } from '../../shared/objects.ts';
import { cents, formatMoney, fromCents, percentage, sum } from '../../shared/money.ts';
import { lineTax } from '../pricing/discounts-and-tax.ts';
import { shareCents } from '../pricing/tax-parts.ts';
import { type InvoiceInput, lineAmount, taxedAmounts, withAmounts, withLineTaxes, withTaxShares } from './record.ts';

/**
 * Accepts the amounts of an invoice whose sender has already calculated them. Bookkeeping programs round each line or
 * only the sum, and halves away from zero or to the even cent. The invoice takes the sender's amounts if one of these
 * rules gives them and its lines add up to them. A visit of a subscription has a share of a divided tax in each line;
 * so has its invoice when it is imported from another account.
 */

type GivenAmounts = Pick<InvoiceInput, 'Lines' | 'Subtotal' | 'Tax' | 'Total'>;

/** Rounds exact cents to whole cents. */
type Rounding = (exact: readonly Big[]) => number[];

const MODES = [Big.roundHalfUp, Big.roundHalfEven];
const ROUNDINGS: readonly Rounding[] = [
  ...MODES.map(
    (mode): Rounding =>
      (exact) =>
        exact.map((amount) => amount.round(0, mode).toNumber() + 0),
  ),
  ...MODES.map(
    (mode): Rounding =>
      (exact) =>
        roundToSum(exact, mode),
  ),
];

/**
 * Whole cents that add up to the rounded sum: each is rounded down, and the remaining cents go to those that lost most,
 * in order among equals. Ten of 70.5485 are 705: five of 71, then five of 70.
 */
function roundToSum(exact: readonly Big[], mode: (typeof MODES)[number]): number[] {
  const down = exact.map((amount) => {
    const whole = amount.round(0, Big.roundDown);
    return whole.gt(amount) ? whole.minus(1) : whole;
  });
  const total = exact.reduce((all, amount) => all.plus(amount), new Big(0)).round(0, mode);
  const rounded = down.map((amount) => amount.toNumber() + 0);
  const left = total.toNumber() - sum(rounded);
  const losses = exact.map((amount, index) => ({ index, loss: amount.minus(down[index] ?? 0) }));
  losses.sort((one, other) => other.loss.cmp(one.loss));
  for (const { index } of losses.slice(0, left)) rounded[index] = (rounded[index] ?? 0) + 1;
  return rounded;
}

/** An amount of the input that differs; both are in cents, but `given` is as it was sent. */
interface Difference {
  readonly field: string;
  readonly calculated: number;
  readonly given: number;
}

interface Candidate {
  readonly invoice: InvoiceRecord;
  readonly differences: readonly Difference[];
}

/**
 * The invoice with the amounts of the input, if a rounding rule gives them. Lines of `before` keep their amounts and
 * taxes if these are the given ones. `conflicts` lists each amount that no rule gives, with the expected value.
 *
 * Ten lines of 11.11 at 6.35% have a tax of 7.10 by line (0.705485 → 0.71), or of 7.05 on the sum (7.05485).
 */
export function withGivenAmounts(
  before: InvoiceRecord,
  invoice: InvoiceRecord,
  sent: GivenAmounts,
  at: number,
): { readonly invoice: InvoiceRecord; readonly conflicts: readonly string[] } {
  const given = withoutBlanks(sent);
  const keptByLine = keptAmounts(before, invoice);
  const kept = toCandidate(keptByLine, given, at);
  if (!kept.differences.length) return { invoice: kept.invoice, conflicts: [] };
  const others = [withSentTaxes(keptByLine, given), ...roundedAmounts(invoice), ...withStatedTax(keptByLine, given)];
  const candidates = [kept, ...others.map((amounts) => toCandidate(amounts, given, at))];
  const fewest = Math.min(...candidates.map(({ differences }) => differences.length));
  const [best = kept, ...equals] = candidates.filter(({ differences }) => differences.length === fewest);
  return { invoice: best.invoice, conflicts: fewest ? conflictTexts(best, equals) : [] };
}

/** Typed clients send 0 in every field that they omit: then at most a Total is given. */
function withoutBlanks(sent: GivenAmounts): GivenAmounts {
  const { Lines, Subtotal, Tax, Total } = sent;
  const isBlank = Subtotal === 0 && Tax === 0 && (Lines ?? []).every(({ Extended }) => Extended === 0);
  return isBlank ? { Total: Total || undefined } : sent;
}

interface Amounts {
  readonly invoice: InvoiceRecord;
  /** By line, in cents. */
  readonly amounts: readonly number[];
  readonly taxes: readonly number[];
}

const toCandidate = ({ invoice, amounts, taxes }: Amounts, given: GivenAmounts, at: number): Candidate => {
  const calculated = withAmounts(invoice, amounts, taxes, at);
  return { invoice: calculated, differences: differencesOf(calculated, given) };
};

/** Unchanged lines keep their amount; the others are rounded half up. */
function keptAmounts(before: InvoiceRecord, invoice: InvoiceRecord): Amounts {
  const known = new Map(before.Lines.map((line) => [line.Id, line]));
  const amounts = invoice.Lines.map((line) => {
    const same = known.get(line.Id);
    return same?.Rate === line.Rate && same.Qty === line.Qty ? cents(same.Extended) : lineAmount(line);
  });
  return { ...withLineTaxes(invoice, amounts), amounts };
}

/**
 * Accepts the Tax as it was sent, if it differs by at most a cent for each part of the rate: programs round the parts of
 * a tax, or the price of one unit. 10.10 at 14.975% may have 1.52, which is 0.51 and 1.01.
 */
function withStatedTax({ invoice, amounts }: Amounts, { Tax }: GivenAmounts): Amounts[] {
  const taxed = taxedAmounts(invoice, amounts);
  if (typeof Tax !== 'number' || !invoice.TaxRate || !sum(taxed)) return [];
  const exact = percentage(invoice.TaxRate)(sum(taxed));
  const isClose = Math.abs(cents(Tax) - exact) <= Math.max(1, invoice.TaxParts.length);
  return isClose ? [{ ...withTaxShares(invoice, amounts, shareCents(cents(Tax), taxed)), amounts }] : [];
}

/**
 * Accepts the taxes of lines as they were sent, if they are shares of a divided tax: such a share is rounded twice, so
 * it differs from the line's tax by at most a cent. Others are ignored, like those that a program sends beside a new
 * Rate.
 */
function withSentTaxes({ invoice, amounts, taxes }: Amounts, { Lines }: GivenAmounts): Amounts {
  const shares = invoice.Lines.map(({ Taxable }, index) => {
    const [amount, sent] = [amounts[index] ?? 0, Lines?.[index]?.Tax];
    const isShare =
      Taxable && typeof sent === 'number' && Math.abs(cents(sent) - lineTax(amount, true, invoice.TaxRate)) <= 1;
    return isShare ? cents(sent) : (taxes[index] ?? 0);
  });
  return withStoredTaxes(invoice, amounts, shares);
}

/** The amounts by every rule: lines and taxes may be rounded by different rules. */
function roundedAmounts(invoice: InvoiceRecord): Amounts[] {
  const { Lines, TaxRate } = invoice;
  const exactAmounts = Lines.map(({ Rate, Qty }) => new Big(Rate).times(Qty).times(100));
  return ROUNDINGS.flatMap((roundAmounts) => {
    const amounts = roundAmounts(exactAmounts);
    const exactTaxes = Lines.map(({ Taxable }, index) =>
      new Big(Taxable ? (amounts[index] ?? 0) : 0).times(TaxRate).times('0.01'),
    );
    return ROUNDINGS.map((roundTaxes) => withStoredTaxes(invoice, amounts, roundTaxes(exactTaxes)));
  });
}

function withStoredTaxes(invoice: InvoiceRecord, amounts: readonly number[], taxes: readonly number[]): Amounts {
  const Lines = invoice.Lines.map((line, index) =>
    withTax(line, amounts[index] ?? 0, invoice.TaxRate, taxes[index] ?? 0),
  );
  return { invoice: { ...invoice, Lines }, amounts, taxes };
}

/** The line with its tax, which is stored only if it does not follow from the rate. */
function withTax(line: InvoiceLineRecord, amount: number, TaxRate: number, tax: number): InvoiceLineRecord {
  const plain = omit(line, 'TaxShare');
  if (tax === lineTax(amount, line.Taxable, TaxRate)) return plain;
  return { ...plain, TaxShare: { Extended: fromCents(amount), TaxRate, Tax: fromCents(tax) } };
}

/** Given amounts are compared in whole cents: 7.05485 is 7.05. */
function differencesOf({ Lines, Subtotal, Tax, Total }: InvoiceRecord, given: GivenAmounts): Difference[] {
  const compare = (field: string, amount: number | null | undefined, calculated: number): Difference[] =>
    typeof amount === 'number' && !MODES.some((mode) => new Big(amount).round(2, mode).eq(calculated))
      ? [{ field, calculated, given: amount }]
      : [];
  return [
    ...(given.Lines ?? []).flatMap(({ Extended }, index) =>
      compare(`Lines[${index}].Extended`, Extended, Lines[index]?.Extended ?? 0),
    ),
    ...compare('Subtotal', given.Subtotal, Subtotal),
    ...compare('Tax', given.Tax, Tax),
    ...compare('Total', given.Total, Total),
  ];
}

/** Each difference with the values by other rules: `Tax must be 7.10 or 7.05, not 7.08`. */
const conflictTexts = (best: Candidate, others: readonly Candidate[]): string[] =>
  best.differences.map(({ field, calculated, given }) => {
    const same = others.flatMap(({ differences }) => differences.filter((other) => other.field === field));
    const possible = new Set([calculated, ...same.map((other) => other.calculated)]);
    return `${field} must be ${[...possible].map(formatMoney).join(' or ')}, not ${formatGiven(given)}`;
  });

/** With 2 decimals, or all 4 if there are more than 2. */
const formatGiven = (amount: number): string =>
  amount === Number(amount.toFixed(2)) ? formatMoney(amount) : new Big(amount).toFixed(4);
