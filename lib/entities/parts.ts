import { IdName } from '../resources/addresses.ts';
import * as contract from '../resources/fields.ts';
import type { Output } from '../resources/fields.ts';
import { PartQtyPricing, PartQtyPricingDetailed, quantityPrice } from './bands.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import {
  computed,
  decimal,
  flag,
  given,
  id,
  ids,
  listOf,
  number,
  object,
  quantity,
  text,
} from './declaration/fields.ts';
import { both } from './declaration/options.ts';
import { baseOf, eventDataOf, resourceOf } from './declaration/resource.ts';
import { PartTemplate } from './price-book.ts';

const category = { Id: id(), Name: text() };

/** The price of a part in one of the solutions that a client selects from. */
export const solutionPrice = {
  PartId: given(id()),
  PartSolutionId: id({ resource: true }),
  UnitPrice: decimal({ resource: true }),
};

/** An item of an assembly; assemblies nest up to 5 levels (interface, section 7). */
export const assemblyItem = {
  AttachedToPartId: given(id()),
  PartId: id({ resource: true }),
  Quantity: decimal({ resource: true }),
};

/**
 * Material, work or an assembly of both, sold with a service; stored like a service. All parts belong to the account;
 * categories include their names. Pricing: interface, section 7.
 */
export const partEntity = entity(
  'Part',
  {
    Id: id({ ...both, download: true }),
    Name: text({ ...both, max: 200, download: true }),
    Description: text({ ...both, download: true }),
    IsActive: flag({ ...both, absent: true, download: true }),
    IsInternal: flag({
      ...both,
      download: true,
      description: 'Has a cost, but is not printed and not added to the total.',
    }),
    IsAssembly: flag({ ...both, download: true }),
    IsAssemblySynchronizePricing: flag({ ...both, description: 'The assembly price is the sum of its items.' }),
    IsDisplaySummary: flag({ resource: true }),
    IsExcludeFromDiscounts: flag({ resource: true }),
    IsExcludedFromMinimum: flag({ resource: true, base: 'ExcludeFromMinimum' }),
    IsZeroAssemblyItemPrices: flag({ ...both, description: 'The items of the assembly have no price of their own.' }),
    IsInternalizeAssemblyItems: flag({ resource: true, description: 'The items become internal lines.' }),
    IsAssemblyTreatAsOption: flag({ resource: true }),
    IsRequiredForService: flag({ resource: true, base: 'RequiredForService' }),
    IsPerDiem: flag({ resource: true }),
    SyncQtyWithServiceQty: flag({ resource: true }),
    RangePricing: flag({
      base: true,
      download: true,
      event: true,
      description: 'The price may be set from UnitPrice to UnitPriceMax.',
    }),
    SelfSelect: flag({ base: true, download: true, event: true, description: 'Clients may add it themselves.' }),
    DisplayRow: number({ nullable: true, resource: true }),
    DisplayColumn: number({ nullable: true, resource: true }),
    ColorDisplay: text({ max: 50, resource: true }),
    Taxable: flag({ ...both, download: true }),
    UnitCost: decimal({ ...both, nullable: true, download: true }),
    ReplacementCost: decimal({ nullable: true, resource: true, download: true }),
    UnitOfMeasure: text({ ...both, max: 50, download: true }),
    PartCategoryId: computed(id({ nullable: true })),
    PartCategory: object(category, { nullable: true, resource: true }),
    PartSubcategory1Id: computed(id({ nullable: true })),
    PartSubcategory1: object(category, { nullable: true, resource: true }),
    PartSubcategory2Id: computed(id({ nullable: true })),
    PartSubcategory2: object(category, { nullable: true, resource: true }),
    BrandingRevenueCategoryId: id({ nullable: true, resource: true, download: true }),
    VendorPartNo: text({ max: 100, resource: true, download: true }),
    QuantityOverrideCustomFieldId: id({
      ...both,
      nullable: true,
      description: 'The custom field whose value is the quantity.',
    }),
    QuantityOverrideGridColumnId: id({ nullable: true, resource: true }),
    QuantityFormula: text({ max: 500, resource: true, download: true }),
    SubscriptionDistributionSteps: text({ max: 1000, resource: true }),
    UnitPrice: decimal({ ...both, download: true }),
    UnitPriceMax: decimal({ ...both, nullable: true, download: true }),
    UnitDuration: number({
      ...both,
      min: 0,
      nullable: true,
      download: true,
      about: 'minutes for DurationForQtyUnits units',
      description: 'Minutes for DurationForQtyUnits units.',
    }),
    CapacityDemand: number({ nullable: true, resource: true }),
    DurationForQtyUnits: number({ ...both, min: 0, nullable: true, download: true }),
    PartTemplateId: id({ nullable: true, resource: true }),
    PartTemplateOptionSelectedOverride: flag({ nullable: true, resource: true }),
    QtyPricing: listOf(quantityPrice, { download: true }),
    SolutionPrices: listOf(solutionPrice),
    AssemblyItems: listOf(assemblyItem, { download: true, about: 'each with PartId and Quantity' }),
    LimitedServiceIds: ids({ resource: true, description: 'Only with these services; empty means all.' }),
    Quantity: quantity({ resource: true }),
    StoreItemId: id({ nullable: true, base: true, download: true, event: true }),
    DistributionStart: text({ nullable: true }),
    DistributionEnd: text({ nullable: true }),
    V: number(),
  },
  {
    computed: {
      PartCategoryId: ({ PartCategory }) => PartCategory?.Id ?? null,
      PartSubcategory1Id: ({ PartSubcategory1 }) => PartSubcategory1?.Id ?? null,
      PartSubcategory2Id: ({ PartSubcategory2 }) => PartSubcategory2?.Id ?? null,
    },
  },
);
export type PartRecord = RecordOf<typeof partEntity>;

export const SolutionPrice = /* @__PURE__ */ resourceOf({ name: 'SolutionPrice', declared: solutionPrice });

export const AssemblyItemAttached = /* @__PURE__ */ resourceOf({
  name: 'AssemblyItemAttached',
  declared: assemblyItem,
});

/** The variant of Part, with the name of the item. */
export const AssemblyItem = /* @__PURE__ */ contract.resource('AssemblyItem', () => {
  const { PartId, Quantity } = AssemblyItemAttached.shape();
  return { PartId, PartName: contract.text(200), Quantity };
});

/** The base variant of part/details and of services. */
export const Part = /* @__PURE__ */ baseOf(partEntity, () => ({
  Category: contract.text(200),
  RequiredForService: contract.nullable(contract.flag()),
  ExcludeFromMinimum: contract.nullable(
    contract.described(contract.flag(), 'Does not count towards the MinimumCharge of the service.'),
  ),
  QtyPricing: contract.many(PartQtyPricing),
  AssemblyItems: contract.many(AssemblyItem),
  PartTemplate: contract.nested(PartTemplate),
  DistributionStart: contract.nullable(contract.calendarDate()),
  DistributionEnd: contract.nullable(contract.calendarDate()),
}));
export type Part = Output<typeof Part>;

/** The variant of part/details, with all settings. */
export const PartDetailed = /* @__PURE__ */ resourceOf(partEntity, { title: 'PartDetailed' }, () => ({
  PartCategory: contract.nested(IdName),
  PartSubcategory1: contract.nested(IdName),
  PartSubcategory2: contract.nested(IdName),
  QtyPricing: contract.many(PartQtyPricingDetailed),
  SolutionPrices: contract.many(SolutionPrice),
  AssemblyItems: contract.many(AssemblyItemAttached),
}));
export type PartDetailed = Output<typeof PartDetailed>;

/** A part with all settings. */
export const PartEventData = /* @__PURE__ */ eventDataOf(partEntity, PartDetailed, () => ({
  DistributionStart: contract.nullable(contract.moment()),
  DistributionEnd: contract.nullable(contract.moment()),
}));
