import fc from 'fast-check';
import type { PartRecord } from '../../../lib/entities/parts.ts';
import type { ProposalRecord } from '../../../lib/entities/proposals.ts';
import { dateText, dayNumber } from '../../../lib/shared/time/calendar-dates.ts';
import { band, partsOf } from '../pricing.ts';
import { pricedProposal, subscription } from '../subscriptions.ts';

/** Proposals of subscriptions: any season, rhythm, price, lines and tax. */

const hundredths = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((amount) => amount / 100);
export const date = fc.integer({ min: dayNumber('2026-01-01'), max: dayNumber('2028-12-31') }).map(dateText);
const season = fc
  .tuple(fc.integer({ min: dayNumber('2024-01-01'), max: dayNumber('2026-12-31') }), fc.integer({ min: 0, max: 500 }))
  .map(([first, days]) => ({ SeasonStart: dateText(first), SeasonExpiration: dateText(first + days) }));
const seasonOrPart = fc
  .tuple(season, fc.boolean(), fc.boolean())
  .map(([{ SeasonStart, SeasonExpiration }, begins, ends]) => ({
    SeasonStart: begins ? SeasonStart : null,
    SeasonExpiration: ends ? SeasonExpiration : null,
  }));

export const service = fc
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

export const proposal: fc.Arbitrary<ProposalRecord> = fc
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
      NamedTaxRate: { Id: 1, Name: 'Tax', TaxRate, Parts: [] },
      Options: [
        { Id: 1, Name: 'Good', Selected: selected === 1 },
        { Id: 2, Name: 'Best', Selected: selected === 2 },
      ],
    }),
  );
