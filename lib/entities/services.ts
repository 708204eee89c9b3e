import { band } from './bands.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import { decimal, flag, id, listOf, number, numbers, object, properties, text } from './declaration/fields.ts';

/**
 * A service with the fields of both variants, and ids instead of the whole records that a variant contains. Dates are
 * `MM-DD` or `YYYY-MM-DD` (lib/domain/pricebook/calendar-dates.ts), durations are minutes, and PricingBands are ordered
 * by AtLeast.
 */
export const serviceEntity = entity('Service', {
  Id: id({ download: true }),
  /** `null`: every organization of the account has the service. */
  OrganizationId: id({ nullable: true }),
  Name: text({ download: true }),
  Active: flag({ absent: true, download: true }),
  Description: text({ download: true }),
  Category: text({ download: true, event: true }),
  UnitOfMeasure: text({ download: true }),
  CalendarColorDisplay: text(),
  LabelBackgroundColor: text(),
  LabelBackgroundColorDisplay: text(),
  RecurringDescription: text({ event: true }),
  IsAutoCreateChain: flag(),
  IsCarryForwardAddOns: flag(),
  IsMigrateInvoice: flag({ download: true }),
  Taxable: flag({ download: true }),
  IsExcludeFromDiscounts: flag(),
  IsQueued: flag({ download: true }),
  IsSubscription: flag({ download: true }),
  IsRecurring: flag({ download: true }),
  SubscriptionProRate: flag(),
  RecordWeatherData: flag({ event: true }),
  SelfSelect: flag({ nullable: true, download: true, event: true }),
  BasePrice: decimal({ download: true }),
  UnitPrice: decimal({ download: true }),
  UnitCost: decimal({ nullable: true, download: true }),
  MinimumCharge: decimal({ nullable: true, download: true }),
  MinimumSubtotal: decimal({ nullable: true, download: true }),
  MinimumOptions: number({ nullable: true, download: true }),
  BaseDuration: number({ download: true, about: 'minutes' }),
  UnitDuration: number({ download: true, about: 'minutes a unit' }),
  /** Minutes before and after a visit that no other visit of its agents may use. */
  BufferBefore: number(),
  BufferAfter: number(),
  /** Minimum notice in minutes and in working days, and maximum days ahead; null for the organization's settings. */
  MinimumNotice: number({ nullable: true }),
  MinimumNoticeDays: number({ nullable: true }),
  HorizonDays: number({ nullable: true }),
  /** Booked at exact times even if its organization offers arrival windows. */
  ExactTimes: flag(),
  IntervalDays: number({ download: true }),
  VisitCount: number({ download: true }),
  SchedulingMode: number(),
  QuantityOverrideCustomFieldId: id({ nullable: true }),
  QuantityOverrideGridColumnId: id({ nullable: true }),
  QuantityOverridePartCategoryId: id({ nullable: true }),
  QuantityFormula: text({ download: true }),
  BasePriceOverrideCustomFieldId: id({ nullable: true }),
  UnitPriceOverrideCustomFieldId: id({ nullable: true }),
  DurationOverrideCustomFieldId: id({ nullable: true }),
  CapacityDemandOverrideCustomFieldId: id({ nullable: true }),
  PricingBands: listOf(band, { download: true, event: true }),
  LimitedPartIds: numbers(),
  BrandingRevenueCategoryId: id({ nullable: true, download: true, event: true }),
  CustomProperties: properties({ event: true }),
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

/** A service in its organization's list. */
export const serviceEntryEntity = entity('ServiceEntry', { Service: object(serviceEntity.fields, { required: true }) });
