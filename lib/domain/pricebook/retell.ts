import type { CustomField } from '../../resources/custom-fields.ts';
import type { PartEntry, ProposalTemplateEntry, ServiceEntry } from '../../resources/price-book.ts';
import { itemsFirst } from './assemblies.ts';
import { blankPart, blankService } from './blank.ts';
import { alike } from '../alike.ts';
import type { GivenBook } from './plan-types.ts';
import type { PartRecord, PriceBook, ServiceRecord } from './records.ts';
import { SERVICE_OVERRIDES } from './service-said.ts';

/** What a thing says that a new one does not have anyway, without what an account alone means by it. */
function spoken<Thing extends object>(thing: Thing, blank: Thing, unsaid: readonly (keyof Thing)[]): Partial<Thing> {
  const left = new Set<PropertyKey>(unsaid);
  const said = Object.entries(thing).filter(([name, value]) => !left.has(name) && !alike(value, blank[name as keyof Thing]));
  return Object.fromEntries(said) as Partial<Thing>;
}

const withoutId = <Thing extends { readonly Id: number }>({ Id: _, ...rest }: Thing): Omit<Thing, 'Id'> => rest;

/** Looks names up by id; what is not there any more is left out. */
const namesOf = <Thing extends { readonly Id: number }>(things: ReadonlyMap<number, Thing>, name: (thing: Thing) => string) => (ids: readonly number[]): string[] =>
  ids.flatMap((id) => {
    const thing = things.get(id);
    return thing ? [name(thing)] : [];
  });

/**
 * The services of one owner (`null`: those of all organizations), and with `null` everything else, as a book is told of
 * them: with names for ids, so that another account can be told the same. Telling the same book so changes nothing.
 */
export function retell(book: PriceBook, customFields: readonly CustomField[], organizationId: number | null): GivenBook {
  const partNames = namesOf(book.parts, ({ Name }) => Name);
  const serviceNames = namesOf(book.services, ({ Name }) => Name);
  const customField = (id: number | null) => customFields.find(({ Id }) => Id === id);
  const overridden = (id: number | null) => customField(id)?.Shortcode || customField(id)?.Name;
  const revenueCategory = (id: number | null) => {
    const Name = book.revenueCategories.get(id ?? 0)?.Name;
    return Name ? { BrandingRevenueCategory: { Name } } : {};
  };

  function service(record: ServiceRecord): ServiceEntry {
    const unsaid = ['V', 'Id', 'OrganizationId', 'BrandingRevenueCategoryId', 'PricingBands', 'LimitedPartIds', 'QuantityOverridePartCategoryId', ...SERVICE_OVERRIDES] as const;
    const overrides = SERVICE_OVERRIDES.flatMap((name) => {
      const said = overridden(record[name]);
      return said ? [[name.slice(0, -'Id'.length), said] as const] : [];
    });
    const category = [...book.parts.values()].find(({ PartCategory }) => PartCategory?.Id === record.QuantityOverridePartCategoryId)?.PartCategory;
    return {
      ...(spoken(record, blankService(0, null), unsaid) as ServiceEntry),
      ...Object.fromEntries(overrides),
      ...revenueCategory(record.BrandingRevenueCategoryId),
      ...(category ? { QuantityOverridePartCategory: category.Name } : {}),
      ...(record.PricingBands.length ? { PricingBands: record.PricingBands.map(withoutId) } : {}),
      ...(record.LimitedPartIds.length ? { LimitedParts: partNames(record.LimitedPartIds) } : {}),
    };
  }

  function part(record: PartRecord): PartEntry {
    const unsaid = [
      'V', 'Id', 'PartCategory', 'PartSubcategory1', 'PartSubcategory2', 'BrandingRevenueCategoryId', 'PartTemplateId',
      'QuantityOverrideCustomFieldId', 'QtyPricing', 'SolutionPrices', 'AssemblyItems', 'LimitedServiceIds',
    ] as const;
    const template = book.partTemplates.get(record.PartTemplateId ?? 0);
    const override = overridden(record.QuantityOverrideCustomFieldId);
    // A service of one organization is told of after the parts, and limits itself to them.
    const services = record.LimitedServiceIds.filter((id) => book.services.get(id)?.OrganizationId === null);
    return {
      ...(spoken(record, blankPart(0), unsaid) as PartEntry),
      ...(record.PartCategory ? { Category: record.PartCategory.Name } : {}),
      ...(record.PartSubcategory1 ? { PartSubcategory1: { Name: record.PartSubcategory1.Name } } : {}),
      ...(record.PartSubcategory2 ? { PartSubcategory2: { Name: record.PartSubcategory2.Name } } : {}),
      ...revenueCategory(record.BrandingRevenueCategoryId),
      ...(template ? { PartTemplate: { OptionName: template.OptionName } } : {}),
      ...(override ? { QuantityOverrideCustomField: override } : {}),
      ...(record.QtyPricing.length ? { QtyPricing: record.QtyPricing.map(withoutId) } : {}),
      ...(record.AssemblyItems.length ? { AssemblyItems: record.AssemblyItems.map(({ PartId, Quantity }) => ({ PartName: partNames([PartId])[0] ?? '', Quantity })) } : {}),
      ...(record.SolutionPrices.length ? { SolutionPrices: record.SolutionPrices.map(({ PartSolutionId, UnitPrice }) => ({ PartSolution: partNames([PartSolutionId])[0] ?? '', UnitPrice })) } : {}),
      ...(services.length ? { LimitedServices: serviceNames(services) } : {}),
    };
  }

  const proposalTemplate = (record: PriceBook['proposalTemplates'] extends ReadonlyMap<number, infer Of> ? Of : never): ProposalTemplateEntry => {
    const { Id: _, ServiceId, OrganizationId: __, CreatedAt: ___, UpdatedAt: ____, ProposalTemplateLines, ...rest } = record;
    const lines = ProposalTemplateLines.map(({ Id: _____, ProposalTemplateId: ______, PartId, ...line }) => ({ ...line, ...(PartId ? { Part: partNames([PartId])[0] ?? '' } : {}) }));
    return { ...rest, Service: serviceNames([ServiceId])[0] ?? '', ProposalTemplateLines: lines };
  };
  const owned = ({ OrganizationId }: { OrganizationId: number | null }) => OrganizationId === organizationId;
  const told = {
    services: [...book.services.values()].filter(owned).map(service),
    proposalTemplates: [...book.proposalTemplates.values()].filter(({ OrganizationId }) => OrganizationId === (organizationId ?? 0)).map(proposalTemplate),
  };
  if (organizationId !== null) return told;
  const order = itemsFirst(book.parts).order.flatMap((id) => book.parts.get(id) ?? []);
  return {
    revenueCategories: [...book.revenueCategories.values()].map(({ Id: _, CreatedAt: __, UpdatedAt: ___, ...rest }) => rest),
    partTemplates: [...book.partTemplates.values()].map(withoutId),
    dimensions: [...book.dimensions.values()].map(({ Id: _, PartIds, ...rest }) => ({ ...rest, ...(PartIds.length ? { Parts: partNames(PartIds) } : {}) })),
    parts: order.map(part),
    ...told,
  };
}
