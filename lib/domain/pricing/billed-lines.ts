import Big from 'big.js';
import { decimal } from '../../shared/money.ts';
import type { PartRecord, ServiceRecord } from '../pricebook/record.ts';
import { cents } from './cents.ts';
import type { PriceBreakdown } from './types.ts';

/** A line of an invoice that is yet to be made: what it comes to after discounts, before tax. */
export interface BilledLine {
  readonly ServiceId: number | null;
  readonly PartId: number | null;
  readonly Description: string;
  readonly Rate: number;
  readonly Qty: number;
  readonly Extended: number;
  readonly Taxable: boolean;
  /** Its tax, where that is not what the tax rate makes of Extended: a share of a tax that is divided over visits. */
  readonly Tax?: number;
}

/** Something priced, before it is a line of an invoice. */
export interface Billable {
  readonly ServiceId: number | null;
  readonly PartId: number | null;
  readonly Description: string;
  readonly UnitOfMeasure?: string;
  readonly quantity: number;
  /** The price of one, where it has one: `undefined` where a base or a flat price is in it. */
  readonly unitPrice: number | undefined;
  /** What it comes to after discounts, before tax. */
  readonly net: number;
  readonly taxable: boolean;
}

const comesTo = (rate: number, quantity: number, net: number): boolean =>
  cents(new Big(rate).times(quantity)) === cents(net);

/**
 * The price at which a quantity comes to its net: as said, else the net's share of one; `undefined` where no 4 decimals
 * are one.
 */
function rateOf({ quantity, unitPrice, net }: Billable): number | undefined {
  if (unitPrice === undefined) return quantity === 1 ? net : undefined;
  if (comesTo(unitPrice, quantity, net)) return unitPrice;
  const share = quantity === 0 ? net : decimal(new Big(net).div(quantity));
  return comesTo(share, quantity, net) ? share : undefined;
}

/**
 * A line of an invoice that comes to the very net. 2 at 22.50, of which 9.09 is taken off: 2 × 17.955 = 35.91. Where no
 * price of 4 decimals does, or there is none for one, it is one of it all, with the quantity in the description: 40.00
 * and 12 × 5.00 is 1 × 100.00 of "Windows (12)".
 */
export function toBilledLine(of: Billable): BilledLine {
  const { ServiceId, PartId, Description, UnitOfMeasure = '', quantity, net, taxable } = of;
  const rate = rateOf(of);
  const line = { ServiceId, PartId, Extended: net, Taxable: taxable };
  if (rate !== undefined) return { ...line, Description, Rate: rate, Qty: quantity };
  const count = `${quantity} ${UnitOfMeasure}`.trim();
  return { ...line, Description: `${Description} (${count})`, Rate: net, Qty: 1 };
}

/** What prices do not say of a line. */
export interface BillingSource {
  readonly service: Pick<ServiceRecord, 'Id' | 'Name' | 'UnitOfMeasure'>;
  /** Whether the service itself is taxed. */
  readonly taxable: boolean;
  readonly parts: ReadonlyMap<number, Pick<PartRecord, 'Name' | 'UnitOfMeasure'>>;
  /** What a line of the request says it is, by its place; its part's name where it says nothing. */
  readonly descriptions?: readonly (string | undefined)[];
}

/**
 * What was priced as the lines of its invoice: the service first, with what MinimumCharge adds and its share of the
 * discount, then every line that counts, those that cost nothing too. Taxed at the rate by which it was priced they add
 * up to its total, and each has the tax that it had.
 */
export function billedLines(
  priced: PriceBreakdown,
  { service, taxable, parts, descriptions = [] }: BillingSource,
): BilledLine[] {
  const ofService = toBilledLine({
    ServiceId: service.Id,
    PartId: null,
    Description: service.Name,
    UnitOfMeasure: service.UnitOfMeasure,
    quantity: priced.quantity,
    unitPrice: priced.rates.base === 0 ? priced.rates.unit : undefined,
    net: priced.service.net,
    taxable,
  });
  const others = priced.lines.filter(({ counts }) => counts);
  return [
    ofService,
    ...others.map(({ index, partId, quantity, unitPrice, net, taxable: isTaxed }) => {
      const part = partId === null ? undefined : parts.get(partId);
      const said = index === null ? '' : descriptions[index];
      return toBilledLine({
        ServiceId: null,
        PartId: partId,
        Description: said || (part?.Name ?? ''),
        UnitOfMeasure: part?.UnitOfMeasure ?? '',
        quantity,
        unitPrice,
        net,
        taxable: isTaxed,
      });
    }),
  ];
}
