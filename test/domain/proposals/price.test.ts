import { expect, test } from 'vitest';
import type { ProposalInput, ProposalReferences } from '../../../lib/domain/proposals/input.ts';
import { band, partsOf, service, tier } from '../../support/pricing.ts';
import { references, createdProposal } from '../../support/proposals.ts';

const tax = (TaxRate: number) => ({
  taxRates: [{ Id: 1, Name: 'County', TaxRate, Parts: [] }],
  contact: { CustomFields: [], NamedTaxRateId: 1, AccountingClass: null, Zip: '' },
});
const line = (Id: number, overrides: object = {}) => ({ Part: { Id }, ...overrides });

/**
 * BasePrice, UnitPrice, Quantity; Subtotal, ServiceTax, Tax; then for each line Quantity × UnitPrice, ExtendedTotal,
 * LineTax, Counts.
 */
type Figures = [
  service: [number, number, number],
  totals: [number, number, number],
  ...lines: [number, number, number, number, boolean][],
];

const plain = service({ BasePrice: 50, UnitPrice: 2.5, Taxable: true });
const kit = { Name: 'Kit', UnitPrice: 30, IsAssembly: true, AssemblyItems: [{ PartId: 2, Quantity: 2 }] };
const good = (Selected: boolean) => ({ ProposalOption: { Name: 'Good', Selected } });
const best = (Selected: boolean) => ({ ProposalOption: { Name: 'Best', Selected } });

const cases: [name: string, input: ProposalInput, of: Partial<ProposalReferences>, figures: Figures][] = [
  [
    'a service alone: 100.00',
    {},
    {},
    [
      [100, 0, 1],
      [100, 0, 0],
    ],
  ],
  [
    'BasePrice + UnitPrice × Quantity: 50 + 2.50 × 8 = 70.00, taxed 8.875 %: 6.2125 → 6.21',
    { Quantity: 8 },
    { service: plain, ...tax(8.875) },
    [
      [50, 2.5, 8],
      [70, 6.21, 6.21],
    ],
  ],
  [
    'Taxable false is no tax on the service',
    { Quantity: 8, Taxable: false },
    { service: plain, ...tax(8.875) },
    [
      [50, 2.5, 8],
      [70, 0, 0],
    ],
  ],
  [
    'a band for each unit: 0 + 4 × 12 = 48.00',
    { Quantity: 12 },
    { service: service({ BasePrice: 50, UnitPrice: 2.5, PricingBands: [band(10, null, 4)] }) },
    [
      [0, 4, 12],
      [48, 0, 0],
    ],
  ],
  [
    'a flat band is all BasePrice: 99.00',
    { Quantity: 12 },
    { service: service({ PricingBands: [band(10, null, 99, { IsExcludeQuantity: true })] }) },
    [
      [99, 0, 12],
      [99, 0, 0],
    ],
  ],
  [
    'an overage band is all BasePrice: 50 + 2.50 × 10 + 2 × 4 = 83.00',
    { Quantity: 12 },
    { service: service({ BasePrice: 50, UnitPrice: 2.5, PricingBands: [band(10, null, 4, { IsOverageMode: true })] }) },
    [
      [83, 0, 12],
      [83, 0, 0],
    ],
  ],
  [
    'MinimumCharge is in BasePrice: 50 + 2.50 × 8 = 70.00, 30.00 more',
    { Quantity: 8 },
    { service: service({ BasePrice: 50, UnitPrice: 2.5, MinimumCharge: 100 }) },
    [
      [80, 2.5, 8],
      [100, 0, 0],
    ],
  ],
  [
    'lines with their own discount: 100 + (3 × 20 − 10) = 150.00; 7 % of 50.00 = 3.50',
    { ProposalLines: [line(1, { Quantity: 3, Discount: 10 })] },
    { parts: partsOf({ UnitPrice: 20, Taxable: true }), ...tax(7) },
    [
      [100, 0, 1],
      [150, 0, 3.5],
      [3, 20, 50, 3.5, true],
    ],
  ],
  [
    'a requested price within the range, once at quantity 2: 100 + 2 × 27.50 = 155.00',
    { ProposalLines: [line(1, { Quantity: 2, UnitPrice: 27.5 })] },
    { parts: partsOf({ UnitPrice: 20, UnitPriceMax: 40, RangePricing: true }) },
    [
      [100, 0, 1],
      [155, 0, 0],
      [2, 27.5, 55, 0, true],
    ],
  ],
  [
    'quantity prices: 12 at 3.335 = 40.02',
    { ProposalLines: [line(1, { Quantity: 12 })] },
    { parts: partsOf({ UnitPrice: 5, QtyPricing: [tier(10, null, 3.335)] }) },
    [
      [100, 0, 1],
      [140.02, 0, 0],
      [12, 3.335, 40.02, 0, true],
    ],
  ],
  [
    'a line without a part has its own price: 100 + 2 × 12.25 = 124.50',
    { ProposalLines: [{ LineDescription: 'Permit', Quantity: 2, UnitPrice: 12.25 }] },
    {},
    [
      [100, 0, 1],
      [124.5, 0, 0],
      [2, 12.25, 24.5, 0, true],
    ],
  ],
  [
    'a percentage of the other lines: 5 % of 60.00 = 3.00',
    { ProposalLines: [line(1, { Quantity: 3 }), { RatePercent: 5, LineDescription: 'Fuel' }] },
    { parts: partsOf({ UnitPrice: 20 }) },
    [
      [100, 0, 1],
      [163, 0, 0],
      [3, 20, 60, 0, true],
      [1, 3, 3, 0, true],
    ],
  ],
  [
    'an internal line has its cost but adds nothing',
    { ProposalLines: [line(1, { Quantity: 3, IsInternal: true })] },
    { parts: partsOf({ UnitPrice: 20 }) },
    [
      [100, 0, 1],
      [100, 0, 0],
      [3, 20, 60, 0, false],
    ],
  ],
  [
    'an assembly is followed by its items: 30 + 2 × 20 = 70.00',
    { ProposalLines: [line(1)] },
    { parts: partsOf(kit, { UnitPrice: 20 }) },
    [
      [100, 0, 1],
      [170, 0, 0],
      [1, 30, 30, 0, true],
      [2, 20, 40, 0, true],
    ],
  ],
  [
    'three assemblies: 90 + 6 × 20 = 210.00',
    { ProposalLines: [line(1, { Quantity: 3 })] },
    { parts: partsOf(kit, { UnitPrice: 20 }) },
    [
      [100, 0, 1],
      [310, 0, 0],
      [3, 30, 90, 0, true],
      [6, 20, 120, 0, true],
    ],
  ],
  [
    'a synchronised assembly costs what its items cost, and they cost nothing: 2 × 20 = 40.00',
    { ProposalLines: [line(1)] },
    { parts: partsOf({ ...kit, IsAssemblySynchronizePricing: true }, { UnitPrice: 20 }) },
    [
      [100, 0, 1],
      [140, 0, 0],
      [1, 40, 40, 0, true],
      [2, 0, 0, 0, true],
    ],
  ],
  [
    'internalized items are in no total: 30.00',
    { ProposalLines: [line(1)] },
    { parts: partsOf({ ...kit, IsInternalizeAssemblyItems: true }, { UnitPrice: 20 }) },
    [
      [100, 0, 1],
      [130, 0, 0],
      [1, 30, 30, 0, true],
      [2, 20, 40, 0, false],
    ],
  ],
  [
    'of good and best only the selected option counts: 100 + 60 = 160.00',
    { ProposalLines: [line(1, { Quantity: 1, ...good(false) }), line(1, { Quantity: 3, ...best(true) })] },
    { parts: partsOf({ UnitPrice: 20 }) },
    [
      [100, 0, 1],
      [160, 0, 0],
      [1, 20, 20, 0, false],
      [3, 20, 60, 0, true],
    ],
  ],
  [
    '… by SelectedSolution: 100 + 20 = 120.00',
    {
      SelectedSolution: { Name: 'good' },
      ProposalLines: [line(1, { Quantity: 1, ...good(false) }), line(1, { Quantity: 3, ...best(false) })],
    },
    { parts: partsOf({ UnitPrice: 20 }) },
    [
      [100, 0, 1],
      [120, 0, 0],
      [1, 20, 20, 0, true],
      [3, 20, 60, 0, false],
    ],
  ],
  [
    'items have the option of their assembly: 100.00',
    { ProposalLines: [line(1, good(false))] },
    { parts: partsOf(kit, { UnitPrice: 20 }) },
    [
      [100, 0, 1],
      [100, 0, 0],
      [1, 30, 30, 0, false],
      [2, 20, 40, 0, false],
    ],
  ],
  [
    'tax a line at a time: 8.875 % of 1.00 = 0.08875 → 0.09, twice',
    { ProposalLines: [line(1), line(1)] },
    { parts: partsOf({ UnitPrice: 1, Taxable: true }), ...tax(8.875) },
    [
      [100, 0, 1],
      [102, 0, 0.18],
      [1, 1, 1, 0.09, true],
      [1, 1, 1, 0.09, true],
    ],
  ],
  [
    'Taxable false of a line overrides that of its part',
    { ProposalLines: [line(1, { Taxable: false })] },
    { parts: partsOf({ UnitPrice: 20, Taxable: true }), ...tax(7) },
    [
      [100, 0, 1],
      [120, 0, 0],
      [1, 20, 20, 0, true],
    ],
  ],
  [
    'a named tax rate overrides that of the contact: 7.50',
    { NamedTaxRate: { Name: 'city' }, Taxable: true },
    {
      ...tax(5),
      taxRates: [
        { Id: 1, Name: 'County', TaxRate: 5, Parts: [] },
        { Id: 2, Name: 'City', TaxRate: 7.5, Parts: [] },
      ],
    },
    [
      [100, 0, 1],
      [100, 7.5, 7.5],
    ],
  ],
  [
    'a quantity that follows the service’s: 4 × 20 = 80.00',
    { Quantity: 4, ProposalLines: [line(1, { Quantity: 1 })] },
    { parts: partsOf({ UnitPrice: 20, SyncQtyWithServiceQty: true }) },
    [
      [100, 0, 4],
      [180, 0, 0],
      [4, 20, 80, 0, true],
    ],
  ],
];

test.each(cases)('%s', (_name, input, of, expected) => {
  const proposal = createdProposal(input, references(of));
  const { BasePrice, UnitPrice, Quantity, Subtotal, ServiceTax, Tax, Lines } = proposal;
  expect([
    [BasePrice, UnitPrice, Quantity],
    [Subtotal, ServiceTax, Tax],
    ...Lines.map((each) => [each.Quantity, each.UnitPrice, each.ExtendedTotal, each.LineTax, each.Counts]),
  ]).toEqual(expected);
});

test('items of an assembly become lines with its AssemblyLineId and without a quantity of their own', () => {
  const { Lines } = createdProposal(
    { ProposalLines: [line(1)] },
    references({ parts: partsOf(kit, { UnitPrice: 20, Description: 'Of steel' }) }),
  );
  expect(
    Lines.map(({ Id, PartId, AssemblyLineId, RequestedQuantity, LineDescription, SortIndex }) => [
      Id,
      PartId,
      AssemblyLineId,
      RequestedQuantity,
      LineDescription,
      SortIndex,
    ]),
  ).toEqual([
    [1, 1, null, null, 'Kit', 1],
    [51, 2, 1, null, 'Of steel', 1],
  ]);
});

test('the duration is that of the service and the lines: 60 + 3 × 10 = 90', () => {
  const of = references({ service: service({ BaseDuration: 60 }), parts: partsOf({ UnitDuration: 10 }) });
  const { Duration, Lines } = createdProposal({ ProposalLines: [line(1, { Quantity: 3 })] }, of);
  expect([Duration, Lines[0]?.Duration]).toEqual([90, 30]);
});
