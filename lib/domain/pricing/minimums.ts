import type { ServiceRecord } from '../pricebook/records.ts';
import { cents } from './cents.ts';

/**
 * What MinimumCharge adds, in cents: it is the least that service and lines not excluded from it come to after all
 * discounts. Minimum 100.00; service 80.00 less 20.00, a line of 15.00: 75.00 → 25.00 more.
 */
export const minimumTopUp = ({ MinimumCharge }: ServiceRecord, counted: number): number =>
  MinimumCharge === null ? 0 : Math.max(0, cents(MinimumCharge) - counted);
