import type { ProposalLineRecord } from './record.ts';

type Line = Pick<ProposalLineRecord, 'Id' | 'SortIndex' | 'AssemblyLineId'>;

/**
 * Lines by their SortIndex, those alike as they came; the items of an assembly follow it, likewise. Those that are items
 * of themselves come last.
 */
export function inOrder<Of extends Line>(lines: readonly Of[]): Of[] {
  const ids = new Set(lines.map(({ Id }) => Id));
  const items = new Map<number | null, Of[]>();
  for (const line of lines) {
    const of = line.AssemblyLineId !== null && ids.has(line.AssemblyLineId) ? line.AssemblyLineId : null;
    items.set(of, [...(items.get(of) ?? []), line]);
  }
  const sorted = (of: number | null): Of[] =>
    (items.get(of) ?? []).toSorted((a, b) => a.SortIndex - b.SortIndex).flatMap((line) => [line, ...sorted(line.Id)]);
  const ordered = sorted(null);
  const reached = new Set(ordered.map(({ Id }) => Id));
  return [...ordered, ...lines.filter(({ Id }) => !reached.has(Id))];
}
