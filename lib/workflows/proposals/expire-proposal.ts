import type { ProposalRecord } from '../../domain/proposals/record.ts';
import { ProposalStatus, statusAt } from '../../domain/proposals/status.ts';
import { contactSummaryChanges } from '../../store/contact-summary.ts';
import type { TableWriter } from '../../store/dynamodb/client.ts';
import { toRecord } from '../../store/dynamodb/records.ts';
import { retryOnConflict } from '../../store/dynamodb/retry.ts';
import { layout } from '../../store/keys.ts';
import { proposalWithParentChanges } from '../../store/proposals.ts';

/**
 * Stores that a proposal has expired, removes it from its contact's open proposals and updates its parents. Writes at
 * once, for the worker. Safe to repeat: a proposal that is answered or open again does not change. Answers whether it
 * has written.
 */
export function expireProposal(table: TableWriter, account: string, id: number, now: Date): Promise<boolean> {
  return retryOnConflict(async () => {
    const item = await table.get(layout.proposal.key({ account, id }));
    const before = item && toRecord<ProposalRecord>(item);
    const isExpired = before && statusAt(before, now.getTime()) === ProposalStatus.Expired;
    if (!isExpired || before.Status === ProposalStatus.Expired) return false;
    const after = { ...before, Status: ProposalStatus.Expired };
    const { changes, contactSummary } = await proposalWithParentChanges(table, account, { before, after, now });
    // A change between its expiry and now may have left it in the list; removing it twice is harmless.
    const proposals = { ...contactSummary.proposals, [id]: undefined };
    await table.commit([...changes, ...contactSummaryChanges(account, before.ContactId, { proposals }, now)]);
    return true;
  });
}
