import { queueWorker } from '../../lib/api/workers.ts';
import { workOnContacts } from '../../lib/workflows/contacts/work-on-contacts.ts';
import { changeVisibility } from './sqs.ts';

/**
 * Moves the records of contacts that were merged to the contacts that they became, and back after an undo; goes on with
 * erasures of contacts.
 */
export const handler = queueWorker(
  'merges',
  (table, messages, options) => {
    // Merges do not load the client of S3.
    const openFiles = async () => (await import('../../lib/files/s3.ts')).openFiles();
    return workOnContacts(table, messages, { ...options, openFiles });
  },
  { changeVisibility },
);
