import { expect, test } from 'vitest';
import { price } from '../../../lib/domain/pricing/price.ts';
import type { PriceRequest, PriceBreakdown } from '../../../lib/domain/pricing/types.ts';
import { answer, line, lines, partsOf, request } from '../../support/pricing.ts';

const taxed = { Taxable: true };
const third = (index: number, of: Partial<PriceBreakdown['lines'][number]>) =>
  line(index, 33.33, { partId: null, ...of });

const cases: [name: string, request: PriceRequest, expected: PriceBreakdown][] = [
  [
    'a line’s discount: 40 − 5.50 = 34.50',
    request({}, { parts: partsOf({ UnitPrice: 40 }), lines: lines({ discount: 5.5 }) }),
    answer({ base: 0, subtotal: 40, discount: 5.5, net: 34.5, lines: [line(0, 40, { discount: 5.5, net: 34.5 })] }),
  ],
  [
    'never below nothing: 40 − 40 (of 55) = 0',
    request({}, { parts: partsOf({ UnitPrice: 40 }), lines: lines({ discount: 55 }) }),
    answer({ base: 0, subtotal: 40, discount: 40, net: 0, lines: [line(0, 40, { discount: 40, net: 0 })] }),
  ],
  [
    'as much as MaxDiscount: 40 − 10 = 30.00',
    request({}, { parts: partsOf({ UnitPrice: 40 }), lines: lines({ discount: 10, maxDiscount: 10 }) }),
    answer({ base: 0, subtotal: 40, discount: 10, net: 30, lines: [line(0, 40, { discount: 10, net: 30 })] }),
  ],
  [
    'a discount of everything, on the service: 120 − 20 = 100.00',
    request({ BasePrice: 120 }, { discount: 20 }),
    answer({ base: 120, subtotal: 120, discount: 20, net: 100, service: { discount: 20 } }),
  ],
  [
    '… in proportion: 30 over 100 and 50 is 20 and 10',
    request({ BasePrice: 100 }, { parts: partsOf({ UnitPrice: 50 }), lines: lines({}), discount: 30 }),
    answer({
      base: 100,
      subtotal: 150,
      discount: 30,
      net: 120,
      service: { discount: 20, net: 80 },
      lines: [line(0, 50, { discount: 10, net: 40 })],
    }),
  ],
  [
    '… and the cent left goes to the line that lost most: 10.00 over 33.33, 33.33, 33.34 is 3.33, 3.33, 3.34',
    request({}, { lines: [{ unitPrice: 33.33 }, { unitPrice: 33.34 }, { unitPrice: 33.33 }], discount: 10 }),
    answer({
      base: 0,
      subtotal: 100,
      discount: 10,
      net: 90,
      lines: [
        third(0, { discount: 3.33, net: 30 }),
        line(1, 33.34, { partId: null, discount: 3.34, net: 30 }),
        third(2, { discount: 3.33, net: 30 }),
      ],
    }),
  ],
  [
    '… of equals to the taxed one: 0.01 over 33.33 and 33.33',
    request({}, { lines: [{ unitPrice: 33.33 }, { unitPrice: 33.33, taxable: true }], discount: 0.01 }),
    answer({
      base: 0,
      subtotal: 66.66,
      discount: 0.01,
      net: 66.65,
      taxableSubtotal: 33.32,
      lines: [third(0, {}), third(1, { discount: 0.01, net: 33.32, taxable: true })],
    }),
  ],
  [
    '… then to the one that MinimumCharge counts: 0.01 over 20 and 20; 50.00 − 19.99 = 30.01 more',
    request(
      { MinimumCharge: 50 },
      {
        parts: partsOf({ UnitPrice: 20, IsExcludedFromMinimum: true }, { UnitPrice: 20 }),
        lines: lines({}, {}),
        discount: 0.01,
      },
    ),
    answer({
      base: 0,
      minimum: 30.01,
      subtotal: 70.01,
      discount: 0.01,
      net: 70,
      service: { net: 30.01 },
      lines: [line(0, 20), line(1, 20, { discount: 0.01, net: 19.99 })],
    }),
  ],
  [
    '… after the lines’ own: 30 over 100 and 80 − 30 = 50 is 20 and 10',
    request({ BasePrice: 100 }, { parts: partsOf({ UnitPrice: 80 }), lines: lines({ discount: 30 }), discount: 30 }),
    answer({
      base: 100,
      subtotal: 180,
      discount: 60,
      net: 120,
      service: { discount: 20, net: 80 },
      lines: [line(0, 80, { discount: 40, net: 40 })],
    }),
  ],
  [
    '… of no more than there is: 150 − 150 (of 500) = 0',
    request({ BasePrice: 100 }, { parts: partsOf({ UnitPrice: 50 }), lines: lines({}), discount: 500 }),
    answer({
      base: 100,
      subtotal: 150,
      discount: 150,
      net: 0,
      service: { discount: 100, net: 0 },
      lines: [line(0, 50, { discount: 50, net: 0 })],
    }),
  ],
  [
    '… a credit is not discounted, and counts: 100 − 60 (of 80) − 40 = 0',
    request({ BasePrice: 100 }, { lines: [{ unitPrice: -40 }], discount: 80 }),
    answer({
      base: 100,
      subtotal: 60,
      discount: 60,
      net: 0,
      service: { discount: 60, net: 40 },
      lines: [line(0, -40, { partId: null })],
    }),
  ],
  [
    '… what is excluded from discounts has no part in it: 30 off the service alone',
    request(
      { BasePrice: 100 },
      { parts: partsOf({ UnitPrice: 50, IsExcludeFromDiscounts: true }), lines: lines({}), discount: 30 },
    ),
    answer({
      base: 100,
      subtotal: 150,
      discount: 30,
      net: 120,
      service: { discount: 30, net: 70 },
      lines: [line(0, 50)],
    }),
  ],
  [
    '… and where all is excluded, nothing is off: 100.00',
    request({ BasePrice: 100, IsExcludeFromDiscounts: true }, { discount: 30 }),
    answer({ base: 100 }),
  ],
  [
    '… a percentage is of the others before it: 10 % of 100 = 10; 11 over 100 and 10 is 10 and 1',
    request({}, { lines: [{ unitPrice: 100 }, { ratePercent: 10 }], discount: 11 }),
    answer({
      base: 0,
      subtotal: 110,
      discount: 11,
      net: 99,
      lines: [
        line(0, 100, { partId: null, discount: 10, net: 90 }),
        line(1, 10, { partId: null, ratePercent: 10, discount: 1, net: 9 }),
      ],
    }),
  ],
  [
    'MinimumCharge is reached after discounts: 100 − 20 + 30 − 6 = 104 ≥ 104.00',
    request(
      { BasePrice: 100, MinimumCharge: 104 },
      { parts: partsOf({ UnitPrice: 30 }), lines: lines({}), discount: 26 },
    ),
    answer({
      base: 100,
      subtotal: 130,
      discount: 26,
      net: 104,
      service: { discount: 20, net: 80 },
      lines: [line(0, 30, { discount: 6, net: 24 })],
    }),
  ],
  [
    'tax a line, half up: 8.875 % of 10.00 = 0.8875 → 0.89, three times = 2.67, not 2.66',
    request(
      {},
      {
        parts: partsOf({ UnitPrice: 10, ...taxed }, { UnitPrice: 10, ...taxed }, { UnitPrice: 10, ...taxed }),
        lines: lines({}, {}, {}),
        taxRate: 8.875,
      },
    ),
    answer({
      base: 0,
      subtotal: 30,
      taxableSubtotal: 30,
      tax: 2.67,
      total: 32.67,
      lines: [0, 1, 2].map((index) => line(index, 10, { taxable: true, tax: 0.89 })),
    }),
  ],
  [
    'tax of what is taxable alone: 10 % of 40 = 4.00',
    request(
      { BasePrice: 100 },
      { parts: partsOf({ UnitPrice: 40, ...taxed }, { UnitPrice: 60 }), lines: lines({}, {}), taxRate: 10 },
    ),
    answer({
      base: 100,
      subtotal: 200,
      taxableSubtotal: 40,
      tax: 4,
      total: 204,
      lines: [line(0, 40, { taxable: true, tax: 4 }), line(1, 60)],
    }),
  ],
  [
    'a line may be taxed, or not, by itself: 10 % of 60 = 6.00',
    request(
      {},
      {
        parts: partsOf({ UnitPrice: 40, ...taxed }, { UnitPrice: 60 }),
        lines: lines({ taxable: false }, { taxable: true }),
        taxRate: 10,
      },
    ),
    answer({
      base: 0,
      subtotal: 100,
      taxableSubtotal: 60,
      tax: 6,
      total: 106,
      lines: [line(0, 40), line(1, 60, { taxable: true, tax: 6 })],
    }),
  ],
  [
    'tax after discounts: 10 % of (40 − 5 − 7) = 2.80; 14 over 35 and 35 is 7 and 7',
    request(
      { BasePrice: 35 },
      { parts: partsOf({ UnitPrice: 40, ...taxed }), lines: lines({ discount: 5 }), discount: 14, taxRate: 10 },
    ),
    answer({
      base: 35,
      subtotal: 75,
      discount: 19,
      net: 56,
      taxableSubtotal: 28,
      tax: 2.8,
      total: 58.8,
      service: { discount: 7, net: 28 },
      lines: [line(0, 40, { discount: 12, net: 28, taxable: true, tax: 2.8 })],
    }),
  ],
  [
    'a credit gives its tax back: 8.875 % of −10.00 = −0.8875 → −0.89',
    request(
      {},
      {
        lines: [
          { unitPrice: 30, taxable: true },
          { unitPrice: -10, taxable: true },
        ],
        taxRate: 8.875,
      },
    ),
    answer({
      base: 0,
      subtotal: 20,
      taxableSubtotal: 20,
      tax: 1.77,
      total: 21.77,
      lines: [
        line(0, 30, { partId: null, taxable: true, tax: 2.66 }),
        line(1, -10, { partId: null, taxable: true, tax: -0.89 }),
      ],
    }),
  ],
  [
    'a percentage is taxed as its line says: 5 % of 200 = 10.00, 10 % of that = 1.00',
    request({}, { lines: [{ unitPrice: 200 }, { ratePercent: 5, taxable: true }], taxRate: 10 }),
    answer({
      base: 0,
      subtotal: 210,
      taxableSubtotal: 10,
      tax: 1,
      total: 211,
      lines: [line(0, 200, { partId: null }), line(1, 10, { partId: null, ratePercent: 5, taxable: true, tax: 1 })],
    }),
  ],
];

test.each(cases)('%s', (_name, input, expected) => {
  expect(price(input)).toEqual(expected);
});
