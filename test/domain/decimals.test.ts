import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { add, decimal, money, multiply, subtract } from '../../lib/shared/money.ts';

test.each([
  [1.005, 1.01],
  [-1.005, -1.01],
  [2.675, 2.68],
  [0.125, 0.13],
  [-0.125, -0.13],
  [0.124999, 0.12],
  [10, 10],
  ['19.995', 20],
  [-0.004, 0],
  [104.77186147186147, 104.77],
  [99_999_999_999.995, 100_000_000_000],
])('money(%s) is %s', (amount, expected) => {
  expect(money(amount)).toBe(expected);
});

test.each([
  [0.00005, 0.0001],
  [-0.00005, -0.0001],
  [0.0825, 0.0825],
  [1 / 3, 0.3333],
])('decimal(%s) is %s', (amount, expected) => {
  expect(decimal(amount)).toBe(expected);
});

describe('arithmetic is decimal', () => {
  test('where binary arithmetic errs', () => {
    expect(add(0.1, 0.2)).toBe(0.3);
    expect(subtract(0.3, 0.1)).toBe(0.2);
    expect(multiply(1.1, 1.1)).toBe(1.21);
    expect(multiply(19.99, 3)).toBe(59.97);
    expect(add()).toBe(0);
    expect(multiply()).toBe(1);
  });

  test('and rounds once, at the end', () => {
    // Rounded after each factor, 0.00125 would become 0.0013 and the product 0.013.
    expect(multiply(0.05, 0.025, 10)).toBe(0.0125);
    expect(add(0.00003, 0.00003)).toBe(0.0001);
  });

  test.each([NaN, Infinity, -Infinity])('and has no %s', (amount) => {
    expect(() => money(amount)).toThrow();
    expect(() => add(1, amount)).toThrow();
  });
});

const cents = fc.integer({ min: -1e10, max: 1e10 });

test('a sum of amounts is the sum of their cents, in any order', () => {
  fc.assert(
    fc.property(fc.array(cents, { maxLength: 100 }), (list) => {
      const total = list.reduce((sum, cent) => sum + BigInt(cent), 0n);
      const amounts = list.map((cent) => cent / 100);
      expect(add(...amounts)).toBe(Number(total) / 100);
      expect(add(...amounts.toReversed())).toBe(add(...amounts));
    }),
  );
});

test('a price times a quantity is exact to four decimals, halves away from zero', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e7, max: 1e7 }), fc.integer({ min: 0, max: 1e6 }), (cent, tenThousandth) => {
      const millionths = BigInt(cent) * BigInt(tenThousandth);
      const size = (millionths < 0n ? -millionths : millionths) + 50n;
      const expected = Number(millionths < 0n ? -(size / 100n) : size / 100n) / 10_000;
      expect(multiply(cent / 100, tenThousandth / 10_000)).toBe(expected + 0);
    }),
  );
});

test('money is settled, and a refund mirrors its charge', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (amount) => {
      expect(money(money(amount))).toBe(money(amount));
      expect(money(-amount) + money(amount)).toBe(0);
      expect(String(money(amount))).toMatch(/^-?\d+(\.\d{1,2})?$/);
    }),
  );
});
