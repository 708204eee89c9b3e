import type { ServiceRecord } from '../../../lib/entities/services.ts';
import { describe, expect, test } from 'vitest';
import type { PriceRequest, PriceBreakdown } from '../../../lib/domain/pricing/types.ts';
import { priceWithProration, findProration, describeProration } from '../../../lib/domain/subscriptions/proration.ts';
import { divideAmount } from '../../../lib/domain/subscriptions/recurrence.ts';
import { scheduleVisits } from '../../../lib/domain/subscriptions/visits.ts';
import { band, lines, partsOf } from '../../support/pricing.ts';
import { SUMMER, TAX, pricedProposal, subscription } from '../../support/subscriptions.ts';

describe('a part of a whole', () => {
  test.each([
    ['10000 by 1, 1, 1: 3333.3 each, the one left to the first', 10_000, [1, 1, 1], [3334, 3333, 3333]],
    ['two left go to the first two', 11, [1, 1, 1], [4, 4, 3]],
    ['by 2, 1: 66.7 and 33.3', 100, [2, 1], [67, 33]],
    ['by 1, 2: 33.3 and 66.7: who loses most has the one left', 100, [1, 2], [33, 67]],
    ['less than there are parts', 2, [1, 1, 1], [1, 1, 0]],
    ['below 0 as above it', -10_000, [1, 1, 1], [-3334, -3333, -3333]],
    ['by weights below 0 as by those above', 100, [-2, -1], [67, 33]],
    ['by nothing: alike', 10, [0, 0, 0], [4, 3, 3]],
    ['of nothing', 0, [5, 7], [0, 0]],
    ['over nobody', 10, [], []],
    [
      'of more than 53 bits hold, multiplied',
      1e12,
      [1e12, 1e12, 1e12],
      [333_333_333_334, 333_333_333_333, 333_333_333_333],
    ],
  ])('%s', (_, whole, weights, expected) => {
    expect(divideAmount(whole, weights)).toEqual(expected);
  });
});

const PRORATED = { ...SUMMER, SubscriptionProRate: true };

describe('the rest of a season', () => {
  const left = (overrides: Partial<ServiceRecord>, date: string) =>
    findProration(subscription({ SubscriptionProRate: true, ...overrides }), 1, { date });
  test.each<[string, Partial<ServiceRecord>, string, ReturnType<typeof left>]>([
    ['before it: no proration', SUMMER, '2026-03-01', undefined],
    ['on its first day: no proration', SUMMER, '2026-04-01', undefined],
    ['on its second day', SUMMER, '2026-04-02', { daysLeft: 213, days: 214, initialCents: 0 }],
    // July 17 to 31 are 15, August 31, September 30, October 31.
    ['in its middle', SUMMER, '2026-07-17', { daysLeft: 107, days: 214, initialCents: 0 }],
    ['on its last day', SUMMER, '2026-10-31', { daysLeft: 1, days: 214, initialCents: 0 }],
    ['after it: no proration of the next', SUMMER, '2026-11-01', undefined],
    [
      'of another year',
      { SeasonStart: '2024-04-01T04:00:00Z', SeasonExpiration: '2024-11-01T03:59:59Z' },
      '2026-10-30',
      { daysLeft: 2, days: 214, initialCents: 0 },
    ],
    ['without an end', { SeasonStart: SUMMER.SeasonStart }, '2026-07-17', undefined],
    ['without a beginning', { SeasonExpiration: SUMMER.SeasonExpiration }, '2026-07-17', undefined],
    ['not prorated', { ...SUMMER, SubscriptionProRate: false }, '2026-07-17', undefined],
    ['no subscription', { ...SUMMER, IsSubscription: false }, '2026-07-17', undefined],
    // Three visits are left, of which two have a price of their own: 2 × 90.00.
    [
      'without the initial visits',
      {
        ...SUMMER,
        PricingBands: [band(0, null, 600, { InitialNRecurringPrice: 90 })],
        CustomProperties: { InitialVisits: 2 },
      },
      '2026-07-17',
      { daysLeft: 107, days: 214, initialCents: 18_000 },
    ],
  ])('%s', (_, overrides, date, expected) => {
    expect(left(overrides, date)).toEqual(expected);
  });
  test.each([
    ['2026-07-17', 'Prorated: 107 of 214 days of the season are left.'],
    ['2026-10-31', 'Prorated: 1 of 214 days of the season is left.'],
    ['2026-04-01', ''],
  ])('is described, sold on %s: %j', (date, sentence) => {
    expect(describeProration(subscription(PRORATED), 1, { date })).toBe(sentence);
  });
});

describe('proration', () => {
  const soldProposal = (
    overrides: Partial<ServiceRecord>,
    rest: Omit<Partial<PriceRequest>, 'service'> = {},
  ): PriceBreakdown => {
    const request = { parts: new Map(), taxRate: 8.875, ...rest, service: subscription({ ...PRORATED, ...overrides }) };
    const of = priceWithProration(request, { date: '2026-07-17' });
    if (Array.isArray(of)) throw new Error(JSON.stringify(of));
    return of;
  };

  test('applies to the service and each line after its discount, each rounded and taxed separately', () => {
    const parts = partsOf({ UnitPrice: 33.33, Taxable: true }, { UnitPrice: 10 }, { UnitPrice: -5.01 });
    const of = soldProposal({ Taxable: true, BasePrice: 99.99 }, { parts, lines: lines({ discount: 3.32 }, {}, {}) });
    // Service 49.995 → 50.00, tax 4.4375 → 4.44.
    // Lines (33.33 − 3.32) / 2 = 15.005 → 15.01, tax 1.332 → 1.33; 5.00; −2.505 → −2.51.
    expect([of.service.net, of.service.tax]).toEqual([50, 4.44]);
    expect(of.lines.map(({ extended, discount, net, tax }) => [extended, discount, net, tax])).toEqual([
      [33.33, 18.32, 15.01, 1.33],
      [10, 5, 5, 0],
      [-5.01, -2.5, -2.51, 0],
    ]);
    expect([of.subtotal, of.discount, of.net]).toEqual([138.31, 70.81, 67.5]);
    expect([of.tax, of.total, of.taxableSubtotal]).toEqual([5.77, 73.27, 65.01]);
  });

  test('applies to MinimumCharge, not to the duration', () => {
    // 80.00 and the difference to 100.00, half of it.
    const of = soldProposal({ BasePrice: 80, MinimumCharge: 100 });
    expect([of.net, of.durationMinutes, of.rates.base + of.minimum]).toEqual([50, 45, 50]);
  });

  test('does not apply to the initial price: 90.00 + 510.00 / 2', () => {
    const first = (price: number) =>
      soldProposal({ PricingBands: [band(0, null, price, { InitialNRecurringPrice: 90 })] });
    expect(first(600).net).toBe(345);
    expect(first(60).net, 'as far as there is so much').toBe(60);
  });

  test('gives each option the total that it has when selected', () => {
    const parts = partsOf({ UnitPrice: 0.01 }, { UnitPrice: 0.03 });
    const request = { parts, lines: lines({ optionId: 1 }, { optionId: 2 }) };
    const totals = soldProposal({ BasePrice: 0.01 }, request).options.map(({ optionId, total }) => [optionId, total]);
    const selected = [1, 2].map((id) => [
      id,
      soldProposal({ BasePrice: 0.01 }, { ...request, selectedOptionIds: [id] }).total,
    ]);
    // 0.005 → 0.01 and 0.01; 0.01 and 0.015 → 0.02.
    expect(totals).toEqual([
      [1, 0.02],
      [2, 0.03],
    ]);
    expect(totals).toEqual(selected);
  });

  test('is in the totals of the proposal and of its visits', () => {
    const of = subscription({ ...PRORATED, Taxable: true });
    const proposal = pricedProposal({ of, Date: '2026-07-17', NamedTaxRate: TAX });
    expect(proposal).toMatchObject({ BasePrice: 300, UnitPrice: 0, Quantity: 1, Subtotal: 300, Tax: 26.63 });
    // 26.625 → 26.63; 8.876… each: 8.88, 8.88, 8.87.
    expect(scheduleVisits(proposal).map(({ date, subtotal, tax }) => [date, subtotal, tax])).toEqual([
      ['2026-07-17', 100, 8.88],
      ['2026-08-21', 100, 8.88],
      ['2026-09-26', 100, 8.87],
    ]);
  });

  test('is not applied twice when the proposal is priced again', () => {
    const once = pricedProposal({ of: subscription(PRORATED), Date: '2026-07-17' });
    const again = pricedProposal({
      of: subscription(PRORATED),
      Date: '2026-07-17',
      Book: once.Book,
      lines: once.Lines,
    });
    expect(again.Subtotal).toBe(once.Subtotal);
  });
});
