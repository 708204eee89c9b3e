import { scheduledWorker } from '../../lib/api/workers.ts';
import { expireProposals } from '../../lib/workflows/proposals/expire-proposals.ts';

/** Stores, every hour, the status Expired of open proposals whose time is over. */
export const handler = scheduledWorker('proposal-expiry', async (table, options) => {
  const { expired, failures, isUnfinished } = await expireProposals(table, options);
  return { done: expired, failures, isUnfinished };
});
