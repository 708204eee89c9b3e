import Big from 'big.js';
import type { ServiceRecord } from '../pricebook/record.ts';
import { price } from '../pricing/price.ts';
import type { PriceError, PriceRequest, PriceBreakdown, PricedLine } from '../pricing/types.ts';
import { cents, fromCents, sum } from '../pricing/cents.ts';
import { lineTax } from '../pricing/discounts-and-tax.ts';
import { type SaleDay, findInitialPrice, isSubscription, findRecurrence } from './recurrence.ts';

/** The share of a subscription that is sold, in days of its season. */
export interface Proration {
  readonly daysLeft: number;
  readonly days: number;
  /** Cents: the prices of the initial visits, which are not prorated. */
  readonly initialCents: number;
}

/**
 * What is left of the season of a subscription with SubscriptionProRate on the day of sale, which counts, as do both
 * ends of the season; `undefined` if the whole price applies: no proration, before the season, or no season with two
 * ends. April 1 to October 31, sold on July 17: 107 of 214 days.
 */
export function findProration(service: ServiceRecord, quantity: number, saleDay: SaleDay): Proration | undefined {
  if (!service.SubscriptionProRate || !isSubscription(service)) return undefined;
  const { season, visits } = findRecurrence(service, saleDay);
  const [first] = visits;
  if (season.first === null || season.last === null || first === undefined || first <= season.first) return undefined;
  const initial = findInitialPrice(service, quantity, visits.length);
  return {
    daysLeft: season.last - first + 1,
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

/** The prorated share of cents, rounded once, halves away from 0: 107 of 214 days of 9999 are 4999.5 → 5000. */
const prorate = (amount: number, { daysLeft, days }: Proration): number =>
  cents(new Big(amount).times(daysLeft).div(days).times('0.01'));

/** The service's share: the prices of the initial visits stay whole, up to the service's price. */
function prorateService(net: number, proration: Proration): number {
  const initial = Math.min(proration.initialCents, Math.max(net, 0));
  return initial + prorate(net - initial, proration);
}

/** In cents. */
const sumCounting = (lines: readonly PricedLine[], amount: (line: PricedLine) => number): number =>
  sum(lines.map((line) => (line.counts ? cents(amount(line)) : 0)));

/** A prorated price: what is not sold is a discount, and the rest is taxed. */
function applyProration(breakdown: PriceBreakdown, proration: Proration, request: PriceRequest): PriceBreakdown {
  const rate = request.taxRate ?? 0;
  const taxable = request.taxable ?? request.service.Taxable;
  const service = prorateService(cents(breakdown.service.net), proration);
  const serviceTax = lineTax(service, taxable, rate);
  const lines = breakdown.lines.map((line) => {
    const net = prorate(cents(line.net), proration);
    const discount = fromCents(cents(line.extended) - net);
    const tax = line.tax === 0 ? 0 : fromCents(lineTax(net, line.taxable, rate));
    return { ...line, discount, net: fromCents(net), tax };
  });
  const net = service + sumCounting(lines, (line) => line.net);
  const tax = serviceTax + sumCounting(lines, (line) => line.tax);
  return {
    ...breakdown,
    // The service is then one amount without a unit price.
    rates: { base: fromCents(service - cents(breakdown.minimum)), unit: 0 },
    service: {
      ...breakdown.service,
      discount: fromCents(cents(breakdown.service.discount) + cents(breakdown.service.net) - service),
      net: fromCents(service),
      tax: fromCents(serviceTax),
    },
    lines,
    discount: fromCents(cents(breakdown.subtotal) - net),
    net: fromCents(net),
    taxableSubtotal: fromCents((taxable ? service : 0) + sumCounting(lines, (line) => (line.taxable ? line.net : 0))),
    tax: fromCents(tax),
    total: fromCents(net + tax),
  };
}

function prorateIfNeeded(breakdown: PriceBreakdown, request: PriceRequest, saleDay: SaleDay): PriceBreakdown {
  const proration = findProration(request.service, breakdown.quantity, saleDay);
  return proration ? applyProration(breakdown, proration, request) : breakdown;
}

/**
 * The price on a day of sale: `price`, and for a subscription with SubscriptionProRate the share of the season that is
 * left. The service and each line are prorated separately, after discounts, each rounded once.
 */
export function priceWithProration(request: PriceRequest, saleDay: SaleDay): PriceBreakdown | PriceError[] {
  const breakdown = price(request);
  if (Array.isArray(breakdown)) return breakdown;
  const prorated = prorateIfNeeded(breakdown, request, saleDay);
  if (prorated === breakdown) return breakdown;
  // An option's total is the sum of its rounded lines.
  const options = breakdown.options.map((option) => {
    const alone = { ...request, selectedOptionIds: [option.optionId] };
    const whole = price(alone);
    if (Array.isArray(whole)) return option;
    const { discount, net, taxableSubtotal, tax, total } = prorateIfNeeded(whole, alone, saleDay);
    return { ...option, discount, net, taxableSubtotal, tax, total };
  });
  return { ...prorated, options };
}
