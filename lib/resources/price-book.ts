import { Service, ServiceDetailed } from '../entities/services.ts';
import { PartQtyPricing, PartQtyPricingDetailed, PricingBand, PricingBandDetailed } from '../entities/bands.ts';
import { BrandingRevenueCategory, Dimension, ProposalTemplate, ProposalTemplateLine } from '../entities/price-book.ts';
import { AssemblyItem, Part, PartDetailed, SolutionPrice } from '../entities/parts.ts';
import { type Input, described, list, many, nested, resource, text } from './fields.ts';

// The input of the price book, from organizations/create and update and from the company file: the fields of both
// variants of a record, and names in place of ids, because a file for another account has no ids. If two fields set the
// same value, the detailed variant wins, and an id wins over a name.

const name = () => text(200);
const names = () => described(list(text(200)), 'Names; the corresponding list of ids takes precedence.');

const BandEntry = resource('PricingBandEntry', () => ({ ...PricingBand.shape(), ...PricingBandDetailed.shape() }));
const QuantityPriceEntry = resource('PartQtyPricingEntry', () => ({
  ...PartQtyPricing.shape(),
  ...PartQtyPricingDetailed.shape(),
}));
const AssemblyItemEntry = resource('AssemblyItemEntry', () => ({
  ...AssemblyItem.shape(),
  AttachedToPartId: PartDetailed.shape().Id,
}));
const SolutionPriceEntry = resource('SolutionPriceEntry', () => ({ ...SolutionPrice.shape(), PartSolution: name() }));

export const PartEntry = resource('PartEntry', () => ({
  ...Part.shape(),
  ...PartDetailed.shape(),
  QtyPricing: many(QuantityPriceEntry),
  AssemblyItems: many(AssemblyItemEntry),
  SolutionPrices: many(SolutionPriceEntry),
  LimitedServices: names(),
  BrandingRevenueCategory: nested(BrandingRevenueCategory),
  QuantityOverrideCustomField: name(),
}));
export type PartEntry = Input<typeof PartEntry>;

export const ServiceEntry = resource('ServiceEntry', () => ({
  ...Service.shape(),
  ...ServiceDetailed.shape(),
  PricingBands: many(BandEntry),
  AvailableParts: many(PartEntry),
  LimitedParts: names(),
  QuantityOverridePartCategory: name(),
  QuantityOverrideCustomField: name(),
  BasePriceOverrideCustomField: name(),
  UnitPriceOverrideCustomField: name(),
  DurationOverrideCustomField: name(),
  CapacityDemandOverrideCustomField: name(),
}));
export type ServiceEntry = Input<typeof ServiceEntry>;

/** `Parts` are the names of the parts that have the dimension; empty means every part. */
export const DimensionEntry = resource('DimensionEntry', () => ({ ...Dimension.shape(), Parts: names() }));
export type DimensionEntry = Input<typeof DimensionEntry>;

const LineEntry = resource('ProposalTemplateLineEntry', () => ({ ...ProposalTemplateLine.shape(), Part: name() }));

export const ProposalTemplateEntry = resource('ProposalTemplateEntry', () => ({
  ...ProposalTemplate.shape(),
  Service: name(),
  ProposalTemplateLines: many(LineEntry),
}));
export type ProposalTemplateEntry = Input<typeof ProposalTemplateEntry>;
