import { scheduledWorker } from '../../lib/api/workers.ts';
import { drainBacklogs } from '../../lib/workflows/events/drain-backlogs.ts';

/** Queues, every minute, the events of changes that were put aside while their account was over its ceiling. */
export const handler = scheduledWorker('event-backlog', async (table, options) => {
  const { queued, failures, parked, isUnfinished } = await drainBacklogs(table, options);
  return { done: queued, failures, parked, isUnfinished };
});
