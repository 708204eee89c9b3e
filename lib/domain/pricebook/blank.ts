import type { BrandingRevenueCategory } from '../../resources/revenue-categories.ts';
import type { PartTemplate } from '../../resources/parts.ts';
import type { ProposalTemplate } from '../../resources/proposal-templates.ts';
import type { DimensionRecord, PartRecord, ServiceRecord } from './records.ts';

// New things before anything is said of them, and what clearing a field leaves. A new thing is active.

export const blankService = (Id: number, OrganizationId: number | null): ServiceRecord => ({
  V: 0, Id, OrganizationId, Name: '', Active: true, Description: '', Category: '', UnitOfMeasure: '',
  CalendarColorDisplay: '', LabelBackgroundColor: '', LabelBackgroundColorDisplay: '', RecurringDescription: '',
  IsAutoCreateChain: false, IsCarryForwardAddOns: false, IsMigrateInvoice: false, Taxable: false,
  IsExcludeFromDiscounts: false, IsQueued: false, IsSubscription: false, IsRecurring: false,
  SubscriptionProRate: false, RecordWeatherData: false, SelfSelect: null,
  BasePrice: 0, UnitPrice: 0, UnitCost: null, MinimumCharge: null, MinimumSubtotal: null, MinimumOptions: null,
  BaseDuration: 0, UnitDuration: 0, IntervalDays: 0, VisitCount: 0, SchedulingMode: 0,
  QuantityOverrideCustomFieldId: null, QuantityOverrideGridColumnId: null, QuantityOverridePartCategoryId: null,
  QuantityFormula: '', BasePriceOverrideCustomFieldId: null, UnitPriceOverrideCustomFieldId: null,
  DurationOverrideCustomFieldId: null, CapacityDemandOverrideCustomFieldId: null,
  PricingBands: [], LimitedPartIds: [], BrandingRevenueCategoryId: null, CustomProperties: {},
  SeasonStart: null, SeasonExpiration: null, AlternateDateWindowAfter: null, DefaultFinishAction: null,
  CapacityDemand: null, AutoCreateInterval: null, AutoCreateSnapMode: null, AutoCreateSnapTarget: null,
  SubscriptionSnapMode: null, SubscriptionSnapTarget: null, RecurringEventSetting_Id: null,
  RecurringEventSetting_Type: null, RecurringEventSetting_Frequency: null, DurationAlertPercentage: null,
  DurationAlertPercentageOver: null,
});

export const blankPart = (Id: number): PartRecord => ({
  V: 0, Id, Name: '', Description: '', IsActive: true, IsInternal: false, IsAssembly: false,
  IsAssemblySynchronizePricing: false, IsDisplaySummary: false, IsExcludeFromDiscounts: false,
  IsExcludedFromMinimum: false, IsZeroAssemblyItemPrices: false, IsInternalizeAssemblyItems: false,
  IsAssemblyTreatAsOption: false, IsRequiredForService: false, IsPerDiem: false, SyncQtyWithServiceQty: false,
  RangePricing: false, SelfSelect: false, Taxable: false, DisplayRow: null, DisplayColumn: null, ColorDisplay: '',
  UnitPrice: 0, UnitPriceMax: null, UnitCost: null, ReplacementCost: null, UnitOfMeasure: '', VendorPartNo: '',
  PartCategory: null, PartSubcategory1: null, PartSubcategory2: null, BrandingRevenueCategoryId: null,
  QuantityOverrideCustomFieldId: null, QuantityOverrideGridColumnId: null, QuantityFormula: '',
  SubscriptionDistributionSteps: '', UnitDuration: null, CapacityDemand: null, DurationForQtyUnits: null,
  PartTemplateId: null, PartTemplateOptionSelectedOverride: null, QtyPricing: [], SolutionPrices: [],
  AssemblyItems: [], LimitedServiceIds: [], Quantity: 0, StoreItemId: null, DistributionStart: null,
  DistributionEnd: null,
});

export const blankPartTemplate = (Id: number): PartTemplate => ({ Id, OptionName: '', Selected: false });

export const blankDimension = (Id: number): DimensionRecord => ({
  Id, Name: '', UnitOfMeasure: '', Minimum: null, Maximum: null, Step: null, Options: [], PartIds: [],
});

export const blankRevenueCategory = (Id: number, CreatedAt: string): BrandingRevenueCategory => ({
  Id, Name: '', Group: '', Percentage: 0, CreatedAt, UpdatedAt: null, IsTotalSales: false,
  IsExcludedFromMinimum: false, ExcludeFromTotal: false, IsActive: true, PerInvoiceAmount: null, Maximum: null,
  MaximumPeriod: 'None', Minimum: null,
});

export const blankProposalTemplate = (Id: number, now: string): ProposalTemplate => ({
  Id, Name: '', IsActive: true, Quantity: null, ServiceId: 0, ServiceDescription: '', CustomerNote: '',
  OrganizationId: 0, CreatedAt: now, UpdatedAt: now, ProposalTemplateLines: [],
});
