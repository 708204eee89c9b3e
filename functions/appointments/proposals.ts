import { isTold, parentIds, tellParent } from '../../lib/domain/proposals/links.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import { ProposalStatus } from '../../lib/domain/proposals/status.ts';
import type { Change } from '../../lib/store/changes.ts';
import type { Standing } from '../../lib/store/contact-standing.ts';
import { readProposals } from '../../lib/store/proposal-links.ts';
import { storeProposal } from '../../lib/store/proposals.ts';
import type { Writing } from './writing.ts';

/** Changes of proposals, and what they change of their contact. */
export interface StoredProposals {
  readonly changes: readonly Change[];
  readonly standing: Pick<Standing, 'proposals'>;
}

/**
 * Stores proposals of one appointment in their next state, and those that list them. A change order and the proposal that
 * it changes may both be among them: each is stored once. A round for those that list them and are not, where any do.
 */
export async function storeProposals(
  { table, caller: { accountId }, now }: Writing,
  before: readonly ProposalRecord[],
  next: (proposal: ProposalRecord) => ProposalRecord,
): Promise<StoredProposals> {
  const states = new Map(before.map((proposal) => [proposal.Id, { before: proposal, after: next(proposal) }]));
  const told = [...states.values()].flatMap((state) => (isTold(state.before, state.after) ? [state.after] : []));
  const missing = told.flatMap(parentIds).filter((id) => !states.has(id));
  for (const parent of await readProposals(table, accountId, missing)) states.set(parent.Id, { before: parent, after: parent });
  for (const child of told) {
    for (const id of parentIds(child)) {
      const parent = states.get(id);
      if (parent) states.set(id, { ...parent, after: tellParent(parent.after, child) });
    }
  }
  const stored = [...states.values()].flatMap((state) => (state.before === state.after ? [] : [storeProposal(accountId, { ...state, now })]));
  return {
    changes: stored.flatMap(({ change, expiry }) => [change, ...expiry]),
    standing: { proposals: Object.assign({}, ...stored.map(({ standing }) => standing.proposals)) as NonNullable<Standing['proposals']> },
  };
}

/** The accepted proposals of an appointment that becomes Scheduled are Scheduled with it. */
export const scheduledWith = (writing: Writing, proposals: readonly ProposalRecord[]): Promise<StoredProposals> =>
  storeProposals(writing, proposals, (proposal) =>
    proposal.Status === ProposalStatus.Accepted ? { ...proposal, Status: ProposalStatus.Scheduled } : proposal,
  );
