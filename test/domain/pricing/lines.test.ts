import { expect, test } from 'vitest';
import { price } from '../../../lib/domain/pricing/price.ts';
import type { PriceRequest, PriceBreakdown } from '../../../lib/domain/pricing/types.ts';
import { answer, line, lines, partsOf, request, tier } from '../../support/pricing.ts';

const flat = { ExcludeQuantity: true };
const overage = { OverageMode: true };
const tiers = [tier(0, 10, 5), tier(10, null, 4)];
const sqft = (Value: number | null) => [{ Id: 7, Shortcode: 'sqft', Value }];
const category = (Id: number) => ({ PartCategory: { Id, Name: 'Windows' } });

const cases: [name: string, request: PriceRequest, expected: PriceBreakdown][] = [
  [
    'UnitPrice × quantity: 12.50 × 3 = 37.50, besides the service: 50 + 37.50 = 87.50',
    request({ BasePrice: 50 }, { parts: partsOf({ UnitPrice: 12.5 }), lines: lines({ quantity: 3 }) }),
    answer({ base: 50, subtotal: 87.5, lines: [line(0, 37.5, { quantity: 3, unitPrice: 12.5 })] }),
  ],
  [
    'no quantity given is 1: 12.50',
    request({}, { parts: partsOf({ UnitPrice: 12.5 }), lines: lines({ quantity: null }) }),
    answer({ base: 0, subtotal: 12.5, lines: [line(0, 12.5)] }),
  ],
  [
    'quantity 0 costs nothing: 0 × 12.50',
    request({}, { parts: partsOf({ UnitPrice: 12.5 }), lines: lines({ quantity: 0 }) }),
    answer({ base: 0, lines: [line(0, 0, { quantity: 0, unitPrice: 12.5 })] }),
  ],
  [
    'each line is rounded by itself: 2 × (0.335 × 3 = 1.005 → 1.01) = 2.02',
    request(
      {},
      {
        parts: partsOf({ UnitPrice: 0.335 }),
        lines: [
          { partId: 1, quantity: 3 },
          { partId: 1, quantity: 3 },
        ],
      },
    ),
    answer({
      base: 0,
      subtotal: 2.02,
      lines: [0, 1].map((index) => line(index, 1.01, { partId: 1, quantity: 3, unitPrice: 0.335 })),
    }),
  ],
  [
    'a quantity price replaces the UnitPrice: 12 of [10, …) at 4 = 48.00',
    request({}, { parts: partsOf({ UnitPrice: 6, QtyPricing: tiers }), lines: lines({ quantity: 12 }) }),
    answer({ base: 0, subtotal: 48, lines: [line(0, 48, { quantity: 12, unitPrice: 4 })] }),
  ],
  [
    'flat: 30.00 for 12, which is 2.50 each',
    request({}, { parts: partsOf({ QtyPricing: [tier(10, null, 30, flat)] }), lines: lines({ quantity: 12 }) }),
    answer({ base: 0, subtotal: 30, lines: [line(0, 30, { quantity: 12, unitPrice: 2.5 })] }),
  ],
  [
    'overage: 10 × 5 + 2 × 4 = 58.00, which is 4.8333 each',
    request(
      {},
      { parts: partsOf({ QtyPricing: [tier(0, 10, 5), tier(10, null, 4, overage)] }), lines: lines({ quantity: 12 }) },
    ),
    answer({ base: 0, subtotal: 58, lines: [line(0, 58, { quantity: 12, unitPrice: 4.8333 })] }),
  ],
  [
    'Formula over base (of the service), unit and quantity: (100 ÷ 50 + 6 − 12 ÷ 10) × 12 = 6.80 × 12 = 81.60',
    request(
      { BasePrice: 100 },
      {
        parts: partsOf({
          UnitPrice: 6,
          QtyPricing: [tier(0, null, 1, { Formula: 'base / 50 + unit - quantity / 10' })],
        }),
        lines: lines({ quantity: 12 }),
      },
    ),
    answer({ base: 100, subtotal: 181.6, lines: [line(0, 81.6, { quantity: 12, unitPrice: 6.8 })] }),
  ],
  [
    'a price chosen within the range: 7.25 × 2 = 14.50',
    request(
      {},
      {
        parts: partsOf({ UnitPrice: 5, UnitPriceMax: 10, RangePricing: true }),
        lines: lines({ quantity: 2, unitPrice: 7.25 }),
      },
    ),
    answer({ base: 0, subtotal: 14.5, lines: [line(0, 14.5, { quantity: 2, unitPrice: 7.25 })] }),
  ],
  [
    'the ends are within: 5.00 + 10.00 = 15.00',
    request(
      {},
      {
        parts: partsOf({ UnitPrice: 5, UnitPriceMax: 10, RangePricing: true }),
        lines: [
          { partId: 1, unitPrice: 5 },
          { partId: 1, unitPrice: 10 },
        ],
      },
    ),
    answer({ base: 0, subtotal: 15, lines: [line(0, 5), line(1, 10, { partId: 1 })] }),
  ],
  [
    'nothing chosen is the lower end, and so is 0: 5.00 + 5.00 = 10.00',
    request(
      {},
      {
        parts: partsOf({ UnitPrice: 5, UnitPriceMax: 10, RangePricing: true }),
        lines: [{ partId: 1 }, { partId: 1, unitPrice: 0 }],
      },
    ),
    answer({ base: 0, subtotal: 10, lines: [line(0, 5), line(1, 5, { partId: 1 })] }),
  ],
  [
    'a price that was answered may be sent back: 12 at 4.00, not 6.00',
    request({}, { parts: partsOf({ UnitPrice: 6, QtyPricing: tiers }), lines: lines({ quantity: 12, unitPrice: 4 }) }),
    answer({ base: 0, subtotal: 48, lines: [line(0, 48, { quantity: 12, unitPrice: 4 })] }),
  ],
  [
    'a line of no part says its price: 19.99 × 3 = 59.97, taxed 10 %: 5.997 → 6.00',
    request({}, { lines: [{ quantity: 3, unitPrice: 19.99, taxable: true }], taxRate: 10 }),
    answer({
      base: 0,
      subtotal: 59.97,
      taxableSubtotal: 59.97,
      tax: 6,
      total: 65.97,
      lines: [line(0, 59.97, { partId: null, quantity: 3, unitPrice: 19.99, taxable: true, tax: 6 })],
    }),
  ],
  [
    'IsZeroPrice: 3 × 0',
    request({}, { parts: partsOf({ UnitPrice: 12 }), lines: lines({ quantity: 3, isZeroPrice: true }) }),
    answer({ base: 0, lines: [line(0, 0, { quantity: 3 })] }),
  ],
  [
    'QuantityFormula over the service’s quantity: ceil(50 ÷ 8) + 1 = 8 × 3.00 = 24.00',
    request(
      {},
      {
        quantity: 50,
        parts: partsOf({ UnitPrice: 3, QuantityFormula: 'ceil(quantity / 8) + 1' }),
        lines: lines({ quantity: 99 }),
      },
    ),
    answer({ quantity: 50, base: 0, subtotal: 24, lines: [line(0, 24, { quantity: 8, unitPrice: 3 })] }),
  ],
  [
    'SyncQtyWithServiceQty: 50 × 0.10 = 5.00',
    request(
      {},
      { quantity: 50, parts: partsOf({ UnitPrice: 0.1, SyncQtyWithServiceQty: true }), lines: lines({ quantity: 1 }) },
    ),
    answer({ quantity: 50, base: 0, subtotal: 5, lines: [line(0, 5, { quantity: 50, unitPrice: 0.1 })] }),
  ],
  [
    'a quantity override goes before all: 4 × 3.00 = 12.00',
    request(
      {},
      {
        quantity: 50,
        parts: partsOf({ UnitPrice: 3, QuantityFormula: 'quantity', QuantityOverrideCustomFieldId: 7 }),
        lines: lines({}),
        customFields: sqft(4),
      },
    ),
    answer({ quantity: 50, base: 0, subtotal: 12, lines: [line(0, 12, { quantity: 4, unitPrice: 3 })] }),
  ],
  [
    'a line’s own custom field goes before the request’s: 6 × 3.00 + 4 × 3.00 = 30.00',
    request(
      {},
      {
        parts: partsOf({ UnitPrice: 3, QuantityOverrideCustomFieldId: 7 }),
        lines: [{ partId: 1, customFields: sqft(6) }, { partId: 1 }],
        customFields: sqft(4),
      },
    ),
    answer({
      base: 0,
      subtotal: 30,
      lines: [line(0, 18, { quantity: 6, unitPrice: 3 }), line(1, 12, { partId: 1, quantity: 4, unitPrice: 3 })],
    }),
  ],
  [
    'the service’s quantity is that of a part category: 3 + 2 windows × 10.00 = 50.00',
    request(
      { UnitPrice: 10, QuantityOverridePartCategoryId: 9 },
      {
        quantity: 77,
        parts: partsOf(category(9), category(9), category(8)),
        lines: lines({ quantity: 3 }, { quantity: 2 }, { quantity: 4 }),
      },
    ),
    answer({
      quantity: 5,
      base: 50,
      rates: { base: 0, unit: 10 },
      lines: [line(0, 0, { quantity: 3 }), line(1, 0, { quantity: 2 }), line(2, 0, { quantity: 4 })],
    }),
  ],
  [
    '… and the one given where no line is of it: 7 × 10.00 = 70.00',
    request(
      { UnitPrice: 10, QuantityOverridePartCategoryId: 9 },
      { quantity: 7, parts: partsOf(category(8)), lines: lines({}) },
    ),
    answer({ quantity: 7, base: 70, rates: { base: 0, unit: 10 }, lines: [line(0, 0)] }),
  ],
  [
    'a percentage of the other lines, not of the service: 5 % of (200 + 60) = 13.00',
    request(
      { BasePrice: 500 },
      { parts: partsOf({ UnitPrice: 200 }, { UnitPrice: 60 }, {}), lines: lines({}, {}, { ratePercent: 5 }) },
    ),
    answer({ base: 500, subtotal: 773, lines: [line(0, 200), line(1, 60), line(2, 13, { ratePercent: 5 })] }),
  ],
  [
    '… after their own discounts, and not of other percentages: 10 % of (200 − 50) = 15.00, twice',
    request(
      {},
      {
        parts: partsOf({ UnitPrice: 200 }),
        lines: [{ ratePercent: 10 }, { partId: 1, discount: 50 }, { ratePercent: 10, quantity: 4 }],
      },
    ),
    answer({
      base: 0,
      subtotal: 230,
      discount: 50,
      net: 180,
      lines: [
        line(0, 15, { partId: null, ratePercent: 10 }),
        line(1, 200, { partId: 1, discount: 50, net: 150 }),
        line(2, 15, { partId: null, ratePercent: 10 }),
      ],
    }),
  ],
  [
    'a percentage below zero takes off: −7.5 % of 333.33 = −24.99975 → −25.00',
    request({}, { lines: [{ unitPrice: 333.33 }, { ratePercent: -7.5 }] }),
    answer({
      base: 0,
      subtotal: 308.33,
      lines: [line(0, 333.33, { partId: null }), line(1, -25, { partId: null, ratePercent: -7.5 })],
    }),
  ],
  [
    'an internal line takes time and costs, but does not add: cost 2 × 30.00 = 60.00, 2 × 15 = 30 min',
    request(
      { BasePrice: 100 },
      {
        parts: partsOf({ UnitPrice: 45, UnitCost: 30, UnitDuration: 15, IsInternal: true, Taxable: true }),
        lines: lines({ quantity: 2 }),
        taxRate: 10,
      },
    ),
    answer({
      base: 100,
      cost: 60,
      durationMinutes: 30,
      lines: [
        line(0, 90, {
          quantity: 2,
          unitPrice: 45,
          unitCost: 30,
          taxable: true,
          duration: 30,
          internal: true,
          counts: false,
        }),
      ],
    }),
  ],
  [
    'a line may be internal, or not, by itself: only 45.00',
    request(
      {},
      {
        parts: partsOf({ UnitPrice: 45, IsInternal: true }, { UnitPrice: 10 }),
        lines: lines({ isInternal: false }, { isInternal: true }),
      },
    ),
    answer({ base: 0, subtotal: 45, lines: [line(0, 45), line(1, 10, { internal: true, counts: false })] }),
  ],
  [
    'percentages leave internal lines out: 10 % of 50 = 5.00',
    request({}, { lines: [{ unitPrice: 50 }, { unitPrice: 30, isInternal: true }, { ratePercent: 10 }] }),
    answer({
      base: 0,
      subtotal: 55,
      lines: [
        line(0, 50, { partId: null }),
        line(1, 30, { partId: null, internal: true, counts: false }),
        line(2, 5, { partId: null, ratePercent: 10 }),
      ],
    }),
  ],
  [
    'minutes for every 7 units, those begun count: 30 × 2 ÷ 7 = 8.57 → 9',
    request({}, { parts: partsOf({ UnitDuration: 30, DurationForQtyUnits: 7 }), lines: lines({ quantity: 2 }) }),
    answer({ base: 0, durationMinutes: 9, lines: [line(0, 0, { quantity: 2, duration: 9 })] }),
  ],
  [
    '… and a third of a minute, three times, is one: 1 × 3 ÷ 3',
    request({}, { parts: partsOf({ UnitDuration: 1, DurationForQtyUnits: 3 }), lines: lines({ quantity: 3 }) }),
    answer({ base: 0, durationMinutes: 1, lines: [line(0, 0, { quantity: 3, duration: 1 })] }),
  ],
  [
    'minutes of a quantity price: 12 × 4 = 48, besides the service’s 60',
    request(
      { BaseDuration: 60 },
      {
        parts: partsOf({ UnitDuration: 5, QtyPricing: [tier(0, 10, 0), tier(10, null, 0, { Duration: 4 })] }),
        lines: lines({ quantity: 12 }),
      },
    ),
    answer({
      base: 0,
      service: { duration: 60 },
      durationMinutes: 108,
      lines: [line(0, 0, { quantity: 12, duration: 48 })],
    }),
  ],
  [
    'a line’s UnitCost goes before the part’s: 3 × 7.00 = 21.00',
    request({}, { parts: partsOf({ UnitCost: 5 }), lines: lines({ quantity: 3, unitCost: 7 }) }),
    answer({ base: 0, cost: 21, lines: [line(0, 0, { quantity: 3, unitCost: 7 })] }),
  ],
  [
    'MinimumCharge counts lines not excluded from it: 100 − (40 + 30) = 30.00 more',
    request(
      { BasePrice: 40, MinimumCharge: 100 },
      { parts: partsOf({ UnitPrice: 30 }, { UnitPrice: 500, IsExcludedFromMinimum: true }), lines: lines({}, {}) },
    ),
    answer({ base: 40, minimum: 30, subtotal: 600, service: { net: 70 }, lines: [line(0, 30), line(1, 500)] }),
  ],
];

test.each(cases)('%s', (_name, input, expected) => {
  expect(price(input)).toEqual(expected);
});
