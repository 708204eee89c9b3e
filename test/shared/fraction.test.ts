import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fraction } from '../../lib/shared/money.ts';

const third = Fraction.of(1).dividedBy(3);

describe('a fraction', () => {
  test('is exact: 1 / 3 × 3 is 1, and 1.15 / 3 × 26.7 is 10.235, which rounds to 10.24', () => {
    expect(third.times(3).compareTo(1)).toBe(0);
    const amount = Fraction.of(1.15).dividedBy(3).times(26.7);
    expect(amount.compareTo(10.235)).toBe(0);
    expect(amount.toBig(2).toNumber()).toBe(10.24);
  });

  test.each<[number, number, string]>([
    [2.5, 0, '3'],
    [-2.5, 0, '-3'],
    [1.005, 2, '1.01'],
    [-0.004, 2, '0'],
    [1249, -2, '1200'],
    [1250, -2, '1300'],
    [-1250, -2, '-1300'],
    [0, 4, '0'],
  ])('%s rounded to %s decimals is %s', (value, decimals, expected) => {
    expect(Fraction.of(value).round(decimals).toBig(6).toFixed()).toBe(expected);
  });

  test.each<[number, string, string]>([
    [2.1, '2', '3'],
    [-2.1, '-3', '-2'],
    [4, '4', '4'],
    [-4, '-4', '-4'],
    [0, '0', '0'],
  ])('%s lies from %s to %s', (value, floor, ceil) => {
    expect([Fraction.of(value).floor(), Fraction.of(value).ceil()].map((whole) => whole.toBig(0).toFixed())).toEqual([
      floor,
      ceil,
    ]);
  });

  test('has the sums, differences, products, quotients and order of whole numbers over 10,000', () => {
    const whole = fc.integer({ min: -1e9, max: 1e9 });
    fc.assert(
      fc.property(whole, whole, (one, other) => {
        const [left, right] = [Fraction.of(one / 10_000), Fraction.of(other / 10_000)];
        const over = (value: Fraction, scale: bigint) => (value.numerator * scale) / value.denominator;
        expect(over(left.plus(right), 10_000n)).toBe(BigInt(one) + BigInt(other));
        expect(over(left.minus(right), 10_000n)).toBe(BigInt(one) - BigInt(other));
        expect(over(left.times(right), 100_000_000n)).toBe(BigInt(one) * BigInt(other));
        expect(left.compareTo(right)).toBe(Math.sign(one - other));
        if (other) expect(left.dividedBy(right).times(right).compareTo(left)).toBe(0);
      }),
    );
  });

  test('stays short: 10,000 products of thirds', () => {
    let value = Fraction.of(1);
    for (let step = 0; step < 10_000; step++) value = value.times(third).times(3.000_000_1);
    expect(value.denominator < 10n ** 700n).toBe(true);
    expect(value.toBig(9).toNumber()).toBeCloseTo((3.000_000_1 / 3) ** 10_000, 6);
  });

  test('has no quotient by 0', () => {
    expect(() => third.dividedBy(0)).toThrow(RangeError);
  });
});
