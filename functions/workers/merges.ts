import { queueWorker } from '../../lib/api/workers.ts';
import { workOnContacts } from '../../lib/workflows/contacts/work-on-contacts.ts';
import { changeVisibility } from './sqs.ts';

export const merges = queueWorker({
  name: 'merges',
  description:
    'Moves the records of contacts that were merged, and back after an undo; goes on with erasures of contacts',
  needs: ['table:write', 'expiries:write', 'persons:erase'],
  // A merge takes two runs, and one more for each five minutes of moving its records; an erasure takes two, and one
  // more for each minute that the event queue lags.
  queue: { batchSize: 1, maximumConcurrency: 5, timeoutSeconds: 300, maxReceiveCount: 100 },
  sendsToItself: true,
  run(table, messages, options) {
    // Imported lazily, so that merges do not load the S3 client.
    const openFiles = async () => (await import('../../lib/files/s3.ts')).openFiles();
    return workOnContacts(table, messages, { ...options, openFiles });
  },
  changeVisibility,
});
export const { handler } = merges;
