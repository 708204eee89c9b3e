import type { PartRecord } from '../../entities/parts.ts';
import Big from 'big.js';
import { Fraction } from '../../shared/fraction.ts';
import { decimal, MAX_CENTS, cents, fromCents } from '../../shared/money.ts';
import type { LineNode } from './assemblies.ts';
import { type AddError, type Fields, LINE_STEPS, readFields } from './formula-fields.ts';
import { type LineContext, isPercent } from './quantities.ts';
import { partMinutes, quantityTier, tierPrice, tieredAmount } from './rates.ts';
import type { LineRequest, PriceRequest } from './types.ts';

/** The custom fields of each line: its own take precedence over those of the request. */
export const lineFields = (nodes: readonly LineNode[], { customFields }: PriceRequest, fields: Fields): Fields[] =>
  nodes.map(({ line }) => (line.customFields?.length ? readFields(customFields, line.customFields) : fields));

/** A line by itself, before assemblies and discounts. */
export interface OwnPrice {
  readonly cents: number;
  /** 4 decimals. */
  readonly unitPrice: number;
  readonly minutes: number;
}

const NO_PRICE: OwnPrice = { unitPrice: 0, cents: 0, minutes: 0 };

/**
 * What each line costs by itself, and its minutes; a percentage is nothing by itself. `known` prices are those of the
 * same quantity.
 */
export const ownPrices = (
  nodes: readonly LineNode[],
  quantities: readonly Big[],
  context: LineContext,
  known: (index: number) => OwnPrice | undefined,
): OwnPrice[] =>
  nodes.map((node, index) => {
    const same = known(index);
    if (same) return same;
    const { line, part, path, items } = node;
    const quantity = quantities[index] ?? new Big(1);
    const fields = context.fields[index];
    const steps = LINE_STEPS + (part?.QtyPricing.length ?? 0);
    if (!fields || isPercent(line) || !context.steps.spend(steps)) return NO_PRICE;
    // The items of a synchronised assembly determine its price, whatever a client sends back.
    const isSynchronized = part?.IsAssemblySynchronizePricing && items.length;
    const { amount, unitPrice } = part
      ? partPrice(part, isSynchronized ? { ...line, unitPrice: null } : line, { quantity, fields, path }, context)
      : plainPrice(line, quantity);
    const isWithin = amount.abs().times(100).compareTo(MAX_CENTS) < 0;
    if (!isWithin) context.addError(path.line, 'must cost less than 10,000,000,000', 'range');
    return { unitPrice, cents: isWithin ? cents(amount.toBig(2)) : 0, minutes: part ? partMinutes(part, quantity) : 0 };
  });

/** The price of a unit of a line that costs `extended` cents: its own, unless its items make up the amount. */
export const displayedUnitPrice = (own: OwnPrice, extended: number, quantity: Big): number =>
  extended === own.cents ? own.unitPrice : averageUnitPrice(Fraction.of(fromCents(extended)), quantity, own.unitPrice);

const averageUnitPrice = (amount: Fraction, quantity: Big, plain: number): number =>
  quantity.eq(0) ? plain : decimal(amount.dividedBy(quantity).toBig(4));

/** An amount that is not rounded yet, and the price of a unit with 4 decimals. */
interface ExactPrice {
  readonly amount: Fraction;
  readonly unitPrice: number;
}

/** The price of a line without a part. */
function plainPrice({ isZeroPrice, unitPrice }: LineRequest, quantity: Big): ExactPrice {
  // Adding 0 turns −0, which JSON can contain, into 0.
  const unit = isZeroPrice ? 0 : (unitPrice ?? 0) + 0;
  return { amount: Fraction.of(quantity.times(unit)), unitPrice: unit };
}

/**
 * What a quantity of a part costs by itself: UnitPrice × quantity, or by its quantity prices, under the rules of bands.
 * `base` in their formulas is the service's BasePrice; `unit` is the UnitPrice, or the requested one within the range.
 */
function partPrice(
  part: PartRecord,
  line: LineRequest,
  { quantity, fields, path }: { readonly quantity: Big; readonly fields: Fields; readonly path: LineNode['path'] },
  { base, addError, steps }: LineContext,
): ExactPrice {
  if (line.isZeroPrice) return { amount: Fraction.of(0), unitPrice: 0 };
  const requested = line.unitPrice ?? null;
  const max = part.UnitPriceMax ?? part.UnitPrice;
  const isInRange = part.RangePricing && requested !== null && requested >= part.UnitPrice && requested <= max;
  const unit = new Big(isInRange ? requested : part.UnitPrice);
  const amount = tieredAmount(part.QtyPricing.map(quantityTier), quantity, {
    plain: (count) => Fraction.of(unit.times(count)),
    rate: tierPrice(fields, { base, unit }, { name: 'quantity price', field: path.part, addError, steps }),
  });
  const unitPrice = part.QtyPricing.length ? averageUnitPrice(amount, quantity, unit.toNumber()) : unit.toNumber();
  if (requested !== null && !isInRange && !isEcho(requested, part, unitPrice))
    addUnitPriceError(part, `${path.line}.UnitPrice`, addError);
  return { amount, unitPrice };
}

function addUnitPriceError({ RangePricing, UnitPrice, UnitPriceMax }: PartRecord, field: string, addError: AddError) {
  const range = RangePricing
    ? `from ${UnitPrice} to ${UnitPriceMax ?? UnitPrice}`
    : `${UnitPrice} or absent, because the part has no price range`;
  addError(field, `must be ${range}`, 'range');
}

/**
 * Whether a price requests nothing: typed clients send 0, and the price of an earlier response. With quantity prices
 * and no range any price may be an earlier response: 4.00 each for 12 may be sent back with 8.
 */
function isEcho(price: number, { UnitPrice, QtyPricing, RangePricing }: PartRecord, unitPrice: number): boolean {
  if (price === 0 || price === UnitPrice) return true;
  return (
    QtyPricing.length > 0 && (!RangePricing || price === unitPrice || QtyPricing.some(({ Price }) => Price === price))
  );
}
