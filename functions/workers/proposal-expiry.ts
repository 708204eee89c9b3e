import { scheduledWorker } from '../../lib/api/workers.ts';
import { releaseVisits } from '../../lib/workflows/appointments/release-visits.ts';
import { expireProposals } from '../../lib/workflows/proposals/expire-proposals.ts';

/** Ends, every 10 minutes, what was open for a time: proposals, and visits of strangers that nobody confirmed. */
export const handler = scheduledWorker('proposal-expiry', async (table, options) => {
  const visits = await releaseVisits(table, options);
  const proposals = await expireProposals(table, options);
  return {
    done: visits.released + proposals.expired,
    failures: [...visits.failures, ...proposals.failures],
    isUnfinished: visits.isUnfinished || proposals.isUnfinished,
  };
});
