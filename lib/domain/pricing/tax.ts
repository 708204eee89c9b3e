import Big from 'big.js';
import { cents } from './cents.ts';
import type { Say } from './fields.ts';

/** The tax of a line in cents: a percentage of what is left of it after discounts, rounded by itself. 8.875 % of 1.00 → 0.09. */
export const taxOf = (net: number, taxable: boolean, ratePercent: number): number =>
  taxable && ratePercent !== 0 && net !== 0 ? cents(new Big(net).times(ratePercent).times('0.0001')) : 0;

/** A rate in percent, 0 when none is given. */
export function checkedRate(rate: number | null | undefined, say: Say): number {
  if ((rate ?? 0) < 0) say('NamedTaxRate.TaxRate', `must be at least 0, not ${rate}`);
  return Math.max(rate ?? 0, 0);
}
