import { scheduledWorker } from '../../lib/api/workers.ts';
import { releaseVisits } from '../../lib/workflows/appointments/release-visits.ts';
import { giveKeyNotices } from '../../lib/workflows/keys/give-notice.ts';
import { expireProposals } from '../../lib/workflows/proposals/expire-proposals.ts';

export const proposalExpiry = scheduledWorker({
  name: 'proposal-expiry',
  description:
    'Ends what was open for a time: proposals, and visits that nobody confirmed; tells of API keys that end soon',
  needs: ['table:write', 'expiries:write', 'expiries:work'],
  schedule: { everyMinutes: 10, timeoutMinutes: 10 },
  async run(table, options) {
    const visits = await releaseVisits(table, options);
    const proposals = await expireProposals(table, options);
    const keys = await giveKeyNotices(table, options);
    return {
      done: visits.done + proposals.expired + keys.done,
      failures: [visits, proposals, keys].flatMap(({ failures }) => failures),
      isUnfinished: [visits, proposals, keys].some(({ isUnfinished }) => isUnfinished),
    };
  },
});
export const { handler } = proposalExpiry;
