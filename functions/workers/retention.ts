import { scheduledWorker } from '../../lib/api/workers/scheduled-worker.ts';
import { applyRetention } from '../../lib/workflows/retention/apply-retention.ts';

/** Removes, every hour, calls, notes and files that are older than their account keeps them. */
export const handler = scheduledWorker('retention', async (table, options) => {
  const openFiles = async () => (await import('../../lib/files/s3.ts')).openFiles();
  const { removed, failures } = await applyRetention(table, { ...options, openFiles });
  return { done: removed, failures, isUnfinished: false };
});
