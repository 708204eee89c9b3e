import type { Dimension, Part, PartDetailed, PartTemplate } from '../../resources/parts.ts';
import type { DimensionRecord, PartRecord } from './record.ts';

/** What of the book a part's base variant draws on: the names of its items, and its template. */
export interface PartRelations {
  readonly partName: (id: number) => string;
  readonly partTemplates: ReadonlyMap<number, PartTemplate>;
}

function templateOf(part: PartRecord, { partTemplates }: PartRelations): PartTemplate | null {
  const template = part.PartTemplateId === null ? undefined : partTemplates.get(part.PartTemplateId);
  return template ? { ...template, Selected: part.PartTemplateOptionSelectedOverride ?? template.Selected } : null;
}

/**
 * The base variant of a part. Otherwise named there: Category (the name of PartCategory), RequiredForService
 * (IsRequiredForService), ExcludeFromMinimum (IsExcludedFromMinimum), PartTemplate (PartTemplateId with the part's own
 * PartTemplateOptionSelectedOverride), and AssemblyItems say PartName.
 */
export const partToResource = (part: PartRecord, context: PartRelations): Part => ({
  Id: part.Id,
  Name: part.Name,
  Description: part.Description,
  Category: part.PartCategory?.Name ?? '',
  Taxable: part.Taxable,
  RequiredForService: part.IsRequiredForService,
  ExcludeFromMinimum: part.IsExcludedFromMinimum,
  RangePricing: part.RangePricing,
  IsActive: part.IsActive,
  SelfSelect: part.SelfSelect,
  IsAssembly: part.IsAssembly,
  IsAssemblySynchronizePricing: part.IsAssemblySynchronizePricing,
  IsInternal: part.IsInternal,
  IsZeroAssemblyItemPrices: part.IsZeroAssemblyItemPrices,
  UnitPrice: part.UnitPrice,
  UnitPriceMax: part.UnitPriceMax,
  UnitCost: part.UnitCost,
  UnitDuration: part.UnitDuration,
  DurationForQtyUnits: part.DurationForQtyUnits,
  UnitOfMeasure: part.UnitOfMeasure,
  QuantityOverrideCustomFieldId: part.QuantityOverrideCustomFieldId,
  QtyPricing: part.QtyPricing.map(({ AtLeast, LessThan, Price, ExcludeQuantity, OverageMode, Formula }) => ({
    AtLeast,
    LessThan,
    Price,
    ExcludeQuantity,
    OverageMode,
    Formula,
  })),
  AssemblyItems: part.AssemblyItems.map(({ PartId, Quantity }) => ({
    PartId,
    PartName: context.partName(PartId),
    Quantity,
  })),
  PartTemplate: templateOf(part, context),
  StoreItemId: part.StoreItemId,
  DistributionStart: part.DistributionStart,
  DistributionEnd: part.DistributionEnd,
});

/**
 * The detailed variant of a part. Its categories stand there twice, by id and whole; its quantity prices name the part,
 * and its assembly items the assembly they are attached to. It draws on nothing but the part.
 */
export function partToDetailedResource(part: PartRecord): PartDetailed {
  const { V: _, RangePricing: __, SelfSelect: ___, StoreItemId: ____, DistributionStart: _____, ...rest } = part;
  const { DistributionEnd: ______, ...shared } = rest;
  return {
    ...shared,
    PartCategoryId: part.PartCategory?.Id ?? null,
    PartSubcategory1Id: part.PartSubcategory1?.Id ?? null,
    PartSubcategory2Id: part.PartSubcategory2?.Id ?? null,
    QtyPricing: part.QtyPricing.map((price) => ({ ...price, PartId: part.Id })),
    SolutionPrices: part.SolutionPrices.map((price) => ({ ...price, PartId: part.Id })),
    AssemblyItems: part.AssemblyItems.map((item) => ({ ...item, AttachedToPartId: part.Id })),
  };
}

/** The dimension as operations answer it. */
export const dimensionToResource = ({ PartIds: _, ...dimension }: DimensionRecord): Dimension => dimension;

/** Whether a part has a dimension: it is one of its parts, or one of every part. */
export const hasDimension = ({ PartIds }: DimensionRecord, partId: number): boolean =>
  PartIds.length === 0 || PartIds.includes(partId);
