import type { TaxRatePart } from '../../entities/tax-rates.ts';
import Big from 'big.js';
import { cents, fromCents, percentage, sum } from '../../shared/money.ts';

/**
 * A multi-part tax: each part is rounded once, on the taxed sum. 10.10 at 5% and 9.975% are 0.51 and 1.01, together
 * 1.52, where 14.975% would be 1.51.
 */

/** The total tax on all taxed amounts, in cents. */
export const taxOnSum = (parts: readonly TaxRatePart[], taxed: number): number =>
  sum(parts.map(({ TaxRate }) => percentage(TaxRate)(taxed)));

/**
 * Whole cents that add up to `total`, in proportion to `over`: each is rounded down, and the remaining cents go to
 * those that lost most, in order among equals. 1.52 over 5.05 and 5.05 is 0.76 and 0.76.
 */
export function shareCents(total: number, over: readonly number[]): number[] {
  const whole = BigInt(sum(over));
  if (whole === 0n) return over.map(() => 0);
  const size = whole < 0n ? -whole : whole;
  const exact = over.map((amount) => BigInt(total) * BigInt(amount) * (whole < 0n ? -1n : 1n));
  const losses = exact.map((product, index) => ({ index, loss: ((product % size) + size) % size }));
  const shares = exact.map((product, index) => Number((product - (losses[index]?.loss ?? 0n)) / size) + 0);
  losses.sort((one, other) => (one.loss === other.loss ? one.index - other.index : one.loss > other.loss ? -1 : 1));
  for (const { index } of losses.slice(0, total - sum(shares))) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}

/** A part of a tax with its amount. */
export type TaxPartAmount = TaxRatePart & { readonly Amount: number };

/**
 * The parts of a tax charged on `taxed`. If it is not the sum of the parts, because a visit has a share of it or an
 * importer rounds differently, it is divided in proportion to their exact amounts.
 */
export function taxPartAmounts(
  parts: readonly TaxRatePart[],
  { taxed, tax }: { readonly taxed: number; readonly tax: number },
): TaxPartAmount[] {
  const plain = parts.map(({ TaxRate }) => percentage(TaxRate)(cents(taxed)));
  const rates = parts.map(({ TaxRate }) => new Big(TaxRate).times(1e8).round().toNumber());
  const amounts = sum(plain) === cents(tax) ? plain : shareCents(cents(tax), rates);
  return parts.map(({ Name, TaxRate, RegistrationNumber }, index) => ({
    Name,
    TaxRate,
    RegistrationNumber,
    Amount: fromCents(amounts[index] ?? 0),
  }));
}

/** The parts as text: `GST 5 %: 0.51; QST 9.975 %: 1.01`. */
export const taxPartsText = (parts: readonly TaxPartAmount[]): string =>
  parts.map(({ Name, TaxRate, Amount }) => `${Name} ${TaxRate} %: ${Amount.toFixed(2)}`).join('; ');
