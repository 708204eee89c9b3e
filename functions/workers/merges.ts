import { queueWorker } from '../../lib/api/workers.ts';
import { moveMergedRecords } from '../../lib/workflows/contacts/move-merged-records.ts';
import { changeVisibility } from './sqs.ts';

/** Moves the records of contacts that were merged to the contacts that they became, and back after an undo. */
export const handler = queueWorker('merges', moveMergedRecords, { changeVisibility });
