import { described, list, text } from './fields.ts';
import { AssemblyItem, Dimension, Part, PartDetailed, SolutionPrice } from './parts.ts';
import {
  BrandingRevenueCategory,
  PartQtyPricing,
  PartQtyPricingDetailed,
  PricingBand,
  PricingBandDetailed,
} from './pricing.ts';
import { ProposalTemplate, ProposalTemplateLine } from './proposals.ts';
import { type Input, many, nested, resource } from './resource.ts';
import { Service, ServiceDetailed } from './services.ts';

// What the price book is told, by organizations/create and update and by the company file: the fields of both variants
// of a thing, and the names of other things where a variant has ids, because a file that moves to another account has
// no ids. Where two fields say the same, the detailed variant's counts, and an id before a name.

const name = () => text(200);
const names = () => described(list(text(200)), 'Names; an id list of like name counts before it.');

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

/** A part to be made or changed. */
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

/** A service to be made or changed. */
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

/** A dimension to be made or changed. `Parts` are the names of those that have it; empty: every part. */
export const DimensionEntry = resource('DimensionEntry', () => ({ ...Dimension.shape(), Parts: names() }));
export type DimensionEntry = Input<typeof DimensionEntry>;

const LineEntry = resource('ProposalTemplateLineEntry', () => ({ ...ProposalTemplateLine.shape(), Part: name() }));

/** A proposal template to be made or changed. */
export const ProposalTemplateEntry = resource('ProposalTemplateEntry', () => ({
  ...ProposalTemplate.shape(),
  Service: name(),
  ProposalTemplateLines: many(LineEntry),
}));
export type ProposalTemplateEntry = Input<typeof ProposalTemplateEntry>;
