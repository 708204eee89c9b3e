import type { PartRecord } from '../pricebook/records.ts';
import type { ProposalLineRecord } from './record.ts';

/** What holds of a line by itself or by the assembly that it is an item of. */
export interface LineStanding {
  readonly internal: boolean;
  readonly optionId: number | null;
}

type Line = Pick<ProposalLineRecord, 'Id' | 'PartId' | 'IsInternal' | 'OptionId' | 'AssemblyLineId'>;

/** The standing of each line, by its id: items have that of their assembly, and what its flags add. */
export function lineStandings(
  lines: readonly Line[],
  parts: ReadonlyMap<number, Pick<PartRecord, 'IsInternalizeAssemblyItems'>>,
): Map<number, LineStanding> {
  const byId = new Map(lines.map((line) => [line.Id, line]));
  const found = new Map<number, LineStanding>();
  function standing(line: Line, depth = 0): LineStanding {
    const known = found.get(line.Id);
    if (known) return known;
    // Pricing refuses lines that are items of themselves; until then they must end somewhere.
    const holder = depth > lines.length ? undefined : byId.get(line.AssemblyLineId ?? 0);
    const above = holder && standing(holder, depth + 1);
    const internalized = holder ? (parts.get(holder.PartId)?.IsInternalizeAssemblyItems ?? false) : false;
    const of = {
      internal: line.IsInternal || internalized || (above?.internal ?? false),
      optionId: line.OptionId ?? above?.optionId ?? null,
    };
    found.set(line.Id, of);
    return of;
  }
  for (const line of lines) standing(line);
  return found;
}
