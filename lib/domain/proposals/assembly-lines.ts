import type { ProposalLineRecord } from '../../entities/proposals.ts';
import type { PartRecord } from '../../entities/parts.ts';
import { MAX_LINES } from '../pricing/lines.ts';
import { MAX_DEPTH } from '../pricebook/assemblies.ts';

/** What holds for a line through itself or through the assembly that it is an item of. */
export interface LinePlacement {
  readonly internal: boolean;
  readonly optionId: number | null;
}

type NestedLine = Pick<ProposalLineRecord, 'Id' | 'PartId' | 'IsInternal' | 'OptionId' | 'AssemblyLineId'>;

/** The placement of each line, by its id: an item inherits that of its assembly and adds its own flags. */
export function linePlacements(
  lines: readonly NestedLine[],
  parts: ReadonlyMap<number, Pick<PartRecord, 'IsInternalizeAssemblyItems'>>,
): Map<number, LinePlacement> {
  const byId = new Map(lines.map((line) => [line.Id, line]));
  const placements = new Map<number, LinePlacement>();
  function placementOf(line: NestedLine, depth = 0): LinePlacement {
    const known = placements.get(line.Id);
    if (known) return known;
    // Pricing rejects lines that are items of themselves; until then the recursion must end.
    const assembly = depth > lines.length ? undefined : byId.get(line.AssemblyLineId ?? 0);
    const inherited = assembly && placementOf(assembly, depth + 1);
    const internalized = assembly ? (parts.get(assembly.PartId)?.IsInternalizeAssemblyItems ?? false) : false;
    const placement = {
      internal: line.IsInternal || internalized || (inherited?.internal ?? false),
      optionId: line.OptionId ?? inherited?.optionId ?? null,
    };
    placements.set(line.Id, placement);
    return placement;
  }
  for (const line of lines) placementOf(line);
  return placements;
}

/**
 * Lines by SortIndex, equal ones in the given order; the items of an assembly follow it in the same way. Lines that are
 * items of themselves come last.
 */
export function sortLines<Line extends Pick<ProposalLineRecord, 'Id' | 'SortIndex' | 'AssemblyLineId'>>(
  lines: readonly Line[],
): Line[] {
  const ids = new Set(lines.map(({ Id }) => Id));
  const itemsByLine = Map.groupBy(lines, ({ AssemblyLineId }) =>
    AssemblyLineId !== null && ids.has(AssemblyLineId) ? AssemblyLineId : null,
  );
  const sorted = (assembly: number | null): Line[] =>
    (itemsByLine.get(assembly) ?? [])
      .toSorted((one, other) => one.SortIndex - other.SortIndex)
      .flatMap((line) => [line, ...sorted(line.Id)]);
  const ordered = sorted(null);
  const reached = new Set(ordered.map(({ Id }) => Id));
  return [...ordered, ...lines.filter(({ Id }) => !reached.has(Id))];
}

type AssemblyParts = ReadonlyMap<number, Pick<PartRecord, 'AssemblyItems'>>;

function countItemsBelow(partId: number, parts: AssemblyParts, depth: number): number {
  const items = depth > MAX_DEPTH ? [] : (parts.get(partId)?.AssemblyItems ?? []);
  return items.reduce(
    (count, { PartId }) => (count > MAX_LINES ? count : count + 1 + countItemsBelow(PartId, parts, depth + 1)),
    0,
  );
}

/**
 * How many lines the assemblies among lines are still to become. A line that another names in AssemblyLineId is
 * expanded already. Ends at the depth and number at which pricing rejects them.
 */
export function countItems(
  lines: readonly Pick<ProposalLineRecord, 'Id' | 'PartId' | 'AssemblyLineId'>[],
  parts: AssemblyParts,
): number {
  const expanded = new Set(lines.map(({ AssemblyLineId }) => AssemblyLineId));
  const count = lines.reduce(
    (sum, { Id, PartId }) => (sum > MAX_LINES || expanded.has(Id) ? sum : sum + countItemsBelow(PartId, parts, 0)),
    0,
  );
  return Math.min(MAX_LINES, count);
}
