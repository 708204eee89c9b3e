import type { ServiceRecord } from '../../entities/services.ts';
import { type LineFlags, type LineNode, assemblyAmounts, isPercent } from './lines.ts';
import { cents, decimal, fromCents, MAX_CENTS, percentage } from '../../shared/money.ts';
import type { AddError } from './rates.ts';
import type { BilledLine } from '../../entities/invoices.ts';
import type { PartRecord } from '../../entities/parts.ts';
import Big from 'big.js';
import type { PriceBreakdown } from './types.ts';

/** The cost of a line and its own discount, in cents. */
export interface Charge {
  readonly extended: number;
  readonly ownDiscount: number;
}

/**
 * The charge of each line within its assembly, from what each costs by itself; `undefined` for a percentage, which
 * depends on the selected options.
 */
export function chargePlainLines(
  nodes: readonly LineNode[],
  own: readonly number[],
  { flags, addError }: { readonly flags: readonly LineFlags[]; readonly addError: AddError },
): (Charge | undefined)[] {
  const amounts = assemblyAmounts(nodes, own, flags);
  return nodes.map((node, index) => {
    const extended = amounts[index] ?? 0;
    return isPercent(node.line) ? undefined : { extended, ownDiscount: lineDiscount(node, extended, addError) };
  });
}

/** The validated percentage of each percent line. */
export const linePercentages = (nodes: readonly LineNode[], addError: AddError) =>
  nodes.map(({ line, path }) => {
    if (!isPercent(line)) return undefined;
    const percent = line.ratePercent ?? 0;
    if (percent < -100) addError(`${path.line}.RatePercent`, 'must be at least -100', 'range');
    return percentage(percent);
  });

interface ChargeContext {
  readonly flags: readonly LineFlags[];
  readonly percentages: ReturnType<typeof linePercentages>;
  readonly counts: readonly boolean[];
  readonly addError: AddError;
}

/**
 * The charge of each line with these options: adds the percentages. A percentage applies to the lines that count, after
 * their own discounts, without the service and other percentages, so neither the order nor the number of percent lines
 * matters.
 */
export function chargeLines(
  nodes: readonly LineNode[],
  plain: readonly (Charge | undefined)[],
  { flags, percentages, counts, addError }: ChargeContext,
): Charge[] {
  const base = plain.reduce((sum, of, index) => sum + (of && counts[index] ? of.extended - of.ownDiscount : 0), 0);
  return nodes.map((node, index) => {
    const plainCharge = plain[index];
    if (plainCharge) return plainCharge;
    const { line, path } = node;
    const extended = flags[index]?.free || line.isZeroPrice ? 0 : (percentages[index]?.(base) ?? 0);
    if (Math.abs(extended) >= MAX_CENTS)
      addError(`${path.line}.RatePercent`, 'must make the line cost less than 10,000,000,000', 'range');
    return { extended, ownDiscount: lineDiscount(node, extended, addError) };
  });
}

/** A line's own discount in cents, at most the cost of the line. */
function lineDiscount({ line, part, path }: LineNode, extended: number, addError: AddError): number {
  const { discount, maxDiscount } = line;
  if (!discount) return 0;
  const field = `${path.line}.Discount`;
  if (discount < 0) addError(field, 'must be at least 0', 'range');
  else if (part?.IsExcludeFromDiscounts)
    addError(field, 'must be 0, because the part is excluded from discounts', 'mismatch');
  else if (discount > (maxDiscount ?? Infinity))
    addError(field, `must be at most ${maxDiscount}, the line's MaxDiscount`, 'range');
  return Math.max(0, Math.min(cents(discount), extended));
}

/**
 * What a discount is spread over. Two items that are equal in all of this can be swapped without changing any total.
 */
export interface Discountable {
  /** Cents. */
  readonly amount: number;
  readonly taxable: boolean;
  readonly excludedFromMinimum: boolean;
  /** Orders otherwise equal lines: by part, option, quantity, unit cost. */
  readonly tie: readonly number[];
}

/**
 * Spreads a discount over amounts in proportion, in whole cents that add up to it: each share is rounded down, and the
 * remaining cents go one each to the amounts that lost most; among equal losses to the larger amount first, then to the
 * taxed one, and so on, never by the order of lines. Negative amounts (credits) have no share, and no discount exceeds
 * `max`.
 *
 * Worked: 10.00 over 33.33, 33.33 and 33.34: 333.300 → 333, 333.300 → 333, 333.400 → 333 plus the remaining cent: 334.
 */
export function spreadDiscount(discount: number, over: readonly Discountable[], max: number): number[] {
  const shares = over.map(() => 0);
  const whole = over.reduce((sum, { amount }) => sum + Math.max(amount, 0), 0);
  const total = Math.max(0, Math.min(discount, whole, max));
  if (total === 0) return shares;
  let left = total;
  const ranked = over.map((item, index) => {
    const product = BigInt(Math.max(item.amount, 0)) * BigInt(total);
    const share = Number(product / BigInt(whole));
    shares[index] = share;
    left -= share;
    return { item, index, loss: product % BigInt(whole) };
  });
  ranked.sort((one, other) => {
    if (one.loss !== other.loss) return one.loss > other.loss ? -1 : 1;
    const [left, right] = [one.item, other.item];
    return (
      right.amount - left.amount ||
      Number(right.taxable) - Number(left.taxable) ||
      Number(left.excludedFromMinimum) - Number(right.excludedFromMinimum) ||
      left.tie.reduce((order, value, index) => order || value - (right.tie[index] ?? 0), 0)
    );
  });
  for (const { index } of ranked.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}

/** The discount of a request, in cents. */
export function requestDiscount(discount: number | null | undefined, addError: AddError): number {
  const requested = discount ?? 0;
  if (requested < 0) addError('Discount', `must be at least 0, not ${requested}`, 'range');
  return Math.max(0, cents(Math.min(requested, fromCents(Number.MAX_SAFE_INTEGER))));
}

/** The tax on amounts in cents: a percentage after discounts, rounded line by line. 8.875% of 1.00 → 0.09. */
export function lineTaxes(ratePercent: number): (net: number, taxable: boolean) => number {
  const taxOf = percentage(ratePercent);
  return (net, taxable) => (taxable ? taxOf(net) : 0);
}

export const lineTax = (net: number, taxable: boolean, ratePercent: number): number =>
  lineTaxes(ratePercent)(net, taxable);

/** A tax rate in percent; 0 by default. */
export function checkTaxRate(rate: number | null | undefined, addError: AddError): number {
  if ((rate ?? 0) < 0) addError('NamedTaxRate.TaxRate', `must be at least 0, not ${rate}`, 'range');
  return Math.max(rate ?? 0, 0);
}

/**
 * What MinimumCharge adds, in cents, so that the service and the lines that are not excluded from it reach it after all
 * discounts. Minimum 100.00; service 80.00 less 20.00, a line of 15.00: 75.00 → 25.00 more.
 */
export const minimumTopUp = ({ MinimumCharge }: ServiceRecord, counted: number): number =>
  MinimumCharge === null ? 0 : Math.max(0, cents(MinimumCharge) - counted);

/** A priced item that becomes an invoice line. */
export interface Billable {
  readonly ServiceId: number | null;
  readonly PartId: number | null;
  readonly Description: string;
  readonly UnitOfMeasure?: string;
  readonly quantity: number;
  /** The unit price; `undefined` if the price contains a base or a flat price. */
  readonly unitPrice: number | undefined;
  /** After discounts, before tax. */
  readonly net: number;
  readonly taxable: boolean;
  /** A share of a multi-part tax, which does not follow from the rate. */
  readonly tax?: number | undefined;
}

const isExact = (rate: number, quantity: number, net: number): boolean =>
  cents(new Big(rate).times(quantity)) === cents(net);

/**
 * The unit price that gives exactly the net for the quantity: its own, else the net divided by the quantity;
 * `undefined` if no price with 4 decimals does.
 */
function exactRate({ quantity, unitPrice, net }: Billable): number | undefined {
  if (unitPrice === undefined) return quantity === 1 ? net : undefined;
  if (isExact(unitPrice, quantity, net)) return unitPrice;
  const share = quantity === 0 ? net : decimal(new Big(net).div(quantity));
  return isExact(share, quantity, net) ? share : undefined;
}

/**
 * An invoice line with exactly the net. 2 at 22.50 less 9.09: 2 × 17.955 = 35.91. If no price with 4 decimals gives it,
 * the quantity is 1 and the description contains the real one: 40.00 + 12 × 5.00 is 1 × 100.00 of "Windows (12)".
 */
export function toBilledLine(billable: Billable): BilledLine {
  const { ServiceId, PartId, Description, UnitOfMeasure = '', quantity, net, taxable, tax } = billable;
  const rate = exactRate(billable);
  const line = { ServiceId, PartId, Extended: net, Taxable: taxable, ...(tax === undefined ? {} : { Tax: tax }) };
  if (rate !== undefined) return { ...line, Description, Rate: rate, Qty: quantity };
  const count = `${quantity} ${UnitOfMeasure}`.trim();
  return { ...line, Description: `${Description} (${count})`, Rate: net, Qty: 1 };
}

/** What an invoice line requires besides prices. */
export interface BillingSource {
  readonly service: Pick<ServiceRecord, 'Id' | 'Name' | 'UnitOfMeasure'>;
  /** Whether the service itself is taxed. */
  readonly taxable: boolean;
  readonly parts: ReadonlyMap<number, Pick<PartRecord, 'Name' | 'UnitOfMeasure'>>;
  /** Descriptions of the request's lines, by index; by default the name of the part. */
  readonly descriptions?: readonly (string | undefined)[];
  /** Whether the tax has several parts, so that each line has a share. */
  readonly hasTaxParts?: boolean;
}

/**
 * Priced work as invoice lines: first the service, with what MinimumCharge adds and its share of the discount; then
 * every line that counts, including free ones. Taxed at the rate of the pricing they add up to its total, and each has
 * the same tax.
 */
export function billedLines(
  breakdown: PriceBreakdown,
  { service, taxable, parts, descriptions = [], hasTaxParts = false }: BillingSource,
): BilledLine[] {
  const serviceLine = toBilledLine({
    ServiceId: service.Id,
    PartId: null,
    Description: service.Name,
    UnitOfMeasure: service.UnitOfMeasure,
    quantity: breakdown.quantity,
    unitPrice: breakdown.rates.base === 0 ? breakdown.rates.unit : undefined,
    net: breakdown.service.net,
    taxable,
    tax: hasTaxParts ? breakdown.service.tax : undefined,
  });
  const others = breakdown.lines.filter(({ counts }) => counts);
  return [
    serviceLine,
    ...others.map(({ index, partId, quantity, unitPrice, net, taxable: isTaxed, tax }) => {
      const part = partId === null ? undefined : parts.get(partId);
      const description = index === null ? '' : descriptions[index];
      return toBilledLine({
        ServiceId: null,
        PartId: partId,
        Description: description || (part?.Name ?? ''),
        UnitOfMeasure: part?.UnitOfMeasure ?? '',
        quantity,
        unitPrice,
        net,
        taxable: isTaxed,
        tax: hasTaxParts ? tax : undefined,
      });
    }),
  ];
}
