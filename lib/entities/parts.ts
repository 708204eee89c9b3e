import { type RecordOf, entity } from './entity.ts';
import { type ObjectOf, flag, id, listOf, number, numbers, object, text } from './fields.ts';

/** Price of a part in a range of quantities. */
const quantityPrice = {
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

/** A part, like a service. All parts belong to the account; categories include their names. */
export const partEntity = entity('Part', {
  Id: id(),
  Name: text(),
  Description: text(),
  IsActive: flag({ absent: true }),
  IsInternal: flag(),
  IsAssembly: flag(),
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
  RangePricing: flag(),
  SelfSelect: flag(),
  Taxable: flag(),
  DisplayRow: number({ nullable: true }),
  DisplayColumn: number({ nullable: true }),
  ColorDisplay: text(),
  UnitPrice: number(),
  UnitPriceMax: number({ nullable: true }),
  UnitCost: number({ nullable: true }),
  ReplacementCost: number({ nullable: true }),
  UnitOfMeasure: text(),
  VendorPartNo: text(),
  PartCategory: object(category, { nullable: true }),
  PartSubcategory1: object(category, { nullable: true }),
  PartSubcategory2: object(category, { nullable: true }),
  BrandingRevenueCategoryId: id({ nullable: true }),
  QuantityOverrideCustomFieldId: id({ nullable: true }),
  QuantityOverrideGridColumnId: id({ nullable: true }),
  QuantityFormula: text(),
  SubscriptionDistributionSteps: text(),
  UnitDuration: number({ nullable: true }),
  CapacityDemand: number({ nullable: true }),
  DurationForQtyUnits: number({ nullable: true }),
  PartTemplateId: id({ nullable: true }),
  PartTemplateOptionSelectedOverride: flag({ nullable: true }),
  QtyPricing: listOf(quantityPrice),
  SolutionPrices: listOf({ PartSolutionId: id(), UnitPrice: number() }),
  AssemblyItems: listOf({ PartId: id(), Quantity: number() }),
  LimitedServiceIds: numbers(),
  Quantity: number(),
  StoreItemId: id({ nullable: true }),
  DistributionStart: text({ nullable: true }),
  DistributionEnd: text({ nullable: true }),
  V: number(),
});
export type PartRecord = RecordOf<typeof partEntity>;
