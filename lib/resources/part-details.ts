import { AssemblyItemAttached } from './assemblies.ts';
import { decimal, described, double, flag, id, int32, list, nullable, text } from './fields.ts';
import { IdName } from './names.ts';
import { PartQtyPricingDetailed } from './pricing.ts';
import { many, nested, resource, type Output } from './resource.ts';

/** What a part costs as one of the solutions that a client chooses between. */
export const SolutionPrice = resource('SolutionPrice', () => ({
  PartId: id(),
  PartSolutionId: id(),
  UnitPrice: decimal(),
}));
export type SolutionPrice = Output<typeof SolutionPrice>;

/** A part with all its settings: the detailed variant that part/details returns. */
export const PartDetailed = resource('PartDetailed', () => ({
  Id: id(),
  Name: text(200),
  Description: text(),
  IsActive: flag(),
  IsInternal: described(flag(), 'Costs, but neither prints nor adds.'),
  IsAssembly: flag(),
  IsAssemblySynchronizePricing: described(flag(), 'The assembly costs what its items cost.'),
  IsDisplaySummary: flag(),
  IsExcludeFromDiscounts: flag(),
  IsExcludedFromMinimum: flag(),
  IsZeroAssemblyItemPrices: described(flag(), 'The items cost nothing beside the assembly.'),
  IsInternalizeAssemblyItems: described(flag(), 'The items become internal lines.'),
  IsAssemblyTreatAsOption: flag(),
  IsRequiredForService: flag(),
  IsPerDiem: flag(),
  SyncQtyWithServiceQty: flag(),
  DisplayRow: nullable(int32()),
  DisplayColumn: nullable(int32()),
  ColorDisplay: text(50),
  Taxable: flag(),
  UnitCost: nullable(decimal()),
  ReplacementCost: nullable(decimal()),
  UnitOfMeasure: text(50),
  PartCategoryId: nullable(id()),
  PartCategory: nested(IdName),
  PartSubcategory1Id: nullable(id()),
  PartSubcategory1: nested(IdName),
  PartSubcategory2Id: nullable(id()),
  PartSubcategory2: nested(IdName),
  BrandingRevenueCategoryId: nullable(id()),
  VendorPartNo: text(100),
  QuantityOverrideCustomFieldId: nullable(described(id(), 'The custom field whose value is the quantity.')),
  QuantityOverrideGridColumnId: nullable(id()),
  QuantityFormula: text(500),
  SubscriptionDistributionSteps: text(1000),
  UnitPrice: decimal(),
  UnitPriceMax: nullable(decimal()),
  UnitDuration: nullable(described(int32(0), 'Minutes for DurationForQtyUnits units.')),
  CapacityDemand: nullable(int32()),
  DurationForQtyUnits: nullable(int32(0)),
  PartTemplateId: nullable(id()),
  PartTemplateOptionSelectedOverride: nullable(flag()),
  QtyPricing: many(PartQtyPricingDetailed),
  SolutionPrices: many(SolutionPrice),
  AssemblyItems: many(AssemblyItemAttached),
  LimitedServiceIds: described(list(id()), 'Only with these services; empty for all.'),
  Quantity: double(),
}));
export type PartDetailed = Output<typeof PartDetailed>;
