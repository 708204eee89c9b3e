import type { Dimension, Part, PartDetailed, PartTemplate } from '../../resources/parts.ts';
import type { DimensionEntry, PartEntry, ProposalTemplateEntry, ServiceEntry } from '../../resources/price-book.ts';
import type { BrandingRevenueCategory, PartQtyPricingDetailed, PricingBandDetailed } from '../../resources/pricing.ts';
import type { ProposalTemplate } from '../../resources/proposals.ts';
import type { Input } from '../../resources/resource.ts';
import type { Service, ServiceDetailed } from '../../resources/services.ts';

/** Has the one field that only the base variant of a service has. */
export type BandRecord = PricingBandDetailed & { readonly IsOverageBand: boolean };

/**
 * The fields of the detailed variant, those that only the base variant has, and ids where a variant contains whole
 * records. OrganizationId `null`: every organization of the account has the service. Moments are UTC, durations
 * minutes; PricingBands are in the order of AtLeast.
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

/** PartId is that of the part that contains the price. */
export type QuantityPriceRecord = Omit<PartQtyPricingDetailed, 'PartId'>;

/** Like a service. All parts belong to the account; categories include their names. */
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

/** Without PartIds every part has the dimension. */
export type DimensionRecord = Dimension & { readonly PartIds: readonly number[] };

interface BookRecords {
  readonly services: ServiceRecord;
  readonly parts: PartRecord;
  readonly partTemplates: PartTemplate;
  readonly dimensions: DimensionRecord;
  readonly revenueCategories: BrandingRevenueCategory;
  readonly proposalTemplates: ProposalTemplate;
}
export type BookKind = keyof BookRecords;
export type BookRecord<Kind extends BookKind> = BookRecords[Kind];

/** The records of each kind by id. */
export type PriceBook = { readonly [Kind in BookKind]: ReadonlyMap<number, BookRecord<Kind>> };

export const emptyBook: PriceBook = {
  services: new Map(),
  parts: new Map(),
  partTemplates: new Map(),
  dimensions: new Map(),
  revenueCategories: new Map(),
  proposalTemplates: new Map(),
};

/** An entry of the company file or of organizations/update, which is applied to a record of its kind. */
export interface BookEntry {
  readonly services: ServiceEntry;
  readonly parts: PartEntry;
  readonly partTemplates: Input<typeof PartTemplate>;
  readonly dimensions: DimensionEntry;
  readonly revenueCategories: Input<typeof BrandingRevenueCategory>;
  readonly proposalTemplates: ProposalTemplateEntry;
}

/** Entries to apply to a price book. Records that no entry names stay as they are. */
export type BookInput = { readonly [Kind in BookKind]?: readonly BookEntry[Kind][] };

/** The kinds of ids in a price book. */
export const BOOK_ID_KINDS = [
  'Service',
  'Part',
  'PartTemplate',
  'Dimension',
  'BrandingRevenueCategory',
  'ProposalTemplate',
  'ProposalTemplateLine',
  'PricingBand',
  'PartQtyPricing',
  'PartCategory',
] as const;
export type BookIdKind = (typeof BOOK_ID_KINDS)[number];

// New records. A cleared field returns to the value here. A new record is active.

export const blankService = (Id: number, OrganizationId: number | null): ServiceRecord => ({
  V: 0,
  Id,
  OrganizationId,
  Name: '',
  Active: true,
  Description: '',
  Category: '',
  UnitOfMeasure: '',
  CalendarColorDisplay: '',
  LabelBackgroundColor: '',
  LabelBackgroundColorDisplay: '',
  RecurringDescription: '',
  IsAutoCreateChain: false,
  IsCarryForwardAddOns: false,
  IsMigrateInvoice: false,
  Taxable: false,
  IsExcludeFromDiscounts: false,
  IsQueued: false,
  IsSubscription: false,
  IsRecurring: false,
  SubscriptionProRate: false,
  RecordWeatherData: false,
  SelfSelect: null,
  BasePrice: 0,
  UnitPrice: 0,
  UnitCost: null,
  MinimumCharge: null,
  MinimumSubtotal: null,
  MinimumOptions: null,
  BaseDuration: 0,
  UnitDuration: 0,
  IntervalDays: 0,
  VisitCount: 0,
  SchedulingMode: 0,
  QuantityOverrideCustomFieldId: null,
  QuantityOverrideGridColumnId: null,
  QuantityOverridePartCategoryId: null,
  QuantityFormula: '',
  BasePriceOverrideCustomFieldId: null,
  UnitPriceOverrideCustomFieldId: null,
  DurationOverrideCustomFieldId: null,
  CapacityDemandOverrideCustomFieldId: null,
  PricingBands: [],
  LimitedPartIds: [],
  BrandingRevenueCategoryId: null,
  CustomProperties: {},
  SeasonStart: null,
  SeasonExpiration: null,
  AlternateDateWindowAfter: null,
  DefaultFinishAction: null,
  CapacityDemand: null,
  AutoCreateInterval: null,
  AutoCreateSnapMode: null,
  AutoCreateSnapTarget: null,
  SubscriptionSnapMode: null,
  SubscriptionSnapTarget: null,
  RecurringEventSetting_Id: null,
  RecurringEventSetting_Type: null,
  RecurringEventSetting_Frequency: null,
  DurationAlertPercentage: null,
  DurationAlertPercentageOver: null,
});

export const blankPart = (Id: number): PartRecord => ({
  V: 0,
  Id,
  Name: '',
  Description: '',
  IsActive: true,
  IsInternal: false,
  IsAssembly: false,
  IsAssemblySynchronizePricing: false,
  IsDisplaySummary: false,
  IsExcludeFromDiscounts: false,
  IsExcludedFromMinimum: false,
  IsZeroAssemblyItemPrices: false,
  IsInternalizeAssemblyItems: false,
  IsAssemblyTreatAsOption: false,
  IsRequiredForService: false,
  IsPerDiem: false,
  SyncQtyWithServiceQty: false,
  RangePricing: false,
  SelfSelect: false,
  Taxable: false,
  DisplayRow: null,
  DisplayColumn: null,
  ColorDisplay: '',
  UnitPrice: 0,
  UnitPriceMax: null,
  UnitCost: null,
  ReplacementCost: null,
  UnitOfMeasure: '',
  VendorPartNo: '',
  PartCategory: null,
  PartSubcategory1: null,
  PartSubcategory2: null,
  BrandingRevenueCategoryId: null,
  QuantityOverrideCustomFieldId: null,
  QuantityOverrideGridColumnId: null,
  QuantityFormula: '',
  SubscriptionDistributionSteps: '',
  UnitDuration: null,
  CapacityDemand: null,
  DurationForQtyUnits: null,
  PartTemplateId: null,
  PartTemplateOptionSelectedOverride: null,
  QtyPricing: [],
  SolutionPrices: [],
  AssemblyItems: [],
  LimitedServiceIds: [],
  Quantity: 0,
  StoreItemId: null,
  DistributionStart: null,
  DistributionEnd: null,
});

export const blankPartTemplate = (Id: number): PartTemplate => ({ Id, OptionName: '', Selected: false });

export const blankDimension = (Id: number): DimensionRecord => ({
  Id,
  Name: '',
  UnitOfMeasure: '',
  Minimum: null,
  Maximum: null,
  Step: null,
  Options: [],
  PartIds: [],
});

export const blankRevenueCategory = (Id: number, CreatedAt: string): BrandingRevenueCategory => ({
  Id,
  Name: '',
  Group: '',
  Percentage: 0,
  CreatedAt,
  UpdatedAt: null,
  IsTotalSales: false,
  IsExcludedFromMinimum: false,
  ExcludeFromTotal: false,
  IsActive: true,
  PerInvoiceAmount: null,
  Maximum: null,
  MaximumPeriod: 'None',
  Minimum: null,
});

export const blankProposalTemplate = (Id: number, now: string): ProposalTemplate => ({
  Id,
  Name: '',
  IsActive: true,
  Quantity: null,
  ServiceId: 0,
  ServiceDescription: '',
  CustomerNote: '',
  OrganizationId: 0,
  CreatedAt: now,
  UpdatedAt: now,
  ProposalTemplateLines: [],
});
