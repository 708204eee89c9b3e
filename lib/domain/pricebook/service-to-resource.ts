import type { Part } from '../../resources/parts.ts';
import type { BrandingRevenueCategory, PricingBand } from '../../resources/pricing.ts';
import type { Service, ServiceDetailed } from '../../resources/services.ts';
import type { BandRecord, ServiceRecord } from './record.ts';

/** `$1,234.50`; third and fourth decimals where there are any: `$0.085`. */
function dollars(amount: number): string {
  const [whole = '', decimals = ''] = Math.abs(amount).toFixed(4).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return `${amount < 0 ? '-' : ''}$${grouped}.${decimals.replace(/0{1,2}$/, '')}`;
}

const INT32_MAX = 2 ** 31 - 1;

/** Minutes for a quantity of 1: those of the band that holds there and says any, else BaseDuration and one unit. */
function minutesForOne({ PricingBands, BaseDuration, UnitDuration }: ServiceRecord): number {
  const band = PricingBands.find(({ AtLeast, LessThan }) => AtLeast <= 1 && (LessThan === null || LessThan > 1));
  return band?.Duration || Math.min(BaseDuration + UnitDuration, INT32_MAX);
}

const bandOf = ({ Id: _, ...band }: BandRecord): PricingBand => band;

/**
 * The base variant of a service with the parts given (the base variants of those available). Otherwise named there:
 * Duration (BaseDuration), Subscription (IsSubscription), Prorating (SubscriptionProRate), SubscriptionVisits
 * (VisitCount), SubscriptionInterval (IntervalDays), CapacityDemandOverrdieCustomFieldId. PartCategories are those of
 * the parts, by name.
 */
export const serviceToResource = (service: ServiceRecord, parts: readonly Part[]): Service => ({
  Id: service.Id,
  Name: service.Name,
  Description: service.Description,
  BasePrice: service.BasePrice,
  UnitPrice: service.UnitPrice,
  UnitOfMeasure: service.UnitOfMeasure,
  UnitDuration: service.UnitDuration,
  Category: service.Category,
  MinimumCharge: service.MinimumCharge,
  Duration: service.BaseDuration,
  SelfSelect: service.SelfSelect,
  Subscription: service.IsSubscription,
  Prorating: service.SubscriptionProRate,
  SubscriptionVisits: service.VisitCount,
  SubscriptionInterval: service.IntervalDays,
  SeasonStart: service.SeasonStart,
  SeasonExpiration: service.SeasonExpiration,
  RecurringDescription: service.RecurringDescription,
  AvailableParts: [...parts],
  PartCategories: [...new Set(parts.flatMap(({ Category }) => Category || []))].sort(),
  PricingBands: service.PricingBands.map(bandOf),
  QuantityOverrideCustomFieldId: service.QuantityOverrideCustomFieldId,
  UnitPriceOverrideCustomFieldId: service.UnitPriceOverrideCustomFieldId,
  DurationOverrideCustomFieldId: service.DurationOverrideCustomFieldId,
  CapacityDemandOverrdieCustomFieldId: service.CapacityDemandOverrideCustomFieldId,
  MinimumOptions: service.MinimumOptions,
  MinimumSubtotal: service.MinimumSubtotal,
  QuantityFormula: service.QuantityFormula,
  RecordWeatherData: service.RecordWeatherData,
  CustomProperties: service.CustomProperties,
});

/** What of the book a service's detailed variant draws on. */
export interface ServiceRelations {
  readonly revenueCategories: ReadonlyMap<number, BrandingRevenueCategory>;
}

/**
 * The detailed variant of a service with the parts given. EstDuration and UnitPriceFormatted are worked out.
 */
export function serviceToDetailedResource(
  service: ServiceRecord,
  parts: readonly Part[],
  { revenueCategories }: ServiceRelations,
): ServiceDetailed {
  const { V: _, OrganizationId: __, Category: ___, SelfSelect: ____, RecurringDescription: _____, ...rest } = service;
  const { RecordWeatherData: ______, CustomProperties: _______, BrandingRevenueCategoryId, ...shared } = rest;
  return {
    ...shared,
    PricingBands: service.PricingBands.map(({ IsOverageBand: ________, ...band }) => band),
    AllAvailableParts: [...parts],
    UnitPriceFormatted: dollars(service.UnitPrice),
    BrandingRevenueCategory: revenueCategories.get(BrandingRevenueCategoryId ?? 0) ?? null,
    EstDuration: minutesForOne(service),
  };
}
