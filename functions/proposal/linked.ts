import { conflict, invalid } from '../../lib/api/failure.ts';
import { linkRefusal, LINKS, parentIds, type LinkField } from '../../lib/domain/proposals/links.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import type { ProposalInput } from '../../lib/domain/proposals/surroundings.ts';
import type { Change } from '../../lib/store/changes.ts';
import { ancestryOf, MOST_ANCESTORS, readProposals } from '../../lib/store/proposal-links.ts';
import type { Writing } from './drawn.ts';

/** The proposals that a proposal belongs to or is to belong to. One round where there are any. */
export const parentsOf = ({ table, caller }: Writing, before: Pick<ProposalRecord, LinkField> | undefined, given: ProposalInput): Promise<ProposalRecord[]> =>
  readProposals(table, caller.accountId, [...parentIds(before), ...LINKS.flatMap(({ field }) => given[field] ?? [])]);

/**
 * What a request says of the proposals that one belongs to: 400 or 409 where it cannot; with checks that hold those
 * further above, so that no two requests together make a circle. A round a generation where an old proposal is linked
 * anew.
 */
export async function linked(
  { table, caller }: Writing,
  before: ProposalRecord,
  given: ProposalInput,
  parents: readonly ProposalRecord[],
): Promise<{ links: Pick<ProposalRecord, LinkField>; checks: Change[] }> {
  const links = { ChangeOrderForProposalId: before.ChangeOrderForProposalId, BundleWithProposalId: before.BundleWithProposalId };
  const anew: number[] = [];
  for (const { field } of LINKS) {
    const id = given[field];
    if (id === undefined || id === before[field]) continue;
    links[field] = id;
    if (id === null) continue;
    const parent = parents.find(({ Id, OrganizationId }) => Id === id && OrganizationId === before.OrganizationId);
    const refusal = linkRefusal(field, before, parent, id);
    if (refusal?.kind === 'fault') throw invalid({ Field: field, Message: refusal.message });
    if (refusal) throw conflict(refusal.message);
    anew.push(id);
  }
  // Nothing is below a new proposal yet.
  if (before.V === 0 || !anew.length) return { links, checks: [] };
  const ancestry = await ancestryOf(table, caller.accountId, before.Id, anew);
  const field = LINKS.find((link) => links[link.field] === anew[0])?.field ?? '';
  if (ancestry.kind === 'cycle') throw invalid({ Field: field, Message: `names a proposal that belongs to this one, ${before.Id}, itself` });
  if (ancestry.kind === 'deep') throw invalid({ Field: field, Message: `must be a proposal that itself belongs to fewer than ${MOST_ANCESTORS}` });
  return { links, checks: ancestry.checks };
}
