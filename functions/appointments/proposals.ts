import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import { ProposalStatus } from '../../lib/domain/proposals/status.ts';
import { storeProposals } from '../../lib/store/proposal-links.ts';
import type { Writing } from './writing.ts';

/** The accepted proposals of an appointment that becomes Scheduled are Scheduled with it. */
export const scheduledWith = ({ table, caller, now }: Writing, before: readonly ProposalRecord[]) =>
  storeProposals(table, caller.accountId, {
    before,
    next: (proposal) => (proposal.Status === ProposalStatus.Accepted ? { ...proposal, Status: ProposalStatus.Scheduled } : proposal),
    now,
  });
