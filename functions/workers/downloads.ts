import { queueWorker } from '../../lib/api/workers.ts';
import { openPartFiles } from '../../lib/files/downloads.ts';
import { makeDownloads } from '../../lib/workflows/downloads/make-downloads.ts';
import { changeVisibility } from './sqs.ts';

export const downloads = queueWorker({
  name: 'downloads',
  description: 'Makes the files of downloads',
  needs: ['table:write', 'downloads:make'],
  // Each run of a download is a delivery; the maximum that SQS allows lasts 83 hours.
  queue: { batchSize: 1, maximumConcurrency: 5, timeoutSeconds: 300, maxReceiveCount: 1_000 },
  sendsToItself: true,
  run: (table, messages, options) => makeDownloads(table, messages, { ...options, files: openPartFiles(options) }),
  changeVisibility,
});
export const { handler } = downloads;
