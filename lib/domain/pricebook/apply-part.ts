import type { PartTemplate } from '../../entities/price-book.ts';
import { quantityPrice } from '../../entities/bands.ts';
import { blankOf } from '../../entities/declaration/entity.ts';
import { baseNames } from '../../entities/declaration/marks.ts';
import { type PartRecord, partEntity } from '../../entities/parts.ts';
import type { PartEntry } from '../../resources/price-book.ts';
import { definedFields } from '../../shared/objects.ts';
import {
  type Aliases,
  type EntryErrors,
  type NewIds,
  applyBands,
  applyFields,
  checkPriced,
  plainFields,
} from './apply-fields.ts';
import { applyCalendarDate, firstDate, lastDate } from './calendar-dates.ts';
import {
  type IdentifiedEntry,
  type PartCategories,
  type PartCategoryField,
  type References,
  resolveReference,
  resolveReferences,
  resolveRevenueCategory,
} from './entries.ts';

/** What applying an entry requires from the book and the caller. */
export interface EntryContext {
  readonly references: References;
  readonly categories: PartCategories;
  readonly formulaNames: ReadonlySet<string>;
  readonly ids: NewIds;
  /** Formatted like `2026-11-21T12:00:00Z`. */
  readonly now: string;
  readonly organizationId: number | null;
}

/** Name in the record (and the detailed variant) → name in the base variant. */
const ALIASES: Aliases = baseNames(partEntity.fields);

/** Fields with other records, lists or moments, whose values are not copied to the record unchanged. */
export const PART_RELATIONS = [
  'V',
  'Id',
  'PartCategory',
  'PartSubcategory1',
  'PartSubcategory2',
  'BrandingRevenueCategoryId',
  'PartTemplateId',
  'QuantityOverrideCustomFieldId',
  'QtyPricing',
  'SolutionPrices',
  'AssemblyItems',
  'LimitedServiceIds',
] as const;

const blank = partEntity.blank({ Id: 0 });
const plainNames = plainFields(blank, [...PART_RELATIONS, 'DistributionStart', 'DistributionEnd']);

const blankPrice = blankOf(quantityPrice, { Id: 0 });

/** More items or solutions than this are a mistake. */
const MAX_ITEMS = 200;

/** Applies an entry to a part. Lists replace those of the record; AssemblyItems make the part an assembly. */
export function applyPart(
  { entry, id, before: existing }: IdentifiedEntry<'parts'>,
  errors: EntryErrors,
  context: EntryContext & { readonly partTemplates: ReadonlyMap<number, PartTemplate> },
): PartRecord {
  const before = existing ?? partEntity.blank({ Id: id });
  const { ids, formulaNames, categories } = context;
  const category = (field: PartCategoryField) => {
    const resolved = categories.resolve(entry, field, errors);
    return resolved === undefined ? before[field] : resolved;
  };
  const AssemblyItems = applyAssemblyItems(entry, before, errors, context);
  const fields: PartRecord = {
    ...applyFields(before, entry, { names: plainNames, blank, aliases: ALIASES }),
    ...resolveRelations(entry, errors, context),
  };
  const part: PartRecord = {
    ...fields,
    PartTemplateOptionSelectedOverride: applySelected(fields, entry, context.partTemplates),
    IsAssembly: fields.IsAssembly || (entry.IsAssembly === undefined && AssemblyItems.length > 0),
    PartCategory: category('PartCategory'),
    PartSubcategory1: category('PartSubcategory1'),
    PartSubcategory2: category('PartSubcategory2'),
    AssemblyItems,
    SolutionPrices: applySolutionPrices(entry, before, errors, context),
    DistributionStart: applyCalendarDate('DistributionStart', entry, before, errors),
    DistributionEnd: applyCalendarDate('DistributionEnd', entry, before, errors),
    QtyPricing: applyBands(entry.QtyPricing, before.QtyPricing, {
      blank: blankPrice,
      idKind: 'PartQtyPricing',
      ids,
      errors: errors.at('QtyPricing'),
      formulaNames,
    }),
  };
  checkPart(part, entry, errors, formulaNames);
  return part;
}

/** The single records that an entry names, and the services to which it is limited. */
function resolveRelations(entry: PartEntry, errors: EntryErrors, { references }: EntryContext): Partial<PartRecord> {
  const { PartTemplate: template } = entry;
  return definedFields({
    PartTemplateId: resolveReference(
      references.partTemplates,
      errors,
      [
        entry.PartTemplateId ? 'PartTemplateId' : 'PartTemplate.Id',
        entry.PartTemplateId ?? (template === null ? null : template?.Id),
      ],
      ['PartTemplate.OptionName', template?.OptionName],
    ),
    BrandingRevenueCategoryId: resolveRevenueCategory(references, errors, entry),
    QuantityOverrideCustomFieldId: resolveReference(
      references.customFields,
      errors,
      ['QuantityOverrideCustomFieldId', entry.QuantityOverrideCustomFieldId],
      ['QuantityOverrideCustomField', entry.QuantityOverrideCustomField],
    ),
    LimitedServiceIds: resolveReferences(
      references.services,
      errors,
      ['LimitedServiceIds', entry.LimitedServiceIds],
      ['LimitedServices', entry.LimitedServices],
    ),
  });
}

/** The part of each row in a list; each part may occur only once. */
function resolveParts<Row, Of>(
  rows: readonly Row[],
  errors: EntryErrors,
  { references }: EntryContext,
  {
    idField,
    nameField,
    toItem,
  }: { idField: keyof Row & string; nameField: keyof Row & string; toItem: (row: Row, partId: number) => Of },
): Of[] {
  errors.add('', rows.length > MAX_ITEMS && `must have at most ${MAX_ITEMS} elements`, 'too_long');
  const indexById = new Map<number, number>();
  return rows.flatMap((row, index) => {
    const own = errors.at(`[${index}]`);
    const count = own.count;
    const id = resolveReference(
      references.parts,
      own,
      [idField, row[idField] as number | null | undefined],
      [nameField, row[nameField] as string | null | undefined],
    );
    if (own.count > count) return [];
    own.add(idField, !id && `is required, or ${nameField}`, 'required');
    if (!id) return [];
    const earlier = indexById.get(id);
    own.add(idField, earlier !== undefined && `repeats that of ${errors.path}[${earlier}]`, 'duplicate');
    indexById.set(id, index);
    return [toItem(row, id)];
  });
}

function applyAssemblyItems(
  { AssemblyItems }: PartEntry,
  before: PartRecord,
  errors: EntryErrors,
  context: EntryContext,
): PartRecord['AssemblyItems'] {
  if (AssemblyItems === undefined) return before.AssemblyItems;
  const rows = AssemblyItems ?? [];
  rows.forEach(({ Quantity }, index) =>
    errors.add(`AssemblyItems[${index}].Quantity`, !((Quantity ?? 0) > 0) && 'must be more than 0', 'range'),
  );
  return resolveParts(rows, errors.at('AssemblyItems'), context, {
    idField: 'PartId',
    nameField: 'PartName',
    toItem: ({ Quantity }, PartId) => ({ PartId, Quantity: Quantity ?? 0 }),
  });
}

function applySolutionPrices(
  { SolutionPrices }: PartEntry,
  before: PartRecord,
  errors: EntryErrors,
  context: EntryContext,
): PartRecord['SolutionPrices'] {
  if (SolutionPrices === undefined) return before.SolutionPrices;
  return resolveParts(SolutionPrices ?? [], errors.at('SolutionPrices'), context, {
    idField: 'PartSolutionId',
    nameField: 'PartSolution',
    toItem: ({ UnitPrice }, PartSolutionId) => ({ PartSolutionId, UnitPrice: UnitPrice ?? 0 }),
  });
}

/** PartTemplate in an answer contains the part's own Selected: a different value is the part's new choice. */
function applySelected(
  part: PartRecord,
  entry: PartEntry,
  partTemplates: ReadonlyMap<number, PartTemplate>,
): boolean | null {
  const own = part.PartTemplateOptionSelectedOverride;
  const template = partTemplates.get(part.PartTemplateId ?? 0);
  const selected = entry.PartTemplate?.Selected;
  if (!template || entry.PartTemplateOptionSelectedOverride !== undefined || selected == null) return own;
  return selected === (own ?? template.Selected) ? own : selected;
}

function checkPart(part: PartRecord, entry: PartEntry, errors: EntryErrors, names: ReadonlySet<string>): void {
  const { UnitPrice, UnitPriceMax, RangePricing } = part;
  const [start, end] = [firstDate(part.DistributionStart), lastDate(part.DistributionEnd)];
  const usesMax = RangePricing || entry.UnitPriceMax !== undefined;
  const maxIsLow = UnitPriceMax !== null && UnitPriceMax < UnitPrice && usesMax;
  checkPriced(part, entry, errors, names);
  errors.add('UnitPriceMax', RangePricing && UnitPriceMax === null && 'is required with RangePricing', 'required');
  errors.add('UnitPriceMax', maxIsLow && `must be at least UnitPrice, which is ${UnitPrice}`, 'range');
  const reversed = start !== null && end !== null && start > end;
  errors.add('DistributionEnd', reversed && `must not be before DistributionStart ${start}`, 'range');
  errors.add(
    'IsAssembly',
    part.AssemblyItems.length > 0 && !part.IsAssembly && 'must be true with AssemblyItems',
    'mismatch',
  );
}
