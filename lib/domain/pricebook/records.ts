import type { Dimension } from '../../resources/dimensions.ts';
import type { PartDetailed } from '../../resources/part-details.ts';
import type { Part, PartTemplate } from '../../resources/parts.ts';
import type { PartQtyPricingDetailed, PricingBandDetailed } from '../../resources/pricing.ts';
import type { ProposalTemplate } from '../../resources/proposal-templates.ts';
import type { BrandingRevenueCategory } from '../../resources/revenue-categories.ts';
import type { ServiceDetailed } from '../../resources/service-details.ts';
import type { Service } from '../../resources/services.ts';

/** A band as it is kept: with the one field that only the base variant has. Kept in the order of AtLeast. */
export type BandRecord = PricingBandDetailed & { readonly IsOverageBand: boolean };

/**
 * A service as it is kept: the detailed variant's names, what only the base variant has, and ids where a variant holds
 * whole things. OrganizationId `null`: every organization of the account has it. Moments are UTC, durations minutes.
 */
export type ServiceRecord = Omit<
  ServiceDetailed,
  'AllAvailableParts' | 'BrandingRevenueCategory' | 'EstDuration' | 'PricingBands' | 'UnitPriceFormatted'
> &
  Pick<Service, 'Category' | 'SelfSelect' | 'RecurringDescription' | 'RecordWeatherData' | 'CustomProperties'> & {
    readonly V: number;
    readonly OrganizationId: number | null;
    readonly BrandingRevenueCategoryId: number | null;
    readonly PricingBands: readonly BandRecord[];
  };

/** A quantity price as it is kept; PartId is that of the part that holds it. */
export type QuantityPriceRecord = Omit<PartQtyPricingDetailed, 'PartId'>;

/** A part as it is kept, like a service. All parts belong to the account; categories are kept with their names. */
export type PartRecord = Omit<
  PartDetailed,
  'PartCategoryId' | 'PartSubcategory1Id' | 'PartSubcategory2Id' | 'QtyPricing' | 'AssemblyItems' | 'SolutionPrices'
> &
  Pick<Part, 'RangePricing' | 'SelfSelect' | 'StoreItemId' | 'DistributionStart' | 'DistributionEnd'> & {
    readonly V: number;
    readonly QtyPricing: readonly QuantityPriceRecord[];
    readonly AssemblyItems: readonly { readonly PartId: number; readonly Quantity: number }[];
    readonly SolutionPrices: readonly { readonly PartSolutionId: number; readonly UnitPrice: number }[];
  };

/** A dimension as it is kept; with no PartIds it is one of every part. */
export type DimensionRecord = Dimension & { readonly PartIds: readonly number[] };

/** What a price book keeps of each kind. */
interface BookThings {
  readonly services: ServiceRecord;
  readonly parts: PartRecord;
  readonly partTemplates: PartTemplate;
  readonly dimensions: DimensionRecord;
  readonly revenueCategories: BrandingRevenueCategory;
  readonly proposalTemplates: ProposalTemplate;
}
export type BookKind = keyof BookThings;
export type BookThing<Kind extends BookKind> = BookThings[Kind];

/** A price book: the things of each kind by id. */
export type PriceBook = { readonly [Kind in BookKind]: ReadonlyMap<number, BookThing<Kind>> };

/** A book with nothing in it. */
export const emptyBook: PriceBook = {
  services: new Map(),
  parts: new Map(),
  partTemplates: new Map(),
  dimensions: new Map(),
  revenueCategories: new Map(),
  proposalTemplates: new Map(),
};
