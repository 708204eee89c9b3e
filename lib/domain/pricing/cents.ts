import Big from 'big.js';
import { type Amount, money } from '../../shared/money.ts';

/**
 * Rounded amounts are whole cents, because sums of them are exact and cheap: 19.994 → 1999, 1.005 → 101.
 * Exact up to 90,000,000,000,000.00.
 */
export const cents = (amount: Amount): number => Math.round(money(amount) * 100);

/** Cents as money: 1999 → 19.99. The nearest number to a quotient of whole numbers is the one that prints as it. */
export const fromCents = (whole: number): number => whole / 100 + 0;

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** The limit of what a line costs, or credits: 10,000,000,000.00. Sums of 2,000 lines are still exact. */
export const MAX_CENTS = 1e12;

/**
 * A quotient of whole numbers, rounded once, halves away from zero: 5 / 2 → 3, −5 / 2 → −3. The divisor is above 0. Far
 * faster than decimals, and exact: a long product is divided as a BigInt.
 */
export function divideRounded(factors: readonly [number, number], divisor: number): number {
  const product = factors[0] * factors[1];
  if (Math.abs(product) * 2 + divisor > Number.MAX_SAFE_INTEGER) return divideLong(factors, divisor);
  const rest = Math.abs(product % divisor);
  const whole = (Math.abs(product) - rest) / divisor + (rest * 2 >= divisor ? 1 : 0);
  return Math.sign(product) * whole + 0;
}

function divideLong([one, other]: readonly [number, number], divisor: number): number {
  const product = BigInt(one) * BigInt(other);
  const [size, by] = [product < 0n ? -product : product, BigInt(divisor)];
  const whole = Number((2n * size + by) / (2n * by));
  return (product < 0n ? -whole : whole) + 0;
}

/** A percentage of amounts in cents: 7.5 % of 333.33 → 25.00. */
export function percentage(percent: number): (amount: number) => number {
  const { s, e, c } = new Big(percent);
  const digits = Number(c.join('')) * s;
  const decimals = c.length - 1 - e;
  // A double has up to 17 digits; what has more than a safe number is rare enough for decimals.
  if (!Number.isSafeInteger(digits) || decimals > 13)
    return (amount) => cents(new Big(amount).times(percent).times('0.0001'));
  const divisor = 10 ** (Math.max(decimals, 0) + 2);
  const factor = digits * 10 ** Math.max(-decimals, 0);
  return (amount) => divideRounded([amount, factor], divisor);
}
