import Big from 'big.js';
import type { PartRecord, ServiceRecord } from '../pricebook/records.ts';
import { bandTier, quantityTier, tiered, type Tier } from './base-and-bands.ts';
import { overridden, type Fields, type Say } from './fields.ts';

const rate = ({ minutes }: Tier): Big | undefined => (minutes === null ? undefined : new Big(minutes));

/**
 * Whole minutes: what is begun is taken, lest a job be cut short. 30 minutes for 7 units, 2 of them: 8.57 → 9. What
 * is divided is the product, so that 3 units at 1 minute for 3 are exactly 1.
 */
const whole = (minutes: Big): number => minutes.round(0, Big.roundUp).toNumber() + 0;

/**
 * Minutes of a service: what its override field says; else BaseDuration + UnitDuration × quantity, which a band with a
 * Duration replaces as its Price replaces the price: Duration × quantity, flat, or for the units above.
 */
export function serviceMinutes(service: ServiceRecord, quantity: Big, fields: Fields, say: Say): number {
  const said = overridden(fields, service.DurationOverrideCustomFieldId);
  if (said !== undefined && said < 0) say('CustomFields', `must say at least 0 in the field that overrides the duration, not ${said}`);
  if (said !== undefined) return whole(new Big(Math.max(said, 0)));
  const plain = (of: Big) => of.times(service.UnitDuration).plus(service.BaseDuration);
  return whole(tiered(service.PricingBands.map(bandTier), quantity, { plain, rate }));
}

/** Minutes of a part: UnitDuration for every DurationForQtyUnits units (or for one), or what its quantity prices say. */
export function partMinutes(part: PartRecord, quantity: Big): number {
  const { UnitDuration, DurationForQtyUnits, QtyPricing } = part;
  if (!UnitDuration && QtyPricing.length === 0) return 0;
  const plain = (of: Big) => of.times(UnitDuration ?? 0).div(DurationForQtyUnits || 1);
  return whole(tiered(QtyPricing.map(quantityTier), quantity, { plain, rate }));
}
