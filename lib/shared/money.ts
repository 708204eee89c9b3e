import Big from 'big.js';

/**
 * Amounts as plain JSON numbers of at most 4 decimals, calculated in decimal arithmetic: `add(0.1, 0.2)` is 0.3. Exact
 * for |amount| < 10^11, where 15 significant digits hold 4 decimals. Every function throws on NaN
 * and infinities, which validation rejects.
 */
export type Amount = number | string | Big;

/** Halves are rounded away from zero, because a refund mirrors its charge: 0.125 → 0.13, −0.125 → −0.13. */
function round(amount: Big, decimals: number): number {
  // Adding 0 turns −0 into 0: −0.004 rounds to 0, not to −0.
  return amount.round(decimals, Big.roundHalfUp).toNumber() + 0;
}

/**
 * Money: two decimals, halves away from zero. 1.005 → 1.01 (1.00 in binary arithmetic), −1.005 → −1.01, 2.675 → 2.68.
 */
export function money(amount: Amount): number {
  return round(new Big(amount), 2);
}

/** A quantity, rate or factor: four decimals, halves away from zero. 0.00005 → 0.0001. */
export function decimal(amount: Amount): number {
  return round(new Big(amount), 4);
}

/** The sum, rounded once to 4 decimals: `add(0.1, 0.2)` → 0.3, `add()` → 0. */
export function add(...amounts: Amount[]): number {
  return round(
    amounts.reduce<Big>((sum, amount) => sum.plus(amount), new Big(0)),
    4,
  );
}

/** `from − amount`, to 4 decimals: `subtract(0.3, 0.1)` → 0.2. */
export function subtract(from: Amount, amount: Amount): number {
  return round(new Big(from).minus(amount), 4);
}

/**
 * The product, rounded once to 4 decimals: `multiply(19.99, 3)` → 59.97, `multiply(100, 0.0625, 0.5)` → 3.125,
 * `multiply()` → 1.
 */
export function multiply(...factors: Amount[]): number {
  return round(
    factors.reduce<Big>((product, factor) => product.times(factor), new Big(1)),
    4,
  );
}

/** An amount in a sentence: `1,340.00`, `-50.00`. */
export const formatMoney = (amount: number): string => amount.toFixed(2).replaceAll(/\B(?=(?:\d{3})+\.)/g, ',');
