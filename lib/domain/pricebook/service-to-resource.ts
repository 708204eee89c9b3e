import type { BrandingRevenueCategory } from '../../entities/price-book.ts';
import type { Part } from '../../entities/parts.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { Service, ServiceDetailed } from '../../resources/services.ts';
import { omit, pick } from '../../shared/objects.ts';
import { seasonToResource } from './calendar-dates.ts';

/** `$1,234.50`, with third and fourth decimals where they are not 0: `$0.085`. */
function formatDollars(amount: number): string {
  const [whole = '', decimals = ''] = Math.abs(amount).toFixed(4).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return `${amount < 0 ? '-' : ''}$${grouped}.${decimals.replace(/0{1,2}$/, '')}`;
}

const INT32_MAX = 2 ** 31 - 1;

/** Minutes for a quantity of 1: those of its band, else BaseDuration plus one unit. */
function minutesForOne({ PricingBands, BaseDuration, UnitDuration }: ServiceRecord): number {
  const band = PricingBands.find(({ AtLeast, LessThan }) => AtLeast <= 1 && (LessThan === null || LessThan > 1));
  return band?.Duration || Math.min(BaseDuration + UnitDuration, INT32_MAX);
}

/** A service in the base variant with its available parts. */
export const serviceToResource = (service: ServiceRecord, parts: readonly Part[]): Service => ({
  ...pick(
    service,
    'Id',
    'Name',
    'Description',
    'BasePrice',
    'UnitPrice',
    'UnitOfMeasure',
    'UnitDuration',
    'Category',
    'MinimumCharge',
    'SelfSelect',
    'RecurringDescription',
    'QuantityOverrideCustomFieldId',
    'UnitPriceOverrideCustomFieldId',
    'DurationOverrideCustomFieldId',
    'MinimumOptions',
    'MinimumSubtotal',
    'QuantityFormula',
    'RecordWeatherData',
    'CustomProperties',
  ),
  ...seasonToResource(service),
  Duration: service.BaseDuration,
  Subscription: service.IsSubscription,
  Prorating: service.SubscriptionProRate,
  SubscriptionVisits: service.VisitCount,
  SubscriptionInterval: service.IntervalDays,
  CapacityDemandOverrdieCustomFieldId: service.CapacityDemandOverrideCustomFieldId,
  PricingBands: service.PricingBands.map((band) => omit(band, 'Id')),
  AvailableParts: [...parts],
  PartCategories: [...new Set(parts.flatMap(({ Category }) => Category || []))].sort(),
});

/** A service in the detailed variant with its available parts. */
export const serviceToDetailedResource = (
  service: ServiceRecord,
  parts: readonly Part[],
  { revenueCategories }: { readonly revenueCategories: ReadonlyMap<number, BrandingRevenueCategory> },
): ServiceDetailed => ({
  ...omit(
    service,
    'V',
    'OrganizationId',
    'Category',
    'SelfSelect',
    'RecurringDescription',
    'RecordWeatherData',
    'CustomProperties',
    'BrandingRevenueCategoryId',
  ),
  ...seasonToResource(service),
  PricingBands: service.PricingBands.map((band) => omit(band, 'IsOverageBand')),
  AllAvailableParts: [...parts],
  UnitPriceFormatted: formatDollars(service.UnitPrice),
  BrandingRevenueCategory: revenueCategories.get(service.BrandingRevenueCategoryId ?? 0) ?? null,
  EstDuration: minutesForOne(service),
});
