import Big from 'big.js';
import { decimal } from '../decimals.ts';
import type { PartRecord } from '../pricebook/records.ts';
import { priceOf, quantityTier, tiered } from './base-and-bands.ts';
import type { Fields, Say } from './fields.ts';
import type { LineRequest } from './types.ts';

/** A line's own price: the whole amount, not rounded, and that of a unit, to 4 decimals. */
export interface OwnPrice {
  readonly amount: Big;
  readonly unitPrice: number;
}

/** The price of a unit when the amount is what bands make of it; of nothing it is the plain one. */
export const unitOf = (amount: Big, quantity: Big, plain: number): number =>
  quantity.eq(0) ? plain : decimal(amount.div(quantity));

/**
 * What a quantity of a part costs by itself: UnitPrice × quantity, or what its quantity prices say, by the rules of
 * bands. `base` in their formulas is the service's BasePrice, `unit` the UnitPrice, or the one chosen within the range.
 */
export function partPrice(
  part: PartRecord,
  line: Pick<LineRequest, 'unitPrice' | 'isZeroPrice'>,
  { quantity, base, fields }: { quantity: Big; base: Big; fields: Fields },
  fault: { say: Say; line: string; part: string },
): OwnPrice {
  const chosen = line.unitPrice ?? null;
  const inRange = part.RangePricing && chosen !== null && chosen >= part.UnitPrice && chosen <= (part.UnitPriceMax ?? part.UnitPrice);
  const unit = new Big(inRange ? chosen : part.UnitPrice);
  const rates = {
    plain: (of: Big) => unit.times(of),
    rate: priceOf(fields, { base, unit }, { say: fault.say, field: fault.part, whose: 'quantity price' }),
  };
  if (line.isZeroPrice) return { amount: new Big(0), unitPrice: 0 };
  const amount = part.QtyPricing.length ? tiered(part.QtyPricing.map(quantityTier), quantity, rates) : rates.plain(quantity);
  const unitPrice = part.QtyPricing.length ? unitOf(amount, quantity, unit.toNumber()) : unit.toNumber();
  if (chosen !== null && !inRange && !isEcho(chosen, part, unitPrice)) {
    const range = part.RangePricing ? `from ${part.UnitPrice} to ${part.UnitPriceMax ?? part.UnitPrice}` : `${part.UnitPrice}, or left out: the part has no price range`;
    fault.say(`${fault.line}.UnitPrice`, `must be ${range}`);
  }
  return { amount, unitPrice };
}

/**
 * Typed clients send 0 for nothing, and what they were answered before: a price of the part's own chooses nothing. With
 * quantity prices and no range there is none to hold it against: 4.00 each for 12 may be sent back with 8.
 */
function isEcho(price: number, { UnitPrice, QtyPricing, RangePricing }: PartRecord, unitPrice: number): boolean {
  if (price === 0 || price === UnitPrice) return true;
  return QtyPricing.length > 0 && (!RangePricing || price === unitPrice || QtyPricing.some(({ Price }) => Price === price));
}
