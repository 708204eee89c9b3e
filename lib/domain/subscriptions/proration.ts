import type { ServiceRecord } from '../../entities/services.ts';
import { type SelectionAmounts, priceWithOptions } from '../pricing/price.ts';
import type { PriceBreakdown, PriceError, PriceRequest, Totals } from '../pricing/types.ts';
import { cents, divideRounded, fromCents } from '../../shared/money.ts';
import { lineTaxes } from '../pricing/discounts-and-tax.ts';
import { type SaleDay, findInitialPrice, isSubscription, findRecurrence } from './recurrence.ts';

/** The share of a subscription that is sold, by days of its season. */
export interface Proration {
  readonly daysLeft: number;
  readonly days: number;
  /** Cents: the prices of the initial visits, which are not prorated. */
  readonly initialCents: number;
}

/**
 * The rest of the season of a subscription with SubscriptionProRate on the day of sale, which is included, as are both
 * ends of the season; `undefined` if the whole price applies: no proration, before the season, or no season with two
 * ends. April 1 to October 31, sold on July 17: 107 of 214 days.
 */
export function findProration(service: ServiceRecord, quantity: number, saleDay: SaleDay): Proration | undefined {
  if (!service.SubscriptionProRate || !isSubscription(service)) return undefined;
  const { season, begin, visits } = findRecurrence(service, saleDay);
  if (season.first === null || season.last === null || begin <= season.first) return undefined;
  const initial = findInitialPrice(service, quantity, visits.length);
  return {
    daysLeft: season.last - begin + 1,
    days: season.last - season.first + 1,
    initialCents: initial ? cents(initial.price) * initial.visits : 0,
  };
}

/** The proration of a subscription in words; `""` if the whole price applies. */
export function describeProration(service: ServiceRecord, quantity: number, saleDay: SaleDay): string {
  const proration = findProration(service, quantity, saleDay);
  if (!proration) return '';
  const { daysLeft, days } = proration;
  return `Prorated: ${daysLeft} of ${days} days of the season ${daysLeft === 1 ? 'is' : 'are'} left.`;
}

/** The prorated share of cents, rounded once, halves away from 0: 107 of 214 days for 9999 are 4999.5 → 5000. */
const prorate = (amount: number, { daysLeft, days }: Proration): number => divideRounded([amount, daysLeft], days);

/** The service's share: the prices of the initial visits stay whole, up to the service's price. */
function prorateService(net: number, proration: Proration): number {
  const initial = Math.min(proration.initialCents, Math.max(net, 0));
  return initial + prorate(net - initial, proration);
}

type Shares = Pick<Totals, 'discount' | 'net' | 'taxableSubtotal' | 'tax' | 'total'>;

/** What is left of everything with some options selected. Cents, except for the totals. */
interface ProratedSelection {
  readonly service: number;
  readonly serviceTax: number;
  readonly nets: readonly number[];
  readonly taxes: readonly number[];
  readonly totals: Shares;
}

/** A prorated price: the unsold share is a discount, and the rest is taxed. The total is the sum of rounded lines. */
function prorateSelection(
  { serviceNet, counts, nets: wholeNets, taxables, taxes: wholeTaxes }: SelectionAmounts,
  subtotal: number,
  { service: { Taxable }, taxable, taxRate }: PriceRequest,
  proration: Proration,
): ProratedSelection {
  const taxOf = lineTaxes(taxRate ?? 0);
  const service = prorateService(serviceNet, proration);
  const serviceTax = taxOf(service, taxable ?? Taxable);
  const nets = wholeNets.map((net) => prorate(net, proration));
  const taxes = nets.map((net, index) => (wholeTaxes[index] === 0 ? 0 : taxOf(net, taxables[index] ?? false)));
  const sumCounted = (amountAt: (index: number) => number): number =>
    counts.reduce((sum, each, index) => (each ? sum + amountAt(index) : sum), 0);
  const net = service + sumCounted((index) => nets[index] ?? 0);
  const tax = serviceTax + sumCounted((index) => taxes[index] ?? 0);
  const taxed = sumCounted((index) => (taxables[index] ? (nets[index] ?? 0) : 0));
  const totals = {
    discount: fromCents(cents(subtotal) - net),
    net: fromCents(net),
    taxableSubtotal: fromCents(((taxable ?? Taxable) ? service : 0) + taxed),
    tax: fromCents(tax),
    total: fromCents(net + tax),
  };
  return { service, serviceTax, nets, taxes, totals };
}

/** The amounts of a price, with lines of unselected options as if they were selected. */
const toAmounts = ({ quantity, service, lines }: PriceBreakdown): SelectionAmounts => ({
  quantity,
  serviceNet: cents(service.net),
  counts: lines.map(({ counts }) => counts),
  nets: lines.map(({ net }) => cents(net)),
  taxables: lines.map(({ taxable }) => taxable),
  taxes: lines.map(({ tax }) => cents(tax)),
});

function applyProration(breakdown: PriceBreakdown, proration: Proration, request: PriceRequest): PriceBreakdown {
  const left = prorateSelection(toAmounts(breakdown), breakdown.subtotal, request, proration);
  const lines = breakdown.lines.map((line, index) => {
    const net = left.nets[index] ?? 0;
    const discount = fromCents(cents(line.extended) - net);
    return { ...line, discount, net: fromCents(net), tax: fromCents(left.taxes[index] ?? 0) };
  });
  return {
    ...breakdown,
    ...left.totals,
    // The service is then one amount without a unit price.
    rates: { base: fromCents(left.service - cents(breakdown.minimum)), unit: 0 },
    service: {
      ...breakdown.service,
      discount: fromCents(cents(breakdown.service.discount) + cents(breakdown.service.net) - left.service),
      net: fromCents(left.service),
      tax: fromCents(left.serviceTax),
    },
    lines,
  };
}

/**
 * The price on a day of sale: `price`, and for a subscription with SubscriptionProRate the share of the remaining
 * season. The service and each line are prorated separately, after discounts, each rounded once.
 */
export function priceWithProration(request: PriceRequest, saleDay: SaleDay): PriceBreakdown | PriceError[] {
  const result = priceWithOptions(request);
  if (Array.isArray(result)) return result;
  const { breakdown, alone } = result;
  const proration = findProration(request.service, breakdown.quantity, saleDay);
  if (!proration) return breakdown;
  const options = breakdown.options.map((option) => {
    const amounts = alone.get(option.optionId);
    const own = amounts && findProration(request.service, amounts.quantity, saleDay);
    return own ? { ...option, ...prorateSelection(amounts, option.subtotal, request, own).totals } : option;
  });
  return { ...applyProration(breakdown, proration, request), options };
}
