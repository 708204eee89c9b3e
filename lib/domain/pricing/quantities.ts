import type { ServiceRecord } from '../../entities/services.ts';
import type { PartRecord } from '../../entities/parts.ts';
import Big from 'big.js';
import { decimal } from '../../shared/money.ts';
import { type LineFlags, type LineNode, calculateEach, isSelected } from './assemblies.ts';
import { type AddError, type Fields, type PricingSteps, formulaValue, overrideValue } from './formula-fields.ts';
import { serviceRates } from './rates.ts';
import type { LineRequest, PriceRequest } from './types.ts';

/** A quantity has 4 decimals and is not negative. */
function checkQuantity(quantity: Big | number, field: string, addError: AddError): Big {
  const rounded = decimal(quantity);
  if (rounded < 0) addError(field, `must be at least 0, not ${rounded}`, 'range');
  return new Big(Math.max(rounded, 0));
}

/** Whether a line costs a percentage; typed clients send 0 for none. */
export const isPercent = ({ ratePercent }: Pick<LineRequest, 'ratePercent'>): boolean => Boolean(ratePercent);

/** The sum over lines of the service's QuantityOverridePartCategoryId; `undefined` without such lines. */
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
    // A part that follows the service's quantity cannot determine it; items are contained in their assemblies.
    if (part?.PartCategory?.Id !== category || parent !== null || followsService(part) || isPercent(line)) return [];
    return lineFlags && lineFields && isSelected(lineFlags, selected)
      ? (overrideValue(lineFields, part.QuantityOverrideCustomFieldId) ?? line.quantity ?? 1)
      : [];
  });
  return quantities.length
    ? quantities.reduce<Big>((sum, quantity) => sum.plus(quantity), new Big(0)).toNumber()
    : undefined;
}

/** Whether a part's quantity follows its service's, or a field, and cannot be requested. */
const followsService = (part: PartRecord): boolean => part.QuantityFormula.trim() !== '' || part.SyncQtyWithServiceQty;

/**
 * A service's quantity: the value of its override field, else its QuantityFormula over the quantity it would have
 * without: the sum over the lines of QuantityOverridePartCategoryId, else the requested one, else 1.
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

/** What the quantities and prices of lines depend on besides the lines. */
export interface LineContext {
  /** The service's quantity. */
  readonly quantity: Big;
  /** The service's BasePrice. */
  readonly base: Big;
  /** The custom fields of each line. */
  readonly fields: readonly Fields[];
  readonly addError: AddError;
  readonly steps: PricingSteps;
}

/** Whether the quantity of each line depends on the service's, through its part or its assembly. */
export const followingLines = (nodes: readonly LineNode[]): boolean[] =>
  calculateEach<boolean>(nodes, ({ part, parent }, _, followsAt) =>
    parent === null ? Boolean(part && followsService(part)) : followsAt(parent),
  );

/**
 * The quantity of each line. An item has that of one assembly times its assembly's, unless its line requests another.
 * `known` ones do not depend on the service's quantity, and stay.
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
 * service's (a line that is priced again keeps its quantity); else the service's if it is synchronised; else the
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
