import { type Amount, money } from '../../shared/money.ts';

/**
 * Amounts that are rounded are whole cents from there on, so that sums are exact and cheap: 19.994 → 1999, 1.005 → 101.
 * Exact up to 90,000,000,000,000.00.
 */
export const cents = (amount: Amount): number => Math.round(money(amount) * 100);

/** Cents as money: 1999 → 19.99. The nearest number to a quotient of whole numbers is the one that prints as it. */
export const fromCents = (whole: number): number => whole / 100 + 0;

/** Whole cents together. */
export const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

/** No line may cost more either way, 10,000,000,000.00: two thousand of them are still exact. */
export const MAX_CENTS = 1e12;
