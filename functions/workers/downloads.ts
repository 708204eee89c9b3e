import { queueWorker } from '../../lib/api/workers.ts';
import { openPartFiles } from '../../lib/files/downloads.ts';
import { makeDownloads } from '../../lib/workflows/downloads/make-downloads.ts';
import { changeVisibility } from './sqs.ts';

/** Makes the files of downloads. */
export const handler = queueWorker(
  'downloads',
  (table, messages, options) => makeDownloads(table, messages, { ...options, files: openPartFiles(options) }),
  { changeVisibility },
);
