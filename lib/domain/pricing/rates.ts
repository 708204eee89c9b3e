import type { PartRecord, QuantityPriceRecord } from '../../entities/parts.ts';
import type { BandRecord, ServiceRecord } from '../../entities/services.ts';
import Big from 'big.js';
import { Fraction, decimal } from '../../shared/money.ts';
import {
  type AddError,
  type Fields,
  type FormulaSource,
  type PricingSteps,
  formulaValue,
  overrideValue,
} from './formula-fields.ts';

/** A band of a service or a quantity price of a part; both follow the same rules. */
export interface Tier {
  readonly AtLeast: number;
  readonly LessThan: number | null;
  readonly Price: number;
  readonly Formula: string;
  /** `null` for none. */
  readonly minutes: number | null;
  readonly flat: boolean;
  readonly overage: boolean;
}

/** A band with Duration 0 has no minutes; those of its service apply. */
const bandTier = (band: BandRecord): Tier => ({
  AtLeast: band.AtLeast,
  LessThan: band.LessThan,
  Price: band.Price,
  Formula: band.Formula,
  minutes: band.Duration || null,
  flat: band.IsExcludeQuantity,
  overage: band.IsOverageMode,
});

export const quantityTier = (price: QuantityPriceRecord): Tier => ({
  AtLeast: price.AtLeast,
  LessThan: price.LessThan,
  Price: price.Price,
  Formula: price.Formula,
  minutes: price.Duration,
  flat: price.ExcludeQuantity,
  overage: price.OverageMode,
});

/** The amount without tiers, and the rate of a tier for one unit (`undefined` for none), at a quantity. */
export interface Rates {
  readonly plain: (quantity: Big) => Fraction;
  readonly rate: (tier: Tier, quantity: Big) => Fraction | undefined;
}

/**
 * The amount (or minutes) of a quantity, not rounded. The tier with AtLeast ≤ quantity < LessThan replaces the plain
 * amount: by rate × quantity; flat: by the rate; overage: by the rate for the units above AtLeast, added to the amount
 * of AtLeast units under the tier just below.
 *
 * Worked, 12 units, tiers from 0 at 5.00 and from 10 at 4.00: 12 × 4.00 = 48.00; the second flat: 4.00; the second
 * overage: 10 × 5.00 + 2 × 4.00 = 58.00.
 */
export function tieredAmount(tiers: readonly Tier[], quantity: Big, rates: Rates): Fraction {
  return amountIn(tierAt(tiers, quantity), tiers, quantity, rates);
}

function tierAt(tiers: readonly Tier[], quantity: Big): Tier | undefined {
  const at = quantity.toNumber();
  return tiers.find(({ AtLeast, LessThan }) => AtLeast <= at && (LessThan === null || at < LessThan));
}

function amountIn(tier: Tier | undefined, tiers: readonly Tier[], quantity: Big, rates: Rates): Fraction {
  const rate = tier && rates.rate(tier, quantity);
  if (tier === undefined || rate === undefined) return rates.plain(quantity);
  if (!tier.overage) return tier.flat ? rate : rate.times(quantity);
  const below = tiers.find(
    ({ AtLeast, LessThan }) => AtLeast < tier.AtLeast && (LessThan === null || LessThan >= tier.AtLeast),
  );
  const start = new Big(tier.AtLeast);
  return amountIn(below, tiers, start, rates).plus(tier.flat ? rate : rate.times(quantity.minus(start)));
}

/** A service's BasePrice and UnitPrice, or the custom fields that override them. */
export const serviceRates = (service: ServiceRecord, fields: Fields): { base: Big; unit: Big } => ({
  base: new Big(overrideValue(fields, service.BasePriceOverrideCustomFieldId) ?? service.BasePrice),
  unit: new Big(overrideValue(fields, service.UnitPriceOverrideCustomFieldId) ?? service.UnitPrice),
});

/** A tier's Price, or the value of its Formula instead: the price of a unit, or of everything if the tier is flat. */
export const tierPrice =
  (fields: Fields, builtIn: { base: Big; unit: Big }, source: FormulaSource) =>
  (tier: Tier, quantity: Big): Fraction =>
    tier.Formula.trim() === ''
      ? Fraction.of(tier.Price)
      : formulaValue(
          tier.Formula,
          fields,
          { ...builtIn, quantity },
          { ...source, name: `Formula of the ${source.name} from ${tier.AtLeast}` },
        );

/** The price of a quantity of a service, not rounded: BasePrice + UnitPrice × quantity, or by its bands. */
export function basePrice(
  service: ServiceRecord,
  quantity: Big,
  fields: Fields,
  { addError, steps }: { readonly addError: AddError; readonly steps: PricingSteps },
): Fraction {
  const rates = serviceRates(service, fields);
  const source = { name: 'band', field: 'ServiceId', addError, steps };
  return tieredAmount(service.PricingBands.map(bandTier), quantity, {
    plain: (count) => Fraction.of(rates.base.plus(rates.unit.times(count))),
    rate: tierPrice(fields, rates, source),
  });
}

/**
 * The price of a service as a base and a price per unit: its own two, or a band's Price per unit. `undefined` if the
 * price has another form: flat and overage bands, formulas, and overrides with more than 4 decimals.
 */
export function linearRates(
  service: ServiceRecord,
  quantity: Big,
  fields: Fields,
): { base: number; unit: number } | undefined {
  const band = tierAt(service.PricingBands.map(bandTier), quantity);
  if (band && (band.flat || band.overage || band.Formula.trim())) return undefined;
  const { base, unit } = band ? { base: new Big(0), unit: new Big(band.Price) } : serviceRates(service, fields);
  const rates = { base: decimal(base), unit: decimal(unit) };
  return base.eq(rates.base) && unit.eq(rates.unit) ? rates : undefined;
}

const minutesRate = ({ minutes }: Tier): Fraction | undefined => (minutes === null ? undefined : Fraction.of(minutes));

/**
 * Whole minutes, rounded up. 30 minutes for 7 units, 2 of them: 8.57 → 9; 3 units at 1 minute for 3 are exactly 1.
 */
const roundUp = (minutes: Fraction): number => minutes.ceil().toBig(0).toNumber() + 0;

/**
 * Minutes of a service: the value of its override field; else BaseDuration + UnitDuration × quantity, which a band with
 * a Duration replaces as its Price replaces the price: Duration × quantity, flat, or for the units above.
 */
export function serviceMinutes(service: ServiceRecord, quantity: Big, fields: Fields, addError: AddError): number {
  const override = overrideValue(fields, service.DurationOverrideCustomFieldId);
  if (override !== undefined && override < 0)
    addError('CustomFields', `must have at least 0 in the field that overrides the duration, not ${override}`, 'range');
  if (override !== undefined) return roundUp(Fraction.of(Math.max(override, 0)));
  const plain = (count: Big) => Fraction.of(count.times(service.UnitDuration).plus(service.BaseDuration));
  return roundUp(tieredAmount(service.PricingBands.map(bandTier), quantity, { plain, rate: minutesRate }));
}

/** Minutes of a part: UnitDuration for every DurationForQtyUnits units (or for one), or by its quantity prices. */
export function partMinutes(part: PartRecord, quantity: Big): number {
  const { UnitDuration, DurationForQtyUnits, QtyPricing } = part;
  if (!UnitDuration && QtyPricing.length === 0) return 0;
  const plain = (count: Big) => Fraction.of(count.times(UnitDuration ?? 0)).dividedBy(DurationForQtyUnits || 1);
  return roundUp(tieredAmount(QtyPricing.map(quantityTier), quantity, { plain, rate: minutesRate }));
}
