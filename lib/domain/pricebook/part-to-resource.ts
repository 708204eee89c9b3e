import { quantityPrice } from '../../entities/bands.ts';
import { shownOf } from '../../entities/declaration/entity.ts';
import {
  type Part,
  type PartDetailed,
  type PartRecord,
  assemblyItem,
  partEntity,
  solutionPrice,
} from '../../entities/parts.ts';
import { type Dimension, type DimensionRecord, type PartTemplate, dimensionEntity } from '../../entities/price-book.ts';
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
export const partToResource = (part: PartRecord, relations: PartRelations): Part =>
  partEntity.toBase(part, {
    ...distributionToResource(part),
    Category: part.PartCategory?.Name ?? '',
    QtyPricing: part.QtyPricing.map((price) => shownOf(quantityPrice, price, {}, 'base')),
    AssemblyItems: part.AssemblyItems.map((item) => ({ ...item, PartName: relations.partName(item.PartId) })),
    PartTemplate: templateToResource(part, relations),
  });

/** A part in the detailed variant, which has its categories twice: by id and complete. */
export const partToDetailedResource = (part: PartRecord): PartDetailed =>
  partEntity.toResource(part, {
    QtyPricing: part.QtyPricing.map((price) => shownOf(quantityPrice, price, { PartId: part.Id })),
    SolutionPrices: part.SolutionPrices.map((price) => shownOf(solutionPrice, price, { PartId: part.Id })),
    AssemblyItems: part.AssemblyItems.map((item) => shownOf(assemblyItem, item, { AttachedToPartId: part.Id })),
  });

export const dimensionToResource = (dimension: DimensionRecord): Dimension => dimensionEntity.toResource(dimension);

/** Without PartIds a dimension belongs to every part. */
export const hasDimension = ({ PartIds }: DimensionRecord, partId: number): boolean =>
  PartIds.length === 0 || PartIds.includes(partId);
