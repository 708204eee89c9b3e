import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareCents, taxOnSum, taxPartAmounts, taxPartsText } from '../../../lib/domain/pricing/tax-parts.ts';
import { sum } from '../../../lib/shared/money.ts';

const QUEBEC = [
  { Name: 'GST', TaxRate: 5, RegistrationNumber: '12345 6789 RT0001' },
  { Name: 'QST', TaxRate: 9.975, RegistrationNumber: '' },
];
const amounts = (taxed: number, tax: number) => taxPartAmounts(QUEBEC, { taxed, tax }).map(({ Amount }) => Amount);

test('each part is rounded by itself, on the sum of what is taxed', () => {
  expect(taxOnSum(QUEBEC, 1010)).toBe(152);
  expect(amounts(10.1, 1.52)).toEqual([0.51, 1.01]);
  expect(taxPartsText(taxPartAmounts(QUEBEC, { taxed: 10.1, tax: 1.52 }))).toBe('GST 5 %: 0.51; QST 9.975 %: 1.01');
});

test('of a tax that the parts do not come to, as of one visit of several, each has what its rate is of it', () => {
  expect(amounts(10.1, 1.51)).toEqual([0.5, 1.01]);
  expect(amounts(-10.1, -1.52)).toEqual([-0.51, -1.01]);
  expect(amounts(0, 0)).toEqual([0, 0]);
});

test('shares are whole cents that add up, each within a cent of its exact amount', () => {
  const cents = fc.integer({ min: 0, max: 10_000_000 });
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1, maxLength: 20 }), cents, fc.boolean(), (over, size, isCredit) => {
      const sign = isCredit ? -1 : 1;
      const signed = over.map((amount) => amount * sign + 0);
      const whole = sum(signed);
      const total = whole === 0 ? 0 : size * sign + 0;
      const shares = shareCents(total, signed);
      expect(sum(shares)).toBe(total);
      shares.forEach((share, index) => {
        const exact = whole === 0 ? 0 : (total * (signed[index] ?? 0)) / whole;
        expect(Math.abs(share - exact)).toBeLessThan(1.000_001);
      });
    }),
  );
});
