import { MOST_DEPTH } from '../pricebook/assemblies.ts';
import type { PartRecord } from '../pricebook/records.ts';
import { MOST_LINES } from '../pricing/assemblies.ts';
import type { ProposalLineRecord } from './record.ts';

type Parts = ReadonlyMap<number, Pick<PartRecord, 'AssemblyItems'>>;

function below(partId: number, parts: Parts, depth: number): number {
  const items = depth > MOST_DEPTH ? [] : (parts.get(partId)?.AssemblyItems ?? []);
  return items.reduce((sum, { PartId }) => (sum > MOST_LINES ? sum : sum + 1 + below(PartId, parts, depth + 1)), 0);
}

/**
 * How many items the assemblies among lines become: those whose line no other names yet in AssemblyLineId, to the depth
 * and number at which pricing refuses them.
 */
export function itemCount(
  lines: readonly Pick<ProposalLineRecord, 'Id' | 'PartId' | 'AssemblyLineId'>[],
  parts: Parts,
): number {
  const named = new Set(lines.map(({ AssemblyLineId }) => AssemblyLineId));
  const counts = lines.map(({ Id, PartId }) => (named.has(Id) ? 0 : below(PartId, parts, 0)));
  return Math.min(MOST_LINES, counts.reduce((sum, count) => sum + count, 0));
}
