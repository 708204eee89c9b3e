import type { FieldErrorCode } from '../../shared/failure-codes.ts';
import { formatInteger } from '../../shared/text/text.ts';
import Big from 'big.js';
import {
  type LineFlags,
  type LineNode,
  type OwnPrice,
  categoryQuantity,
  displayedUnitPrice,
  expandLines,
  followingLines,
  isPercent,
  isSelected,
  lineFields,
  lineFlags,
  lineQuantities,
  optionIds,
  ownPrices,
  serviceQuantity,
} from './lines.ts';
import { MAX_CENTS, cents, fromCents, sum } from '../../shared/money.ts';
import { shareCents, taxOnSum } from './tax-parts.ts';
import {
  type Charge,
  type Discountable,
  chargeLines,
  chargePlainLines,
  checkTaxRate,
  linePercentages,
  lineTaxes,
  minimumTopUp,
  requestDiscount,
  spreadDiscount,
} from './discounts-and-tax.ts';
import {
  type AddError,
  type Fields,
  basePrice,
  LINE_STEPS,
  linearRates,
  MAX_STEPS,
  PricingSteps,
  readFields,
  serviceMinutes,
  serviceRates,
} from './rates.ts';
import type { PriceBreakdown, PriceError, PriceRequest, PricedLine, Totals } from './types.ts';

const MAX_MINUTES = 2 ** 31 - 1;

/**
 * The price and duration of a service with its lines (interface, section 7; docs/decisions/0009-pricing.md), the same
 * for slotsearch, quote, book, proposals and invoices. Returns either the prices of everything or all errors.
 */
export function price(request: PriceRequest): PriceBreakdown | PriceError[] {
  const result = priceWithOptions(request);
  return Array.isArray(result) ? result : result.breakdown;
}

/** A price, and the total of every line with each option alone, by its id. */
export interface PriceWithOptions {
  readonly breakdown: PriceBreakdown;
  readonly alone: ReadonlyMap<number, SelectionAmounts>;
}

/** The amounts of the service and the lines with some options selected, in cents, by line index. */
export interface SelectionAmounts {
  /** The service's quantity. */
  readonly quantity: number;
  readonly serviceNet: number;
  readonly counts: readonly boolean[];
  readonly nets: readonly number[];
  readonly taxables: readonly boolean[];
  readonly taxes: readonly number[];
}

/** A price with the amounts of its options. */
export function priceWithOptions(request: PriceRequest): PriceWithOptions | PriceError[] {
  const errors = new Map<string, PriceError>();
  const addError = (field: string, message: string, code: FieldErrorCode): void => {
    errors.set(`${field} ${message}`, { field, code, message });
  };
  const nodes = expandLines(request, addError);
  if (errors.size) return [...errors.values()];
  const work = prepareWork(request, nodes, addError);
  const selected = new Set(request.selectedOptionIds);
  const selection = priceSelection(work, selected);
  const isOnlySelection = (id: number): boolean => selected.size === 1 && selected.has(id);
  const ids = work.steps.isExhausted ? [] : optionIds(work.flags);
  const alone = new Map(ids.map((id) => [id, isOnlySelection(id) ? selection : priceSelection(work, new Set([id]))]));
  if (errors.size) return [...errors.values()];
  const lines = nodes.map((node, index) => {
    // A line of an unselected option has the price that it would have if selected.
    const optionId = work.flags[index]?.optionId ?? null;
    const wouldBe = optionId !== null && !selected.has(optionId) ? alone.get(optionId) : undefined;
    return wouldBe ? { ...wouldBe.toLine(node, index), counts: false } : selection.toLine(node, index);
  });
  const options = [...alone].map(([optionId, { totals }]) => ({
    ...totals,
    optionId,
    selected: selected.has(optionId),
  }));
  const { totals, quantity, rates, service } = selection;
  const breakdown = { ...totals, quantity, rates, service, lines, options };
  return { breakdown, alone: new Map([...alone].map(([id, { amounts }]) => [id, amounts])) };
}

/** A request with expanded assemblies, the same for every selection of options. */
interface Work {
  readonly request: PriceRequest;
  readonly nodes: readonly LineNode[];
  readonly flags: readonly LineFlags[];
  readonly fields: Fields;
  readonly lineFields: readonly Fields[];
  readonly taxables: readonly boolean[];
  readonly percentages: ReturnType<typeof linePercentages>;
  readonly taxOf: ReturnType<typeof lineTaxes>;
  /** Cents. */
  readonly discount: number;
  /** The amounts of the lines before options are selected, by the service's quantity. */
  readonly bases: Map<string, PriceBasis>;
  readonly addError: AddError;
  readonly steps: PricingSteps;
}

function prepareWork(request: PriceRequest, nodes: readonly LineNode[], addError: AddError): Work {
  const fields = readFields(request.customFields);
  const listName = request.paths?.lines ?? 'AddOnParts';
  const tooMuch =
    `take more than ${formatInteger(MAX_STEPS)} steps to price, ${LINE_STEPS} for each line and one for ` +
    'each value of a formula, for every quantity of the service; send fewer lines or options';
  return {
    request,
    nodes,
    flags: lineFlags(nodes),
    fields,
    lineFields: lineFields(nodes, request, fields),
    taxables: nodes.map(isTaxable),
    percentages: linePercentages(nodes, addError),
    taxOf: lineTaxes(checkTaxRate(request.taxRate, addError)),
    discount: requestDiscount(request.discount, addError),
    bases: new Map(),
    addError,
    steps: new PricingSteps(() => addError(listName, tooMuch, 'limit')),
  };
}

/**
 * The amounts of service and lines for a quantity of the service, before options are selected. They are nearly always
 * the same for every selection: only with QuantityOverridePartCategoryId does the service's quantity depend on it.
 */
interface PriceBasis {
  readonly quantity: Big;
  /** Cents. */
  readonly base: number;
  readonly duration: number;
  readonly rates: PriceBreakdown['rates'];
  readonly quantities: readonly Big[];
  readonly own: readonly OwnPrice[];
  /** By line; `undefined` for percentages. */
  readonly charges: readonly (Charge | undefined)[];
  /** Cents. */
  readonly serviceCost: number;
  readonly costs: readonly number[];
}

function priceBasis(work: Work, selected: ReadonlySet<number>): PriceBasis {
  const { request, nodes, flags, fields } = work;
  const ofCategory = categoryQuantity(request, nodes, flags, work.lineFields, selected);
  const quantity = serviceQuantity(request.service, { requested: request.quantity, ofCategory }, fields, work);
  const known = work.bases.get(quantity.toString());
  if (known) return known;
  const basis = makeBasis(work, quantity);
  work.bases.set(quantity.toString(), basis);
  return basis;
}

function makeBasis(work: Work, quantity: Big): PriceBasis {
  const { request, nodes, flags, fields, lineFields, addError, steps } = work;
  const { service } = request;
  const exactBase = basePrice(service, quantity, fields, work);
  if (exactBase.abs().times(100).compareTo(MAX_CENTS) >= 0)
    addError('Quantity', 'must make the service cost less than 10,000,000,000', 'range');
  const base = cents(exactBase.toBig(2));

  const context = { quantity, base: serviceRates(service, fields).base, fields: lineFields, addError, steps };
  const [other] = work.bases.values();
  const follows = other ? followingLines(nodes) : [];
  const quantities = lineQuantities(nodes, context, (index) => (follows[index] ? undefined : other?.quantities[index]));
  const own = ownPrices(nodes, quantities, context, (index) => (follows[index] ? undefined : other?.own[index]));
  const ownCents = own.map((line) => line.cents);
  return {
    quantity,
    base,
    duration: serviceMinutes(service, quantity, fields, addError),
    rates: linearRates(service, quantity, fields) ?? { base: fromCents(base), unit: 0 },
    quantities,
    own,
    charges: chargePlainLines(nodes, ownCents, { flags, addError }),
    serviceCost: totalCost(service.UnitCost, quantity),
    costs: nodes.map((node, index) => totalCost(unitCostOf(node), quantities[index] ?? new Big(1))),
  };
}

interface PricedSelection extends Pick<PriceBreakdown, 'quantity' | 'rates' | 'service'> {
  readonly totals: Totals;
  readonly amounts: SelectionAmounts;
  readonly toLine: (node: LineNode, index: number) => PricedLine;
}

/** Prices everything with these options selected: sums of whole cents and percentages of them. */
function priceSelection(work: Work, selected: ReadonlySet<number>): PricedSelection {
  const { request, nodes, flags, taxables, taxOf, percentages, addError } = work;
  const { service } = request;
  const basis = priceBasis(work, selected);
  const { base, own, quantities } = basis;
  const active = flags.map((flag) => isSelected(flag, selected));
  const counts = flags.map(({ internal }, index) => !internal && active[index] === true);
  const sumCounted = (amountAt: (index: number) => number): number => sumWhere(counts, amountAt);

  const charges = chargeLines(nodes, basis.charges, { flags, percentages, counts, addError });
  const [serviceDiscount, ...nets] = discountAll(work, { base, quantities, charges, counts });
  const isExcluded = (index: number): boolean => nodes[index]?.part?.IsExcludedFromMinimum ?? false;
  const netAt = (index: number): number => nets[index] ?? 0;
  const forMinimum = sumCounted((index) => (isExcluded(index) ? 0 : netAt(index)));
  const minimum = minimumTopUp(service, base - serviceDiscount + forMinimum);
  const serviceNet = base - serviceDiscount + minimum;

  const isServiceTaxed = isServiceTaxable(request);
  const taxedNets = nets.map((net, index) => (counts[index] && taxables[index] ? net : 0));
  const taxedService = isServiceTaxed ? serviceNet : 0;
  const shares = taxShares(request, [taxedService, ...taxedNets]);
  const serviceTax = shares?.[0] ?? taxOf(serviceNet, isServiceTaxed);
  const taxes = nets.map((net, index) => {
    if (flags[index]?.internal) return 0;
    return (counts[index] ? shares?.[index + 1] : undefined) ?? taxOf(net, taxables[index] ?? false);
  });

  const durationMinutes = basis.duration + sumWhere(active, (index) => own[index]?.minutes ?? 0);
  if (durationMinutes > MAX_MINUTES)
    addError('Quantity', 'must make the duration less than 2,147,483,648 minutes', 'range');

  const net = serviceNet + sumCounted(netAt);
  const tax = serviceTax + sumCounted((index) => taxes[index] ?? 0);
  const subtotal = base + minimum + sumCounted((index) => charges[index]?.extended ?? 0);
  const costs = sumWhere(active, (index) => basis.costs[index] ?? 0);
  return {
    quantity: basis.quantity.toNumber(),
    rates: basis.rates,
    service: {
      discount: fromCents(serviceDiscount),
      net: fromCents(serviceNet),
      tax: fromCents(serviceTax),
      duration: basis.duration,
    },
    amounts: { quantity: basis.quantity.toNumber(), serviceNet, counts, nets, taxables, taxes },
    toLine: (node, index) =>
      toPricedLine(node, {
        own: own[index],
        quantity: quantities[index] ?? new Big(1),
        flags: flags[index],
        taxable: taxables[index] ?? false,
        extended: charges[index]?.extended ?? 0,
        net: netAt(index),
        tax: taxes[index] ?? 0,
        counts: counts[index] ?? false,
      }),
    totals: {
      ...moneyTotals({ base, minimum, subtotal, net, tax, taxable: taxedService + sum(taxedNets) }),
      cost: fromCents(basis.serviceCost + costs),
      durationMinutes,
    },
  };
}

/** The share of each taxed amount in a multi-part tax; `undefined` for a tax with a single part. */
const taxShares = ({ taxParts }: PriceRequest, taxed: readonly number[]): number[] | undefined =>
  taxParts?.length ? shareCents(taxOnSum(taxParts, sum(taxed)), taxed) : undefined;

/** Sums of cents as money. */
const moneyTotals = ({
  base,
  minimum,
  subtotal,
  net,
  tax,
  taxable,
}: Readonly<Record<'base' | 'minimum' | 'subtotal' | 'net' | 'tax' | 'taxable', number>>) => ({
  base: fromCents(base),
  minimum: fromCents(minimum),
  subtotal: fromCents(subtotal),
  discount: fromCents(subtotal - net),
  net: fromCents(net),
  taxableSubtotal: fromCents(taxable),
  tax: fromCents(tax),
  total: fromCents(net + tax),
});

const sumWhere = (holds: readonly boolean[], amountAt: (index: number) => number): number =>
  holds.reduce((sum, each, index) => (each ? sum + amountAt(index) : sum), 0);
const isServiceTaxable = ({ taxable, service }: PriceRequest): boolean => taxable ?? service.Taxable;
const isTaxable = ({ line, part }: LineNode): boolean => line.taxable ?? part?.Taxable ?? false;
const unitCostOf = ({ line, part }: LineNode): number | null => line.unitCost ?? part?.UnitCost ?? null;
const totalCost = (unitCost: number | null, quantity: Big): number => (unitCost ? cents(quantity.times(unitCost)) : 0);

/** The request's discount on the service, then the net amount of each line after its own discount and its share. */
function discountAll(
  { request, nodes, flags, taxables, discount }: Work,
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
): [number, ...number[]] {
  const afterOwn = charges.map(({ extended, ownDiscount }) => extended - ownDiscount);
  if (discount === 0) return [0, ...afterOwn];
  const ofService: Discountable = {
    amount: request.service.IsExcludeFromDiscounts ? 0 : base,
    taxable: isServiceTaxable(request),
    excludedFromMinimum: false,
    tie: [-1],
  };
  const ofLines = nodes.map((node, index): Discountable => ({
    amount: counts[index] && !node.part?.IsExcludeFromDiscounts ? (afterOwn[index] ?? 0) : 0,
    taxable: taxables[index] ?? false,
    excludedFromMinimum: node.part?.IsExcludedFromMinimum ?? false,
    tie: [node.part?.Id ?? 0, flags[index]?.optionId ?? 0, quantities[index]?.toNumber() ?? 0, unitCostOf(node) ?? 0],
  }));
  const max = base + sumWhere(counts, (index) => afterOwn[index] ?? 0);
  const [serviceShare = 0, ...shares] = spreadDiscount(discount, [ofService, ...ofLines], max);
  return [serviceShare, ...afterOwn.map((amount, index) => amount - (shares[index] ?? 0))];
}

interface LineAmounts {
  readonly own: OwnPrice | undefined;
  readonly quantity: Big;
  readonly flags: LineFlags | undefined;
  readonly taxable: boolean;
  /** Cents. */
  readonly extended: number;
  readonly net: number;
  readonly tax: number;
  readonly counts: boolean;
}

function toPricedLine(node: LineNode, amounts: LineAmounts): PricedLine {
  const { index, line, part, parent } = node;
  const { own, quantity, flags, taxable, extended, net, tax, counts } = amounts;
  return {
    index,
    assembly: parent,
    partId: part?.Id ?? null,
    optionId: flags?.optionId ?? null,
    quantity: quantity.toNumber(),
    unitPrice: isPercent(line) || !own ? fromCents(extended) : displayedUnitPrice(own, extended, quantity),
    unitCost: unitCostOf(node),
    ratePercent: line.ratePercent || null,
    extended: fromCents(extended),
    discount: fromCents(extended - net),
    net: fromCents(net),
    taxable,
    tax: fromCents(tax),
    duration: own?.minutes ?? 0,
    internal: flags?.internal ?? false,
    counts,
  };
}
