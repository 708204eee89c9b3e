import { partDetailedOf } from '../domain/pricebook/part-view.ts';
import type { PartRecord, ServiceRecord } from '../domain/pricebook/records.ts';
import { serviceDetailedOf } from '../domain/pricebook/service-view.ts';
import type { Image } from './image.ts';
import type { EntityKind } from './kinds.ts';

/** The thing alone: W is the table's mark of who wrote it. */
const recordOf = <Thing>({ W: _, ...record }: Image): Thing => record as Thing;

/**
 * Changes of services. Data is the detailed variant and what only the base variant has. Parts have events of their own
 * and are left out; of the revenue category its id stands there.
 */
export const service: EntityKind = {
  kinds: { created: 'service.created', updated: 'service.updated', deleted: 'service.deleted' },
  resource: (image) => {
    const record = recordOf<ServiceRecord>(image);
    const {
      AllAvailableParts: _,
      BrandingRevenueCategory: __,
      ...detailed
    } = serviceDetailedOf(record, [], { revenueCategories: new Map() });
    const {
      PricingBands,
      Category,
      SelfSelect,
      RecurringDescription,
      RecordWeatherData,
      CustomProperties,
      BrandingRevenueCategoryId,
    } = record;
    return {
      ...detailed,
      PricingBands,
      Category,
      SelfSelect,
      RecurringDescription,
      RecordWeatherData,
      CustomProperties,
      BrandingRevenueCategoryId,
    };
  },
  contactId: () => null,
};

/** Changes of parts. Data is the detailed variant and what only the base variant has. */
export const part: EntityKind = {
  kinds: { created: 'part.created', updated: 'part.updated', deleted: 'part.deleted' },
  resource: (image) => {
    const record = recordOf<PartRecord>(image);
    const { RangePricing, SelfSelect, StoreItemId, DistributionStart, DistributionEnd } = record;
    return { ...partDetailedOf(record), RangePricing, SelfSelect, StoreItemId, DistributionStart, DistributionEnd };
  },
  contactId: () => null,
};
