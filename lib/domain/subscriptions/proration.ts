import Big from 'big.js';
import type { ServiceRecord } from '../pricebook/record.ts';
import { price } from '../pricing/price.ts';
import type { PriceError, PriceRequest, PriceBreakdown, PricedLine } from '../pricing/types.ts';
import { cents, fromCents, sum } from '../pricing/cents.ts';
import { lineTax } from '../pricing/discounts-and-tax.ts';
import { type SaleDay, findInitialPrice, isSubscription, findRecurrence } from './recurrence.ts';

/** How much of a subscription is sold: `left` days of `of`, exactly, but for `whole` cents of the service's price. */
export interface Proration {
  readonly left: number;
  readonly of: number;
  /** The prices of the first visits, which are not prorated. */
  readonly whole: number;
}

/**
 * What of its season is left of a subscription with SubscriptionProRate on the day it is sold, that day and both ends
 * of the season included; `undefined` where all of it is: no proration, before the season, or no season with both ends.
 * April 1 to October 31, sold on July 17: 107 days of 214.
 */
export function findProration(service: ServiceRecord, quantity: number, sold: SaleDay): Proration | undefined {
  if (!service.SubscriptionProRate || !isSubscription(service)) return undefined;
  const { season, visits } = findRecurrence(service, sold);
  const [first] = visits;
  if (season.first === null || season.last === null || first === undefined || first <= season.first) return undefined;
  const initial = findInitialPrice(service, quantity, visits.length);
  return {
    left: season.last - first + 1,
    of: season.last - season.first + 1,
    whole: initial ? cents(initial.price) * initial.visits : 0,
  };
}

/** What is left of a subscription that is prorated, in words; `""` where all of it is. */
export function describeProration(service: ServiceRecord, quantity: number, sold: SaleDay): string {
  const proration = findProration(service, quantity, sold);
  if (!proration) return '';
  const { left, of } = proration;
  return `Prorated: ${left} of ${of} days of the season ${left === 1 ? 'is' : 'are'} left.`;
}

/** A part of so many cents, rounded once, halves away from 0: 107 of 214 days of 9999 are 4999.5 → 5000. */
const part = (amount: number, { left, of }: Proration): number =>
  cents(new Big(amount).times(left).div(of).times('0.01'));

/** Of the service's cents the first visits' own prices stay, as far as there is so much. */
function servicePart(net: number, proration: Proration): number {
  const whole = Math.min(proration.whole, Math.max(net, 0));
  return whole + part(net - whole, proration);
}

/** In cents, of the lines that count. */
const sumOf = (lines: readonly PricedLine[], amount: (line: PricedLine) => number): number =>
  sum(lines.map((line) => (line.counts ? cents(amount(line)) : 0)));

/** What was priced, prorated: what is not sold is off like a discount, and what is left is taxed anew. */
function prorated(priced: PriceBreakdown, proration: Proration, request: PriceRequest): PriceBreakdown {
  const rate = request.taxRate ?? 0;
  const taxable = request.taxable ?? request.service.Taxable;
  const service = servicePart(cents(priced.service.net), proration);
  const serviceTax = lineTax(service, taxable, rate);
  const lines = priced.lines.map((line) => {
    const net = part(cents(line.net), proration);
    const discount = fromCents(cents(line.extended) - net);
    const tax = line.tax === 0 ? 0 : fromCents(lineTax(net, line.taxable, rate));
    return { ...line, discount, net: fromCents(net), tax };
  });
  const net = service + sumOf(lines, (line) => line.net);
  const tax = serviceTax + sumOf(lines, (line) => line.tax);
  return {
    ...priced,
    // The service is then one amount, and no price for each unit.
    rates: { base: fromCents(service - cents(priced.minimum)), unit: 0 },
    service: {
      ...priced.service,
      discount: fromCents(cents(priced.service.discount) + cents(priced.service.net) - service),
      net: fromCents(service),
      tax: fromCents(serviceTax),
    },
    lines,
    discount: fromCents(cents(priced.subtotal) - net),
    net: fromCents(net),
    taxableSubtotal: fromCents((taxable ? service : 0) + sumOf(lines, (line) => (line.taxable ? line.net : 0))),
    tax: fromCents(tax),
    total: fromCents(net + tax),
  };
}

/** What was priced, of a subscription with SubscriptionProRate the part that is left. */
function leftOf(priced: PriceBreakdown, request: PriceRequest, sold: SaleDay): PriceBreakdown {
  const proration = findProration(request.service, priced.quantity, sold);
  return proration ? prorated(priced, proration, request) : priced;
}

/**
 * What a service costs that is sold on a day: `price`, and of a subscription with SubscriptionProRate the part of the
 * season that is left. The service and each line are prorated by themselves, after discounts, each rounded once.
 */
export function priceWithProration(request: PriceRequest, sold: SaleDay): PriceBreakdown | PriceError[] {
  const priced = price(request);
  if (Array.isArray(priced)) return priced;
  const left = leftOf(priced, request, sold);
  if (left === priced) return priced;
  // An option's total is the sum of what its lines round to.
  const options = priced.options.map((option) => {
    const alone = { ...request, selectedOptionIds: [option.optionId] };
    const whole = price(alone);
    if (Array.isArray(whole)) return option;
    const { discount, net, taxableSubtotal, tax, total } = leftOf(whole, alone, sold);
    return { ...option, discount, net, taxableSubtotal, tax, total };
  });
  return { ...left, options };
}
