import { scheduledWorker } from '../../lib/api/workers.ts';
import { releaseVisits } from '../../lib/workflows/appointments/release-visits.ts';
import { giveKeyNotices } from '../../lib/workflows/keys/give-notice.ts';
import { sendDueCalendars } from '../../lib/workflows/private-events/send-due-calendars.ts';
import { expireProposals } from '../../lib/workflows/proposals/expire-proposals.ts';
import { sendMessages } from './sqs.ts';

export const proposalExpiry = scheduledWorker({
  name: 'proposal-expiry',
  description:
    'Ends what was open for a time: proposals, and visits that nobody confirmed; tells of API keys that end soon; ' +
    'sends service agents with own calendars to the queue that reads them',
  needs: ['table:write', 'expiries:write', 'expiries:work', 'queues:send'],
  schedule: { everyMinutes: 10, timeoutMinutes: 10 },
  async run(table, options) {
    const calendars = await sendDueCalendars(table, options, sendMessages);
    const visits = await releaseVisits(table, options);
    const proposals = await expireProposals(table, options);
    const keys = await giveKeyNotices(table, options);
    return {
      done: calendars.done + visits.done + proposals.expired + keys.done,
      failures: [calendars, visits, proposals, keys].flatMap(({ failures }) => failures),
      isUnfinished: [calendars, visits, proposals, keys].some(({ isUnfinished }) => isUnfinished),
    };
  },
});
export const { handler } = proposalExpiry;
