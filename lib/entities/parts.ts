import type { ObjectOf } from './declaration/field.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { decimal, flag, id, listOf, number, numbers, object, text } from './declaration/fields.ts';

/** Price of a part for a range of quantities. */
export const quantityPrice = {
  Id: id(),
  AtLeast: number(),
  LessThan: number({ nullable: true }),
  Price: number(),
  ExcludeQuantity: flag(),
  OverageMode: flag(),
  Formula: text(),
  /** Minutes. */
  Duration: number({ nullable: true }),
  CapacityDemand: number({ nullable: true }),
};
export type QuantityPriceRecord = ObjectOf<typeof quantityPrice>;

const category = { Id: id(), Name: text() };

/** A part, stored like a service. All parts belong to the account; categories include their names. */
export const partEntity = entity('Part', {
  Id: id({ download: true }),
  Name: text({ download: true }),
  Description: text({ download: true }),
  IsActive: flag({ absent: true, download: true }),
  IsInternal: flag({ download: true }),
  IsAssembly: flag({ download: true }),
  IsAssemblySynchronizePricing: flag(),
  IsDisplaySummary: flag(),
  IsExcludeFromDiscounts: flag(),
  IsExcludedFromMinimum: flag(),
  IsZeroAssemblyItemPrices: flag(),
  IsInternalizeAssemblyItems: flag(),
  IsAssemblyTreatAsOption: flag(),
  IsRequiredForService: flag(),
  IsPerDiem: flag(),
  SyncQtyWithServiceQty: flag(),
  RangePricing: flag({ download: true, event: true }),
  SelfSelect: flag({ download: true, event: true }),
  Taxable: flag({ download: true }),
  DisplayRow: number({ nullable: true }),
  DisplayColumn: number({ nullable: true }),
  ColorDisplay: text(),
  UnitPrice: decimal({ download: true }),
  UnitPriceMax: decimal({ nullable: true, download: true }),
  UnitCost: decimal({ nullable: true, download: true }),
  ReplacementCost: decimal({ nullable: true, download: true }),
  UnitOfMeasure: text({ download: true }),
  VendorPartNo: text({ download: true }),
  PartCategory: object(category, { nullable: true }),
  PartSubcategory1: object(category, { nullable: true }),
  PartSubcategory2: object(category, { nullable: true }),
  BrandingRevenueCategoryId: id({ nullable: true, download: true }),
  QuantityOverrideCustomFieldId: id({ nullable: true }),
  QuantityOverrideGridColumnId: id({ nullable: true }),
  QuantityFormula: text({ download: true }),
  SubscriptionDistributionSteps: text(),
  UnitDuration: number({ nullable: true, download: true, about: 'minutes for DurationForQtyUnits units' }),
  CapacityDemand: number({ nullable: true }),
  DurationForQtyUnits: number({ nullable: true, download: true }),
  PartTemplateId: id({ nullable: true }),
  PartTemplateOptionSelectedOverride: flag({ nullable: true }),
  QtyPricing: listOf(quantityPrice, { download: true }),
  SolutionPrices: listOf({ PartSolutionId: id(), UnitPrice: number() }),
  AssemblyItems: listOf(
    { PartId: id(), Quantity: number() },
    { download: true, about: 'each with PartId and Quantity' },
  ),
  LimitedServiceIds: numbers(),
  Quantity: number(),
  StoreItemId: id({ nullable: true, download: true, event: true }),
  DistributionStart: text({ nullable: true }),
  DistributionEnd: text({ nullable: true }),
  V: number(),
});
export type PartRecord = RecordOf<typeof partEntity>;
