import type { Caller } from '../../lib/api/context.ts';
import type { ProposalRecord } from '../../lib/domain/proposals/record.ts';
import type { Proposal } from '../../lib/resources/proposals.ts';
import type { TableReader } from '../../lib/store/client.ts';
import { showProposals } from '../../lib/store/proposal-view.ts';

/** What of a call decides how proposals are shown. */
export interface Showing {
  readonly table: TableReader;
  readonly caller: Caller;
  readonly now: Date;
  readonly baseUrl: string;
}

/** Proposals as the caller wants to see them. */
export const shown = (
  { table, caller, now, baseUrl }: Showing,
  records: readonly ProposalRecord[],
  includeContact = false,
): Promise<Proposal[]> =>
  showProposals(table, records, { accountId: caller.accountId, baseUrl, now, includeContact });
