import { scheduledWorker } from '../../lib/api/workers.ts';
import { releaseVisits } from '../../lib/workflows/appointments/release-visits.ts';
import { countFigures } from '../../lib/workflows/figures/count-figures.ts';
import { giveKeyNotices } from '../../lib/workflows/keys/give-notice.ts';
import { sendDueCalendars } from '../../lib/workflows/private-events/send-due-calendars.ts';
import { expireProposals } from '../../lib/workflows/proposals/expire-proposals.ts';
import { sendMessages } from './sqs.ts';

export const proposalExpiry = scheduledWorker({
  name: 'proposal-expiry',
  description:
    'Ends what was open for a time: proposals, and visits that nobody confirmed; tells of API keys that end soon; ' +
    'sends service agents with own calendars to their queue; counts the figures of the months every night',
  needs: ['table:write', 'expiries:write', 'expiries:work', 'queues:send', 'accounts:list'],
  schedule: { everyMinutes: 10, timeoutMinutes: 10 },
  async run(table, options) {
    const calendars = await sendDueCalendars(table, options, sendMessages);
    const visits = await releaseVisits(table, options);
    const proposals = await expireProposals(table, options);
    const keys = await giveKeyNotices(table, options);
    const figures = await countFigures(table, options);
    const lists = [calendars, visits, keys, figures];
    return {
      done: proposals.expired + lists.reduce((sum, { done }) => sum + done, 0),
      failures: [...lists, proposals].flatMap(({ failures }) => failures),
      isUnfinished: [...lists, proposals].some(({ isUnfinished }) => isUnfinished),
    };
  },
});
export const { handler } = proposalExpiry;
