import type { PartEntry } from '../../resources/price-book.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { type Aliases, applyBands, momentInput, applyFields } from './apply-entry.ts';
import type { EntryContext } from './apply-service.ts';
import type { PartCategories } from './categories.ts';
import { checkFormula, checkSize } from './checks.ts';
import { type PartRecord, type QuantityPriceRecord, blankPart } from './record.ts';
import { type Identified, type Reference, resolveReference, resolveReferences } from './references.ts';

/** Kept name (the detailed variant's) → the base variant's. */
const ALIASES: Aliases = { IsRequiredForService: 'RequiredForService', IsExcludedFromMinimum: 'ExcludeFromMinimum' };

/** Fields that are not simply what an entry says. */
const APART: ReadonlySet<string> = new Set([
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
  'DistributionStart',
  'DistributionEnd',
]);

const blank = blankPart(0);
const plain = Object.keys(blank).filter((name) => !APART.has(name)) as (keyof PartRecord & string)[];

const blankPrice: QuantityPriceRecord = {
  Id: 0,
  AtLeast: 0,
  LessThan: null,
  Price: 0,
  ExcludeQuantity: false,
  OverageMode: false,
  Formula: '',
  Duration: null,
  CapacityDemand: null,
};

/** An assembly or a choice of solutions of more is a mistake. */
const MAX_ITEMS = 200;

type Items = PartRecord['AssemblyItems'];
type Solutions = PartRecord['SolutionPrices'];

/** The other parts that a list names, each once; `of` makes what is kept of one. */
function partsSaid<Kept>(
  input: readonly {
    readonly reference: Omit<Reference, 'idField' | 'nameField'>;
    readonly id: string;
    readonly name: string;
    readonly kept: (id: number) => Kept;
  }[],
  field: string,
  { references }: EntryContext,
  errors: FieldError[],
): Kept[] {
  if (input.length > MAX_ITEMS) errors.push({ field, message: `must have at most ${MAX_ITEMS} elements` });
  const seen = new Map<number, number>();
  return input.flatMap(({ reference, id: idName, name, kept }, index) => {
    const at = `${field}[${index}]`;
    const before = errors.length;
    const id = resolveReference(
      references.parts,
      { ...reference, idField: `${at}.${idName}`, nameField: `${at}.${name}` },
      errors,
    );
    if (errors.length > before) return [];
    if (!id) {
      errors.push({ field: `${at}.${idName}`, message: `is required, or ${name}` });
      return [];
    }
    const twin = seen.get(id);
    if (twin !== undefined) errors.push({ field: `${at}.${idName}`, message: `is also that of ${field}[${twin}]` });
    seen.set(id, index);
    return [kept(id)];
  });
}

function itemsSaid(entry: PartEntry, was: Items, field: string, saying: EntryContext, errors: FieldError[]): Items {
  if (entry.AssemblyItems === undefined) return was;
  const at = `${field}.AssemblyItems`;
  (entry.AssemblyItems ?? []).forEach(({ Quantity }, index) => {
    if (!((Quantity ?? 0) > 0)) errors.push({ field: `${at}[${index}].Quantity`, message: 'must be more than 0' });
  });
  const items = (entry.AssemblyItems ?? []).map(({ PartId, PartName, Quantity }) => ({
    reference: { id: PartId, name: PartName },
    id: 'PartId',
    name: 'PartName',
    kept: (id: number) => ({ PartId: id, Quantity: Quantity ?? 0 }),
  }));
  return partsSaid(items, at, saying, errors);
}

function solutionsSaid(
  entry: PartEntry,
  was: Solutions,
  field: string,
  saying: EntryContext,
  errors: FieldError[],
): Solutions {
  if (entry.SolutionPrices === undefined) return was;
  const solutions = (entry.SolutionPrices ?? []).map(({ PartSolutionId, PartSolution, UnitPrice }) => ({
    reference: { id: PartSolutionId, name: PartSolution },
    id: 'PartSolutionId',
    name: 'PartSolution',
    kept: (id: number) => ({ PartSolutionId: id, UnitPrice: UnitPrice ?? 0 }),
  }));
  return partsSaid(solutions, `${field}.SolutionPrices`, saying, errors);
}

/** The single things that an entry names, and the services it is limited to. */
function linksSaid(
  entry: PartEntry,
  field: string,
  { references }: EntryContext,
  errors: FieldError[],
): Partial<PartRecord> {
  const { PartTemplate: template, BrandingRevenueCategory: category } = entry;
  const templateId = entry.PartTemplateId ?? (template === null ? null : template?.Id);
  const links = {
    PartTemplateId: resolveReference(
      references.partTemplates,
      {
        id: templateId,
        idField: `${field}.${entry.PartTemplateId ? 'PartTemplateId' : 'PartTemplate.Id'}`,
        name: template?.OptionName,
        nameField: `${field}.PartTemplate.OptionName`,
      },
      errors,
    ),
    BrandingRevenueCategoryId: resolveReference(
      references.revenueCategories,
      {
        id: entry.BrandingRevenueCategoryId ?? (category === null ? null : category?.Id),
        idField: `${field}.${entry.BrandingRevenueCategoryId ? 'BrandingRevenueCategoryId' : 'BrandingRevenueCategory.Id'}`,
        name: category?.Name,
        nameField: `${field}.BrandingRevenueCategory.Name`,
      },
      errors,
    ),
    QuantityOverrideCustomFieldId: resolveReference(
      references.customFields,
      {
        id: entry.QuantityOverrideCustomFieldId,
        idField: `${field}.QuantityOverrideCustomFieldId`,
        name: entry.QuantityOverrideCustomField,
        nameField: `${field}.QuantityOverrideCustomField`,
      },
      errors,
    ),
    LimitedServiceIds: resolveReferences(
      references.services,
      { ids: entry.LimitedServiceIds, names: entry.LimitedServices },
      { ids: `${field}.LimitedServiceIds`, names: `${field}.LimitedServices` },
      errors,
    ),
  };
  return Object.fromEntries(Object.entries(links).filter(([, value]) => value !== undefined));
}

/** The part's own choice of Selected: PartTemplate shows it, so where what it says differs, that is the choice now. */
function selectedSaid(part: PartRecord, entry: PartEntry, { partTemplates }: EntryContext): boolean | null {
  const own = part.PartTemplateOptionSelectedOverride;
  const template = partTemplates.get(part.PartTemplateId ?? 0);
  const said = entry.PartTemplate?.Selected;
  if (!template || entry.PartTemplateOptionSelectedOverride !== undefined || said === undefined || said === null)
    return own;
  return said === (own ?? template.Selected) ? own : said;
}

function check(part: PartRecord, entry: PartEntry, field: string, names: ReadonlySet<string>): FieldError[] {
  const { UnitPrice, UnitPriceMax: most, RangePricing, DistributionStart: start, DistributionEnd: end } = part;
  const low = most !== null && most < UnitPrice && (RangePricing || entry.UnitPriceMax !== undefined);
  return [
    ...(part.Name ? [] : [{ field: `${field}.Name`, message: 'is required' }]),
    ...(RangePricing && most === null
      ? [{ field: `${field}.UnitPriceMax`, message: 'is required with RangePricing' }]
      : []),
    ...(low ? [{ field: `${field}.UnitPriceMax`, message: `must be at least UnitPrice, which is ${UnitPrice}` }] : []),
    ...(start && end && start > end
      ? [{ field: `${field}.DistributionEnd`, message: `must not be before DistributionStart ${start}` }]
      : []),
    ...(part.AssemblyItems.length && !part.IsAssembly
      ? [{ field: `${field}.IsAssembly`, message: 'must be true where there are AssemblyItems' }]
      : []),
    ...(entry.QuantityFormula === undefined
      ? []
      : checkFormula(part.QuantityFormula, names, `${field}.QuantityFormula`)),
    ...checkSize(part, field),
  ];
}

/** A part with what an entry says laid over it, as serviceSaid does. AssemblyItems make it an assembly. */
export function applyPart(
  { field, entry, id, before }: Identified<PartEntry, PartRecord>,
  categories: PartCategories,
  saying: EntryContext,
): { part: PartRecord; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const was = before ?? blankPart(id);
  const { ids, zone, formulaNames: names } = saying;
  const start = momentInput(entry.DistributionStart, was.DistributionStart, {
    field: `${field}.DistributionStart`,
    zone,
  });
  const end = momentInput(entry.DistributionEnd, was.DistributionEnd, {
    field: `${field}.DistributionEnd`,
    zone,
    end: true,
  });
  const prices =
    entry.QtyPricing === undefined
      ? { bands: was.QtyPricing, errors: [] }
      : applyBands({
          input: entry.QtyPricing ?? [],
          before: was.QtyPricing,
          blank: blankPrice,
          kind: 'PartQtyPricing',
          ids,
          names,
          field: `${field}.QtyPricing`,
        });
  const category = (name: 'PartCategory' | 'PartSubcategory1' | 'PartSubcategory2') => {
    const said = categories.said(entry, name, field, errors);
    return said === undefined ? was[name] : said;
  };
  const AssemblyItems = itemsSaid(entry, was.AssemblyItems, field, saying, errors);
  const said = {
    ...applyFields(was, entry, { names: plain, blank, aliases: ALIASES }),
    ...linksSaid(entry, field, saying, errors),
  };
  const part: PartRecord = {
    ...said,
    PartTemplateOptionSelectedOverride: selectedSaid(said, entry, saying),
    IsAssembly: entry.IsAssembly === undefined ? said.IsAssembly || AssemblyItems.length > 0 : said.IsAssembly,
    PartCategory: category('PartCategory'),
    PartSubcategory1: category('PartSubcategory1'),
    PartSubcategory2: category('PartSubcategory2'),
    DistributionStart: start.value,
    DistributionEnd: end.value,
    QtyPricing: prices.bands,
    AssemblyItems,
    SolutionPrices: solutionsSaid(entry, was.SolutionPrices, field, saying, errors),
  };
  return {
    part,
    errors: [...errors, ...start.errors, ...end.errors, ...prices.errors, ...check(part, entry, field, names)],
  };
}
