import { datetime, decimal, described, double, flag, id, int32, nullable, text, word } from './fields.ts';
import { type Output, resource, without } from './resource.ts';

// The rules of bands and quantity prices, with their order: interface, section 7. A band holds where AtLeast ≤ quantity
// < LessThan.

const formula = () =>
  described(text(500), 'Overrides Price; over quantity, base, unit and the shortcodes of numeric custom fields.');
const flat = () => described(flag(), 'Price is for all of it, not a unit.');
const overage = () => described(flag(), 'Price is for the units above AtLeast only, on top of the bands below.');

/** What a service costs, and how long it takes, from one quantity to another. */
export const PricingBand = resource('PricingBand', () => ({
  AtLeast: double(),
  LessThan: nullable(double()),
  Price: double(),
  IsExcludeQuantity: flat(),
  IsOverageMode: overage(),
  CapacityDemand: nullable(double()),
  Formula: formula(),
  Duration: described(int32(0), 'Minutes.'),
  InitialNRecurringPrice: nullable(described(decimal(), 'The price of the first visits of a subscription.')),
  IsOverageBand: flag(),
}));
export type PricingBand = Output<typeof PricingBand>;

/** The variant with an id and a decimal Price that ServiceDetailed holds. */
export const PricingBandDetailed = resource('PricingBandDetailed', () => ({
  Id: id(),
  ...without(PricingBand, 'IsOverageBand'),
  Price: decimal(),
}));
export type PricingBandDetailed = Output<typeof PricingBandDetailed>;

/** What a part costs from one quantity to another. */
export const PartQtyPricing = resource('PartQtyPricing', () => ({
  AtLeast: double(),
  LessThan: nullable(double()),
  Price: double(),
  ExcludeQuantity: flat(),
  OverageMode: overage(),
  Formula: formula(),
}));
export type PartQtyPricing = Output<typeof PartQtyPricing>;

/** The variant with ids, a decimal Price and durations that PartDetailed holds. */
export const PartQtyPricingDetailed = resource('PartQtyPricingDetailed', () => ({
  Id: id(),
  PartId: id(),
  ...PartQtyPricing.shape(),
  Price: decimal(),
  Duration: nullable(described(int32(0), 'Minutes.')),
  CapacityDemand: nullable(double()),
}));
export type PartQtyPricingDetailed = Output<typeof PartQtyPricingDetailed>;

/**
 * A category of revenue of which the brand takes a share: Percentage of it, or PerInvoiceAmount, within Minimum and
 * Maximum.
 */
export const BrandingRevenueCategory = resource('BrandingRevenueCategory', () => ({
  Id: id(),
  Name: text(200),
  Group: text(200),
  Percentage: decimal(),
  CreatedAt: datetime(),
  UpdatedAt: nullable(datetime()),
  IsTotalSales: described(flag(), 'Reckoned on all sales, not on those of the category.'),
  IsExcludedFromMinimum: flag(),
  ExcludeFromTotal: flag(),
  IsActive: flag(),
  PerInvoiceAmount: nullable(decimal()),
  Maximum: nullable(decimal()),
  // The contract does not show this value set; these are ours, 0 to 3 in this order.
  MaximumPeriod: described(
    word(['None', 'Month', 'Quarter', 'Year']),
    'The time for which Maximum is; None: an invoice.',
  ),
  Minimum: nullable(decimal()),
}));
export type BrandingRevenueCategory = Output<typeof BrandingRevenueCategory>;
