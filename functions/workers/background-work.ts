import { worker } from '../../lib/api/workers/worker.ts';
import { runBackgroundWork } from '../../lib/workflows/queues/background-work.ts';
import { sendMessages } from './sqs.ts';

/** Queues visits of accepted subscriptions, and hands new work to the queues of SQS. */
export const handler = worker('background-work', (table, records, options) =>
  runBackgroundWork(table, records, options, sendMessages),
);
