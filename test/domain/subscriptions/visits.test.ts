import type { ServiceRecord } from '../../../lib/entities/services.ts';
import type { PartRecord } from '../../../lib/entities/parts.ts';
import { describe, expect, test } from 'vitest';
import { toSubscriptionDates } from '../../../lib/domain/subscriptions/to-resource.ts';
import { visitAppointment } from '../../../lib/domain/subscriptions/visit-appointment.ts';
import { type Visit, scheduleVisits } from '../../../lib/domain/subscriptions/visits.ts';
import { SubscriptionDate } from '../../../lib/resources/subscriptions.ts';
import { band, partsOf } from '../../support/pricing.ts';
import { SUMMER, TAX, pricedProposal, subscription } from '../../support/subscriptions.ts';

const three = { ...SUMMER, VisitCount: 3, IntervalDays: 30 };
const visitsOf = (overrides: Parameters<typeof pricedProposal>[0] & { service?: Partial<ServiceRecord> }): Visit[] =>
  scheduleVisits(pricedProposal({ of: subscription({ ...three, ...overrides.service }), ...overrides }));
const subtotals = (visits: readonly Visit[]) => visits.map(({ subtotal }) => subtotal);

describe('the service over its visits', () => {
  test.each<[string, Partial<ServiceRecord>, number[]]>([
    ['100.00 / 3, the cent left to the first', { BasePrice: 100 }, [33.34, 33.33, 33.33]],
    ['0.02 / 3', { BasePrice: 0.02 }, [0.01, 0.01, 0]],
    ['nothing', { BasePrice: 0 }, [0, 0, 0]],
    ['with what MinimumCharge adds', { BasePrice: 1, MinimumCharge: 30 }, [10, 10, 10]],
  ])('%s', (_, service, expected) => {
    expect(subtotals(visitsOf({ service }))).toEqual(expected);
  });

  const initial = (price: number, InitialVisits?: unknown): Partial<ServiceRecord> => ({
    PricingBands: [band(0, 5, 600, { InitialNRecurringPrice: price }), band(5, null, 600)],
    CustomProperties: InitialVisits === undefined ? {} : { InitialVisits },
  });
  test.each<[string, Partial<ServiceRecord>, number[]]>([
    ['the first at its own price, the rest over the others', initial(100), [100, 250, 250]],
    ['the first two', initial(99.99, 2), [99.99, 99.99, 400.02]],
    ['the first two, as text', initial(99.99, '2'), [99.99, 99.99, 400.02]],
    ['never all: the last visit has the rest', initial(100, 9), [100, 100, 400]],
    ['of none', initial(100, 0), [200, 200, 200]],
    ['not a number: one', initial(100, 'many'), [100, 250, 250]],
    ['more than the total: none is below 0', initial(700), [600, 0, 0]],
    ['more than the total for two', initial(350, 2), [350, 250, 0]],
    ['for nothing', initial(0), [0, 300, 300]],
  ])('InitialNRecurringPrice: %s', (_, service, expected) => {
    const visits = visitsOf({ service });
    expect(subtotals(visits)).toEqual(expected);
  });

  test('InitialNRecurringPrice is that of the applicable band', () => {
    expect(subtotals(visitsOf({ service: initial(100), RequestedQuantity: 5 }))).toEqual([1000, 1000, 1000]);
    expect(visitsOf({ service: initial(100) }).map(({ isInitial }) => isInitial)).toEqual([true, false, false]);
  });
});

describe('lines over the visits', () => {
  const spread = (overrides: Partial<PartRecord>, DistributeParts = true): number[] =>
    subtotals(
      visitsOf({
        service: { BasePrice: 0 },
        parts: partsOf({ UnitPrice: 100, ...overrides }),
        lines: [{}],
        DistributeParts,
      }),
    );
  test.each<[string, Partial<PartRecord>, number[]]>([
    ['over all by default', {}, [33.34, 33.33, 33.33]],
    ['over those of its steps', { SubscriptionDistributionSteps: '1,3' }, [50, 0, 50]],
    ['however the steps are written', { SubscriptionDistributionSteps: ' 3 ; 2 , x' }, [0, 50, 50]],
    [
      'over those after its beginning: April 1, May 1, May 31',
      { DistributionStart: '2026-05-01T04:00:00Z' },
      [0, 50, 50],
    ],
    ['over those before its end', { DistributionEnd: '2026-05-02T03:59:59Z' }, [50, 50, 0]],
    [
      'which repeat each year',
      { DistributionStart: '2023-04-15T04:00:00Z', DistributionEnd: '2023-05-16T03:59:59Z' },
      [0, 100, 0],
    ],
    [
      'over those of its steps in its time',
      { SubscriptionDistributionSteps: '1,2', DistributionStart: '2026-05-01T04:00:00Z' },
      [0, 100, 0],
    ],
    ['in the first if no visit matches', { SubscriptionDistributionSteps: '7' }, [100, 0, 0]],
  ])('%s', (_, overrides, expected) => {
    expect(spread(overrides)).toEqual(expected);
  });

  test('all in the first without DistributeParts', () => {
    expect(spread({ SubscriptionDistributionSteps: '2,3' }, false)).toEqual([100, 0, 0]);
  });

  test('items like their assembly, unless their part has steps', () => {
    const parts = partsOf(
      {
        IsAssembly: true,
        AssemblyItems: [
          { PartId: 2, Quantity: 1 },
          { PartId: 3, Quantity: 1 },
        ],
        UnitPrice: 10,
        SubscriptionDistributionSteps: '2',
      },
      { UnitPrice: 20 },
      { UnitPrice: 40, SubscriptionDistributionSteps: '3' },
    );
    const visits = visitsOf({ service: { BasePrice: 0 }, parts, lines: [{}], DistributeParts: true });
    expect(subtotals(visits)).toEqual([0, 30, 40]);
  });

  test('only lines that count: neither internal ones nor those of unselected options', () => {
    const parts = partsOf(
      { UnitPrice: 3, UnitDuration: 30 },
      { UnitPrice: 6, UnitDuration: 60 },
      { UnitPrice: 9, IsInternal: true, UnitDuration: 6 },
    );
    const visits = visitsOf({
      service: { BasePrice: 300 },
      parts,
      DistributeParts: true,
      Options: [
        { Id: 1, Name: 'Good', Selected: true },
        { Id: 2, Name: 'Best', Selected: false },
      ],
      lines: [{ OptionId: 1 }, { OptionId: 2 }, { IsInternal: true }],
    });
    expect(subtotals(visits)).toEqual([101, 101, 101]);
    expect(visits.map(({ lines }) => lines.map(({ line }) => line.Id))).toEqual([[1], [1], [1]]);
    // 45, a third of 30, and a third of the 6 minutes of an internal line.
    expect(visits.map(({ minutes }) => minutes)).toEqual([57, 57, 57]);
  });

  test('also for credits: below 0 only if the line is', () => {
    const lines = [{ PartId: 0, RequestedPrice: -10 }];
    const visits = visitsOf({ service: { BasePrice: 30 }, lines, DistributeParts: true });
    expect(subtotals(visits)).toEqual([6.66, 6.67, 6.67]);
  });
});

test('tax is divided like the taxed amounts, and adds up to that of the proposal', () => {
  const proposal = pricedProposal({
    of: subscription({ ...three, Taxable: true, BasePrice: 100 }),
    NamedTaxRate: TAX,
    DistributeParts: true,
    parts: partsOf({ UnitPrice: 0.11, Taxable: true, SubscriptionDistributionSteps: '2,3' }),
    lines: [{ Taxable: true }],
  });
  // 8.875 → 8.88 over 33.34, 33.33, 33.33: 2.9606, 2.9597, 2.9597. 0.0098 → 0.01 over 0.06, 0.05.
  expect([proposal.Tax, proposal.Lines[0]?.LineTax]).toEqual([8.89, 0.01]);
  expect(
    scheduleVisits(proposal).map(({ subtotal, tax, taxableSubtotal }) => [subtotal, tax, taxableSubtotal]),
  ).toEqual([
    [33.34, 2.96, 33.34],
    [33.39, 2.97, 33.39],
    [33.38, 2.96, 33.38],
  ]);
});

test('a service that is not a subscription has no visits', () => {
  expect(scheduleVisits(pricedProposal({ of: subscription({ IsSubscription: false }) }))).toEqual([]);
});

describe('a visit in an answer', () => {
  const proposal = pricedProposal({
    of: subscription({
      ...three,
      Id: 5,
      Name: 'Lawn care',
      Taxable: true,
      AlternateDateWindowAfter: 2,
      BasePrice: 100,
    }),
    parts: partsOf({
      Name: 'Fertilizer',
      UnitPrice: 4.5,
      UnitCost: 2,
      UnitDuration: 10,
      SubscriptionDistributionSteps: '2,3',
    }),
    lines: [
      { RequestedQuantity: 3, OptionId: 4, LineDescription: 'Slow release', Notes: 'Front', SortIndex: 6, UnitCost: 2 },
    ],
    Options: [{ Id: 4, Name: 'Better', Selected: true }],
    DistributeParts: true,
    NamedTaxRate: TAX,
  });
  const dates = toSubscriptionDates(proposal, scheduleVisits(proposal), { dateStyle: 'iso' });

  test('has every field', () => {
    expect(dates[1]).toEqual({
      Id: 2,
      Label: 'Visit 2 of 3',
      Date: '2026-05-01T04:00:00Z',
      Service: { Id: 5, Name: 'Lawn care' },
      ServiceId: 5,
      DateIso: '2026-05-01',
      DateStr: '5/1/2026',
      DateFriendly: 'Fri, May 1 2026',
      BasePrice: 33.33,
      UnitPrice: null,
      SelectedDate: '2026-05-01T00:00:00-04:00',
      Subtotal: 40.08,
      TaxableSubtotal: 33.33,
      Duration: '60',
      InternalNotes: '',
      IsExcludeFromProRating: false,
      IsRecurringMaster: false,
      IsRecurringShadow: true,
      Lines: [
        {
          Id: 1,
          ProposalOptionId: 4,
          ProposalScheduleDateId: 2,
          SortOrder: 6,
          Part: { Id: 1, Name: 'Fertilizer' },
          Quantity: 1.5,
          UnitPrice: 4.5,
          UnitCost: 2,
          Extended: 6.75,
          Taxable: false,
          Tax: 0,
          Duration: 15,
          Internal: false,
          Description: 'Slow release',
          Notes: 'Front',
          OptionName: 'Better',
        },
      ],
      AlternateDates: ['2026-05-02T04:00:00Z', '2026-05-03T04:00:00Z'],
    });
    expect(dates.map((each) => SubscriptionDate.output().parse(each))).toEqual(dates);
  });

  test('only the first is the recurring master', () => {
    const roles = dates.map((date) => [date.IsRecurringMaster, date.IsRecurringShadow, date.Lines.length]);
    expect(roles).toEqual([
      [true, false, 0],
      [false, true, 1],
      [false, true, 1],
    ]);
  });

  test('has US dates for keys with that date style', () => {
    const [first] = toSubscriptionDates(proposal, scheduleVisits(proposal), { dateStyle: 'us' });
    expect(first?.SelectedDate).toBe('4/1/2026 12:00:00 AM');
  });

  test('becomes a queued appointment with its date and price', () => {
    const visit = scheduleVisits(proposal)[1] as Visit;
    expect(visitAppointment(proposal, visit, { Id: 31, HashKey: 'B'.repeat(22), now: 86_400_000 })).toMatchObject({
      Id: 31,
      HashKey: 'B'.repeat(22),
      OrganizationId: 1,
      ContactId: 3,
      Status: 0,
      Start: null,
      QueueDate: '2026-05-01',
      Duration: 60,
      ServiceId: 5,
      ServiceName: 'Lawn care',
      Quantity: 1,
      Total: 43.04,
      ProposalId: 7,
      Created: 86_400_000,
      V: 0,
      BilledTaxRate: 8.875,
      BilledRateName: 'County',
      AddOnParts: [
        {
          Id: 1,
          PartId: 1,
          Name: 'Fertilizer',
          Quantity: 1.5,
          UnitPrice: 4.5,
          Discount: null,
          UnitOfMeasure: '',
          RangePricing: false,
        },
      ],
      BilledLines: [
        {
          ServiceId: 5,
          PartId: null,
          Description: 'Lawn care',
          Rate: 33.33,
          Qty: 1,
          Extended: 33.33,
          Taxable: true,
          Tax: 2.96,
        },
        {
          ServiceId: null,
          PartId: 1,
          Description: 'Slow release',
          Rate: 4.5,
          Qty: 1.5,
          Extended: 6.75,
          Taxable: false,
          Tax: 0,
        },
      ],
    });
  });
});
