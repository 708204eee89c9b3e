import * as contract from '../resources/fields.ts';
import type { Output } from '../resources/fields.ts';
import { PricingBand, PricingBandDetailed, band } from './bands.ts';
import { type RecordOf, entity } from './declaration/entity.ts';
import {
  code,
  decimal,
  flag,
  given,
  id,
  ids,
  listOf,
  number,
  object,
  properties,
  text,
  texts,
  word,
} from './declaration/fields.ts';
import { both } from './declaration/options.ts';
import { baseOf, eventDataOf, resourceOf } from './declaration/resource.ts';
import { Part } from './parts.ts';
import { BrandingRevenueCategory } from './price-book.ts';

/** The maximum number of minutes that a service keeps free before or after a visit. */
export const MAX_BUFFER = 480;

const SCHEDULING_MODES = [
  'Normal',
  'Fixed Location (no driving)',
  'Subscription',
  'Route Schedule',
  'Recurring',
] as const;

/**
 * A service with the fields of both variants, and ids instead of the whole records that a variant contains. Dates are
 * `MM-DD` or `YYYY-MM-DD` (lib/domain/pricebook/calendar-dates.ts), durations are minutes, and PricingBands are ordered
 * by AtLeast. Pricing: interface, section 7.
 */
export const serviceEntity = entity('Service', {
  Id: id({ ...both, download: true }),
  /** `null`: every organization of the account has the service. */
  OrganizationId: id({ nullable: true }),
  Name: text({ ...both, max: 200, download: true }),
  Active: flag({ absent: true, resource: true, download: true }),
  Description: text({ ...both, download: true }),
  CalendarColorDisplay: text({ max: 50, resource: true }),
  LabelBackgroundColor: text({ max: 50, resource: true }),
  IsAutoCreateChain: flag({ resource: true }),
  IsCarryForwardAddOns: flag({ resource: true }),
  IsMigrateInvoice: flag({ resource: true, download: true }),
  BaseDuration: number({
    min: 0,
    resource: true,
    base: 'Duration',
    download: true,
    about: 'minutes',
    description: 'Minutes, independent of the quantity.',
  }),
  Taxable: flag({ resource: true, download: true }),
  BasePrice: decimal({ ...both, download: true }),
  UnitPrice: decimal({ ...both, download: true }),
  MinimumCharge: decimal({ ...both, nullable: true, download: true }),
  IsExcludeFromDiscounts: flag({ resource: true }),
  UnitCost: decimal({ nullable: true, resource: true, download: true }),
  QuantityOverrideCustomFieldId: id({
    ...both,
    nullable: true,
    description: 'The custom field whose value is the quantity.',
  }),
  QuantityOverrideGridColumnId: id({ nullable: true, resource: true }),
  QuantityOverridePartCategoryId: id({ nullable: true, resource: true }),
  QuantityFormula: text({ ...both, max: 500, download: true }),
  BasePriceOverrideCustomFieldId: id({ nullable: true, resource: true }),
  UnitPriceOverrideCustomFieldId: id({ ...both, nullable: true }),
  DurationOverrideCustomFieldId: id({ ...both, nullable: true }),
  /** The contract misspells it in the base variant. */
  CapacityDemandOverrideCustomFieldId: id({
    nullable: true,
    resource: true,
    base: 'CapacityDemandOverrdieCustomFieldId',
  }),
  PricingBands: listOf(band, { download: true, event: true }),
  AllAvailableParts: given(),
  LimitedPartIds: ids({ resource: true, description: 'Only these parts; empty means all.' }),
  AlternateDateWindowAfter: number({
    min: 0,
    nullable: true,
    resource: true,
    description: 'Days after a visit that are possible alternatives.',
  }),
  DefaultFinishAction: number({ nullable: true, resource: true }),
  IntervalDays: number({ min: 0, resource: true, base: 'SubscriptionInterval', download: true }),
  SchedulingMode: code(SCHEDULING_MODES, { resource: true }),
  IsQueued: flag({ resource: true, download: true }),
  IsSubscription: flag({ resource: true, base: 'Subscription', download: true }),
  IsRecurring: flag({ resource: true, download: true }),
  SubscriptionProRate: flag({ resource: true, base: 'Prorating' }),
  VisitCount: number({ min: 0, resource: true, base: 'SubscriptionVisits', download: true }),
  SeasonStart: text({ nullable: true }),
  SeasonExpiration: text({ nullable: true }),
  LabelBackgroundColorDisplay: text({ max: 50, resource: true }),
  UnitPriceFormatted: given(text({ max: 100 })),
  BrandingRevenueCategory: given(),
  BrandingRevenueCategoryId: id({ nullable: true, download: true, event: true }),
  EstDuration: given(number({ min: 0, description: 'Minutes for a quantity of 1.' })),
  UnitDuration: number({
    ...both,
    min: 0,
    download: true,
    about: 'minutes a unit',
    description: 'Minutes per unit, in addition to BaseDuration.',
  }),
  BufferBefore: number({
    min: 0,
    max: MAX_BUFFER,
    resource: true,
    extension: true,
    description: 'Minutes before a visit that no other visit of its agents may use.',
  }),
  BufferAfter: number({
    min: 0,
    max: MAX_BUFFER,
    resource: true,
    extension: true,
    description: 'Minutes after a visit, likewise.',
  }),
  /** At most 60 days. */
  MinimumNotice: number({
    min: 0,
    max: 86_400,
    nullable: true,
    resource: true,
    extension: true,
    description: 'Minutes that it is booked ahead at least; null: as its organization says.',
  }),
  MinimumNoticeDays: number({
    min: 0,
    max: 60,
    nullable: true,
    resource: true,
    extension: true,
    description: 'The same in working days.',
  }),
  HorizonDays: number({
    min: 1,
    max: 730,
    nullable: true,
    resource: true,
    extension: true,
    description: 'Days that it is booked ahead at most.',
  }),
  ExactTimes: flag({
    resource: true,
    extension: true,
    description: 'Booked at exact times where its organization offers arrival windows.',
  }),
  UnitOfMeasure: text({ ...both, max: 50, download: true }),
  CapacityDemand: number({ nullable: true, resource: true }),
  AutoCreateInterval: number({ nullable: true, resource: true }),
  AutoCreateSnapMode: number({ nullable: true, resource: true }),
  AutoCreateSnapTarget: number({ nullable: true, resource: true }),
  SubscriptionSnapMode: number({ nullable: true, resource: true }),
  SubscriptionSnapTarget: number({ nullable: true, resource: true }),
  RecurringEventSetting_Id: id({ nullable: true, resource: true }),
  RecurringEventSetting_Type: number({ nullable: true, resource: true }),
  RecurringEventSetting_Frequency: number({ nullable: true, resource: true }),
  RecurringEventSetting_Days: texts({
    max: 20,
    resource: true,
    extension: true,
    description: 'The days of the week of its visits: Mon, Wed, Fri. Type 1 (weeks), the default with them.',
  }),
  RecurringEventSetting_On: text({
    max: 40,
    resource: true,
    extension: true,
    description: 'The day of the week in the months of its visits: first Monday, last Friday. Type 2 (months).',
  }),
  RecurringEventSetting_IfMissing: word(['skip', 'last'], {
    resource: true,
    extension: true,
    description: 'What a month without a fifth day has: no visit, or one on the last.',
  }),
  MinimumSubtotal: decimal({
    ...both,
    nullable: true,
    download: true,
    description: 'Subtotal that must be reached to accept.',
  }),
  MinimumOptions: number({
    ...both,
    min: 0,
    nullable: true,
    download: true,
    description: 'Options that must be selected to accept.',
  }),
  DurationAlertPercentage: number({ min: 0, nullable: true, resource: true }),
  DurationAlertPercentageOver: number({ min: 0, nullable: true, resource: true }),
  Category: text({ max: 200, base: true, download: true, event: true }),
  SelfSelect: flag({
    nullable: true,
    base: true,
    download: true,
    event: true,
    description: 'Clients may book it themselves.',
  }),
  RecurringDescription: text({ max: 1000, base: true, event: true }),
  RecordWeatherData: flag({ base: true, event: true }),
  CustomProperties: properties({ base: true, event: true }),
  V: number(),
});
export type ServiceRecord = RecordOf<typeof serviceEntity>;

/** A service in its organization's list. */
export const serviceEntryEntity = entity('ServiceEntry', { Service: object(serviceEntity.fields, { required: true }) });

const season = () => ({
  SeasonStart: contract.nullable(contract.calendarDate()),
  SeasonExpiration: contract.nullable(contract.calendarDate()),
});

/** The base variant of services/all. */
export const Service = /* @__PURE__ */ baseOf(serviceEntity, () => ({
  ...season(),
  UnitDuration: contract.nullable(contract.described(contract.int32(0), 'Minutes per unit, in addition to Duration.')),
  Duration: contract.described(contract.int32(0), 'Minutes.'),
  Prorating: contract.described(contract.flag(), 'Priced by the remaining part of the season.'),
  SubscriptionInterval: contract.nullable(contract.described(contract.int32(0), 'Days between visits.')),
  AvailableParts: contract.many(Part),
  PartCategories: contract.list(contract.text(200)),
  PricingBands: contract.many(PricingBand),
}));
export type Service = Output<typeof Service>;

/** The variant of services/details, with all settings. */
export const ServiceDetailed = /* @__PURE__ */ resourceOf(serviceEntity, { title: 'ServiceDetailed' }, () => ({
  ...season(),
  PricingBands: contract.many(PricingBandDetailed),
  AllAvailableParts: contract.many(Part),
  BrandingRevenueCategory: contract.nested(BrandingRevenueCategory),
}));
export type ServiceDetailed = Output<typeof ServiceDetailed>;

/** A service with all settings. AllAvailableParts is empty: parts have events of their own. */
export const ServiceEventData = /* @__PURE__ */ eventDataOf(serviceEntity, ServiceDetailed, () => ({
  PricingBands: contract.many(PricingBandDetailed),
}));
