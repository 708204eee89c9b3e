import { isNamed, type Named } from './named.ts';
import type { ProposalRecord } from './record.ts';
import type { ProposalInput } from './surroundings.ts';

/** How many ids what is new in a request may need; the items of assemblies come on top (`itemsToCome`). */
export function idsNeeded(
  { V }: Pick<ProposalRecord, 'V'>,
  { ProposalLines, ProposalNotes }: ProposalInput,
): { lines: number; options: number; notes: number } {
  const isNew = ({ Id }: Named): boolean => V === 0 || !Id;
  const lines = ProposalLines ?? [];
  return {
    lines: lines.filter(isNew).length,
    options: lines.filter(({ ProposalOption: option }) => option && isNamed(option) && isNew(option)).length,
    notes: (ProposalNotes ?? []).filter(isNew).length,
  };
}
