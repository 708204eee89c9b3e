import {
  type Output,
  moment,
  decimal,
  described,
  double,
  flag,
  id,
  int32,
  nullable,
  resource,
  text,
  without,
  numbered,
} from './fields.ts';

// The rules of bands and quantity prices: interface, section 7. A band applies if AtLeast ≤ quantity < LessThan.

const formula = () =>
  described(text(500), 'Overrides Price; over quantity, base, unit and the shortcodes of numeric custom fields.');
const flat = () => described(flag(), 'Price is for the whole quantity, not for a unit.');
const overage = () => described(flag(), 'Price is for the units above AtLeast only, added to the lower bands.');

/** Price and duration of a service in a range of quantities. */
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

/** The variant of ServiceDetailed, with an id and a decimal Price. */
export const PricingBandDetailed = resource('PricingBandDetailed', () => ({
  Id: id(),
  ...without(PricingBand, 'IsOverageBand'),
  Price: decimal(),
}));
export type PricingBandDetailed = Output<typeof PricingBandDetailed>;

/** Price of a part for a range of quantities. */
export const PartQtyPricing = resource('PartQtyPricing', () => ({
  AtLeast: double(),
  LessThan: nullable(double()),
  Price: double(),
  ExcludeQuantity: flat(),
  OverageMode: overage(),
  Formula: formula(),
}));

/** The variant of PartDetailed, with ids, a decimal Price and durations. */
export const PartQtyPricingDetailed = resource('PartQtyPricingDetailed', () => ({
  Id: id(),
  PartId: id(),
  ...PartQtyPricing.shape(),
  Price: decimal(),
  Duration: nullable(described(int32(0), 'Minutes.')),
  CapacityDemand: nullable(double()),
}));
export type PartQtyPricingDetailed = Output<typeof PartQtyPricingDetailed>;

/** A revenue category with the brand's share: Percentage or PerInvoiceAmount, within Minimum and Maximum. */
export const BrandingRevenueCategory = resource('BrandingRevenueCategory', () => ({
  Id: id(),
  Name: text(200),
  Group: text(200),
  Percentage: decimal(),
  CreatedAt: moment(),
  UpdatedAt: nullable(moment()),
  IsTotalSales: described(flag(), 'Computed from all sales, not from those of the category.'),
  IsExcludedFromMinimum: flag(),
  ExcludeFromTotal: flag(),
  IsActive: flag(),
  PerInvoiceAmount: nullable(decimal()),
  Maximum: nullable(decimal()),
  // The contract does not list these values; they are defined here, numbered 0 to 3.
  MaximumPeriod: described(
    numbered(['None', 'Month', 'Quarter', 'Year']),
    'The period of Maximum; None means per invoice.',
  ),
  Minimum: nullable(decimal()),
}));
export type BrandingRevenueCategory = Output<typeof BrandingRevenueCategory>;
