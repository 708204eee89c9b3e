import type { PartRecord } from '../../entities/parts.ts';
import type { DimensionRecord } from '../../entities/price-book.ts';
import type { Dimension, Part, PartDetailed, PartTemplate } from '../../resources/parts.ts';
import { omit } from '../../shared/objects.ts';
import { distributionToResource } from './calendar-dates.ts';

/** The names of assembly items, and the part templates. */
export interface PartRelations {
  readonly partName: (id: number) => string;
  readonly partTemplates: ReadonlyMap<number, PartTemplate>;
}

function templateToResource(part: PartRecord, { partTemplates }: PartRelations): PartTemplate | null {
  const template = partTemplates.get(part.PartTemplateId ?? 0);
  return template ? { ...template, Selected: part.PartTemplateOptionSelectedOverride ?? template.Selected } : null;
}

/** A part in the base variant. */
export const partToResource = (part: PartRecord, relations: PartRelations): Part => ({
  Id: part.Id,
  Name: part.Name,
  Description: part.Description,
  Taxable: part.Taxable,
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
  StoreItemId: part.StoreItemId,
  ...distributionToResource(part),
  Category: part.PartCategory?.Name ?? '',
  RequiredForService: part.IsRequiredForService,
  ExcludeFromMinimum: part.IsExcludedFromMinimum,
  QtyPricing: part.QtyPricing.map((price) => omit(price, 'Id', 'Duration', 'CapacityDemand')),
  AssemblyItems: part.AssemblyItems.map((item) => ({ ...item, PartName: relations.partName(item.PartId) })),
  PartTemplate: templateToResource(part, relations),
});

/** A part in the detailed variant, which has its categories twice: by id and complete. */
export const partToDetailedResource = (part: PartRecord): PartDetailed => ({
  ...omit(part, 'V', 'RangePricing', 'SelfSelect', 'StoreItemId', 'DistributionStart', 'DistributionEnd'),
  PartCategoryId: part.PartCategory?.Id ?? null,
  PartSubcategory1Id: part.PartSubcategory1?.Id ?? null,
  PartSubcategory2Id: part.PartSubcategory2?.Id ?? null,
  QtyPricing: part.QtyPricing.map((price) => ({ ...price, PartId: part.Id })),
  SolutionPrices: part.SolutionPrices.map((price) => ({ ...price, PartId: part.Id })),
  AssemblyItems: part.AssemblyItems.map((item) => ({ ...item, AttachedToPartId: part.Id })),
});

export const dimensionToResource = (dimension: DimensionRecord): Dimension => omit(dimension, 'PartIds');

/** Without PartIds a dimension belongs to every part. */
export const hasDimension = ({ PartIds }: DimensionRecord, partId: number): boolean =>
  PartIds.length === 0 || PartIds.includes(partId);
