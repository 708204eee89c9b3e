import Big from 'big.js';
import { decimal } from '../../shared/money.ts';
import type { PartRecord } from '../pricebook/record.ts';
import type { Node, LineFlags } from './assemblies.ts';
import { MAX_CENTS, cents } from './cents.ts';
import { type Fields, type AddError, applyOverride, readFields } from './fields.ts';
import { isSelected } from './price.ts';
import { checked, isFollowing, lineQuantity } from './quantity.ts';
import { partMinutes, tieredPrice, quantityTier, tiered } from './rates.ts';
import type { LineRequest, PriceRequest } from './types.ts';

/** The custom fields of each line: its own before those of the request. */
export const lineFields = (nodes: readonly Node[], { customFields }: PriceRequest, fields: Fields): Fields[] =>
  nodes.map(({ line }) => (line.customFields?.length ? readFields(customFields, line.customFields) : fields));

/** How much there is in lines of the service's QuantityOverridePartCategoryId; `undefined` when there is no such line. */
export function quantityOfCategory(
  { service: { QuantityOverridePartCategoryId: category } }: PriceRequest,
  nodes: readonly Node[],
  {
    standing,
    fields,
    selected,
  }: { standing: readonly LineFlags[]; fields: readonly Fields[]; selected: ReadonlySet<number> },
): number | undefined {
  if (category === null) return undefined;
  const quantities = nodes.flatMap(({ part, line, parent }, place) => {
    const stands = standing[place];
    const of = fields[place];
    // What follows the service's quantity cannot make it; items are in what they are items of.
    if (part?.PartCategory?.Id !== category || parent !== null || isFollowing(part) || isPercent(line)) return [];
    return stands && of && isSelected(stands, selected)
      ? (applyOverride(of, part.QuantityOverrideCustomFieldId) ?? line.quantity ?? 1)
      : [];
  });
  return quantities.length
    ? quantities.reduce<Big>((sum, quantity) => sum.plus(quantity), new Big(0)).toNumber()
    : undefined;
}

interface Surroundings {
  /** The service's quantity and BasePrice. */
  readonly ofService: Big;
  readonly base: Big;
  readonly fields: readonly Fields[];
  readonly say: AddError;
}

/** The quantity of each line. An item has that of one assembly times its assembly's; one of a line that is given may be said. */
export function quantitiesOf(nodes: readonly Node[], { ofService, base, fields, say }: Surroundings): Big[] {
  const found: (Big | undefined)[] = [];
  const quantity = (place: number): Big => (found[place] ??= work(place));
  function work(place: number): Big {
    const node = nodes[place];
    const of = fields[place];
    if (!node || !of || isPercent(node.line)) return new Big(1);
    const { line, part, parent, path, index } = node;
    if (parent === null)
      return lineQuantity(part, { input: line.quantity, ofService, base }, of, {
        say,
        field: path.line,
        part: path.part,
      });
    if (index !== null && line.quantity != null) return checked(line.quantity, `${path.line}.Quantity`, say);
    const ofOne =
      index === null
        ? line.quantity
        : nodes[parent]?.part?.AssemblyItems.find(({ PartId }) => PartId === part?.Id)?.Quantity;
    return checked(quantity(parent).times(ofOne ?? 1), `${path.line}.Quantity`, say);
  }
  return nodes.map((_, place) => quantity(place));
}

/** What each line costs by itself, and its minutes; a percentage is nothing by itself. */
export function ownFigures(nodes: readonly Node[], quantities: readonly Big[], { base, fields, say }: Surroundings) {
  return nodes.map(({ line, part, path, items }, place): OwnPrice & { cents: number; minutes: number } => {
    const quantity = quantities[place] ?? new Big(1);
    const of = fields[place];
    const nothing = { amount: new Big(0), unitPrice: 0, cents: 0, minutes: 0 };
    if (isPercent(line) || !of) return nothing;
    // Adding 0 turns −0, which JSON can say, into 0.
    const unit = line.isZeroPrice ? 0 : (line.unitPrice ?? 0) + 0;
    // The items of a synchronised assembly say its price, whatever a client sends back of it.
    const asked = part?.IsAssemblySynchronizePricing && items.length ? { ...line, unitPrice: null } : line;
    const own = part
      ? partPrice(part, asked, { quantity, base, fields: of }, { say, line: path.line, part: path.part })
      : { amount: quantity.times(unit), unitPrice: unit };
    const within = own.amount.abs().times(100).lt(MAX_CENTS);
    if (!within) say(path.line, 'must cost less than 10,000,000,000');
    return { ...own, cents: within ? cents(own.amount) : 0, minutes: part ? partMinutes(part, quantity) : 0 };
  });
}

/** The price of a unit as a line stands: that of the line by itself, or of what it carries. */
export const unitAsStands = (own: OwnPrice & { cents: number }, extended: number, quantity: Big): number =>
  extended === own.cents ? own.unitPrice : unitPrice(new Big(extended).times('0.01'), quantity, own.unitPrice);

/** A line's own price: the whole amount, not rounded, and that of a unit, to 4 decimals. */
export interface OwnPrice {
  readonly amount: Big;
  readonly unitPrice: number;
}

/** The price of a unit when the amount is what bands make of it; of nothing it is the plain one. */
export const unitPrice = (amount: Big, quantity: Big, plain: number): number =>
  quantity.eq(0) ? plain : decimal(amount.div(quantity));

/**
 * What a quantity of a part costs by itself: UnitPrice × quantity, or what its quantity prices say, by the rules of
 * bands. `base` in their formulas is the service's BasePrice, `unit` the UnitPrice, or the one chosen within the range.
 */
export function partPrice(
  part: PartRecord,
  line: Pick<LineRequest, 'unitPrice' | 'isZeroPrice'>,
  { quantity, base, fields }: { quantity: Big; base: Big; fields: Fields },
  fault: { say: AddError; line: string; part: string },
): OwnPrice {
  const chosen = line.unitPrice ?? null;
  const inRange =
    part.RangePricing && chosen !== null && chosen >= part.UnitPrice && chosen <= (part.UnitPriceMax ?? part.UnitPrice);
  const unit = new Big(inRange ? chosen : part.UnitPrice);
  const rates = {
    plain: (of: Big) => unit.times(of),
    rate: tieredPrice(fields, { base, unit }, { say: fault.say, field: fault.part, whose: 'quantity price' }),
  };
  if (line.isZeroPrice) return { amount: new Big(0), unitPrice: 0 };
  const amount = part.QtyPricing.length
    ? tiered(part.QtyPricing.map(quantityTier), quantity, rates)
    : rates.plain(quantity);
  const price = part.QtyPricing.length ? unitPrice(amount, quantity, unit.toNumber()) : unit.toNumber();
  if (chosen !== null && !inRange && !isEcho(chosen, part, price)) {
    const range = part.RangePricing
      ? `from ${part.UnitPrice} to ${part.UnitPriceMax ?? part.UnitPrice}`
      : `${part.UnitPrice}, or left out: the part has no price range`;
    fault.say(`${fault.line}.UnitPrice`, `must be ${range}`);
  }
  return { amount, unitPrice: price };
}

/**
 * Typed clients send 0 for nothing, and what they were answered before: a price of the part's own chooses nothing. With
 * quantity prices and no range there is none to hold it against: 4.00 each for 12 may be sent back with 8.
 */
function isEcho(price: number, { UnitPrice, QtyPricing, RangePricing }: PartRecord, unitPrice: number): boolean {
  if (price === 0 || price === UnitPrice) return true;
  return (
    QtyPricing.length > 0 && (!RangePricing || price === unitPrice || QtyPricing.some(({ Price }) => Price === price))
  );
}

/** Whether a line costs a percentage; 0 is what typed clients send for nothing. */
export const isPercent = ({ ratePercent }: { readonly ratePercent?: number | null | undefined }): boolean =>
  Boolean(ratePercent);

/**
 * A percentage of the other lines: of what those that count cost after their own discounts, themselves no percentages,
 * so that neither order nor number of percent lines changes any. The service is no line. 7.5 % of 333.33 → 25.00.
 */
export const percentAmount = (ratePercent: number, othersCents: number): number =>
  cents(new Big(othersCents).times(ratePercent).times('0.0001'));
