import type { FieldError } from '../../shared/field-errors.ts';
import type { PartRecord } from './record.ts';

/** How deep assemblies may stand in one another: an assembly of plain parts is 1 deep (interface, section 7). */
export const MAX_DEPTH = 5;

type Parts = ReadonlyMap<number, PartRecord>;

/** Ids in an order in which items come before the assemblies that hold them; `cyclic` are those that hold themselves, or hold such. */
export function itemsFirst(parts: Parts): { order: number[]; cyclic: ReadonlySet<number> } {
  const left = new Map<number, number>();
  const holders = new Map<number, number[]>();
  for (const { Id, AssemblyItems } of parts.values()) {
    const items = AssemblyItems.filter(({ PartId }) => parts.has(PartId));
    left.set(Id, items.length);
    for (const { PartId } of items) holders.set(PartId, [...(holders.get(PartId) ?? []), Id]);
  }
  const order = [...left].flatMap(([id, count]) => (count === 0 ? [id] : []));
  for (let place = 0; place < order.length; place++) {
    for (const holder of holders.get(order[place] ?? 0) ?? []) {
      const count = (left.get(holder) ?? 0) - 1;
      left.set(holder, count);
      if (count === 0) order.push(holder);
    }
  }
  const done = new Set(order);
  return { order, cyclic: new Set([...parts.keys()].filter((id) => !done.has(id))) };
}

/** Depth below each part: 0 for a plain one, 1 for an assembly of plain ones. */
function depths(parts: Parts, order: readonly number[]): Map<number, number> {
  const depth = new Map<number, number>();
  for (const id of order) {
    const below = parts.get(id)?.AssemblyItems.map(({ PartId }) => (depth.get(PartId) ?? 0) + 1) ?? [];
    depth.set(id, Math.max(0, ...below));
  }
  return depth;
}

/** A way from a part through items back to it, as names: `Kit → Box → Kit`; `undefined` when there is none. */
function wayBack(parts: Parts, start: number, cyclic: ReadonlySet<number>, first: number): string | undefined {
  const cameFrom = new Map<number, number>([[first, start]]);
  const queue = [first];
  for (const id of queue) {
    if (id === start) break;
    for (const { PartId } of parts.get(id)?.AssemblyItems ?? []) {
      if (!cyclic.has(PartId) || cameFrom.has(PartId)) continue;
      cameFrom.set(PartId, id);
      queue.push(PartId);
    }
  }
  if (!cameFrom.has(start)) return undefined;
  const way = [start];
  do way.unshift(cameFrom.get(way[0] ?? start) ?? start);
  while (way[0] !== start);
  return way.map((id) => parts.get(id)?.Name || `part ${id}`).join(' → ');
}

/**
 * Faults of the assemblies told of (id → where): those that hold themselves, told at each item that leads back, and
 * those that stand deeper than 5 levels, counted with the assemblies that hold them.
 */
export function checkAssemblies(parts: Parts, told: ReadonlyMap<number, string>): FieldError[] {
  const { order, cyclic } = itemsFirst(parts);
  const below = depths(parts, order);
  const above = new Map<number, number>();
  for (const id of [...order].reverse()) {
    for (const { PartId } of parts.get(id)?.AssemblyItems ?? []) {
      above.set(PartId, Math.max(above.get(PartId) ?? 0, (above.get(id) ?? 0) + 1));
    }
  }
  return [...told].flatMap(([id, field]) => {
    const items = parts.get(id)?.AssemblyItems ?? [];
    const depth = (above.get(id) ?? 0) + (below.get(id) ?? 0);
    if (!cyclic.has(id)) {
      const message = `makes assemblies ${depth} deep; at most ${MAX_DEPTH} are allowed`;
      return depth > MAX_DEPTH && items.length ? [{ field: `${field}.AssemblyItems`, message }] : [];
    }
    return items.flatMap(({ PartId }, index) => {
      const way = cyclic.has(PartId) ? wayBack(parts, id, cyclic, PartId) : undefined;
      return way
        ? [{ field: `${field}.AssemblyItems[${index}].PartId`, message: `makes an assembly hold itself: ${way}` }]
        : [];
    });
  });
}
