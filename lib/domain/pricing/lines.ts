import Big from 'big.js';
import type { PartRecord } from '../../entities/parts.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import { cents, decimal, Fraction, fromCents, MAX_CENTS } from '../../shared/money.ts';
import {
  type AddError,
  type Fields,
  type PricingSteps,
  formulaValue,
  LINE_STEPS,
  overrideValue,
  partMinutes,
  quantityTier,
  readFields,
  serviceRates,
  tieredAmount,
  tierPrice,
} from './rates.ts';
import type { LineRequest, PriceRequest } from './types.ts';
import { InternalError } from '../../shared/failure.ts';
import { MAX_DEPTH } from '../pricebook/assemblies.ts';

/** Quantities of a service and its lines, and the cost of each line by itself. */

/** A quantity has up to 4 decimals and is not negative. */
function checkQuantity(quantity: Big | number, field: string, addError: AddError): Big {
  const rounded = decimal(quantity);
  if (rounded < 0) addError(field, `must be at least 0, not ${rounded}`, 'range');
  return new Big(Math.max(rounded, 0));
}

/** Whether a line's price is a percentage; typed clients send 0 for none. */
export const isPercent = ({ ratePercent }: Pick<LineRequest, 'ratePercent'>): boolean => Boolean(ratePercent);

/** The sum over lines in the service's QuantityOverridePartCategoryId; `undefined` if there are none. */
export function categoryQuantity(
  { service: { QuantityOverridePartCategoryId: category } }: PriceRequest,
  nodes: readonly LineNode[],
  flags: readonly LineFlags[],
  fields: readonly Fields[],
  selected: ReadonlySet<number>,
): number | undefined {
  if (category === null) return undefined;
  const quantities = nodes.flatMap(({ part, line, parent }, index) => {
    const [lineFlags, lineFields] = [flags[index], fields[index]];
    // A part that follows the service's quantity cannot determine it; items are already part of their assemblies.
    if (part?.PartCategory?.Id !== category || parent !== null || followsService(part) || isPercent(line)) return [];
    return lineFlags && lineFields && isSelected(lineFlags, selected)
      ? (overrideValue(lineFields, part.QuantityOverrideCustomFieldId) ?? line.quantity ?? 1)
      : [];
  });
  return quantities.length
    ? quantities.reduce<Big>((sum, quantity) => sum.plus(quantity), new Big(0)).toNumber()
    : undefined;
}

/** Whether a part's quantity follows its service's, or a custom field, and cannot be requested. */
const followsService = (part: PartRecord): boolean => part.QuantityFormula.trim() !== '' || part.SyncQtyWithServiceQty;

/**
 * A service's quantity: the value of its override field, else its QuantityFormula applied to the following: the sum
 * over the lines in QuantityOverridePartCategoryId, else the requested quantity, else 1.
 */
export function serviceQuantity(
  service: ServiceRecord,
  { requested, ofCategory }: { readonly requested: number | null | undefined; readonly ofCategory: number | undefined },
  fields: Fields,
  { addError, steps }: { readonly addError: AddError; readonly steps: PricingSteps },
): Big {
  const override = overrideValue(fields, service.QuantityOverrideCustomFieldId);
  if (override !== undefined) return checkQuantity(override, 'CustomFields', addError);
  const quantity = checkQuantity(ofCategory ?? requested ?? 1, 'Quantity', addError);
  if (service.QuantityFormula.trim() === '') return quantity;
  const source = { name: 'QuantityFormula', field: 'ServiceId', addError, steps };
  const value = formulaValue(service.QuantityFormula, fields, { ...serviceRates(service, fields), quantity }, source);
  return checkQuantity(value.toBig(4), 'Quantity', addError);
}

/** What the quantities and prices of lines depend on, besides the lines. */
interface LineContext {
  /** The service's quantity. */
  readonly quantity: Big;
  /** The service's BasePrice. */
  readonly base: Big;
  /** The custom fields of each line. */
  readonly fields: readonly Fields[];
  readonly addError: AddError;
  readonly steps: PricingSteps;
}

/** Whether each line's quantity depends on the service's, through its part or its assembly. */
export const followingLines = (nodes: readonly LineNode[]): boolean[] =>
  calculateEach<boolean>(nodes, ({ part, parent }, _, followsAt) =>
    parent === null ? Boolean(part && followsService(part)) : followsAt(parent),
  );

/**
 * The quantity of each line. An item's is that of one assembly times the assembly's own, unless its line requests
 * another. `known` quantities do not depend on the service's, and stay.
 */
export function lineQuantities(
  nodes: readonly LineNode[],
  context: LineContext,
  known: (index: number) => Big | undefined,
): Big[] {
  const { fields, addError } = context;
  return calculateEach<Big>(nodes, (node, nodeIndex, quantityAt) => {
    const same = known(nodeIndex);
    if (same) return same;
    const { line, part, parent, path, index } = node;
    const lineFields = fields[nodeIndex];
    if (!lineFields || isPercent(line)) return new Big(1);
    if (parent === null) return lineQuantity(node, lineFields, context);
    const field = `${path.line}.Quantity`;
    if (index !== null && line.quantity != null) return checkQuantity(line.quantity, field, addError);
    const inOne =
      index === null
        ? line.quantity
        : nodes[parent]?.part?.AssemblyItems.find(({ PartId }) => PartId === part?.Id)?.Quantity;
    return checkQuantity(quantityAt(parent).times(inOne ?? 1), field, addError);
  });
}

/**
 * The quantity of a line: the value of the part's override field; else its QuantityFormula, in which `quantity` is the
 * service's (a line that is priced again keeps its quantity); else the service's, if it is synchronized; else the
 * requested one; else 1.
 */
function lineQuantity({ line, part, path }: LineNode, fields: Fields, context: LineContext): Big {
  const { quantity, base, addError, steps } = context;
  const override = part ? overrideValue(fields, part.QuantityOverrideCustomFieldId) : undefined;
  if (override !== undefined) return checkQuantity(override, `${path.line}.CustomFields`, addError);
  if (part && part.QuantityFormula.trim() !== '') {
    const source = { name: 'QuantityFormula', field: path.part, addError, steps };
    const value = formulaValue(part.QuantityFormula, fields, { quantity, base, unit: part.UnitPrice }, source);
    return checkQuantity(value.toBig(4), path.part, addError);
  }
  if (part?.SyncQtyWithServiceQty) return quantity;
  return checkQuantity(line.quantity ?? 1, `${path.line}.Quantity`, addError);
}

/** The custom fields of each line; its own take precedence over those of the request. */
export const lineFields = (nodes: readonly LineNode[], { customFields }: PriceRequest, fields: Fields): Fields[] =>
  nodes.map(({ line }) => (line.customFields?.length ? readFields(customFields, line.customFields) : fields));

/** The price of a line by itself, before assemblies and discounts. */
export interface OwnPrice {
  readonly cents: number;
  /** 4 decimals. */
  readonly unitPrice: number;
  readonly minutes: number;
}

const NO_PRICE: OwnPrice = { unitPrice: 0, cents: 0, minutes: 0 };

/**
 * The price of each line by itself, and its minutes; a percentage has none. `known` prices are for the same quantity.
 */
export const ownPrices = (
  nodes: readonly LineNode[],
  quantities: readonly Big[],
  context: LineContext,
  known: (index: number) => OwnPrice | undefined,
): OwnPrice[] =>
  nodes.map((node, index) => {
    const same = known(index);
    if (same) return same;
    const { line, part, path, items } = node;
    const quantity = quantities[index] ?? new Big(1);
    const fields = context.fields[index];
    const steps = LINE_STEPS + (part?.QtyPricing.length ?? 0);
    if (!fields || isPercent(line) || !context.steps.spend(steps)) return NO_PRICE;
    // The items of a synchronized assembly determine its price, whatever a client sends back.
    const isSynchronized = part?.IsAssemblySynchronizePricing && items.length;
    const { amount, unitPrice } = part
      ? partPrice(part, isSynchronized ? { ...line, unitPrice: null } : line, { quantity, fields, path }, context)
      : plainPrice(line, quantity);
    const isWithin = amount.abs().times(100).compareTo(MAX_CENTS) < 0;
    if (!isWithin) context.addError(path.line, 'must cost less than 10,000,000,000', 'range');
    return { unitPrice, cents: isWithin ? cents(amount.toBig(2)) : 0, minutes: part ? partMinutes(part, quantity) : 0 };
  });

/** The unit price of a line that costs `extended` cents: its own, unless its items make up the amount. */
export const displayedUnitPrice = (own: OwnPrice, extended: number, quantity: Big): number =>
  extended === own.cents ? own.unitPrice : averageUnitPrice(Fraction.of(fromCents(extended)), quantity, own.unitPrice);

const averageUnitPrice = (amount: Fraction, quantity: Big, plain: number): number =>
  quantity.eq(0) ? plain : decimal(amount.dividedBy(quantity).toBig(4));

/** An unrounded amount, and the unit price with 4 decimals. */
interface ExactPrice {
  readonly amount: Fraction;
  readonly unitPrice: number;
}

/** The price of a line without a part. */
function plainPrice({ isZeroPrice, unitPrice }: LineRequest, quantity: Big): ExactPrice {
  // Adding 0 turns −0, which JSON can contain, into 0.
  const unit = isZeroPrice ? 0 : (unitPrice ?? 0) + 0;
  return { amount: Fraction.of(quantity.times(unit)), unitPrice: unit };
}

/**
 * The price of a quantity of a part by itself: UnitPrice × quantity, or its quantity prices, under the rules of bands.
 * `base` in their formulas is the service's BasePrice; `unit` is the UnitPrice, or a requested price within the range.
 */
function partPrice(
  part: PartRecord,
  line: LineRequest,
  { quantity, fields, path }: { readonly quantity: Big; readonly fields: Fields; readonly path: LineNode['path'] },
  { base, addError, steps }: LineContext,
): ExactPrice {
  if (line.isZeroPrice) return { amount: Fraction.of(0), unitPrice: 0 };
  const requested = line.unitPrice ?? null;
  const max = part.UnitPriceMax ?? part.UnitPrice;
  const isInRange = part.RangePricing && requested !== null && requested >= part.UnitPrice && requested <= max;
  const unit = new Big(isInRange ? requested : part.UnitPrice);
  const amount = tieredAmount(part.QtyPricing.map(quantityTier), quantity, {
    plain: (count) => Fraction.of(unit.times(count)),
    rate: tierPrice(fields, { base, unit }, { name: 'quantity price', field: path.part, addError, steps }),
  });
  const unitPrice = part.QtyPricing.length ? averageUnitPrice(amount, quantity, unit.toNumber()) : unit.toNumber();
  if (requested !== null && !isInRange && !isEcho(requested, part, unitPrice))
    addUnitPriceError(part, `${path.line}.UnitPrice`, addError);
  return { amount, unitPrice };
}

function addUnitPriceError({ RangePricing, UnitPrice, UnitPriceMax }: PartRecord, field: string, addError: AddError) {
  const range = RangePricing
    ? `from ${UnitPrice} to ${UnitPriceMax ?? UnitPrice}`
    : `${UnitPrice} or absent, because the part has no price range`;
  addError(field, `must be ${range}`, 'range');
}

/**
 * Whether a price is not a request: typed clients send 0, or the price from an earlier response. With quantity prices
 * and no range, any price may come from an earlier response: 4.00 each for 12 may be sent back with 8.
 */
function isEcho(price: number, { UnitPrice, QtyPricing, RangePricing }: PartRecord, unitPrice: number): boolean {
  if (price === 0 || price === UnitPrice) return true;
  return (
    QtyPricing.length > 0 && (!RangePricing || price === unitPrice || QtyPricing.some(({ Price }) => Price === price))
  );
}

/** A line of a request, or an item from an expanded assembly. */
export interface LineNode {
  /** The index in the request's lines; `null` for an item of an expanded assembly. */
  readonly index: number | null;
  readonly line: LineRequest;
  readonly part: PartRecord | null;
  /** The index of the assembly's node. */
  parent: number | null;
  /** The indexes of the items' nodes. */
  readonly items: number[];
  /** The fields for its errors, `AddOnParts[0]`, and for those of its part: `AddOnParts[0].PartId`. */
  readonly path: { readonly line: string; readonly part: string };
}

/** Twice the number of lines that a request may have. */
export const MAX_LINES = 2_000;

/**
 * The lines of a request, each assembly followed by its items, and theirs, to a depth of 5; an item's `quantity` is per
 * assembly. Lines that refer to an assembly's line are its items, and the assembly is then not expanded again.
 */
export function expandLines({ lines = [], parts, paths }: PriceRequest, addError: AddError): LineNode[] {
  const { lines: listName, part: partName } = paths ?? { lines: 'AddOnParts', part: 'PartId' };
  const nodes: LineNode[] = [];
  const withOwnItems = new Set(lines.flatMap(({ assemblyLineId }) => assemblyLineId || []));
  const indexesById = new Map<number, number>();

  function expandItems(assembly: PartRecord, parent: number, path: LineNode['path'], above: readonly number[]): void {
    for (const { PartId, Quantity } of assembly.AssemblyItems) {
      const part = parts.get(PartId);
      if (nodes.length > MAX_LINES) return;
      if (!part) addError(path.part, `contains part ${PartId}, which does not exist`, 'not_found');
      else if (above.includes(PartId))
        addError(path.part, `is an assembly that contains itself: ${part.Name || PartId}`, 'invalid_value');
      else if (above.length > MAX_DEPTH)
        addError(path.part, `is an assembly nested more than ${MAX_DEPTH} deep`, 'limit');
      else {
        const line = { partId: PartId, quantity: Quantity };
        const nodeIndex = nodes.push({ index: null, line, part, parent, items: [], path }) - 1;
        nodes[parent]?.items.push(nodeIndex);
        expandItems(part, nodeIndex, path, [...above, PartId]);
      }
    }
  }

  lines.forEach((line, index) => {
    const path = { line: `${listName}[${index}]`, part: `${listName}[${index}].${partName}` };
    const part = line.partId ? parts.get(line.partId) : null;
    if (part === undefined) addError(path.part, `refers to part ${line.partId}, which does not exist`, 'not_found');
    const nodeIndex = nodes.push({ index, line, part: part ?? null, parent: null, items: [], path }) - 1;
    if (line.id && indexesById.has(line.id))
      addError(`${path.line}.Id`, 'must not be that of another line', 'duplicate');
    else if (line.id) indexesById.set(line.id, nodeIndex);
    if (part && !withOwnItems.has(line.id ?? 0)) expandItems(part, nodeIndex, path, [part.Id]);
  });
  if (nodes.length > MAX_LINES)
    addError(listName, `must have at most ${MAX_LINES} lines, including the items of assemblies`, 'too_long');
  attachItems(nodes, indexesById, addError);
  return nodes;
}

/** Attaches request lines that are items to the lines of their assemblies. */
function attachItems(nodes: readonly LineNode[], indexesById: ReadonlyMap<number, number>, addError: AddError): void {
  nodes.forEach((node, index) => {
    const { assemblyLineId } = node.line;
    if (!assemblyLineId) return;
    const parent = indexesById.get(assemblyLineId);
    const field = `${node.path.line}.AssemblyLineId`;
    if (parent === undefined)
      return addError(field, `refers to line ${assemblyLineId}, which does not exist`, 'not_found');
    let depth = 1;
    let above: number | null | undefined = parent;
    for (; above != null && above !== index && depth <= MAX_DEPTH; depth++) above = nodes[above]?.parent;
    if (above === index) return addError(field, 'makes a line an item of itself', 'invalid_value');
    if (above != null) return addError(field, `nests assemblies more than ${MAX_DEPTH} deep`, 'limit');
    node.parent = parent;
    nodes[parent]?.items.push(index);
  });
}

/** Calculates a value for each node once, where a node may require the values of others. */
function calculateEach<Value>(
  nodes: readonly LineNode[],
  calculate: (node: LineNode, index: number, valueAt: (index: number) => Value) => Value,
): Value[] {
  const values = new Map<number, Value>();
  function valueAt(index: number): Value {
    const known = values.get(index);
    if (known !== undefined) return known;
    const node = nodes[index];
    if (!node) throw new InternalError(`no line at ${index}`);
    const value = calculate(node, index, valueAt);
    values.set(index, value);
    return value;
  }
  return nodes.map((_, index) => valueAt(index));
}

/** What a line inherits from its own flags and those of its assembly. */
export interface LineFlags {
  /** Free as an item of its assembly. */
  readonly free: boolean;
  /** Internal itself, or an item of an internal line: its assembly does not charge for it either. */
  readonly unsold: boolean;
  readonly internal: boolean;
  readonly optionId: number | null;
}

export const lineFlags = (nodes: readonly LineNode[]): LineFlags[] =>
  calculateEach<LineFlags>(nodes, ({ line, part, parent }, _, flagsAt) => {
    const above = parent === null ? undefined : flagsAt(parent);
    const assembly = parent === null ? undefined : nodes[parent]?.part;
    const unsold = (above?.unsold ?? false) || (line.isInternal ?? part?.IsInternal ?? false);
    return {
      free:
        (above?.free ?? false) || Boolean(assembly?.IsZeroAssemblyItemPrices || assembly?.IsAssemblySynchronizePricing),
      unsold,
      internal: unsold || (above?.internal ?? false) || (assembly?.IsInternalizeAssemblyItems ?? false),
      optionId: (line.optionId || null) ?? above?.optionId ?? null,
    };
  });

/** Whether a line has no option, or a selected one. */
export const isSelected = ({ optionId }: LineFlags, selected: ReadonlySet<number>): boolean =>
  optionId === null || selected.has(optionId);

/** The option ids of lines, ascending. */
export const optionIds = (flags: readonly LineFlags[]): number[] =>
  [...new Set(flags.flatMap(({ optionId }) => optionId ?? []))].sort((left, right) => left - right);

/**
 * The cost of each line within its assembly in cents, from the cost of each by itself. An assembly with
 * IsAssemblySynchronizePricing costs what its items do, which are then free; with IsZeroAssemblyItemPrices it costs its
 * own price and they are free; with neither, all have their own prices.
 */
export function assemblyAmounts(
  nodes: readonly LineNode[],
  own: readonly number[],
  flags: readonly LineFlags[],
): number[] {
  const isSynchronized = ({ part, items }: LineNode): boolean =>
    Boolean(part?.IsAssemblySynchronizePricing && items.length);
  const sumItems = ({ items }: LineNode, totalAt: (index: number) => number): number =>
    items.reduce((sum, index) => sum + (flags[index]?.unsold ? 0 : totalAt(index)), 0);
  const totals = calculateEach<number>(nodes, (node, index, totalAt) => {
    if (isSynchronized(node)) return sumItems(node, totalAt);
    return (own[index] ?? 0) + (node.part?.IsZeroAssemblyItemPrices ? 0 : sumItems(node, totalAt));
  });
  return nodes.map((node, index) => {
    if (flags[index]?.free) return 0;
    return isSynchronized(node) ? sumItems(node, (item) => totals[item] ?? 0) : (own[index] ?? 0);
  });
}
