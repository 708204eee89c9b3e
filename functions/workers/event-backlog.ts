import { scheduledWorker } from '../../lib/api/workers.ts';
import { drainBacklogs } from '../../lib/workflows/events/drain-backlogs.ts';

export const eventBacklog = scheduledWorker({
  name: 'event-backlog',
  description: 'Queues events of changes that were put aside while their account was over its ceiling',
  needs: ['table:write', 'messages:write', 'backlog:work'],
  schedule: { everyMinutes: 1, timeoutMinutes: 1 },
  async run(table, options) {
    const { queued, failures, parked, isUnfinished } = await drainBacklogs(table, options);
    return { done: queued, failures, parked, isUnfinished };
  },
});
export const { handler } = eventBacklog;
