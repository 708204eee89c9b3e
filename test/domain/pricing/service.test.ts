import { expect, test } from 'vitest';
import { price } from '../../../lib/domain/pricing/price.ts';
import type { PriceRequest, PriceBreakdown } from '../../../lib/domain/pricing/types.ts';
import { answer, band, request } from '../../support/pricing.ts';

const flat = { IsExcludeQuantity: true };
const overage = { IsOverageMode: true };
const plain = { BasePrice: 50, UnitPrice: 2.5 };
const bands = [band(0, 10, 5), band(10, 20, 4), band(20, null, 3)];
const overages = [band(0, 10, 5), band(10, 20, 4, overage), band(20, null, 3, overage)];
const sqft = (Value: number | null) => ({ customFields: [{ Id: 7, Shortcode: 'sqft', Value }] });

const cases: [name: string, request: PriceRequest, expected: PriceBreakdown][] = [
  ['nothing at all: 0', request({}), answer({ base: 0 })],
  ['BasePrice alone: 50.00', request({ BasePrice: 50 }), answer({ base: 50 })],
  [
    'BasePrice + UnitPrice × quantity: 50 + 2.50 × 8 = 70.00',
    request(plain, { quantity: 8 }),
    answer({ quantity: 8, base: 70, rates: { base: 50, unit: 2.5 } }),
  ],
  [
    'no quantity given is 1: 50 + 2.50 = 52.50',
    request(plain, { quantity: null }),
    answer({ base: 52.5, rates: { base: 50, unit: 2.5 } }),
  ],
  [
    'quantity 0 costs the BasePrice: 50 + 2.50 × 0 = 50.00',
    request(plain, { quantity: 0 }),
    answer({ quantity: 0, base: 50, rates: { base: 50, unit: 2.5 } }),
  ],
  [
    'rounded once, half up: 0.335 × 3 = 1.005 → 1.01',
    request({ UnitPrice: 0.335 }, { quantity: 3 }),
    answer({ quantity: 3, base: 1.01, rates: { base: 0, unit: 0.335 } }),
  ],
  [
    'never by way of 4 decimals: 0.0201 × 49.9975 = 1.00494975 → 1.00',
    request({ UnitPrice: 0.0201 }, { quantity: 49.9975 }),
    answer({ quantity: 49.9975, base: 1, rates: { base: 0, unit: 0.0201 } }),
  ],
  [
    'a formula is exact before it is rounded: 1.15 / 3 × 26.7 = 10.235 → 10.24',
    request({ PricingBands: [band(0, null, 0, { ...flat, Formula: '1.15 / 3 * quantity' })] }, { quantity: 26.7 }),
    answer({ quantity: 26.7, base: 10.24, rates: { base: 10.24, unit: 0 } }),
  ],
  [
    'also as the price of a unit: (1.15 / 3) × 26.7',
    request({ PricingBands: [band(0, null, 0, { Formula: '1.15 / 3' })] }, { quantity: 26.7 }),
    answer({ quantity: 26.7, base: 10.24, rates: { base: 10.24, unit: 0 } }),
  ],
  [
    'a unit price of a field is not rounded: 300 × 0.333333 = 99.9999 → 100.00',
    request({ UnitPriceOverrideCustomFieldId: 7 }, { quantity: 300, ...sqft(0.333333) }),
    answer({ quantity: 300, base: 100, rates: { base: 100, unit: 0 } }),
  ],
  [
    'a price below zero rounds away from zero: −0.335 × 3 = −1.005 → −1.01',
    request({ UnitPrice: -0.335 }, { quantity: 3 }),
    answer({ quantity: 3, base: -1.01, rates: { base: 0, unit: -0.335 } }),
  ],
  [
    'a band replaces the price: 9.9999 of [0, 10) at 5 = 49.9995 → 50.00',
    request({ ...plain, PricingBands: bands }, { quantity: 9.9999 }),
    answer({ quantity: 9.9999, base: 50, rates: { base: 0, unit: 5 } }),
  ],
  [
    'AtLeast is within: 10 of [10, 20) at 4 = 40.00',
    request({ ...plain, PricingBands: bands }, { quantity: 10 }),
    answer({ quantity: 10, base: 40, rates: { base: 0, unit: 4 } }),
  ],
  [
    'LessThan is not: 20 of [20, …) at 3 = 60.00',
    request({ ...plain, PricingBands: bands }, { quantity: 20 }),
    answer({ quantity: 20, base: 60, rates: { base: 0, unit: 3 } }),
  ],
  [
    'no LessThan is no end: 1,000,000 at 3 = 3,000,000.00',
    request({ PricingBands: bands }, { quantity: 1e6 }),
    answer({ quantity: 1e6, base: 3e6, rates: { base: 0, unit: 3 } }),
  ],
  [
    'between bands the plain price: 15, bands [0, 10) and [20, …): 50 + 2.50 × 15 = 87.50',
    request({ ...plain, PricingBands: [band(0, 10, 5), band(20, null, 3)] }, { quantity: 15 }),
    answer({ quantity: 15, base: 87.5, rates: { base: 50, unit: 2.5 } }),
  ],
  [
    'IsExcludeQuantity is flat: 12 of [10, 20) at 99 flat = 99.00',
    request({ ...plain, PricingBands: [band(10, 20, 99, flat)] }, { quantity: 12 }),
    answer({ quantity: 12, base: 99 }),
  ],
  [
    'overage on the band below: 12 = 10 × 5 + 2 × 4 = 58.00',
    request({ ...plain, PricingBands: overages }, { quantity: 12 }),
    answer({ quantity: 12, base: 58 }),
  ],
  [
    'overage on overage: 25 = 10 × 5 + 10 × 4 + 5 × 3 = 105.00',
    request({ ...plain, PricingBands: overages }, { quantity: 25 }),
    answer({ quantity: 25, base: 105 }),
  ],
  [
    'overage at its very beginning adds nothing: 10 = 10 × 5 + 0 × 4 = 50.00',
    request({ PricingBands: overages }, { quantity: 10 }),
    answer({ quantity: 10, base: 50 }),
  ],
  [
    'overage on a flat band: 99 + (12 − 10) × 4 = 107.00',
    request({ PricingBands: [band(0, 10, 99, flat), band(10, null, 4, overage)] }, { quantity: 12 }),
    answer({ quantity: 12, base: 107 }),
  ],
  [
    'overage with no band below is on the plain price: 50 + 2.50 × 10 + 2 × 4 = 83.00',
    request({ ...plain, PricingBands: [band(10, null, 4, overage)] }, { quantity: 12 }),
    answer({ quantity: 12, base: 83 }),
  ],
  [
    'overage from 0 is on the BasePrice: 50 + 12 × 4 = 98.00',
    request({ ...plain, PricingBands: [band(0, null, 4, overage)] }, { quantity: 12 }),
    answer({ quantity: 12, base: 98 }),
  ],
  [
    'overage above a gap is on the plain price, not on the band before: 50 + 2.50 × 20 + 5 × 3 = 115.00',
    request({ ...plain, PricingBands: [band(0, 10, 5), band(20, null, 3, overage)] }, { quantity: 25 }),
    answer({ quantity: 25, base: 115 }),
  ],
  [
    'overage and flat: 10 × 5 + 30 = 80.00',
    request({ PricingBands: [band(0, 10, 5), band(10, null, 30, { ...overage, ...flat })] }, { quantity: 12 }),
    answer({ quantity: 12, base: 80 }),
  ],
  [
    'Formula stands in place of Price, a unit: (6 − 12 ÷ 10) × 12 = 4.80 × 12 = 57.60',
    request({ PricingBands: [band(0, null, 1, { Formula: '6 - quantity / 10' })] }, { quantity: 12 }),
    answer({ quantity: 12, base: 57.6 }),
  ],
  [
    'Formula of a flat band is the whole price: 50 + 2.50 × 12 × 0.9 = 77.00',
    request(
      { ...plain, PricingBands: [band(0, null, 1, { ...flat, Formula: 'base + unit * quantity * 0.9' })] },
      { quantity: 12 },
    ),
    answer({ quantity: 12, base: 77 }),
  ],
  [
    'Formula of an overage band is for the units above: 10 × 5 + 2 × (12 ÷ 4) = 56.00',
    request(
      { PricingBands: [band(0, 10, 5), band(10, null, 1, { ...overage, Formula: 'quantity / 4' })] },
      { quantity: 12 },
    ),
    answer({ quantity: 12, base: 56 }),
  ],
  [
    'Formula of the band below is worked out at AtLeast: 10 × (10 ÷ 5) + 2 × 4 = 28.00',
    request(
      { PricingBands: [band(0, 10, 1, { Formula: 'quantity / 5' }), band(10, null, 4, overage)] },
      { quantity: 12 },
    ),
    answer({ quantity: 12, base: 28 }),
  ],
  [
    'Formula reads a custom field: if(1800 > 1500, 120, 90) = 120.00',
    request({ PricingBands: [band(0, null, 0, { ...flat, Formula: 'if(sqft > 1500, 120, 90)' })] }, sqft(1800)),
    answer({ base: 120 }),
  ],
  [
    'a third is not rounded on the way: (100 ÷ 3) × 3 = 100.00',
    request({ PricingBands: [band(0, null, 0, { Formula: '100 / 3' })] }, { quantity: 3 }),
    answer({ quantity: 3, base: 100 }),
  ],
  [
    'QuantityFormula: ceil(1050 ÷ 100) = 11; 50 + 2.50 × 11 = 77.50',
    request({ ...plain, QuantityFormula: 'ceil(quantity / 100)' }, { quantity: 1050 }),
    answer({ quantity: 11, base: 77.5, rates: { base: 50, unit: 2.5 } }),
  ],
  [
    'QuantityFormula over a custom field, before the bands: 1800 ÷ 100 = 18 of [10, 20) at 4 = 72.00',
    request({ PricingBands: bands, QuantityFormula: 'sqft / 100' }, { quantity: 1, ...sqft(1800) }),
    answer({ quantity: 18, base: 72, rates: { base: 0, unit: 4 } }),
  ],
  [
    'QuantityFormula has 4 decimals: 1 ÷ 3 = 0.3333; 0.3333 × 300 = 99.99',
    request({ UnitPrice: 300, QuantityFormula: '1 / 3' }),
    answer({ quantity: 0.3333, base: 99.99, rates: { base: 0, unit: 300 } }),
  ],
  [
    'the quantity override goes before the quantity given: 12 of [10, 20) at 4 = 48.00',
    request({ PricingBands: bands, QuantityOverrideCustomFieldId: 7 }, { quantity: 3, ...sqft(12) }),
    answer({ quantity: 12, base: 48, rates: { base: 0, unit: 4 } }),
  ],
  [
    '… and before the QuantityFormula: 12, not 3 × 2; 12 × 4 = 48.00',
    request(
      { PricingBands: bands, QuantityOverrideCustomFieldId: 7, QuantityFormula: 'quantity * 2' },
      { quantity: 3, ...sqft(12) },
    ),
    answer({ quantity: 12, base: 48, rates: { base: 0, unit: 4 } }),
  ],
  [
    'an override with nothing said changes nothing: 3 of [0, 10) at 5 = 15.00',
    request({ PricingBands: bands, QuantityOverrideCustomFieldId: 7 }, { quantity: 3, ...sqft(null) }),
    answer({ quantity: 3, base: 15, rates: { base: 0, unit: 5 } }),
  ],
  [
    'BasePrice override: 80 + 2.50 × 2 = 85.00',
    request({ ...plain, BasePriceOverrideCustomFieldId: 7 }, { quantity: 2, ...sqft(80) }),
    answer({ quantity: 2, base: 85, rates: { base: 80, unit: 2.5 } }),
  ],
  [
    'UnitPrice override, also as unit in formulas: 3 × 2 = 6.00',
    request(
      { ...plain, UnitPriceOverrideCustomFieldId: 7, PricingBands: [band(0, null, 0, { Formula: 'unit' })] },
      { quantity: 2, ...sqft(3) },
    ),
    answer({ quantity: 2, base: 6 }),
  ],
  [
    'UnitCost × quantity: 1.255 × 3 = 3.765 → 3.77',
    request({ UnitCost: 1.255 }, { quantity: 3 }),
    answer({ quantity: 3, base: 0, cost: 3.77 }),
  ],
  [
    'minutes: 60 + 15 × 4 = 120',
    request({ BaseDuration: 60, UnitDuration: 15 }, { quantity: 4 }),
    answer({ quantity: 4, base: 0, service: { duration: 120 }, durationMinutes: 120 }),
  ],
  [
    'minutes begun count: 60 + 15 × 1.5 = 82.5 → 83',
    request({ BaseDuration: 60, UnitDuration: 15 }, { quantity: 1.5 }),
    answer({ quantity: 1.5, base: 0, service: { duration: 83 }, durationMinutes: 83 }),
  ],
  [
    'a band with Duration replaces the minutes: 12 × 9 = 108',
    request({ BaseDuration: 60, UnitDuration: 15, PricingBands: [band(10, 20, 0, { Duration: 9 })] }, { quantity: 12 }),
    answer({ quantity: 12, base: 0, service: { duration: 108 }, durationMinutes: 108 }),
  ],
  [
    '… flat: 90',
    request({ BaseDuration: 60, PricingBands: [band(10, 20, 7, { ...flat, Duration: 90 })] }, { quantity: 12 }),
    answer({ quantity: 12, base: 7, service: { duration: 90 }, durationMinutes: 90 }),
  ],
  [
    '… for the units above: 10 × 9 + 2 × 6 = 102',
    request(
      { PricingBands: [band(0, 10, 0, { Duration: 9 }), band(10, null, 0, { ...overage, Duration: 6 })] },
      { quantity: 12 },
    ),
    answer({ quantity: 12, base: 0, service: { duration: 102 }, durationMinutes: 102 }),
  ],
  [
    'a band without Duration leaves the minutes: 60 + 15 × 12 = 240',
    request({ BaseDuration: 60, UnitDuration: 15, PricingBands: bands }, { quantity: 12 }),
    answer({ quantity: 12, base: 48, rates: { base: 0, unit: 4 }, service: { duration: 240 }, durationMinutes: 240 }),
  ],
  [
    'the duration override is all of it, bands or not: 75',
    request(
      { BaseDuration: 60, PricingBands: [band(0, null, 0, { Duration: 9 })], DurationOverrideCustomFieldId: 7 },
      sqft(75),
    ),
    answer({ base: 0, service: { duration: 75 }, durationMinutes: 75 }),
  ],
  [
    'MinimumCharge: 70 → 100.00, 30.00 more',
    request({ ...plain, MinimumCharge: 100 }, { quantity: 8 }),
    answer({ quantity: 8, base: 70, rates: { base: 50, unit: 2.5 }, minimum: 30, subtotal: 100 }),
  ],
  [
    'MinimumCharge reached adds nothing: 50 + 2.50 × 20 = 100.00',
    request({ ...plain, MinimumCharge: 100 }, { quantity: 20 }),
    answer({ quantity: 20, base: 100, rates: { base: 50, unit: 2.5 } }),
  ],
  [
    'what MinimumCharge adds is taxed with the service: 8.875 % of 100.00 = 8.875 → 8.88',
    request({ BasePrice: 70, Taxable: true, MinimumCharge: 100 }, { taxRate: 8.875 }),
    answer({
      base: 70,
      minimum: 30,
      subtotal: 100,
      taxableSubtotal: 100,
      tax: 8.88,
      total: 108.88,
      service: { tax: 8.88 },
    }),
  ],
  [
    'a discount does not go below MinimumCharge: 120 − 30 = 90 → 100.00, 10.00 more',
    request({ BasePrice: 120, MinimumCharge: 100 }, { discount: 30 }),
    answer({ base: 120, minimum: 10, subtotal: 130, discount: 30, net: 100, service: { discount: 30 } }),
  ],
  [
    'tax of the service: 7 % of 50.00 = 3.50',
    request({ BasePrice: 50, Taxable: true }, { taxRate: 7 }),
    answer({ base: 50, taxableSubtotal: 50, tax: 3.5, total: 53.5, service: { tax: 3.5 } }),
  ],
  [
    'the request may say that the service is not taxed: 50.00',
    request({ BasePrice: 50, Taxable: true }, { taxRate: 7, taxable: false }),
    answer({ base: 50 }),
  ],
  [
    '… or that it is: 7 % of 50.00 = 3.50',
    request({ BasePrice: 50 }, { taxRate: 7, taxable: true }),
    answer({ base: 50, taxableSubtotal: 50, tax: 3.5, total: 53.5, service: { tax: 3.5 } }),
  ],
];

test.each(cases)('%s', (_name, input, expected) => {
  expect(price(input)).toEqual(expected);
});
