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
