import type { PartRecord } from '../pricebook/records.ts';
import { cents, fromCents } from './cents.ts';
import type { Say } from './fields.ts';
import type { LineRequest } from './types.ts';

/**
 * A line's own discount in cents: as given, but never more than the line costs. Above MaxDiscount, or for a part
 * excluded from discounts, it is at fault.
 */
export function lineDiscount({ discount, maxDiscount }: LineRequest, part: PartRecord | null, extended: number, fault: { say: Say; line: string }): number {
  if (!discount) return 0;
  const most = part?.IsExcludeFromDiscounts ? 0 : (maxDiscount ?? Infinity);
  const field = `${fault.line}.Discount`;
  if (discount < 0) fault.say(field, 'must be at least 0');
  else if (discount > most) fault.say(field, part?.IsExcludeFromDiscounts ? 'must be 0: the part is excluded from discounts' : `must be at most ${most}, the line's MaxDiscount`);
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
export function spread(discount: number, over: readonly Discountable[], most: number): number[] {
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
export function requestDiscount(discount: number | null | undefined, say: Say): number {
  const asked = discount ?? 0;
  if (asked < 0) say('Discount', `must be at least 0, not ${asked}`);
  return Math.max(0, cents(Math.min(asked, fromCents(Number.MAX_SAFE_INTEGER))));
}
