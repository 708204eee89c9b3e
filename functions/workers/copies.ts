import { queueWorker } from '../../lib/api/workers.ts';
import { keepUploads } from '../../lib/workflows/uploads/keep-uploads.ts';

export const copies = queueWorker({
  name: 'copies',
  description: 'Copies uploaded files, once their records are committed, to where they do not expire',
  needs: ['table:write', 'uploads:keep'],
  // Retries for 10 hours while the bucket is unavailable. Files that wait to be copied expire after a day.
  queue: { batchSize: 5, maximumConcurrency: 2, timeoutSeconds: 60, maxReceiveCount: 100 },
  run: keepUploads,
});
export const { handler } = copies;
