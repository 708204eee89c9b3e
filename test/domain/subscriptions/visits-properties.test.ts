import type { ProposalRecord } from '../../../lib/entities/proposals.ts';
import type { PartRecord } from '../../../lib/entities/parts.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents } from '../../../lib/shared/money.ts';
import { findRecurrence } from '../../../lib/domain/subscriptions/recurrence.ts';
import { visitAppointment } from '../../../lib/domain/subscriptions/visit-appointment.ts';
import { scheduleVisits } from '../../../lib/domain/subscriptions/visits.ts';
import { dateText, dayNumber } from '../../../lib/shared/time/calendar-dates.ts';
import { band, partsOf } from '../../support/pricing.ts';
import { pricedProposal, subscription } from '../../support/subscriptions.ts';

const RUNS = Number(process.env['VISIT_PLANS'] ?? 80);

const hundredths = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((amount) => amount / 100);
const date = fc.integer({ min: dayNumber('2026-01-01'), max: dayNumber('2028-12-31') }).map(dateText);
const season = fc
  .tuple(fc.integer({ min: dayNumber('2024-01-01'), max: dayNumber('2026-12-31') }), fc.integer({ min: 0, max: 500 }))
  .map(([first, days]) => ({ SeasonStart: dateText(first), SeasonExpiration: dateText(first + days) }));
const seasonOrPart = fc
  .tuple(season, fc.boolean(), fc.boolean())
  .map(([{ SeasonStart, SeasonExpiration }, begins, ends]) => ({
    SeasonStart: begins ? SeasonStart : null,
    SeasonExpiration: ends ? SeasonExpiration : null,
  }));

const service = fc
  .record({
    season: seasonOrPart,
    VisitCount: fc.integer({ min: 0, max: 40 }),
    IntervalDays: fc.constantFrom(0, 0, 1, 7, 14, 30, 91),
    RecurringEventSetting_Type: fc.constantFrom(null, 0, 1, 2, 3, 7),
    RecurringEventSetting_Frequency: fc.constantFrom(null, 0, 1, 2, 5),
    AlternateDateWindowAfter: fc.constantFrom(null, 3, 400),
    SubscriptionProRate: fc.boolean(),
    Taxable: fc.boolean(),
    MinimumCharge: fc.constantFrom(null, 250),
    BaseDuration: fc.integer({ min: 0, max: 90 }),
    price: hundredths(900),
    initial: fc.option(hundredths(400)),
    InitialVisits: fc.constantFrom(0, 1, 2, 3, 50),
  })
  .map(({ season: ends, price, initial, InitialVisits, ...overrides }) =>
    subscription({
      ...overrides,
      ...ends,
      CustomProperties: { InitialVisits },
      BasePrice: price,
      PricingBands: initial === null ? [] : [band(0, null, price, { InitialNRecurringPrice: initial })],
    }),
  );

const part: fc.Arbitrary<Partial<PartRecord>> = fc
  .record({
    UnitPrice: hundredths(80),
    UnitDuration: fc.constantFrom(null, 7),
    SubscriptionDistributionSteps: fc.constantFrom('', '1,3,5', '2', '99'),
    window: fc.option(season),
  })
  .map(({ window, ...overrides }) => ({
    ...overrides,
    DistributionStart: window?.SeasonStart ?? null,
    DistributionEnd: window?.SeasonExpiration ?? null,
  }));
const line = fc.record({
  RequestedQuantity: fc.constantFrom(1, 2, 3.5, 0.0001),
  Taxable: fc.boolean(),
  IsInternal: fc.constantFrom(false, false, true),
  OptionId: fc.constantFrom(null, null, 1, 2),
  Discount: fc.constantFrom(null, 1.37),
  RatePercent: fc.constantFrom(null, null, null, 7.5),
});

const proposal: fc.Arbitrary<ProposalRecord> = fc
  .record({
    of: service,
    Date: date,
    DistributeParts: fc.boolean(),
    parts: fc.array(part, { minLength: 6, maxLength: 6 }),
    lines: fc.array(line, { maxLength: 6 }),
    TaxRate: fc.constantFrom(0, 7, 8.875),
    selected: fc.constantFrom(1, 2, 3),
  })
  .map(({ parts, TaxRate, selected, ...overrides }) =>
    pricedProposal({
      ...overrides,
      parts: partsOf(...parts),
      NamedTaxRate: { Id: 1, Name: 'Tax', TaxRate },
      Options: [
        { Id: 1, Name: 'Good', Selected: selected === 1 },
        { Id: 2, Name: 'Best', Selected: selected === 2 },
      ],
    }),
  );

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + cents(amount), 0);

test('the visits add up to the proposal to the cent: subtotal, tax, taxable subtotal and every line', () => {
  fc.assert(
    fc.property(proposal, (of) => {
      const visits = scheduleVisits(of);
      expect(sum(visits.map(({ subtotal }) => subtotal))).toBe(cents(of.Subtotal));
      expect(sum(visits.map(({ tax }) => tax))).toBe(cents(of.Tax));
      expect(sum(visits.map(({ taxableSubtotal }) => taxableSubtotal))).toBe(cents(of.TaxableSubtotal));
      expect(sum(visits.map(({ serviceTax }) => serviceTax))).toBe(cents(of.ServiceTax));
      for (const line of of.Lines) {
        const parts = visits.flatMap(({ lines }) => lines.filter((each) => each.line.Id === line.Id));
        expect(sum(parts.map(({ extended }) => extended))).toBe(line.Counts ? cents(line.ExtendedTotal) : 0);
        expect(sum(parts.map(({ tax }) => tax))).toBe(line.Counts ? cents(line.LineTax) : 0);
        const units = parts.reduce((all, { quantity }) => all + Math.round(quantity * 10_000), 0);
        expect(units).toBe(line.Counts ? Math.round(line.Quantity * 10_000) : 0);
      }
      for (const { subtotal, tax, lines, service: ofService, serviceTax } of visits) {
        expect(cents(subtotal)).toBe(cents(ofService) + sum(lines.map(({ extended }) => extended)));
        expect(cents(tax)).toBe(cents(serviceTax) + sum(lines.map(({ tax: ofLine }) => ofLine)));
      }
    }),
    { numRuns: RUNS },
  );
});

test('dates ascend, lie in the season and on or after the day of sale, and are at most VisitCount', () => {
  fc.assert(
    fc.property(service, date, (of, soldProposal) => {
      const {
        season: { first, last },
        visits,
      } = findRecurrence(of, { date: soldProposal });
      expect(visits.length).toBeGreaterThan(0);
      if (of.VisitCount) expect(visits.length).toBeLessThanOrEqual(of.VisitCount);
      visits.forEach((day, index) => {
        expect(day).toBeGreaterThanOrEqual(Math.max(dayNumber(soldProposal), first ?? 0));
        expect(day).toBeLessThanOrEqual(last ?? Infinity);
        expect(day).toBeGreaterThan(visits[index - 1] ?? 0);
      });
    }),
    { numRuns: RUNS },
  );
});

test('alternate days are between a visit and the next, within the season', () => {
  fc.assert(
    fc.property(proposal, (of) => {
      const visits = scheduleVisits(of);
      const days = visits.flatMap((visit) => [visit.date, ...visit.alternates]);
      expect(days).toEqual(days.toSorted());
      expect(new Set(days).size).toBe(days.length);
    }),
    { numRuns: RUNS },
  );
});

test('no amount is below 0 if none of the proposal is', () => {
  fc.assert(
    fc.property(proposal, (of) => {
      for (const visit of scheduleVisits(of)) {
        const { subtotal, tax, service: ofService, serviceTax, taxableSubtotal, minutes } = visit;
        const ofLines = visit.lines.flatMap((each) => [each.extended, each.tax, each.quantity, each.minutes]);
        const least = Math.min(subtotal, tax, ofService, serviceTax, taxableSubtotal, minutes, ...ofLines);
        expect(least).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: RUNS },
  );
});

test('InitialVisits visits have the initial price as far as the total allows; the rest differ by at most 0.01', () => {
  fc.assert(
    fc.property(proposal, (of) => {
      const visits = scheduleVisits(of);
      const price = of.Book.Service.PricingBands?.[0]?.InitialNRecurringPrice;
      const overrides = (of.Book.Service.CustomProperties?.['InitialVisits'] as number | undefined) ?? 1;
      const prices = visits.map(({ service: amount }) => cents(amount));
      const whole = prices.reduce((all, amount) => all + amount, 0);
      const count = price == null || whole <= 0 ? 0 : Math.min(overrides, visits.length - 1);
      expect(visits.filter(({ isInitial }) => isInitial).length).toBe(count);
      const each = cents(price ?? 0);
      const expected = prices.slice(0, count).map((_, index) => Math.min(each, Math.max(0, whole - index * each)));
      expect(prices.slice(0, count)).toEqual(expected);
      const others = prices.slice(count);
      expect(Math.max(...others) - Math.min(...others)).toBeLessThanOrEqual(1);
    }),
    { numRuns: RUNS },
  );
});

test('the appointments of the visits, and their lines, add up to the proposal with tax', () => {
  fc.assert(
    fc.property(proposal, (of) => {
      const references = { Id: 1, HashKey: 'h', now: 0 };
      const made = scheduleVisits(of).map((visit) => visitAppointment(of, visit, references));
      expect(sum(made.map(({ Total }) => Total))).toBe(cents(of.Subtotal) + cents(of.Tax));
      for (const { Total, BilledLines } of made)
        expect(cents(Total)).toBe(sum(BilledLines.flatMap(({ Extended, Tax = 0 }) => [Extended, Tax])));
    }),
    { numRuns: RUNS },
  );
});
