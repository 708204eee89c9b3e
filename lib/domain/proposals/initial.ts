import type { ServiceRecord } from '../pricebook/records.ts';

/**
 * A price of the first visits that stands by itself: it is not prorated, and what is left is divided over the others.
 */
export interface InitialPrice {
  readonly price: number;
  readonly visits: number;
}

/** How many the first visits are: `InitialVisits` of the service's CustomProperties, 1 unless it says otherwise. */
function initialVisits({ CustomProperties }: Pick<ServiceRecord, 'CustomProperties'>): number {
  const said = Number(CustomProperties['InitialVisits'] ?? 1);
  return Number.isInteger(said) && said >= 0 ? said : 1;
}

/**
 * InitialNRecurringPrice of the band that holds at a quantity, and the visits that have it: never all, for the last one
 * takes what is left.
 */
export function initialPriceOf(
  service: Pick<ServiceRecord, 'PricingBands' | 'CustomProperties'>,
  quantity: number,
  visits: number,
): InitialPrice | undefined {
  const band = service.PricingBands.find(
    ({ AtLeast, LessThan }) => AtLeast <= quantity && (LessThan === null || quantity < LessThan),
  );
  const count = Math.min(initialVisits(service), visits - 1);
  const price = band?.InitialNRecurringPrice ?? null;
  return price === null || price < 0 || count < 1 ? undefined : { price, visits: count };
}
