import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents } from '../../../lib/shared/money.ts';
import { findRecurrence } from '../../../lib/domain/subscriptions/recurrence.ts';
import { visitAppointment } from '../../../lib/domain/subscriptions/visit-appointment.ts';
import { scheduleVisits } from '../../../lib/domain/subscriptions/visits.ts';
import { dayNumber } from '../../../lib/shared/time/calendar-dates.ts';
import { date, proposal, service } from '../../support/random/subscriptions.ts';

const RUNS = Number(process.env['VISIT_PLANS'] ?? 40);

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
