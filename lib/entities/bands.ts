import { double as anyNumber } from '../resources/fields.ts';
import type { ObjectOf } from './declaration/field.ts';
import { decimal, double, flag, given, id, number, text } from './declaration/fields.ts';
import { both } from './declaration/options.ts';
import { baseOf, resourceOf } from './declaration/resource.ts';

/** Prices for a range of quantities (interface, section 7). One applies if AtLeast ≤ quantity < LessThan. */

const FLAT = 'Price is for the whole quantity, not for a unit.';
const OVERAGE = 'Price is for the units above AtLeast only, added to the lower bands.';
const range = {
  AtLeast: double({ ...both }),
  LessThan: double({ ...both, nullable: true }),
  Price: decimal({ ...both }),
};
const formula = {
  Formula: text({
    ...both,
    max: 500,
    description: 'Overrides Price; over quantity, base, unit and the shortcodes of numeric custom fields.',
  }),
};

/** Price and duration of a service. */
export const band = {
  Id: id({ resource: true }),
  ...range,
  IsExcludeQuantity: flag({ ...both, description: FLAT }),
  IsOverageMode: flag({ ...both, description: OVERAGE }),
  CapacityDemand: double({ ...both, nullable: true }),
  ...formula,
  Duration: number({ ...both, min: 0, description: 'Minutes.' }),
  InitialNRecurringPrice: decimal({
    ...both,
    nullable: true,
    description: 'The price of the first visits of a subscription.',
  }),
  IsOverageBand: flag({ base: true }),
};
export type BandRecord = ObjectOf<typeof band>;

/** Price of a part. */
export const quantityPrice = {
  Id: id({ resource: true }),
  PartId: given(id()),
  ...range,
  ExcludeQuantity: flag({ ...both, description: FLAT }),
  OverageMode: flag({ ...both, description: OVERAGE }),
  ...formula,
  Duration: number({ min: 0, nullable: true, resource: true, description: 'Minutes.' }),
  CapacityDemand: double({ nullable: true, resource: true }),
};
export type QuantityPriceRecord = ObjectOf<typeof quantityPrice>;

/** In the base variant the contract has a Price of type double. */
const doublePrice = () => ({ Price: anyNumber() });

export const PricingBand = /* @__PURE__ */ baseOf({ name: 'PricingBand', declared: band }, doublePrice);
export const PricingBandDetailed = /* @__PURE__ */ resourceOf({ name: 'PricingBandDetailed', declared: band });

export const PartQtyPricing = /* @__PURE__ */ baseOf({ name: 'PartQtyPricing', declared: quantityPrice }, doublePrice);
export const PartQtyPricingDetailed = /* @__PURE__ */ resourceOf({
  name: 'PartQtyPricingDetailed',
  declared: quantityPrice,
});
