import Big from 'big.js';
import { type LineFlags, type LineNode, expandLines, isSelected, lineFlags, optionIds } from './assemblies.ts';
import { MAX_CENTS, cents, fromCents, sum } from './cents.ts';
import {
  type Charge,
  type Discountable,
  chargeLines,
  checkTaxRate,
  lineTax,
  minimumTopUp,
  requestDiscount,
  spreadDiscount,
} from './discounts-and-tax.ts';
import { type AddError, type Fields, readFields } from './formula-fields.ts';
import { type OwnPrice, displayedUnitPrice, lineFields, ownPrices } from './lines.ts';
import { categoryQuantity, isPercent, lineQuantities, serviceQuantity } from './quantities.ts';
import { basePrice, linearRates, serviceMinutes, serviceRates } from './rates.ts';
import type { PriceBreakdown, PriceError, PriceRequest, PricedLine, Totals } from './types.ts';

const MAX_MINUTES = 2 ** 31 - 1;

/**
 * What a service with its lines costs and how long it takes (interface, section 7; docs/decisions/0009-pricing.md): the
 * one answer for slotsearch, quote, book, proposals and invoices. Returns either the prices of everything or all
 * errors.
 */
export function price(request: PriceRequest): PriceBreakdown | PriceError[] {
  const errors = new Map<string, PriceError>();
  const addError = (field: string, message: string): void => {
    errors.set(`${field} ${message}`, { field, message });
  };
  const nodes = expandLines(request, addError);
  if (errors.size) return [...errors.values()];
  const fields = readFields(request.customFields);
  const work = { request, nodes, flags: lineFlags(nodes), fields, lineFields: lineFields(nodes, request, fields) };
  const selected = new Set(request.selectedOptionIds);
  const selection = priceSelection(work, selected, addError);
  const isOnlySelection = (id: number): boolean => selected.size === 1 && selected.has(id);
  const alone = new Map(
    optionIds(work.flags).map((id) => [
      id,
      isOnlySelection(id) ? selection : priceSelection(work, new Set([id]), addError),
    ]),
  );
  if (errors.size) return [...errors.values()];
  const lines = selection.lines.map((line, place) => {
    // A line of an option that is not selected has the price that it would have.
    const isUnselected = line.optionId !== null && !selected.has(line.optionId);
    const wouldBe = isUnselected ? alone.get(line.optionId ?? 0)?.lines[place] : undefined;
    return wouldBe ? { ...wouldBe, counts: false } : line;
  });
  const options = [...alone].map(([optionId, { totals }]) => ({
    ...totals,
    optionId,
    selected: selected.has(optionId),
  }));
  const { totals, quantity, rates, service } = selection;
  return { ...totals, quantity, rates, service, lines, options };
}

/** A request with its assemblies expanded: the same for every selection of options. */
interface Work {
  readonly request: PriceRequest;
  readonly nodes: readonly LineNode[];
  readonly flags: readonly LineFlags[];
  readonly fields: Fields;
  readonly lineFields: readonly Fields[];
}

interface PricedSelection extends Pick<PriceBreakdown, 'quantity' | 'rates' | 'service' | 'lines'> {
  readonly totals: Totals;
}

/** Prices everything with these options selected. Amounts here are cents. */
function priceSelection(work: Work, selected: ReadonlySet<number>, addError: AddError): PricedSelection {
  const { request, nodes, flags, fields } = work;
  const { service } = request;
  const ofCategory = categoryQuantity(request, nodes, flags, work.lineFields, selected);
  const quantity = serviceQuantity(service, { requested: request.quantity, ofCategory }, fields, addError);
  const exactBase = basePrice(service, quantity, fields, addError);
  if (exactBase.abs().times(100).compareTo(MAX_CENTS) >= 0)
    addError('Quantity', 'must make the service cost less than 10,000,000,000');
  const base = cents(exactBase.toBig(2));

  const context = { quantity, base: serviceRates(service, fields).base, fields: work.lineFields, addError };
  const quantities = lineQuantities(nodes, context);
  const own = ownPrices(nodes, quantities, context);
  const active = flags.map((flag) => isSelected(flag, selected));
  const counts = flags.map(({ internal }, place) => !internal && active[place] === true);
  const sumCounted = (amounts: readonly number[]): number => sum(amounts.filter((_, place) => counts[place]));
  const sumActive = (amounts: readonly number[]): number => sum(amounts.filter((_, place) => active[place]));

  const ownCents = own.map((line) => line.cents);
  const charges = chargeLines(nodes, ownCents, { flags, counts, addError });
  const [serviceDiscount, ...nets] = discountAll(work, { base, quantities, charges, counts }, addError);
  const isExcluded = (place: number): boolean => nodes[place]?.part?.IsExcludedFromMinimum ?? false;
  const forMinimum = sumCounted(nets.map((net, place) => (isExcluded(place) ? 0 : net)));
  const minimum = minimumTopUp(service, base - serviceDiscount + forMinimum);
  const serviceNet = base - serviceDiscount + minimum;

  const rate = checkTaxRate(request.taxRate, addError);
  const isServiceTaxed = isServiceTaxable(request);
  const taxables = nodes.map(isTaxable);
  const serviceTax = lineTax(serviceNet, isServiceTaxed, rate);
  const taxes = nets.map((net, place) => (flags[place]?.internal ? 0 : lineTax(net, taxables[place] ?? false, rate)));

  const serviceDuration = serviceMinutes(service, quantity, fields, addError);
  const durationMinutes = serviceDuration + sumActive(own.map(({ minutes }) => minutes));
  if (durationMinutes > MAX_MINUTES) addError('Quantity', 'must make the duration less than 2,147,483,648 minutes');

  const lines = nodes.map((node, place) =>
    toPricedLine(node, {
      own: own[place],
      quantity: quantities[place] ?? new Big(1),
      flags: flags[place],
      extended: charges[place]?.extended ?? 0,
      net: nets[place] ?? 0,
      tax: taxes[place] ?? 0,
      counts: counts[place] ?? false,
    }),
  );
  const net = serviceNet + sumCounted(nets);
  const tax = serviceTax + sumCounted(taxes);
  const subtotal = base + minimum + sumCounted(charges.map(({ extended }) => extended));
  const taxedNets = nets.map((amount, place) => (taxables[place] ? amount : 0));
  const costs = lines.map(({ unitCost }, place) => totalCost(unitCost, quantities[place] ?? new Big(1)));
  return {
    quantity: quantity.toNumber(),
    rates: linearRates(service, quantity, fields) ?? { base: fromCents(base), unit: 0 },
    service: {
      discount: fromCents(serviceDiscount),
      net: fromCents(serviceNet),
      tax: fromCents(serviceTax),
      duration: serviceDuration,
    },
    lines,
    totals: {
      base: fromCents(base),
      minimum: fromCents(minimum),
      subtotal: fromCents(subtotal),
      discount: fromCents(subtotal - net),
      net: fromCents(net),
      taxableSubtotal: fromCents((isServiceTaxed ? serviceNet : 0) + sumCounted(taxedNets)),
      tax: fromCents(tax),
      total: fromCents(net + tax),
      cost: fromCents(totalCost(service.UnitCost, quantity) + sumActive(costs)),
      durationMinutes,
    },
  };
}

const isServiceTaxable = ({ taxable, service }: PriceRequest): boolean => taxable ?? service.Taxable;
const isTaxable = ({ line, part }: LineNode): boolean => line.taxable ?? part?.Taxable ?? false;
const totalCost = (unitCost: number | null | undefined, quantity: Big): number =>
  unitCost ? cents(quantity.times(unitCost)) : 0;

/** The request's discount of the service, then the net amount of each line after its own discount and its share. */
function discountAll(
  { request, nodes, flags }: Work,
  {
    base,
    quantities,
    charges,
    counts,
  }: {
    readonly base: number;
    readonly quantities: readonly Big[];
    readonly charges: readonly Charge[];
    readonly counts: readonly boolean[];
  },
  addError: AddError,
): [number, ...number[]] {
  const afterOwn = charges.map(({ extended, ownDiscount }) => extended - ownDiscount);
  const ofService: Discountable = {
    amount: request.service.IsExcludeFromDiscounts ? 0 : base,
    taxable: isServiceTaxable(request),
    excludedFromMinimum: false,
    tie: [-1],
  };
  const ofLines = nodes.map((node, place): Discountable => ({
    amount: counts[place] && !node.part?.IsExcludeFromDiscounts ? (afterOwn[place] ?? 0) : 0,
    taxable: isTaxable(node),
    excludedFromMinimum: node.part?.IsExcludedFromMinimum ?? false,
    tie: [node.part?.Id ?? 0, flags[place]?.optionId ?? 0, quantities[place]?.toNumber() ?? 0],
  }));
  const max = base + sum(afterOwn.filter((_, place) => counts[place]));
  const discount = requestDiscount(request.discount, addError);
  const [serviceShare = 0, ...shares] = spreadDiscount(discount, [ofService, ...ofLines], max);
  return [serviceShare, ...afterOwn.map((amount, place) => amount - (shares[place] ?? 0))];
}

interface LineAmounts {
  readonly own: OwnPrice | undefined;
  readonly quantity: Big;
  readonly flags: LineFlags | undefined;
  /** Cents. */
  readonly extended: number;
  readonly net: number;
  readonly tax: number;
  readonly counts: boolean;
}

function toPricedLine(node: LineNode, { own, quantity, flags, extended, net, tax, counts }: LineAmounts): PricedLine {
  const { index, line, part, parent } = node;
  return {
    index,
    assembly: parent,
    partId: part?.Id ?? null,
    optionId: flags?.optionId ?? null,
    quantity: quantity.toNumber(),
    unitPrice: isPercent(line) || !own ? fromCents(extended) : displayedUnitPrice(own, extended, quantity),
    unitCost: line.unitCost ?? part?.UnitCost ?? null,
    ratePercent: line.ratePercent || null,
    extended: fromCents(extended),
    discount: fromCents(extended - net),
    net: fromCents(net),
    taxable: isTaxable(node),
    tax: fromCents(tax),
    duration: own?.minutes ?? 0,
    internal: flags?.internal ?? false,
    counts,
  };
}
