import type { PartRecord } from '../../entities/parts.ts';
import type { FieldError } from '../../shared/failure.ts';

/** An assembly of plain parts has depth 1 (interface, section 7). */
export const MAX_DEPTH = 5;

type Parts = ReadonlyMap<number, PartRecord>;

/**
 * Part ids, with items before the assemblies that contain them; `cyclic` parts contain themselves, or a part that does.
 */
export function itemsFirst(parts: Parts): { order: number[]; cyclic: ReadonlySet<number> } {
  const missingItems = new Map<number, number>();
  const assembliesOf = new Map<number, number[]>();
  for (const { Id, AssemblyItems } of parts.values()) {
    const items = AssemblyItems.filter(({ PartId }) => parts.has(PartId));
    missingItems.set(Id, items.length);
    for (const { PartId } of items) assembliesOf.set(PartId, [...(assembliesOf.get(PartId) ?? []), Id]);
  }
  const order = [...missingItems].flatMap(([id, count]) => (count === 0 ? [id] : []));
  // The loop also visits the ids that it appends.
  for (const item of order) {
    for (const assembly of assembliesOf.get(item) ?? []) {
      const count = (missingItems.get(assembly) ?? 0) - 1;
      missingItems.set(assembly, count);
      if (count === 0) order.push(assembly);
    }
  }
  const ordered = new Set(order);
  return { order, cyclic: new Set([...parts.keys()].filter((id) => !ordered.has(id))) };
}

/** The levels below each part: 0 for a plain part, 1 for an assembly of plain parts. */
function depthsBelow(parts: Parts, order: readonly number[]): Map<number, number> {
  const below = new Map<number, number>();
  for (const id of order) {
    const items = parts.get(id)?.AssemblyItems ?? [];
    below.set(id, Math.max(0, ...items.map(({ PartId }) => (below.get(PartId) ?? 0) + 1)));
  }
  return below;
}

/** The levels above each part: the assemblies that contain it, and those that contain them. */
function depthsAbove(parts: Parts, order: readonly number[]): Map<number, number> {
  const above = new Map<number, number>();
  for (const id of [...order].reverse()) {
    for (const { PartId } of parts.get(id)?.AssemblyItems ?? [])
      above.set(PartId, Math.max(above.get(PartId) ?? 0, (above.get(id) ?? 0) + 1));
  }
  return above;
}

/** The path from a part through its item `item` back to the part, by names: `Kit → Box → Kit`. */
function findCycle(parts: Parts, start: number, cyclic: ReadonlySet<number>, item: number): string | undefined {
  const cameFrom = new Map<number, number>([[item, start]]);
  const queue = [item];
  for (const id of queue) {
    if (id === start) break;
    for (const { PartId } of parts.get(id)?.AssemblyItems ?? []) {
      if (!cyclic.has(PartId) || cameFrom.has(PartId)) continue;
      cameFrom.set(PartId, id);
      queue.push(PartId);
    }
  }
  if (!cameFrom.has(start)) return undefined;
  const path = [start];
  do path.unshift(cameFrom.get(path[0] ?? start) ?? start);
  while (path[0] !== start);
  return path.map((id) => parts.get(id)?.Name || `part ${id}`).join(' → ');
}

/**
 * Errors of changed assemblies (id → path of the entry): an assembly that contains itself, at each item that leads
 * back; and one that, together with the assemblies that contain it, has more than 5 levels.
 */
export function checkAssemblies(parts: Parts, changed: ReadonlyMap<number, string>): FieldError[] {
  const { order, cyclic } = itemsFirst(parts);
  const below = depthsBelow(parts, order);
  const above = depthsAbove(parts, order);
  return [...changed].flatMap(([id, path]): FieldError[] => {
    const items = parts.get(id)?.AssemblyItems ?? [];
    const depth = (above.get(id) ?? 0) + (below.get(id) ?? 0);
    if (!cyclic.has(id)) {
      const message = `makes assemblies ${depth} deep; at most ${MAX_DEPTH} are allowed`;
      return depth > MAX_DEPTH && items.length ? [{ field: `${path}.AssemblyItems`, code: 'limit', message }] : [];
    }
    return items.flatMap(({ PartId }, index) => {
      const cycle = cyclic.has(PartId) ? findCycle(parts, id, cyclic, PartId) : undefined;
      const field = `${path}.AssemblyItems[${index}].PartId`;
      return cycle ? [{ field, code: 'invalid_value', message: `makes an assembly contain itself: ${cycle}` }] : [];
    });
  });
}
