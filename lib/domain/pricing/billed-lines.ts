import type { BilledLine } from '../../entities/invoices.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { PartRecord } from '../../entities/parts.ts';
import Big from 'big.js';
import { decimal, cents } from '../../shared/money.ts';
import type { PriceBreakdown } from './types.ts';

/** A priced item that becomes a line of an invoice. */
export interface Billable {
  readonly ServiceId: number | null;
  readonly PartId: number | null;
  readonly Description: string;
  readonly UnitOfMeasure?: string;
  readonly quantity: number;
  /** The price of one; `undefined` if the price contains a base or a flat price. */
  readonly unitPrice: number | undefined;
  /** After discounts, before tax. */
  readonly net: number;
  readonly taxable: boolean;
}

const isExact = (rate: number, quantity: number, net: number): boolean =>
  cents(new Big(rate).times(quantity)) === cents(net);

/**
 * The price at which a quantity comes to exactly its net: its own, else the net divided by the quantity; `undefined` if
 * none of 4 decimals does.
 */
function exactRate({ quantity, unitPrice, net }: Billable): number | undefined {
  if (unitPrice === undefined) return quantity === 1 ? net : undefined;
  if (isExact(unitPrice, quantity, net)) return unitPrice;
  const share = quantity === 0 ? net : decimal(new Big(net).div(quantity));
  return isExact(share, quantity, net) ? share : undefined;
}

/**
 * A line of an invoice that comes to exactly the net. 2 at 22.50 less 9.09: 2 × 17.955 = 35.91. If no price of 4
 * decimals does that, the line is one of everything, with the quantity in its description: 40.00 + 12 × 5.00 is 1 ×
 * 100.00 of "Windows (12)".
 */
export function toBilledLine(billable: Billable): BilledLine {
  const { ServiceId, PartId, Description, UnitOfMeasure = '', quantity, net, taxable } = billable;
  const rate = exactRate(billable);
  const line = { ServiceId, PartId, Extended: net, Taxable: taxable };
  if (rate !== undefined) return { ...line, Description, Rate: rate, Qty: quantity };
  const count = `${quantity} ${UnitOfMeasure}`.trim();
  return { ...line, Description: `${Description} (${count})`, Rate: net, Qty: 1 };
}

/** What a line of an invoice needs besides prices. */
export interface BillingSource {
  readonly service: Pick<ServiceRecord, 'Id' | 'Name' | 'UnitOfMeasure'>;
  /** Whether the service itself is taxed. */
  readonly taxable: boolean;
  readonly parts: ReadonlyMap<number, Pick<PartRecord, 'Name' | 'UnitOfMeasure'>>;
  /** Descriptions of the request's lines, by index; the name of the part by default. */
  readonly descriptions?: readonly (string | undefined)[];
}

/**
 * Priced work as lines of its invoice: the service first, with what MinimumCharge adds and its share of the discount,
 * then every line that counts, including those that cost nothing. Taxed at the rate of the pricing they add up to its
 * total, and each has the same tax.
 */
export function billedLines(
  breakdown: PriceBreakdown,
  { service, taxable, parts, descriptions = [] }: BillingSource,
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
  });
  const others = breakdown.lines.filter(({ counts }) => counts);
  return [
    serviceLine,
    ...others.map(({ index, partId, quantity, unitPrice, net, taxable: isTaxed }) => {
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
      });
    }),
  ];
}
