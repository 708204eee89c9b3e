import { band } from '../../entities/bands.ts';
import { shownOf } from '../../entities/declaration/entity.ts';
import type { Part } from '../../entities/parts.ts';
import type { BrandingRevenueCategory } from '../../entities/price-book.ts';
import { type Service, type ServiceDetailed, type ServiceRecord, serviceEntity } from '../../entities/services.ts';
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
export const serviceToResource = (service: ServiceRecord, parts: readonly Part[]): Service =>
  serviceEntity.toBase(service, {
    ...seasonToResource(service),
    PricingBands: service.PricingBands.map((each) => shownOf(band, each, {}, 'base')),
    AvailableParts: [...parts],
    PartCategories: [...new Set(parts.flatMap(({ Category }) => Category || []))].sort(),
  });

/** A service in the detailed variant with its available parts. */
export const serviceToDetailedResource = (
  service: ServiceRecord,
  parts: readonly Part[],
  { revenueCategories }: { readonly revenueCategories: ReadonlyMap<number, BrandingRevenueCategory> },
): ServiceDetailed =>
  serviceEntity.toResource(service, {
    ...seasonToResource(service),
    PricingBands: service.PricingBands.map((each) => shownOf(band, each)),
    AllAvailableParts: [...parts],
    UnitPriceFormatted: formatDollars(service.UnitPrice),
    BrandingRevenueCategory: revenueCategories.get(service.BrandingRevenueCategoryId ?? 0) ?? null,
    EstDuration: minutesForOne(service),
  });
