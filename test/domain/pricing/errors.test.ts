import { expect, test } from 'vitest';
import { price } from '../../../lib/domain/pricing/price.ts';
import type { PriceError, PriceRequest } from '../../../lib/domain/pricing/types.ts';
import { band, lines, partsOf, request, tier } from '../../support/pricing.ts';

const holding = (PartId: number) => ({ IsAssembly: true, AssemblyItems: [{ PartId, Quantity: 1 }] });
const chain = (length: number) => partsOf(...Array.from({ length }, (_, index) => holding(index + 2)), {});
const ranged = { UnitPrice: 5, UnitPriceMax: 10, RangePricing: true };

const cases: [name: string, request: PriceRequest, errors: PriceError[]][] = [
  [
    'a price outside the range, either way',
    request({}, { parts: partsOf(ranged, ranged), lines: lines({ unitPrice: 4.99 }, { unitPrice: 10.01 }) }),
    [
      { field: 'AddOnParts[0].UnitPrice', code: 'range', message: 'must be from 5 to 10' },
      { field: 'AddOnParts[1].UnitPrice', code: 'range', message: 'must be from 5 to 10' },
    ],
  ],
  [
    'a price chosen where there is no range',
    request({}, { parts: partsOf({ UnitPrice: 12 }), lines: lines({ unitPrice: 9 }) }),
    [
      {
        field: 'AddOnParts[0].UnitPrice',
        code: 'range',
        message: 'must be 12 or absent, because the part has no price range',
      },
    ],
  ],
  [
    'a part that is not there, where the caller has it',
    request({}, { lines: [{ partId: 3 }], paths: { lines: 'ProposalLines', part: 'Part.Id' } }),
    [{ field: 'ProposalLines[0].Part.Id', code: 'not_found', message: 'refers to part 3, which does not exist' }],
  ],
  [
    'an item that is not there',
    request({}, { parts: partsOf(holding(9)), lines: lines({}) }),
    [{ field: 'AddOnParts[0].PartId', code: 'not_found', message: 'contains part 9, which does not exist' }],
  ],
  [
    'an assembly that holds itself',
    request({}, { parts: partsOf(holding(2), holding(1)), lines: lines({}) }),
    [{ field: 'AddOnParts[0].PartId', code: 'invalid_value', message: 'is an assembly that contains itself: Part 1' }],
  ],
  [
    'assemblies 6 deep',
    request({}, { parts: chain(6), lines: lines({}) }),
    [{ field: 'AddOnParts[0].PartId', code: 'limit', message: 'is an assembly nested more than 5 deep' }],
  ],
  [
    'too many lines',
    request(
      {},
      {
        parts: partsOf(
          { IsAssembly: true, AssemblyItems: Array.from({ length: 200 }, () => ({ PartId: 2, Quantity: 1 })) },
          {},
        ),
        lines: Array.from({ length: 10 }, () => ({ partId: 1 })),
      },
    ),
    [
      {
        field: 'AddOnParts',
        code: 'too_long',
        message: 'must have at most 2000 lines, including the items of assemblies',
      },
    ],
  ],
  [
    'items of a line that is not there, of themselves, in a ring; an id twice',
    request(
      {},
      {
        parts: partsOf({}, {}),
        lines: [
          { id: 1, assemblyLineId: 1 },
          { id: 2, assemblyLineId: 3 },
          { id: 3, assemblyLineId: 2 },
          { assemblyLineId: 7 },
          { id: 3 },
        ],
      },
    ),
    [
      { field: 'AddOnParts[4].Id', code: 'duplicate', message: 'must not be that of another line' },
      { field: 'AddOnParts[0].AssemblyLineId', code: 'invalid_value', message: 'makes a line an item of itself' },
      { field: 'AddOnParts[2].AssemblyLineId', code: 'invalid_value', message: 'makes a line an item of itself' },
      { field: 'AddOnParts[3].AssemblyLineId', code: 'not_found', message: 'refers to line 7, which does not exist' },
    ],
  ],
  [
    'discounts below zero, above MaxDiscount, of what is excluded',
    request(
      {},
      {
        parts: partsOf({ UnitPrice: 9 }, { UnitPrice: 9 }, { UnitPrice: 9, IsExcludeFromDiscounts: true }),
        lines: lines({ discount: -1 }, { discount: 5, maxDiscount: 4 }, { discount: 1 }),
        discount: -3,
      },
    ),
    [
      { field: 'Discount', code: 'range', message: 'must be at least 0, not -3' },
      { field: 'AddOnParts[0].Discount', code: 'range', message: 'must be at least 0' },
      { field: 'AddOnParts[1].Discount', code: 'range', message: "must be at most 4, the line's MaxDiscount" },
      {
        field: 'AddOnParts[2].Discount',
        code: 'mismatch',
        message: 'must be 0, because the part is excluded from discounts',
      },
    ],
  ],
  [
    'quantities below zero',
    request({}, { quantity: -1, parts: partsOf({}), lines: lines({ quantity: -2 }) }),
    [
      { field: 'Quantity', code: 'range', message: 'must be at least 0, not -1' },
      { field: 'AddOnParts[0].Quantity', code: 'range', message: 'must be at least 0, not -2' },
    ],
  ],
  [
    'a formula whose custom field says nothing',
    request(
      { PricingBands: [band(0, null, 1, { Formula: 'sqft * 2' })] },
      { customFields: [{ Id: 7, Shortcode: 'sqft', Value: null }] },
    ),
    [
      {
        field: 'ServiceId',
        code: 'invalid_value',
        message:
          'cannot be priced by its Formula of the band from 0: The contact has no number as custom field sqft. ' +
          'Set it with contacts/addupdate in CustomFields: [{"Shortcode": "sqft", "Value": 1}].',
      },
    ],
  ],
  [
    'formulas that no longer hold: an unknown name, a division by zero',
    request(
      { QuantityFormula: 'acres' },
      { parts: partsOf({ QtyPricing: [tier(0, null, 1, { Formula: '1 / (quantity - 1)' })] }), lines: lines({}) },
    ),
    [
      {
        field: 'ServiceId',
        code: 'invalid_value',
        message: 'cannot be priced by its QuantityFormula: Unknown name "acres" at character 1.',
      },
      {
        field: 'AddOnParts[0].PartId',
        code: 'invalid_value',
        message: 'cannot be priced by its Formula of the quantity price from 0: The formula divides by zero.',
      },
    ],
  ],
  [
    'a percentage below −100',
    request({}, { lines: [{ ratePercent: -101 }] }),
    [{ field: 'AddOnParts[0].RatePercent', code: 'range', message: 'must be at least -100' }],
  ],
  [
    'a tax rate below zero',
    request({}, { taxRate: -1 }),
    [{ field: 'NamedTaxRate.TaxRate', code: 'range', message: 'must be at least 0, not -1' }],
  ],
  [
    'more than cents can be exact of',
    request({ UnitPrice: 1e7 }, { quantity: 1e6, parts: partsOf({ UnitPrice: 1e10 }), lines: lines({}) }),
    [
      { field: 'Quantity', code: 'range', message: 'must make the service cost less than 10,000,000,000' },
      { field: 'AddOnParts[0]', code: 'range', message: 'must cost less than 10,000,000,000' },
    ],
  ],
];

test.each(cases)('are reported for %s', (_name, input, errors) => {
  expect(price(input)).toEqual(errors);
});

test('assemblies 5 deep are priced', () => {
  expect(price(request({}, { parts: chain(5), lines: lines({}) }))).toHaveProperty('lines.length', 6);
});
