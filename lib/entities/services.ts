import { type RecordOf, entity } from './entity.ts';
import { type ObjectOf, flag, id, listOf, number, numbers, properties, text } from './fields.ts';

/** Price and duration in a range of quantities. */
const band = {
  Id: id(),
  AtLeast: number(),
  LessThan: number({ nullable: true }),
  Price: number(),
  IsExcludeQuantity: flag(),
  IsOverageMode: flag(),
  CapacityDemand: number({ nullable: true }),
  Formula: text(),
  /** Minutes. */
  Duration: number(),
  InitialNRecurringPrice: number({ nullable: true }),
  IsOverageBand: flag(),
};
export type BandRecord = ObjectOf<typeof band>;

/**
 * A service with the fields of both variants, and ids where a variant contains whole records. Dates are `MM-DD` or
 * `YYYY-MM-DD` (lib/domain/pricebook/calendar-dates.ts), durations minutes; PricingBands are in the order of AtLeast.
 */
export const serviceEntity = entity('Service', {
  Id: id(),
  /** `null`: every organization of the account has the service. */
  OrganizationId: id({ nullable: true }),
  Name: text(),
  Active: flag({ absent: true }),
  Description: text(),
  Category: text(),
  UnitOfMeasure: text(),
  CalendarColorDisplay: text(),
  LabelBackgroundColor: text(),
  LabelBackgroundColorDisplay: text(),
  RecurringDescription: text(),
  IsAutoCreateChain: flag(),
  IsCarryForwardAddOns: flag(),
  IsMigrateInvoice: flag(),
  Taxable: flag(),
  IsExcludeFromDiscounts: flag(),
  IsQueued: flag(),
  IsSubscription: flag(),
  IsRecurring: flag(),
  SubscriptionProRate: flag(),
  RecordWeatherData: flag(),
  SelfSelect: flag({ nullable: true }),
  BasePrice: number(),
  UnitPrice: number(),
  UnitCost: number({ nullable: true }),
  MinimumCharge: number({ nullable: true }),
  MinimumSubtotal: number({ nullable: true }),
  MinimumOptions: number({ nullable: true }),
  BaseDuration: number(),
  UnitDuration: number(),
  IntervalDays: number(),
  VisitCount: number(),
  SchedulingMode: number(),
  QuantityOverrideCustomFieldId: id({ nullable: true }),
  QuantityOverrideGridColumnId: id({ nullable: true }),
  QuantityOverridePartCategoryId: id({ nullable: true }),
  QuantityFormula: text(),
  BasePriceOverrideCustomFieldId: id({ nullable: true }),
  UnitPriceOverrideCustomFieldId: id({ nullable: true }),
  DurationOverrideCustomFieldId: id({ nullable: true }),
  CapacityDemandOverrideCustomFieldId: id({ nullable: true }),
  PricingBands: listOf(band),
  LimitedPartIds: numbers(),
  BrandingRevenueCategoryId: id({ nullable: true }),
  CustomProperties: properties(),
  SeasonStart: text({ nullable: true }),
  SeasonExpiration: text({ nullable: true }),
  AlternateDateWindowAfter: number({ nullable: true }),
  DefaultFinishAction: number({ nullable: true }),
  CapacityDemand: number({ nullable: true }),
  AutoCreateInterval: number({ nullable: true }),
  AutoCreateSnapMode: number({ nullable: true }),
  AutoCreateSnapTarget: number({ nullable: true }),
  SubscriptionSnapMode: number({ nullable: true }),
  SubscriptionSnapTarget: number({ nullable: true }),
  RecurringEventSetting_Id: id({ nullable: true }),
  RecurringEventSetting_Type: number({ nullable: true }),
  RecurringEventSetting_Frequency: number({ nullable: true }),
  DurationAlertPercentage: number({ nullable: true }),
  DurationAlertPercentageOver: number({ nullable: true }),
  V: number(),
});
export type ServiceRecord = RecordOf<typeof serviceEntity>;
