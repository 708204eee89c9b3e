import type { ProposalRecord } from '../../domain/proposals/record.ts';
import { ProposalStatus, statusAt } from '../../domain/proposals/status.ts';
import { contactSummaryChanges } from '../../store/contact-summary.ts';
import type { TableWriter } from '../../store/dynamodb/client.ts';
import { toRecord } from '../../store/dynamodb/records.ts';
import { retryOnConflict } from '../../store/dynamodb/retry.ts';
import { layout } from '../../store/keys.ts';
import { proposalWithParentChanges } from '../../store/proposals.ts';

/**
 * Writes that a proposal has expired, where it has: it is off the contact's list of open ones, and listed as Expired
 * where it is a change order or bundled. One that was answered, or opened anew, meanwhile is left alone, so that it may
 * be done any number of times. Answers whether it was written now.
 */
export function expireProposal(table: TableWriter, account: string, id: number, now: Date): Promise<boolean> {
  return retryOnConflict(async () => {
    const item = await table.get(layout.proposal.key({ account, id }));
    const before = item && toRecord<ProposalRecord>(item);
    const isExpired = before && statusAt(before, now.getTime()) === ProposalStatus.Expired;
    if (!isExpired || before.Status === ProposalStatus.Expired) return false;
    const after = { ...before, Status: ProposalStatus.Expired };
    const { changes, contactSummary } = await proposalWithParentChanges(table, account, { before, after, now });
    // A change made between its time and now has perhaps left it on the list; taking it off twice is nothing.
    const proposals = { ...contactSummary.proposals, [id]: undefined };
    await table.commit([...changes, ...contactSummaryChanges(account, before.ContactId, { proposals }, now)]);
    return true;
  });
}
