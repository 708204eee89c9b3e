import type { ProposalTemplate } from '../../entities/price-book.ts';
import { type ServiceRecord, serviceEntity } from '../../entities/services.ts';
import { type PartRecord, partEntity } from '../../entities/parts.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { PartEntry, ProposalTemplateEntry, ServiceEntry } from '../../resources/price-book.ts';
import { isEqual, omit } from '../../shared/objects.ts';
import { PART_RELATIONS } from './apply-part.ts';
import { SERVICE_OVERRIDES, SERVICE_RELATIONS } from './apply-service.ts';
import { itemsFirst } from './assemblies.ts';
import { firstDate, lastDate } from './calendar-dates.ts';
import { type BookInput, type PriceBook } from './record.ts';

/**
 * The entries of one owner's records (`null`: of everything that belongs to the account), with names instead of ids, so
 * that another account can import them. Applied to the same book they change nothing.
 */
export function bookToInput(
  book: PriceBook,
  customFields: readonly CustomField[],
  organizationId: number | null,
): BookInput {
  const names = bookNames(book, customFields);
  const isOwn = ({ OrganizationId }: { OrganizationId: number | null }) => (OrganizationId || null) === organizationId;
  const own = {
    services: [...book.services.values()].filter(isOwn).map((service) => toServiceEntry(service, names)),
    proposalTemplates: [...book.proposalTemplates.values()]
      .filter(isOwn)
      .map((template) => toProposalTemplateEntry(template, names)),
  };
  if (organizationId !== null) return own;
  const parts = itemsFirst(book.parts).order.flatMap((id) => book.parts.get(id) ?? []);
  return {
    revenueCategories: [...book.revenueCategories.values()].map((category) =>
      omit(category, 'Id', 'CreatedAt', 'UpdatedAt'),
    ),
    partTemplates: [...book.partTemplates.values()].map((template) => omit(template, 'Id')),
    dimensions: [...book.dimensions.values()].map(({ PartIds, ...dimension }) => ({
      ...omit(dimension, 'Id'),
      ...ifAny('Parts', names.parts(PartIds)),
    })),
    parts: parts.map((part) => toPartEntry(part, names)),
    ...own,
  };
}

type Names = ReturnType<typeof bookNames>;

/** Looks up names by id. Records that no longer exist are omitted. */
function bookNames(book: PriceBook, customFields: readonly CustomField[]) {
  const { parts, services, revenueCategories, partTemplates } = book;
  const categories = [...parts.values()].flatMap(({ PartCategory }) => PartCategory ?? []);
  const customField = (id: number | null) => customFields.find(({ Id }) => Id === id);
  return {
    parts: (ids: readonly number[]): string[] => ids.flatMap((id) => parts.get(id)?.Name ?? []),
    part: (id: number): string => parts.get(id)?.Name ?? '',
    service: (id: number): string => services.get(id)?.Name ?? '',
    /** Services of an organization come after the parts, and limit themselves to them. */
    sharedServices: (ids: readonly number[]): string[] =>
      ids.flatMap((id) => {
        const service = services.get(id);
        return service?.OrganizationId === null ? [service.Name] : [];
      }),
    revenueCategory: (id: number | null) => revenueCategories.get(id ?? 0)?.Name,
    partTemplate: (id: number | null) => partTemplates.get(id ?? 0)?.OptionName,
    partCategory: (id: number | null) => categories.find(({ Id }) => Id === id)?.Name,
    customField: (id: number | null) => customField(id)?.Shortcode || customField(id)?.Name,
  };
}

/** A field of an entry, omitted if it is absent or an empty list. */
const ifAny = <Name extends string, Value>(name: Name, value: Value | undefined): { readonly [_ in Name]?: Value } =>
  (value === undefined || (Array.isArray(value) && !value.length) ? {} : { [name]: value }) as {
    readonly [_ in Name]?: Value;
  };

/** The fields that differ from those of a new record. */
const changedFields = <Of extends object, Name extends keyof Of>(
  record: Of,
  blank: Of,
  ...without: readonly Name[]
): Partial<Omit<Of, Name>> =>
  Object.fromEntries(
    Object.entries(omit(record, ...without)).filter(([name, value]) => !isEqual(value, blank[name as keyof Of])),
  ) as Partial<Omit<Of, Name>>;

const withSeasonDates = (service: ServiceRecord): ServiceRecord => ({
  ...service,
  SeasonStart: firstDate(service.SeasonStart),
  SeasonExpiration: lastDate(service.SeasonExpiration),
});

const withDistributionDates = (part: PartRecord): PartRecord => ({
  ...part,
  DistributionStart: firstDate(part.DistributionStart),
  DistributionEnd: lastDate(part.DistributionEnd),
});

function toServiceEntry(service: ServiceRecord, names: Names): ServiceEntry {
  const overrides = SERVICE_OVERRIDES.map((name) =>
    ifAny(name.slice(0, -'Id'.length), names.customField(service[name])),
  );
  const revenueCategory = names.revenueCategory(service.BrandingRevenueCategoryId);
  return {
    ...changedFields(
      withSeasonDates(service),
      serviceEntity.blank({ Id: 0, OrganizationId: null }),
      ...SERVICE_RELATIONS,
    ),
    ...Object.assign({}, ...overrides),
    ...ifAny('BrandingRevenueCategory', revenueCategory ? { Name: revenueCategory } : undefined),
    ...ifAny('QuantityOverridePartCategory', names.partCategory(service.QuantityOverridePartCategoryId)),
    ...ifAny(
      'PricingBands',
      service.PricingBands.map((band) => omit(band, 'Id')),
    ),
    ...ifAny('LimitedParts', names.parts(service.LimitedPartIds)),
  };
}

function toPartEntry(part: PartRecord, names: Names): PartEntry {
  const ifNamed = (name: string | undefined) => (name ? { Name: name } : undefined);
  const template = names.partTemplate(part.PartTemplateId);
  return {
    ...changedFields(withDistributionDates(part), partEntity.blank({ Id: 0 }), ...PART_RELATIONS),
    ...ifAny('Category', part.PartCategory?.Name),
    ...ifAny('PartSubcategory1', ifNamed(part.PartSubcategory1?.Name)),
    ...ifAny('PartSubcategory2', ifNamed(part.PartSubcategory2?.Name)),
    ...ifAny('BrandingRevenueCategory', ifNamed(names.revenueCategory(part.BrandingRevenueCategoryId))),
    ...ifAny('PartTemplate', template === undefined ? undefined : { OptionName: template }),
    ...ifAny('QuantityOverrideCustomField', names.customField(part.QuantityOverrideCustomFieldId)),
    ...ifAny(
      'QtyPricing',
      part.QtyPricing.map((price) => omit(price, 'Id')),
    ),
    ...ifAny(
      'AssemblyItems',
      part.AssemblyItems.map(({ PartId, Quantity }) => ({ PartName: names.part(PartId), Quantity })),
    ),
    ...ifAny(
      'SolutionPrices',
      part.SolutionPrices.map(({ PartSolutionId, UnitPrice }) => ({
        PartSolution: names.part(PartSolutionId),
        UnitPrice,
      })),
    ),
    ...ifAny('LimitedServices', names.sharedServices(part.LimitedServiceIds)),
  };
}

function toProposalTemplateEntry(template: ProposalTemplate, names: Names): ProposalTemplateEntry {
  return {
    ...omit(template, 'Id', 'ServiceId', 'OrganizationId', 'CreatedAt', 'UpdatedAt'),
    Service: names.service(template.ServiceId),
    ProposalTemplateLines: template.ProposalTemplateLines.map(({ PartId, ...line }) => ({
      ...omit(line, 'Id', 'ProposalTemplateId'),
      ...ifAny('Part', PartId ? names.part(PartId) : undefined),
    })),
  };
}
