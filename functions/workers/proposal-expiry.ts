import { scheduledWorker } from '../../lib/api/workers.ts';
import { releaseVisits } from '../../lib/workflows/appointments/release-visits.ts';
import { giveKeyNotices } from '../../lib/workflows/keys/give-notice.ts';
import { expireProposals } from '../../lib/workflows/proposals/expire-proposals.ts';

/**
 * Ends, every 10 minutes, what was open for a time: proposals, and visits of strangers that nobody confirmed. Makes
 * tasks of API keys that end soon.
 */
export const handler = scheduledWorker('proposal-expiry', async (table, options) => {
  const visits = await releaseVisits(table, options);
  const proposals = await expireProposals(table, options);
  const keys = await giveKeyNotices(table, options);
  return {
    done: visits.done + proposals.expired + keys.done,
    failures: [visits, proposals, keys].flatMap(({ failures }) => failures),
    isUnfinished: [visits, proposals, keys].some(({ isUnfinished }) => isUnfinished),
  };
});
