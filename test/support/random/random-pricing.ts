import type { BandRecord, QuantityPriceRecord } from '../../../lib/entities/bands.ts';
import type { PartRecord } from '../../../lib/entities/parts.ts';
import type { ServiceRecord } from '../../../lib/entities/services.ts';
import type { LineRequest, PriceRequest, PricedField } from '../../../lib/domain/pricing/types.ts';
import { type Fraction, ceiling, compare, fraction, minus, over, plus, rounded, times } from '../oracles/fractions.ts';
import type { Formulas, Variables } from '../oracles/naive-pricing.ts';
import { band, part, service, tier } from '../pricing.ts';

/** The same numbers in every run, 0 to 1 (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const read = (variables: Variables, name: string): Fraction => variables[name] ?? fraction(0);
const max = (a: Fraction, b: Fraction): Fraction => (compare(a, b) < 0 ? b : a);

/** Formulas that are never negative, and what each is. */
export const formulas: Formulas = {
  'quantity * 0.75 + 1': (v) => plus(times(read(v, 'quantity'), fraction(0.75)), fraction(1)),
  'base + unit': (v) => plus(read(v, 'base'), read(v, 'unit')),
  'max(unit - quantity / 8, 0.25)': (v) =>
    max(minus(read(v, 'unit'), over(read(v, 'quantity'), fraction(8))), fraction(0.25)),
  'if(quantity > 10, unit * 0.9, unit)': (v) =>
    compare(read(v, 'quantity'), fraction(10)) > 0 ? times(read(v, 'unit'), fraction(0.9)) : read(v, 'unit'),
  'ceil(sqft / 100)': (v) => fraction(ceiling(over(read(v, 'sqft'), fraction(100)))),
  'round(sqft * quantity * 0.0131, 2)': (v) => ({
    n: rounded(times(times(read(v, 'sqft'), read(v, 'quantity')), fraction(0.0131)), 2),
    d: 100n,
  }),
};

/** A valid request that may use every rule; the same for the same seed. */
export function randomRequest(seed: number): PriceRequest {
  const random = chance(seed);
  const chanceOf = (share: number): boolean => random() < share;
  const whole = (below: number): number => Math.floor(random() * below);
  const decimals = (below: number, places: number): number => Number((random() * below).toFixed(places));
  const pick = <Of>(of: readonly Of[]): Of => of[whole(of.length)] as Of;
  const amount = (): number => decimals(200, pick([0, 2, 2, 2, 4]));
  const quantity = (): number => pick([whole(30), decimals(30, 1), decimals(30, 4), 10, 20]);
  const formula = (share: number): string => (chanceOf(share) ? pick(Object.keys(formulas)) : '');
  const places = (): [number, number | null][] =>
    pick([
      [],
      [],
      [
        [0, 10],
        [10, 20],
        [20, null],
      ],
      [
        [0, 10],
        [10, null],
      ],
      [
        [5, 10],
        [15, null],
      ],
      [[0, null]],
      [[10, 20]],
    ]);

  const bands = (): BandRecord[] =>
    places().map(([from, to]) =>
      band(from, to, amount(), {
        IsExcludeQuantity: chanceOf(0.2),
        IsOverageMode: chanceOf(0.4),
        Formula: formula(0.2),
        Duration: pick([0, 0, 7, 30]),
      }),
    );
  const tiers = (): QuantityPriceRecord[] =>
    places().map(([from, to]) =>
      tier(from, to, amount(), {
        ExcludeQuantity: chanceOf(0.2),
        OverageMode: chanceOf(0.4),
        Formula: formula(0.2),
        Duration: pick([null, null, 0, 3]),
      }),
    );

  const serviceInput: Partial<ServiceRecord> = {
    BasePrice: amount(),
    UnitPrice: amount(),
    UnitCost: pick([null, amount()]),
    Taxable: chanceOf(0.5),
    BaseDuration: whole(90),
    UnitDuration: whole(20),
    PricingBands: bands(),
    MinimumCharge: pick([null, null, amount(), 500]),
    IsExcludeFromDiscounts: chanceOf(0.2),
    QuantityFormula: formula(0.15),
    QuantityOverrideCustomFieldId: pick([null, null, 1]),
    QuantityOverridePartCategoryId: pick([null, null, 1]),
    BasePriceOverrideCustomFieldId: pick([null, null, 2]),
    UnitPriceOverrideCustomFieldId: pick([null, null, 3]),
    DurationOverrideCustomFieldId: pick([null, null, 4]),
  };
  const count = 12;
  const parts = new Map(
    Array.from({ length: count }, (_, index): [number, PartRecord] => {
      const Id = index + 1;
      const UnitPrice = amount();
      // Parts hold only later ones, 1 and 5 such as hold others: no rings, and at most 2 deep.
      const items =
        Id % 2 && chanceOf(0.5) ? [Id + 1, ...(Id % 4 === 1 ? [Id + 2] : [])].filter((id) => id <= count) : [];
      return [
        Id,
        part(Id, {
          UnitPrice,
          UnitPriceMax: Number((UnitPrice + 50).toFixed(4)),
          RangePricing: chanceOf(0.3),
          UnitCost: pick([null, amount()]),
          Taxable: chanceOf(0.5),
          IsInternal: chanceOf(0.1),
          IsExcludedFromMinimum: chanceOf(0.2),
          IsExcludeFromDiscounts: chanceOf(0.2),
          QtyPricing: tiers(),
          UnitDuration: pick([null, 5, 13]),
          DurationForQtyUnits: pick([null, 0, 3, 7]),
          QuantityFormula: formula(0.1),
          SyncQtyWithServiceQty: chanceOf(0.1),
          QuantityOverrideCustomFieldId: pick([null, null, null, 5]),
          PartCategory: pick([null, { Id: 1, Name: 'One' }]),
          IsAssembly: items.length > 0,
          AssemblyItems: items.map((PartId) => ({ PartId, Quantity: pick([1, 2, 0.5]) })),
          IsZeroAssemblyItemPrices: chanceOf(0.3),
          IsAssemblySynchronizePricing: chanceOf(0.3),
          IsInternalizeAssemblyItems: chanceOf(0.15),
        }),
      ];
    }),
  );
  const lines = Array.from({ length: whole(7) }, (_, index): LineRequest => {
    const of = chanceOf(0.8) ? parts.get(1 + whole(count)) : undefined;
    const shared = {
      id: index + 1,
      quantity: pick([null, quantity()]),
      optionId: pick([null, null, null, 1, 2]),
      taxable: pick([null, null, true, false]),
      isInternal: pick([null, null, null, true, false]),
      unitCost: pick([null, null, amount()]),
    };
    const free = {
      discount: of?.IsExcludeFromDiscounts ? null : pick([null, null, amount()]),
      isZeroPrice: chanceOf(0.05),
      customFields: chanceOf(0.1) ? [{ Id: 5, Shortcode: 'own', Value: whole(9) }] : undefined,
    };
    if (chanceOf(0.15)) return { ...shared, ...free, partId: of?.Id, ratePercent: pick([5, 7.5, -10, 33.3333]) };
    if (!of) return { ...shared, ...free, unitPrice: pick([amount(), amount(), -amount()]) };
    const assemblyLineId = index && chanceOf(0.1) ? 1 + whole(index) : null;
    return {
      ...shared,
      ...free,
      partId: of.Id,
      assemblyLineId,
      unitPrice: of.RangePricing
        ? pick([null, 0, of.UnitPrice, of.UnitPriceMax ?? 0, Number((of.UnitPrice + 7.5).toFixed(4))])
        : pick([null, 0, of.UnitPrice]),
    };
  });
  const customFields: PricedField[] = [
    { Id: 1, Shortcode: 'count', Value: pick([null, quantity()]) },
    { Id: 2, Shortcode: 'visit', Value: pick([null, amount()]) },
    { Id: 3, Shortcode: 'each', Value: pick([null, amount()]) },
    { Id: 4, Shortcode: 'minutes', Value: pick([null, whole(240)]) },
    { Id: 5, Shortcode: 'own', Value: pick([null, whole(9)]) },
    { Id: 6, Shortcode: 'sqft', Value: whole(3000) },
    { Id: 7, Shortcode: 'colour', Value: 'red' },
  ];
  return {
    service: service(serviceInput),
    parts,
    quantity: pick([null, quantity(), quantity()]),
    lines,
    customFields,
    discount: pick([null, null, amount()]),
    taxRate: pick([null, 7, 8.875, decimals(20, 4)]),
    taxable: pick([null, null, true, false]),
    selectedOptionIds: pick([[], [1], [2], [1, 2]]),
  };
}
