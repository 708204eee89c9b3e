import Big from 'big.js';
import type { NamedTaxRate } from '../../resources/settings.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { decimal } from '../../shared/money.ts';
import { fold } from '../../shared/text.ts';
import type { BilledLine } from '../appointments/record.ts';
import type { PartRecord, ServiceRecord } from '../pricebook/record.ts';
import { cents } from '../pricing/cents.ts';
import type { Priced } from '../pricing/types.ts';
import type { InvoiceRecord } from './record.ts';

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
  priced: Priced,
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

/** The rate that an invoice's taxable lines are taxed at, in percent, and what it is called. */
export type Rate = Pick<InvoiceRecord, 'TaxRate' | 'RateName'>;

interface Given {
  readonly TaxRate?: number | null | undefined;
  readonly RateName?: string | null | undefined;
}

/** Where the rate of an invoice is taken from. */
export type RateSource = 'given' | 'kept' | 'named' | 'contact';

/**
 * Where the rate is taken from: TaxRate where it is a number; else RateName where that is another than the invoice's;
 * else the invoice there is, or, of a new one and where TaxRate is cleared, the contact.
 */
export function rateSource(before: Rate | undefined, { TaxRate, RateName }: Given): RateSource {
  if (typeof TaxRate === 'number') return 'given';
  const name = RateName?.trim();
  if (name && name !== before?.RateName) return 'named';
  return before && TaxRate === undefined ? 'kept' : 'contact';
}

/**
 * The rate of an invoice, with what the account and the contact say where that is asked for. A name beside a number is
 * just kept; a number without one loses the name of another number.
 */
export function resolveRate(
  before: Rate | undefined,
  input: Given,
  { rates, contactRateId }: { readonly rates: readonly NamedTaxRate[]; readonly contactRateId: number | null },
): { readonly rate: Rate; readonly errors: readonly FieldError[] } {
  const name = input.RateName?.trim();
  const source = rateSource(before, input);
  if (source === 'given') {
    const TaxRate = input.TaxRate ?? 0;
    const former = before?.TaxRate === TaxRate ? before.RateName : '';
    const rate = { TaxRate, RateName: input.RateName === undefined ? former : (name ?? '') };
    const isRate = TaxRate >= 0 && TaxRate <= 100;
    return { rate, errors: isRate ? [] : [{ field: 'TaxRate', message: 'must be a percentage from 0 to 100' }] };
  }
  if (source === 'kept') {
    const { TaxRate = 0, RateName = '' } = before ?? {};
    return { rate: { TaxRate, RateName: input.RateName === undefined ? RateName : (name ?? '') }, errors: [] };
  }
  const found = rates.find(({ Id, Name }) =>
    source === 'named' ? fold(Name) === fold(name ?? '') : Id === contactRateId,
  );
  if (found) return { rate: { TaxRate: found.TaxRate, RateName: found.Name }, errors: [] };
  const unknown = { field: 'RateName', message: 'is no tax rate of the account; give TaxRate beside it, or name one' };
  return { rate: { TaxRate: 0, RateName: '' }, errors: source === 'named' ? [unknown] : [] };
}
