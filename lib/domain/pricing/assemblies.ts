import type { PartRecord } from '../../entities/parts.ts';
import { InternalError } from '../../shared/failure.ts';
import { MAX_DEPTH } from '../pricebook/assemblies.ts';
import type { AddError } from './formula-fields.ts';
import type { LineRequest, PriceRequest } from './types.ts';

/** A line of a request, or an item that an assembly was expanded into. */
export interface LineNode {
  /** Index in the request's lines; `null` for an item of an expanded assembly. */
  readonly index: number | null;
  readonly line: LineRequest;
  readonly part: PartRecord | null;
  /** Index of the assembly's node. */
  parent: number | null;
  /** Places of the items' nodes. */
  readonly items: number[];
  /** The fields of its errors: `AddOnParts[0]`, and of its part: `AddOnParts[0].PartId`. */
  readonly path: { readonly line: string; readonly part: string };
}

/** Twice the lines that a request may have. */
export const MAX_LINES = 2_000;

/**
 * The lines of a request, each assembly followed by its items, and theirs, to a depth of 5; an item's `quantity` is
 * that of one assembly. Lines that refer to an assembly's line are its items, and it is then not expanded again.
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

/** Attaches lines of a request that are items to their assemblies' lines. */
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

/** Calculates a value for each node, where that of one may need those of others, each once. */
export function calculateEach<Value>(
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

/** What follows for a line from its own flags and those of its assembly. */
export interface LineFlags {
  /** It costs nothing beside its assembly. */
  readonly free: boolean;
  /** It is internal itself, or an item of a line that is: its assembly does not charge for it either. */
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

/** The options of lines, in the order of their ids. */
export const optionIds = (flags: readonly LineFlags[]): number[] =>
  [...new Set(flags.flatMap(({ optionId }) => optionId ?? []))].sort((left, right) => left - right);

/**
 * What each line costs within its assembly, in cents, from what each costs by itself. An assembly with
 * IsAssemblySynchronizePricing costs what its items do, which then cost nothing; with IsZeroAssemblyItemPrices it costs
 * its own price and they nothing; with neither, it and they cost their own prices.
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
