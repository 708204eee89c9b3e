import { MAX_DEPTH } from '../pricebook/assemblies.ts';
import type { PartRecord } from '../pricebook/record.ts';
import type { AddError } from './fields.ts';
import type { LineRequest, PriceRequest } from './types.ts';

/** A line to be priced, with where it stands. */
export interface Node {
  /** Place in the request's lines; `null`: an item that an assembly was expanded into. */
  readonly index: number | null;
  readonly line: LineRequest;
  readonly part: PartRecord | null;
  /** Place of the assembly's node. */
  parent: number | null;
  readonly items: number[];
  /** Where faults of it are said: `AddOnParts[0]`, and of its part: `AddOnParts[0].PartId`. */
  readonly path: { readonly line: string; readonly part: string };
}

/** A request may not become more lines than this: as many again as it may have. */
export const MAX_LINES = 2_000;

/**
 * The lines of a request, each assembly followed by its items, and theirs, to a depth of 5; an item's `quantity` is
 * that of one assembly. Lines that name an assembly's line are its items, and it is then not expanded again.
 */
export function expand({ lines = [], parts, paths }: PriceRequest, say: AddError): Node[] {
  const at = paths ?? { lines: 'AddOnParts', part: 'PartId' };
  const nodes: Node[] = [];
  const named = new Set(lines.flatMap(({ assemblyLineId }) => assemblyLineId || []));
  const places = new Map<number, number>();

  function items(holder: PartRecord, parent: number, path: Node['path'], above: readonly number[]): void {
    for (const { PartId, Quantity } of holder.AssemblyItems) {
      const part = parts.get(PartId);
      if (nodes.length > MAX_LINES) return;
      if (!part) say(path.part, `holds the part ${PartId}, which does not exist`);
      else if (above.includes(PartId)) say(path.part, `is an assembly that holds itself: ${part.Name || PartId}`);
      else if (above.length > MAX_DEPTH) say(path.part, `is an assembly more than ${MAX_DEPTH} deep`);
      else {
        const place =
          nodes.push({ index: null, line: { partId: PartId, quantity: Quantity }, part, parent, items: [], path }) - 1;
        nodes[parent]?.items.push(place);
        items(part, place, path, [...above, PartId]);
      }
    }
  }

  lines.forEach((line, index) => {
    const path = { line: `${at.lines}[${index}]`, part: `${at.lines}[${index}].${at.part}` };
    const part = line.partId ? parts.get(line.partId) : null;
    if (part === undefined) say(path.part, `is of no part: there is no ${line.partId}`);
    const place = nodes.push({ index, line, part: part ?? null, parent: null, items: [], path }) - 1;
    if (line.id && places.has(line.id)) say(`${path.line}.Id`, 'is also that of another line');
    else if (line.id) places.set(line.id, place);
    if (part && !named.has(line.id ?? 0)) items(part, place, path, [part.Id]);
  });
  if (nodes.length > MAX_LINES) say(at.lines, `must become at most ${MAX_LINES} lines with the items of assemblies`);
  attach(nodes, places, say);
  return nodes;
}

/** Joins the lines given as items to their assemblies' lines. */
function attach(nodes: readonly Node[], places: ReadonlyMap<number, number>, say: AddError): void {
  nodes.forEach((node, place) => {
    const { assemblyLineId } = node.line;
    if (!assemblyLineId) return;
    const parent = places.get(assemblyLineId);
    const field = `${node.path.line}.AssemblyLineId`;
    if (parent === undefined) return say(field, `is of no line here: there is no ${assemblyLineId}`);
    let depth = 1;
    let above: number | null | undefined = parent;
    for (; above != null && above !== place && depth <= MAX_DEPTH; depth++) above = nodes[above]?.parent;
    if (above != null)
      return say(
        field,
        above === place ? 'makes a line an item of itself' : `makes assemblies more than ${MAX_DEPTH} deep`,
      );
    node.parent = parent;
    nodes[parent]?.items.push(place);
  });
}

/** What of an assembly's flags bears on a line: it costs nothing beside the assembly, or is internal. */
export interface LineFlags {
  readonly free: boolean;
  /** By itself or as an item of what is: its assembly does not charge for it either. */
  readonly unsold: boolean;
  readonly internal: boolean;
  readonly optionId: number | null;
}

/** The standing of each line: items have that of their assembly, and what its flags add. */
export function lineFlags(nodes: readonly Node[]): LineFlags[] {
  const found: (LineFlags | undefined)[] = [];
  const standing = (place: number): LineFlags => (found[place] ??= work(place));
  function work(place: number): LineFlags {
    const node = nodes[place];
    const above = node?.parent == null ? undefined : standing(node.parent);
    const holder = node?.parent == null ? undefined : nodes[node.parent]?.part;
    const unsold = (above?.unsold ?? false) || (node?.line.isInternal ?? node?.part?.IsInternal ?? false);
    return {
      free: (above?.free ?? false) || Boolean(holder?.IsZeroAssemblyItemPrices || holder?.IsAssemblySynchronizePricing),
      unsold,
      internal: unsold || (above?.internal ?? false) || (holder?.IsInternalizeAssemblyItems ?? false),
      optionId: (node?.line.optionId || null) ?? above?.optionId ?? null,
    };
  }
  return nodes.map((_, place) => standing(place));
}

/**
 * What each line costs as it stands, in cents, given what each costs by itself. An assembly with
 * IsAssemblySynchronizePricing costs what its items do, which then cost nothing; with IsZeroAssemblyItemPrices it costs
 * its own price and they nothing; with neither its own, and they theirs besides.
 */
export function inheritFlags(nodes: readonly Node[], own: readonly number[], standing: readonly LineFlags[]): number[] {
  const worths: (number | undefined)[] = [];
  const worth = (place: number): number => (worths[place] ??= work(place));
  function itemsOf({ items }: Node): number {
    return items.reduce((sum, place) => sum + (standing[place]?.unsold ? 0 : worth(place)), 0);
  }
  function work(place: number): number {
    const node = nodes[place];
    if (!node) return 0;
    if (node.part?.IsAssemblySynchronizePricing && node.items.length) return itemsOf(node);
    return (own[place] ?? 0) + (node.part?.IsZeroAssemblyItemPrices ? 0 : itemsOf(node));
  }
  return nodes.map((node, place) => {
    if (standing[place]?.free) return 0;
    return node.part?.IsAssemblySynchronizePricing && node.items.length ? itemsOf(node) : (own[place] ?? 0);
  });
}
