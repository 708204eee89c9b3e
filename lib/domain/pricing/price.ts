import Big from 'big.js';
import { type Node, type LineFlags, expand, lineFlags } from './assemblies.ts';
import { MAX_CENTS, cents, fromCents, sum } from './cents.ts';
import {
  type Discountable,
  chargedLines,
  checkedRate,
  minimumTopUp,
  requestDiscount,
  spreadDiscount,
  lineTax,
} from './discounts-and-tax.ts';
import { type Fields, type AddError, readFields } from './fields.ts';
import { isPercent, lineFields, ownFigures, quantitiesOf, quantityOfCategory, unitAsStands } from './lines.ts';
import { serviceQuantity } from './quantity.ts';
import { basePrice, partRates, serviceMinutes, serviceRates } from './rates.ts';
import type { PriceError, PriceRequest, PriceBreakdown, PricedLine, Totals } from './types.ts';

const totalsOf = ({
  lines: _,
  quantity: __,
  service: ___,
  rates: ____,
  ...totals
}: Omit<PriceBreakdown, 'options'>): Totals => totals;

/**
 * What a service with its lines costs and how long it takes (interface, section 7; docs/decisions/0009-pricing.md): one
 * answer for slotsearch, quote, book, proposals and invoices. Pure; nothing of the request is changed. Either
 * everything is priced, or all that is at fault is told.
 */
export function price(request: PriceRequest): PriceBreakdown | PriceError[] {
  const errors = new Map<string, PriceError>();
  const say = (field: string, message: string): void => {
    const fault = `${field} ${message}`;
    if (!errors.has(fault)) errors.set(fault, { field, message });
  };
  const nodes = expand(request, say);
  if (errors.size) return [...errors.values()];
  const fields = readFields(request.customFields);
  const prepared: Prepared = {
    request,
    nodes,
    standing: lineFlags(nodes),
    fields,
    lineFields: lineFields(nodes, request, fields),
  };
  const selected = new Set(request.selectedOptionIds);
  const priced = evaluate(prepared, selected, say);
  const isAlone = (id: number): boolean => selected.size === 1 && selected.has(id);
  const alone = new Map(
    optionIds(prepared.standing).map((id) => [id, isAlone(id) ? priced : evaluate(prepared, new Set([id]), say)]),
  );
  if (errors.size) return [...errors.values()];
  const lines = priced.lines.map((line, place) => {
    // What of an option that is not selected costs, is what it would cost.
    const other =
      line.optionId === null || selected.has(line.optionId) ? undefined : alone.get(line.optionId)?.lines[place];
    return other ? { ...other, counts: false } : line;
  });
  const options = [...alone].map(([optionId, of]) => ({ ...totalsOf(of), optionId, selected: selected.has(optionId) }));
  return { ...priced, lines, options };
}

/** A request with its assemblies expanded: the same whatever is selected. */
export interface Prepared {
  readonly request: PriceRequest;
  readonly nodes: readonly Node[];
  readonly standing: readonly LineFlags[];
  readonly fields: Fields;
  /** Those of each line. */
  readonly lineFields: readonly Fields[];
}

const costOf = (unitCost: number | null | undefined, quantity: Big): number =>
  unitCost ? cents(quantity.times(unitCost)) : 0;

/** Prices everything with these options selected; the rules in their order, each in its file. Amounts here are cents. */
export function evaluate(
  prepared: Prepared,
  selected: ReadonlySet<number>,
  say: AddError,
): Omit<PriceBreakdown, 'options'> {
  const { request, nodes, standing, fields, lineFields } = prepared;
  const { service } = request;
  const ofCategory = quantityOfCategory(request, nodes, { standing, fields: lineFields, selected });
  const quantity = serviceQuantity(service, { input: request.quantity, ofCategory }, fields, say);
  const exactBase = basePrice(service, quantity, fields, say);
  if (exactBase.abs().times(100).gte(MAX_CENTS)) say('Quantity', 'must make the service cost less than 10,000,000,000');
  const base = cents(exactBase);

  const surroundings = { ofService: quantity, base: serviceRates(service, fields).base, fields: lineFields, say };
  const quantities = quantitiesOf(nodes, surroundings);
  const own = ownFigures(nodes, quantities, surroundings);
  const active = standing.map((stands) => isSelected(stands, selected));
  const counts = standing.map(({ internal }, place) => !internal && active[place] === true);
  const counted = (amounts: readonly number[]): number => sum(amounts.filter((_, place) => counts[place]));

  const charges = chargedLines(nodes, own, { standing, counts, say });
  const afterOwn = charges.map(({ extended, ownDiscount }) => extended - ownDiscount);

  const taxables = nodes.map(({ line, part }) => line.taxable ?? part?.Taxable ?? false);
  const serviceTaxable = request.taxable ?? service.Taxable;
  const over = nodes.map(({ part }, place): Discountable => ({
    amount: counts[place] && !part?.IsExcludeFromDiscounts ? (afterOwn[place] ?? 0) : 0,
    taxable: taxables[place] ?? false,
    excludedFromMinimum: part?.IsExcludedFromMinimum ?? false,
    tie: [part?.Id ?? 0, standing[place]?.optionId ?? 0, quantities[place]?.toNumber() ?? 0],
  }));
  const serviceOver = {
    amount: service.IsExcludeFromDiscounts ? 0 : base,
    taxable: serviceTaxable,
    excludedFromMinimum: false,
    tie: [-1],
  };
  const [serviceShare = 0, ...shares] = spreadDiscount(
    requestDiscount(request.discount, say),
    [serviceOver, ...over],
    base + counted(afterOwn),
  );
  const nets = afterOwn.map((amount, place) => amount - (shares[place] ?? 0));

  const forMinimum = nets.map((net, place) => (nodes[place]?.part?.IsExcludedFromMinimum ? 0 : net));
  const minimum = minimumTopUp(service, base - serviceShare + counted(forMinimum));
  const serviceNet = base - serviceShare + minimum;

  const rate = checkedRate(request.taxRate, say);
  const serviceTax = lineTax(serviceNet, serviceTaxable, rate);
  const taxes = nets.map((net, place) =>
    standing[place]?.internal ? 0 : lineTax(net, taxables[place] ?? false, rate),
  );
  const serviceDuration = serviceMinutes(service, quantity, fields, say);
  const duration = serviceDuration + sum(own.map(({ minutes }, place) => (active[place] ? minutes : 0)));
  if (duration > 2 ** 31 - 1) say('Quantity', 'must make the duration less than 2,147,483,648 minutes');

  const lines = nodes.map(({ index, line, part, parent }, place): PricedLine => {
    const amount = charges[place]?.extended ?? 0;
    const of = own[place];
    const count = quantities[place] ?? new Big(1);
    return {
      index,
      assembly: parent,
      partId: part?.Id ?? null,
      optionId: standing[place]?.optionId ?? null,
      quantity: count.toNumber(),
      unitPrice: isPercent(line) || !of ? fromCents(amount) : unitAsStands(of, amount, count),
      unitCost: line.unitCost ?? part?.UnitCost ?? null,
      ratePercent: line.ratePercent || null,
      extended: fromCents(amount),
      discount: fromCents(amount - (nets[place] ?? 0)),
      net: fromCents(nets[place] ?? 0),
      taxable: taxables[place] ?? false,
      tax: fromCents(taxes[place] ?? 0),
      duration: of?.minutes ?? 0,
      internal: standing[place]?.internal ?? false,
      counts: counts[place] ?? false,
    };
  });
  const costs = lines.map(({ unitCost }, place) =>
    active[place] ? costOf(unitCost, quantities[place] ?? new Big(1)) : 0,
  );
  const net = serviceNet + counted(nets);
  const tax = serviceTax + counted(taxes);
  const subtotal = base + minimum + counted(charges.map(({ extended }) => extended));
  return {
    quantity: quantity.toNumber(),
    rates: partRates(service, quantity, fields) ?? { base: fromCents(base), unit: 0 },
    service: {
      discount: fromCents(serviceShare),
      net: fromCents(serviceNet),
      tax: fromCents(serviceTax),
      duration: serviceDuration,
    },
    lines,
    base: fromCents(base),
    minimum: fromCents(minimum),
    subtotal: fromCents(subtotal),
    discount: fromCents(subtotal - net),
    net: fromCents(net),
    taxableSubtotal: fromCents(
      (serviceTaxable ? serviceNet : 0) + counted(nets.map((amount, place) => (taxables[place] ? amount : 0))),
    ),
    tax: fromCents(tax),
    total: fromCents(net + tax),
    cost: fromCents(costOf(service.UnitCost, quantity) + sum(costs)),
    durationMinutes: duration,
  };
}

/** Whether a line's option lets it count: it has none, or a selected one. */
export const isSelected = ({ optionId }: LineFlags, selected: ReadonlySet<number>): boolean =>
  optionId === null || selected.has(optionId);

/** The options that lines have, in the order of their ids. */
export const optionIds = (standing: readonly LineFlags[]): number[] =>
  [...new Set(standing.flatMap(({ optionId }) => optionId ?? []))].sort((one, other) => one - other);
