import Big from 'big.js';
import { decimal } from '../../shared/money.ts';
import type { BandRecord, PartRecord, QuantityPriceRecord, ServiceRecord } from '../pricebook/record.ts';
import { type Fields, type AddError, formulaValue, applyOverride } from './fields.ts';

/** A band of a service or a quantity price of a part: they follow the same rules. */
export interface Tier {
  readonly AtLeast: number;
  readonly LessThan: number | null;
  readonly Price: number;
  readonly Formula: string;
  /** Minutes; `null` says nothing. */
  readonly minutes: number | null;
  readonly flat: boolean;
  readonly overage: boolean;
}

/** A band whose Duration is 0 says none: its service's own minutes hold. */
export const bandTier = (band: BandRecord): Tier => ({
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

/** What holds without tiers, and what a tier says for one unit (`undefined`: nothing), at a quantity. */
export interface Rates {
  readonly plain: (quantity: Big) => Big;
  readonly rate: (tier: Tier, quantity: Big) => Big | undefined;
}

/**
 * The amount (or minutes) of a quantity, not rounded. The tier with AtLeast ≤ quantity < LessThan replaces what is
 * plain: rate × quantity; flat: the rate as it is; overage: the rate for the units above AtLeast, on top of what
 * AtLeast units cost by what holds just below.
 *
 * Worked, 12 units, tiers from 0 at 5.00 and from 10 at 4.00: 12 × 4.00 = 48.00; the second flat: 4.00; the second
 * overage: 10 × 5.00 + 2 × 4.00 = 58.00.
 */
export function tiered(tiers: readonly Tier[], quantity: Big, rates: Rates): Big {
  return amountIn(tierAt(tiers, quantity), tiers, quantity, rates);
}

function tierAt(tiers: readonly Tier[], quantity: Big): Tier | undefined {
  const at = quantity.toNumber();
  return tiers.find(({ AtLeast, LessThan }) => AtLeast <= at && (LessThan === null || at < LessThan));
}

function amountIn(tier: Tier | undefined, tiers: readonly Tier[], quantity: Big, rates: Rates): Big {
  const rate = tier && rates.rate(tier, quantity);
  if (tier === undefined || rate === undefined) return rates.plain(quantity);
  if (!tier.overage) return tier.flat ? rate : rate.times(quantity);
  const below = tiers.find(
    ({ AtLeast, LessThan }) => AtLeast < tier.AtLeast && (LessThan === null || LessThan >= tier.AtLeast),
  );
  const start = new Big(tier.AtLeast);
  return amountIn(below, tiers, start, rates).plus(tier.flat ? rate : rate.times(quantity.minus(start)));
}

/** A service's BasePrice and UnitPrice, or what custom fields say in their place. */
export const serviceRates = (service: ServiceRecord, fields: Fields): { base: Big; unit: Big } => ({
  base: new Big(applyOverride(fields, service.BasePriceOverrideCustomFieldId) ?? service.BasePrice),
  unit: new Big(applyOverride(fields, service.UnitPriceOverrideCustomFieldId) ?? service.UnitPrice),
});

/** A tier's Price, or the value of its Formula, which stands in its place: a unit's price, unless the tier is flat. */
export const tieredPrice =
  (fields: Fields, builtIn: { base: Big; unit: Big }, fault: { say: AddError; field: string; whose: string }) =>
  (tier: Tier, quantity: Big): Big =>
    tier.Formula.trim() === ''
      ? new Big(tier.Price)
      : formulaValue(
          tier.Formula,
          fields,
          { ...builtIn, quantity },
          { ...fault, whose: `Formula of ${fault.whose} from ${tier.AtLeast}` },
        );

/** What a quantity of a service costs, not rounded: BasePrice + UnitPrice × quantity, or what its bands say. */
export function basePrice(service: ServiceRecord, quantity: Big, fields: Fields, say: AddError): Big {
  const rates = serviceRates(service, fields);
  const fault = { say, field: 'ServiceId', whose: 'band' };
  return tiered(service.PricingBands.map(bandTier), quantity, {
    plain: (of) => rates.base.plus(rates.unit.times(of)),
    rate: tieredPrice(fields, rates, fault),
  });
}

/**
 * The price of a service as a base and a price for each unit, where it is one: its own two without bands, a band's Price
 * for each unit. `undefined` where it is none: flat and overage bands, formulas, and overrides of more than 4 decimals.
 */
export function partRates(
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

const rate = ({ minutes }: Tier): Big | undefined => (minutes === null ? undefined : new Big(minutes));

/**
 * Whole minutes: what is begun is taken, lest a job be cut short. 30 minutes for 7 units, 2 of them: 8.57 → 9. What
 * is divided is the product, so that 3 units at 1 minute for 3 are exactly 1.
 */
const whole = (minutes: Big): number => minutes.round(0, Big.roundUp).toNumber() + 0;

/**
 * Minutes of a service: what its override field says; else BaseDuration + UnitDuration × quantity, which a band with a
 * Duration replaces as its Price replaces the price: Duration × quantity, flat, or for the units above.
 */
export function serviceMinutes(service: ServiceRecord, quantity: Big, fields: Fields, say: AddError): number {
  const said = applyOverride(fields, service.DurationOverrideCustomFieldId);
  if (said !== undefined && said < 0)
    say('CustomFields', `must say at least 0 in the field that overrides the duration, not ${said}`);
  if (said !== undefined) return whole(new Big(Math.max(said, 0)));
  const plain = (of: Big) => of.times(service.UnitDuration).plus(service.BaseDuration);
  return whole(tiered(service.PricingBands.map(bandTier), quantity, { plain, rate }));
}

/** Minutes of a part: UnitDuration for every DurationForQtyUnits units (or for one), or what its quantity prices say. */
export function partMinutes(part: PartRecord, quantity: Big): number {
  const { UnitDuration, DurationForQtyUnits, QtyPricing } = part;
  if (!UnitDuration && QtyPricing.length === 0) return 0;
  const plain = (of: Big) => of.times(UnitDuration ?? 0).div(DurationForQtyUnits || 1);
  return whole(tiered(QtyPricing.map(quantityTier), quantity, { plain, rate }));
}
