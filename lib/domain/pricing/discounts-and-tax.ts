import type { ServiceRecord } from '../../entities/services.ts';
import { type LineFlags, type LineNode, assemblyAmounts, isPercent } from './lines.ts';
import { MAX_CENTS, cents, fromCents, percentage } from '../../shared/money.ts';
import type { AddError } from './rates.ts';

/** What a line costs and what its own discount takes off, in cents. */
export interface Charge {
  readonly extended: number;
  readonly ownDiscount: number;
}

/**
 * The charge of each line from what each costs by itself, within its assembly; `undefined` for a percentage, which
 * depends on the selected options.
 */
export function chargePlainLines(
  nodes: readonly LineNode[],
  own: readonly number[],
  { flags, addError }: { readonly flags: readonly LineFlags[]; readonly addError: AddError },
): (Charge | undefined)[] {
  const amounts = assemblyAmounts(nodes, own, flags);
  return nodes.map((node, index) => {
    const extended = amounts[index] ?? 0;
    return isPercent(node.line) ? undefined : { extended, ownDiscount: lineDiscount(node, extended, addError) };
  });
}

/** The percentage of each line that costs one, checked. */
export const linePercentages = (nodes: readonly LineNode[], addError: AddError) =>
  nodes.map(({ line, path }) => {
    if (!isPercent(line)) return undefined;
    const percent = line.ratePercent ?? 0;
    if (percent < -100) addError(`${path.line}.RatePercent`, 'must be at least -100', 'range');
    return percentage(percent);
  });

interface ChargeContext {
  readonly flags: readonly LineFlags[];
  readonly percentages: ReturnType<typeof linePercentages>;
  readonly counts: readonly boolean[];
  readonly addError: AddError;
}

/**
 * The charge of each line with these options: the percentages are added. A percentage is of the lines that count, after
 * their own discounts, without the service and other percentages: neither the order nor the number of percent lines
 * matters.
 */
export function chargeLines(
  nodes: readonly LineNode[],
  plain: readonly (Charge | undefined)[],
  { flags, percentages, counts, addError }: ChargeContext,
): Charge[] {
  const base = plain.reduce((sum, of, index) => sum + (of && counts[index] ? of.extended - of.ownDiscount : 0), 0);
  return nodes.map((node, index) => {
    const plainCharge = plain[index];
    if (plainCharge) return plainCharge;
    const { line, path } = node;
    const extended = flags[index]?.free || line.isZeroPrice ? 0 : (percentages[index]?.(base) ?? 0);
    if (Math.abs(extended) >= MAX_CENTS)
      addError(`${path.line}.RatePercent`, 'must make the line cost less than 10,000,000,000', 'range');
    return { extended, ownDiscount: lineDiscount(node, extended, addError) };
  });
}

/** A line's own discount in cents, at most what the line costs. */
function lineDiscount({ line, part, path }: LineNode, extended: number, addError: AddError): number {
  const { discount, maxDiscount } = line;
  if (!discount) return 0;
  const field = `${path.line}.Discount`;
  if (discount < 0) addError(field, 'must be at least 0', 'range');
  else if (part?.IsExcludeFromDiscounts)
    addError(field, 'must be 0, because the part is excluded from discounts', 'mismatch');
  else if (discount > (maxDiscount ?? Infinity))
    addError(field, `must be at most ${maxDiscount}, the line's MaxDiscount`, 'range');
  return Math.max(0, Math.min(cents(discount), extended));
}

/** What a discount is spread over. Two that are equal in it may swap: every total stays as it is. */
export interface Discountable {
  /** Cents. */
  readonly amount: number;
  readonly taxable: boolean;
  readonly excludedFromMinimum: boolean;
  /** Orders lines that are otherwise equal: by part, option, quantity, unit cost. */
  readonly tie: readonly number[];
}

/**
 * Spreads a discount over amounts in proportion, in whole cents that add up to it: each share is rounded down, and the
 * remaining cents go one each to the amounts that lost most; of equal losses to the larger amount first, then to the
 * taxed one, and so on, never by the order of lines. Negative amounts (credits) have no share, and no discount exceeds
 * `max`.
 *
 * Worked: 10.00 over 33.33, 33.33 and 33.34: 333.300 → 333, 333.300 → 333, 333.400 → 333 and the cent left: 334.
 */
export function spreadDiscount(discount: number, over: readonly Discountable[], max: number): number[] {
  const shares = over.map(() => 0);
  const whole = over.reduce((sum, { amount }) => sum + Math.max(amount, 0), 0);
  const total = Math.max(0, Math.min(discount, whole, max));
  if (total === 0) return shares;
  let left = total;
  const ranked = over.map((item, index) => {
    const product = BigInt(Math.max(item.amount, 0)) * BigInt(total);
    const share = Number(product / BigInt(whole));
    shares[index] = share;
    left -= share;
    return { item, index, loss: product % BigInt(whole) };
  });
  ranked.sort((one, other) => {
    if (one.loss !== other.loss) return one.loss > other.loss ? -1 : 1;
    const [left, right] = [one.item, other.item];
    return (
      right.amount - left.amount ||
      Number(right.taxable) - Number(left.taxable) ||
      Number(left.excludedFromMinimum) - Number(right.excludedFromMinimum) ||
      left.tie.reduce((order, value, index) => order || value - (right.tie[index] ?? 0), 0)
    );
  });
  for (const { index } of ranked.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}

/** The discount of a request, in cents. */
export function requestDiscount(discount: number | null | undefined, addError: AddError): number {
  const requested = discount ?? 0;
  if (requested < 0) addError('Discount', `must be at least 0, not ${requested}`, 'range');
  return Math.max(0, cents(Math.min(requested, fromCents(Number.MAX_SAFE_INTEGER))));
}

/**
 * The tax of amounts in cents: a percentage after discounts, rounded line by line. 8.875 % of 1.00 → 0.09.
 */
export function lineTaxes(ratePercent: number): (net: number, taxable: boolean) => number {
  const taxOf = percentage(ratePercent);
  return (net, taxable) => (taxable ? taxOf(net) : 0);
}

export const lineTax = (net: number, taxable: boolean, ratePercent: number): number =>
  lineTaxes(ratePercent)(net, taxable);

/** A tax rate in percent; 0 by default. */
export function checkTaxRate(rate: number | null | undefined, addError: AddError): number {
  if ((rate ?? 0) < 0) addError('NamedTaxRate.TaxRate', `must be at least 0, not ${rate}`, 'range');
  return Math.max(rate ?? 0, 0);
}

/**
 * What MinimumCharge adds, in cents: service and lines that are not excluded from it come to at least that after all
 * discounts. Minimum 100.00; service 80.00 less 20.00, a line of 15.00: 75.00 → 25.00 more.
 */
export const minimumTopUp = ({ MinimumCharge }: ServiceRecord, counted: number): number =>
  MinimumCharge === null ? 0 : Math.max(0, cents(MinimumCharge) - counted);
