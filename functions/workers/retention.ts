import { scheduledWorker } from '../../lib/api/workers.ts';
import { applyRetention } from '../../lib/workflows/retention/apply-retention.ts';
import { settleEntries } from '../../lib/workflows/retention/settle-entries.ts';

export const retention = scheduledWorker({
  name: 'retention',
  description:
    'Removes calls, notes and files that are older than their account keeps them, and search entries of killed calls',
  needs: ['table:write', 'retention:apply'],
  schedule: { everyMinutes: 60, timeoutMinutes: 15 },
  async run(table, options) {
    const { now, deadline } = options;
    // Half of the time, so that many entries do not delay the rules.
    const settled = await settleEntries(table, { now, deadline: (now.getTime() + deadline) / 2 });
    const openFiles = async () => (await import('../../lib/files/s3.ts')).openFiles();
    const { removed, failures } = await applyRetention(table, { ...options, openFiles });
    const done = settled.removed + removed;
    return { done, failures: [...settled.failures, ...failures], isUnfinished: false };
  },
});
export const { handler } = retention;
