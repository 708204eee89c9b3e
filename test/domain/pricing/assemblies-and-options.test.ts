import { expect, test } from 'vitest';
import { price } from '../../../lib/domain/pricing/price.ts';
import type { PriceRequest, PriceBreakdown, PricedLine } from '../../../lib/domain/pricing/types.ts';
import { answer, band, line, lines, part, partsOf, request, tier } from '../../support/pricing.ts';

const zero = { IsZeroAssemblyItemPrices: true };
const synchronised = { IsAssemblySynchronizePricing: true };
/** Part 1 of two parts 2 at 10.00 and one part 3 at 5.00, itself 40.00. */
const kit = (input: object = {}) =>
  partsOf(
    {
      UnitPrice: 40,
      IsAssembly: true,
      AssemblyItems: [
        { PartId: 2, Quantity: 2 },
        { PartId: 3, Quantity: 1 },
      ],
      ...input,
    },
    { UnitPrice: 10 },
    { UnitPrice: 5 },
  );
/** Part 1 of two parts 2, each of three parts 3 at 1.50 and itself 4.00. */
const nested = (top: object = {}, middle: object = {}) =>
  partsOf(
    { UnitPrice: 40, IsAssembly: true, AssemblyItems: [{ PartId: 2, Quantity: 2 }], ...top },
    { UnitPrice: 4, IsAssembly: true, AssemblyItems: [{ PartId: 3, Quantity: 3 }], ...middle },
    { UnitPrice: 1.5 },
  );
const item = (partId: number, assembly: number, extended: number, input: Partial<PricedLine> = {}) =>
  line(null, extended, { partId, assembly, ...input });
const each = (quantity: number, unitPrice: number) => ({ quantity, unitPrice });
const option = (unitPrice: number, optionId: number) => ({ unitPrice, optionId });
const optional = (index: number, extended: number, optionId: number, input: Partial<PricedLine> = {}) =>
  line(index, extended, { partId: null, optionId, ...input });

const assemblies: [name: string, request: PriceRequest, expected: PriceBreakdown][] = [
  [
    'its own price, and its items’ besides: 3 × 40 + 6 × 10 + 3 × 5 = 195.00',
    request({}, { parts: kit(), lines: lines({ quantity: 3 }) }),
    answer({
      base: 0,
      subtotal: 195,
      lines: [line(0, 120, each(3, 40)), item(2, 0, 60, each(6, 10)), item(3, 0, 15, each(3, 5))],
    }),
  ],
  [
    'items at zero: 3 × 40 = 120.00',
    request({}, { parts: kit(zero), lines: lines({ quantity: 3 }) }),
    answer({
      base: 0,
      subtotal: 120,
      lines: [line(0, 120, each(3, 40)), item(2, 0, 0, each(6, 0)), item(3, 0, 0, each(3, 0))],
    }),
  ],
  [
    'synchronised, it costs what its items do: 3 × (2 × 10 + 5) = 75.00',
    request({}, { parts: kit(synchronised), lines: lines({ quantity: 3 }) }),
    answer({
      base: 0,
      subtotal: 75,
      lines: [line(0, 75, each(3, 25)), item(2, 0, 0, each(6, 0)), item(3, 0, 0, each(3, 0))],
    }),
  ],
  [
    '… and with both flags too: 25.00',
    request({}, { parts: kit({ ...zero, ...synchronised }), lines: lines({}) }),
    answer({ base: 0, subtotal: 25, lines: [line(0, 25), item(2, 0, 0, each(2, 0)), item(3, 0, 0)] }),
  ],
  [
    '… at the items’ quantity prices: 4 × 2 = 8 at 9.00 = 72, + 4 × 5 = 92.00',
    request(
      {},
      {
        parts: new Map([...kit(synchronised), [2, part(2, { UnitPrice: 10, QtyPricing: [tier(8, null, 9)] })]]),
        lines: lines({ quantity: 4 }),
      },
    ),
    answer({
      base: 0,
      subtotal: 92,
      lines: [line(0, 92, each(4, 23)), item(2, 0, 0, each(8, 0)), item(3, 0, 0, each(4, 0))],
    }),
  ],
  [
    'internal items: 3 × 40 = 120.00, and what they cost: 6 × 2.00 = 12.00',
    request(
      {},
      {
        parts: new Map([...kit({ IsInternalizeAssemblyItems: true }), [2, part(2, { UnitCost: 2, UnitPrice: 10 })]]),
        lines: lines({ quantity: 3 }),
      },
    ),
    answer({
      base: 0,
      subtotal: 120,
      cost: 12,
      lines: [
        line(0, 120, each(3, 40)),
        item(2, 0, 60, { ...each(6, 10), unitCost: 2, internal: true, counts: false }),
        item(3, 0, 15, { ...each(3, 5), internal: true, counts: false }),
      ],
    }),
  ],
  [
    'internal items of a synchronised one are in its price: 25.00',
    request({}, { parts: kit({ ...synchronised, IsInternalizeAssemblyItems: true }), lines: lines({}) }),
    answer({
      base: 0,
      subtotal: 25,
      lines: [
        line(0, 25),
        item(2, 0, 0, { ...each(2, 0), internal: true, counts: false }),
        item(3, 0, 0, { internal: true, counts: false }),
      ],
    }),
  ],
  [
    '… but not an item that is internal by itself: 2 × 10 = 20.00',
    request(
      {},
      { parts: new Map([...kit(synchronised), [3, part(3, { IsInternal: true, UnitPrice: 5 })]]), lines: lines({}) },
    ),
    answer({
      base: 0,
      subtotal: 20,
      lines: [line(0, 20), item(2, 0, 0, each(2, 0)), item(3, 0, 0, { internal: true, counts: false })],
    }),
  ],
  [
    'an internal assembly adds nothing, nor do its items',
    request({}, { parts: kit(), lines: lines({ isInternal: true }) }),
    answer({
      base: 0,
      lines: [
        line(0, 40, { internal: true, counts: false }),
        item(2, 0, 20, { ...each(2, 10), internal: true, counts: false }),
        item(3, 0, 5, { internal: true, counts: false }),
      ],
    }),
  ],
  [
    'assemblies in assemblies: 40 + 2 × 4 + 2 × 3 × 1.50 = 57.00',
    request({}, { parts: nested(), lines: lines({}) }),
    answer({ base: 0, subtotal: 57, lines: [line(0, 40), item(2, 0, 8, each(2, 4)), item(3, 1, 9, each(6, 1.5))] }),
  ],
  [
    '… the inner synchronised: 40 + 9.00 = 49.00, 4.50 each',
    request({}, { parts: nested({}, synchronised), lines: lines({}) }),
    answer({ base: 0, subtotal: 49, lines: [line(0, 40), item(2, 0, 9, each(2, 4.5)), item(3, 1, 0, each(6, 0))] }),
  ],
  [
    '… the outer synchronised: 8 + 9 = 17.00',
    request({}, { parts: nested(synchronised), lines: lines({}) }),
    answer({ base: 0, subtotal: 17, lines: [line(0, 17), item(2, 0, 0, each(2, 0)), item(3, 1, 0, each(6, 0))] }),
  ],
  [
    '… the outer synchronised over an inner with items at zero: 2 × 4 = 8.00',
    request({}, { parts: nested(synchronised, zero), lines: lines({}) }),
    answer({ base: 0, subtotal: 8, lines: [line(0, 8), item(2, 0, 0, each(2, 0)), item(3, 1, 0, each(6, 0))] }),
  ],
  [
    '… and zero reaches down: 40.00',
    request({}, { parts: nested(zero), lines: lines({}) }),
    answer({ base: 0, subtotal: 40, lines: [line(0, 40), item(2, 0, 0, each(2, 0)), item(3, 1, 0, each(6, 0))] }),
  ],
  [
    'minutes of all, whatever they cost: 10 + 2 × 5 + 3 = 23',
    request(
      {},
      {
        parts: partsOf(
          {
            IsAssembly: true,
            UnitDuration: 10,
            AssemblyItems: [
              { PartId: 2, Quantity: 2 },
              { PartId: 3, Quantity: 1 },
            ],
            ...zero,
          },
          { UnitDuration: 5 },
          { UnitDuration: 3 },
        ),
        lines: lines({}),
      },
    ),
    answer({
      base: 0,
      durationMinutes: 23,
      lines: [
        line(0, 0, { duration: 10 }),
        item(2, 0, 0, { quantity: 2, duration: 10 }),
        item(3, 0, 0, { duration: 3 }),
      ],
    }),
  ],
  [
    'items given as lines are not expanded again, and may differ: 40 + 7 × 10 = 110.00',
    request(
      {},
      {
        parts: kit(),
        lines: [
          { id: 11, partId: 1 },
          { id: 12, partId: 2, quantity: 7, assemblyLineId: 11 },
        ],
      },
    ),
    answer({ base: 0, subtotal: 110, lines: [line(0, 40), line(1, 70, { assembly: 0, ...each(7, 10) })] }),
  ],
  [
    '… theirs is the assembly’s quantity unless said, wherever they stand: 2 × 3 × 10 + 3 × 40 = 180.00',
    request(
      {},
      {
        parts: kit(),
        lines: [
          { id: 12, partId: 2, assemblyLineId: 11 },
          { id: 11, partId: 1, quantity: 3 },
        ],
      },
    ),
    answer({
      base: 0,
      subtotal: 180,
      lines: [line(0, 60, { partId: 2, assembly: 1, ...each(6, 10) }), line(1, 120, { partId: 1, ...each(3, 40) })],
    }),
  ],
  [
    '… a percentage too costs nothing beside items at zero: 40 + 60 = 100.00',
    request(
      {},
      { parts: kit(zero), lines: [{ id: 11, partId: 1 }, { ratePercent: 10, assemblyLineId: 11 }, { unitPrice: 60 }] },
    ),
    answer({
      base: 0,
      subtotal: 100,
      lines: [line(0, 40), line(1, 0, { partId: null, assembly: 0, ratePercent: 10 }), line(2, 60, { partId: null })],
    }),
  ],
  [
    '… synchronised with what is given: 7 × 10 = 70.00',
    request(
      {},
      {
        parts: kit(synchronised),
        lines: [
          { id: 11, partId: 1, unitPrice: 25 },
          { id: 12, partId: 2, quantity: 7, assemblyLineId: 11 },
        ],
      },
    ),
    answer({ base: 0, subtotal: 70, lines: [line(0, 70), line(1, 0, { assembly: 0, ...each(7, 0) })] }),
  ],
];

test.each(assemblies)('an assembly: %s', (_name, input, expected) => {
  expect(price(input)).toEqual(expected);
});

const options: [name: string, request: PriceRequest, expected: PriceBreakdown][] = [
  [
    'none selected: 100 + 10; each alone: 130, 160',
    request({ BasePrice: 100 }, { lines: [{ unitPrice: 10 }, option(20, 1), option(50, 2)] }),
    answer({
      base: 100,
      subtotal: 110,
      lines: [
        line(0, 10, { partId: null }),
        optional(1, 20, 1, { counts: false }),
        optional(2, 50, 2, { counts: false }),
      ],
      options: [
        { optionId: 1, subtotal: 130, net: 130, total: 130 },
        { optionId: 2, subtotal: 160, net: 160, total: 160 },
      ],
    }),
  ],
  [
    'one selected: 100 + 50 = 150.00; the other would be 120.00',
    request({ BasePrice: 100 }, { lines: [option(20, 1), option(50, 2)], selectedOptionIds: [2] }),
    answer({
      base: 100,
      subtotal: 150,
      lines: [optional(0, 20, 1, { counts: false }), optional(1, 50, 2)],
      options: [
        { optionId: 1, subtotal: 120, net: 120, total: 120 },
        { optionId: 2, selected: true, subtotal: 150, net: 150, total: 150 },
      ],
    }),
  ],
  [
    'two selected: 100 + 20 + 50 = 170.00; each alone: 120, 150',
    request({ BasePrice: 100 }, { lines: [option(50, 2), option(20, 1)], selectedOptionIds: [1, 2] }),
    answer({
      base: 100,
      subtotal: 170,
      lines: [optional(0, 50, 2), optional(1, 20, 1)],
      options: [
        { optionId: 1, selected: true, subtotal: 120, net: 120, total: 120 },
        { optionId: 2, selected: true, subtotal: 150, net: 150, total: 150 },
      ],
    }),
  ],
  [
    'a percentage in an option is of what it would stand with: 10 % of 200 = 20, 10 % of (200 + 100) = 30',
    request(
      {},
      {
        lines: [{ unitPrice: 200 }, { ratePercent: 10, optionId: 1 }, option(100, 2), { ratePercent: 10, optionId: 2 }],
        selectedOptionIds: [1],
      },
    ),
    answer({
      base: 0,
      subtotal: 220,
      lines: [
        line(0, 200, { partId: null }),
        optional(1, 20, 1, { ratePercent: 10 }),
        optional(2, 100, 2, { counts: false }),
        optional(3, 30, 2, { ratePercent: 10, counts: false }),
      ],
      options: [
        { optionId: 1, selected: true, subtotal: 220, net: 220, total: 220 },
        { optionId: 2, subtotal: 330, net: 330, total: 330 },
      ],
    }),
  ],
  [
    'items of an assembly are in its option: without it 0, with it 40 + 20 + 5 = 65.00',
    request({}, { parts: kit(), lines: lines({ optionId: 4 }) }),
    answer({
      base: 0,
      lines: [
        line(0, 40, { optionId: 4, counts: false }),
        item(2, 0, 20, { ...each(2, 10), optionId: 4, counts: false }),
        item(3, 0, 5, { optionId: 4, counts: false }),
      ],
      options: [{ optionId: 4, subtotal: 65, net: 65, total: 65 }],
    }),
  ],
  [
    'tax, minimum and discount of each: alone 1 is 80 + 40 − 30 = 90 → 100.00, alone 2 is 80 + 100 − 30 = 150.00; 10 % of the service',
    request(
      { BasePrice: 80, Taxable: true, MinimumCharge: 100 },
      { lines: [option(40, 1), option(100, 2)], selectedOptionIds: [1], discount: 30, taxRate: 10 },
    ),
    answer({
      // 30 over 80 and 40: 20 and 10; over 80 and 100: 13.33 and 16.67.
      base: 80,
      minimum: 10,
      subtotal: 130,
      discount: 30,
      net: 100,
      taxableSubtotal: 70,
      tax: 7,
      total: 107,
      service: { discount: 20, net: 70, tax: 7 },
      lines: [
        optional(0, 40, 1, { discount: 10, net: 30 }),
        optional(1, 100, 2, { discount: 16.67, net: 83.33, counts: false }),
      ],
      options: [
        {
          optionId: 1,
          selected: true,
          minimum: 10,
          subtotal: 130,
          discount: 30,
          net: 100,
          taxableSubtotal: 70,
          tax: 7,
          total: 107,
        },
        { optionId: 2, subtotal: 180, discount: 30, net: 150, taxableSubtotal: 66.67, tax: 6.67, total: 156.67 },
      ],
    }),
  ],
  [
    'the work of an option takes time when it is selected: 60 + 30 = 90 min',
    request(
      { BaseDuration: 60 },
      {
        parts: partsOf({ UnitDuration: 30 }, { UnitDuration: 45 }),
        lines: lines({ optionId: 1 }, { optionId: 2 }),
        selectedOptionIds: [1],
      },
    ),
    answer({
      base: 0,
      durationMinutes: 90,
      service: { duration: 60 },
      lines: [line(0, 0, { optionId: 1, duration: 30 }), line(1, 0, { optionId: 2, duration: 45, counts: false })],
      options: [
        { optionId: 1, selected: true, durationMinutes: 90 },
        { optionId: 2, durationMinutes: 105 },
      ],
    }),
  ],
];

test.each(options)('options: %s', (_name, input, expected) => {
  expect(price(input)).toEqual(expected);
});

test('the example of docs/decisions/0009-pricing.md', () => {
  const parts = partsOf(
    {
      Taxable: true,
      IsAssembly: true,
      AssemblyItems: [
        { PartId: 2, Quantity: 2 },
        { PartId: 3, Quantity: 1 },
      ],
      ...synchronised,
    },
    { UnitPrice: 7.335 },
    { UnitPrice: 30 },
    { UnitPrice: 15, UnitPriceMax: 40, RangePricing: true },
  );
  const input = request(
    {
      BasePrice: 40,
      UnitPrice: 6,
      MinimumCharge: 120,
      PricingBands: [band(0, 10, 6), band(10, null, 5, { IsOverageMode: true })],
    },
    {
      parts,
      quantity: 12,
      discount: 20,
      taxRate: 8.875,
      selectedOptionIds: [1],
      lines: [
        { partId: 1 },
        { partId: 4, quantity: 2, unitPrice: 22.5, discount: 5 },
        { ratePercent: 5 },
        { ...option(35, 1), taxable: true },
        { ...option(80, 2), taxable: true },
      ],
    },
  );
  const totals = { subtotal: 200.65, discount: 25, net: 175.65, taxableSubtotal: 71.52, tax: 6.35, total: 182 };
  expect(price(input)).toEqual(
    answer({
      quantity: 12,
      base: 70,
      ...totals,
      service: { discount: 7.15, net: 62.85 },
      lines: [
        line(0, 44.67, { discount: 4.57, net: 40.1, taxable: true, tax: 3.56 }),
        item(2, 0, 0, each(2, 0)),
        item(3, 0, 0),
        line(1, 45, { partId: 4, ...each(2, 22.5), discount: 9.09, net: 35.91 }),
        line(2, 5.98, { partId: null, ratePercent: 5, discount: 0.61, net: 5.37 }),
        optional(3, 35, 1, { discount: 3.58, net: 31.42, taxable: true, tax: 2.79 }),
        // Alone: 5 % of 164.67 is 8.23; of 20.00 over 242.90 the 80.00 have 6.587, so 6.59; 8.875 % of 73.41 is 6.515,
        // so 6.52.
        optional(4, 80, 2, { discount: 6.59, net: 73.41, taxable: true, tax: 6.52, counts: false }),
      ],
      options: [
        { optionId: 1, selected: true, ...totals },
        // 44.67 less 3.68 is 40.99, and 8.875 % of that 3.64.
        { optionId: 2, subtotal: 247.9, discount: 25, net: 222.9, taxableSubtotal: 114.4, tax: 10.16, total: 233.06 },
      ],
    }),
  );
});
