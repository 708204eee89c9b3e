import Big from 'big.js';
import type { PartRecord, ServiceRecord } from '../pricebook/record.ts';
import { type Node, type LineFlags, inheritFlags } from './assemblies.ts';
import { MAX_CENTS, cents, fromCents } from './cents.ts';
import type { AddError } from './fields.ts';
import { isPercent, percentAmount } from './lines.ts';
import type { LineRequest } from './types.ts';

/**
 * A line's own discount in cents: as given, but never more than the line costs. Above MaxDiscount, or for a part
 * excluded from discounts, it is at fault.
 */
export function lineDiscount(
  { discount, maxDiscount }: LineRequest,
  part: PartRecord | null,
  extended: number,
  fault: { say: AddError; line: string },
): number {
  if (!discount) return 0;
  const most = part?.IsExcludeFromDiscounts ? 0 : (maxDiscount ?? Infinity);
  const field = `${fault.line}.Discount`;
  if (discount < 0) fault.say(field, 'must be at least 0');
  else if (discount > most)
    fault.say(
      field,
      part?.IsExcludeFromDiscounts
        ? 'must be 0: the part is excluded from discounts'
        : `must be at most ${most}, the line's MaxDiscount`,
    );
  return Math.max(0, Math.min(cents(discount), extended));
}

/** What a discount is spread over. Those alike in it may change places: every total stays as it is. */
export interface Discountable {
  /** Cents. */
  readonly amount: number;
  readonly taxable: boolean;
  readonly excludedFromMinimum: boolean;
  /** What tells lines apart that are otherwise alike: part, option, quantity. */
  readonly tie: readonly number[];
}

/**
 * Spreads a discount over amounts in proportion, in whole cents that add up to it: each has its share rounded down, and
 * the cents left go one each to those that lost most; of equal losses the larger amount is first, then the taxed one,
 * and so on, never the order of lines. What is negative (a credit) has no share, and no discount is more than `most`.
 *
 * Worked: 10.00 over 33.33, 33.33 and 33.34: 333.300 → 333, 333.300 → 333, 333.400 → 333 and the cent left: 334.
 */
export function spreadDiscount(discount: number, over: readonly Discountable[], most: number): number[] {
  const shares = over.map(() => 0);
  const whole = over.reduce((sum, { amount }) => sum + Math.max(amount, 0), 0);
  const all = Math.max(0, Math.min(discount, whole, most));
  if (all === 0) return shares;
  const losses = over.map(({ amount }) => BigInt(Math.max(amount, 0)) * BigInt(all));
  let left = all;
  const ranked = over.map((of, place) => {
    const share = Number((losses[place] ?? 0n) / BigInt(whole));
    shares[place] = share;
    left -= share;
    return { of, place, loss: (losses[place] ?? 0n) % BigInt(whole) };
  });
  ranked.sort((one, other) => {
    if (one.loss !== other.loss) return one.loss > other.loss ? -1 : 1;
    return (
      other.of.amount - one.of.amount ||
      Number(other.of.taxable) - Number(one.of.taxable) ||
      Number(one.of.excludedFromMinimum) - Number(other.of.excludedFromMinimum) ||
      one.of.tie.reduce((order, value, index) => order || value - (other.of.tie[index] ?? 0), 0)
    );
  });
  for (const { place } of ranked.slice(0, left)) shares[place] = (shares[place] ?? 0) + 1;
  return shares;
}

/** What a request takes off everything, in cents. */
export function requestDiscount(discount: number | null | undefined, say: AddError): number {
  const asked = discount ?? 0;
  if (asked < 0) say('Discount', `must be at least 0, not ${asked}`);
  return Math.max(0, cents(Math.min(asked, fromCents(Number.MAX_SAFE_INTEGER))));
}

/** The tax of a line in cents: a percentage of what is left of it after discounts, rounded by itself. 8.875 % of 1.00 → 0.09. */
export const lineTax = (net: number, taxable: boolean, ratePercent: number): number =>
  taxable && ratePercent !== 0 && net !== 0 ? cents(new Big(net).times(ratePercent).times('0.0001')) : 0;

/** A rate in percent, 0 when none is given. */
export function checkedRate(rate: number | null | undefined, say: AddError): number {
  if ((rate ?? 0) < 0) say('NamedTaxRate.TaxRate', `must be at least 0, not ${rate}`);
  return Math.max(rate ?? 0, 0);
}

/**
 * What MinimumCharge adds, in cents: it is the least that service and lines not excluded from it come to after all
 * discounts. Minimum 100.00; service 80.00 less 20.00, a line of 15.00: 75.00 → 25.00 more.
 */
export const minimumTopUp = ({ MinimumCharge }: ServiceRecord, counted: number): number =>
  MinimumCharge === null ? 0 : Math.max(0, cents(MinimumCharge) - counted);

/** What a line costs and what its own discount takes off, in cents. */
export interface Charge {
  readonly extended: number;
  readonly ownDiscount: number;
}

/** The charge of each line, from what each costs by itself: first those that assemblies carry, then percentages of them. */
export function chargedLines(
  nodes: readonly Node[],
  own: readonly { readonly cents: number }[],
  { standing, counts, say }: { standing: readonly LineFlags[]; counts: readonly boolean[]; say: AddError },
): Charge[] {
  const charge = ({ line, part, path }: Node, extended: number): Charge => ({
    extended,
    ownDiscount: lineDiscount(line, part, extended, { say, line: path.line }),
  });
  const amounts = inheritFlags(
    nodes,
    own.map(({ cents }) => cents),
    standing,
  );
  const plain = nodes.map((node, place) => (isPercent(node.line) ? undefined : charge(node, amounts[place] ?? 0)));
  const others = plain.reduce((sum, of, place) => sum + (of && counts[place] ? of.extended - of.ownDiscount : 0), 0);
  return nodes.map((node, place) => {
    const known = plain[place];
    if (known) return known;
    const { line, path } = node;
    const rate = line.ratePercent ?? 0;
    const amount = standing[place]?.free || line.isZeroPrice ? 0 : percentAmount(rate, others);
    if (rate < -100) say(`${path.line}.RatePercent`, 'must be at least -100');
    else if (Math.abs(amount) >= MAX_CENTS)
      say(`${path.line}.RatePercent`, 'must make the line cost less than 10,000,000,000');
    return charge(node, amount);
  });
}
