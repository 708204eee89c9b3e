import { IdName } from './addresses.ts';
import {
  type Output,
  calendarDate,
  decimal,
  described,
  flag,
  id,
  int32,
  list,
  many,
  nested,
  nullable,
  quantity,
  resource,
  text,
} from './fields.ts';
import { PartQtyPricing, PartQtyPricingDetailed } from './pricing.ts';

/** The option that a part represents, if several parts are choices of one template. */
export const PartTemplate = resource('PartTemplate', () => ({ Id: id(), OptionName: text(200), Selected: flag() }));
export type PartTemplate = Output<typeof PartTemplate>;

/** Material, work or an assembly of both, sold with a service. Pricing: interface, section 7. */
export const Part = resource('Part', () => ({
  Id: id(),
  Name: text(200),
  Description: text(),
  Category: text(200),
  Taxable: flag(),
  RequiredForService: nullable(flag()),
  ExcludeFromMinimum: nullable(described(flag(), 'Does not count towards the MinimumCharge of the service.')),
  RangePricing: described(flag(), 'The price may be set from UnitPrice to UnitPriceMax.'),
  IsActive: flag(),
  SelfSelect: described(flag(), 'Clients may add it themselves.'),
  IsAssembly: flag(),
  IsAssemblySynchronizePricing: described(flag(), 'The assembly price is the sum of its items.'),
  IsInternal: described(flag(), 'Has a cost, but is not printed and not added to the total.'),
  IsZeroAssemblyItemPrices: described(flag(), 'The items of the assembly have no price of their own.'),
  UnitPrice: decimal(),
  UnitPriceMax: nullable(decimal()),
  UnitCost: nullable(decimal()),
  UnitDuration: nullable(described(int32(0), 'Minutes for DurationForQtyUnits units.')),
  DurationForQtyUnits: nullable(int32(0)),
  UnitOfMeasure: text(50),
  QuantityOverrideCustomFieldId: nullable(described(id(), 'The custom field whose value is the quantity.')),
  QtyPricing: many(PartQtyPricing),
  AssemblyItems: many(AssemblyItem),
  PartTemplate: nested(PartTemplate),
  StoreItemId: nullable(id()),
  DistributionStart: nullable(calendarDate()),
  DistributionEnd: nullable(calendarDate()),
}));
export type Part = Output<typeof Part>;

/** The price of a part in one of the solutions that a client selects from. */
export const SolutionPrice = resource('SolutionPrice', () => ({
  PartId: id(),
  PartSolutionId: id(),
  UnitPrice: decimal(),
}));

/** The variant of part/details, with all settings. */
export const PartDetailed = resource('PartDetailed', () => ({
  Id: id(),
  Name: text(200),
  Description: text(),
  IsActive: flag(),
  IsInternal: described(flag(), 'Has a cost, but is not printed and not added to the total.'),
  IsAssembly: flag(),
  IsAssemblySynchronizePricing: described(flag(), 'The assembly price is the sum of its items.'),
  IsDisplaySummary: flag(),
  IsExcludeFromDiscounts: flag(),
  IsExcludedFromMinimum: flag(),
  IsZeroAssemblyItemPrices: described(flag(), 'The items of the assembly have no price of their own.'),
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
  LimitedServiceIds: described(list(id()), 'Only with these services; empty means all.'),
  Quantity: quantity(),
}));
export type PartDetailed = Output<typeof PartDetailed>;

/** An item of an assembly; assemblies nest up to 5 levels (interface, section 7). */
export const AssemblyItem = resource('AssemblyItem', () => ({
  PartId: id(),
  PartName: text(200),
  Quantity: decimal(),
}));

/** The variant of PartDetailed, with the id of the assembly instead of the item's name. */
export const AssemblyItemAttached = resource('AssemblyItemAttached', () => ({
  AttachedToPartId: id(),
  PartId: id(),
  Quantity: decimal(),
}));

/** A measured attribute of parts (length, voltage): within Minimum and Maximum in steps of Step, or one of Options. */
export const Dimension = resource('Dimension', () => ({
  Id: id(),
  Name: text(200),
  UnitOfMeasure: text(50),
  Minimum: nullable(decimal()),
  Maximum: nullable(decimal()),
  Step: nullable(decimal()),
  Options: list(text(200)),
}));
export type Dimension = Output<typeof Dimension>;
