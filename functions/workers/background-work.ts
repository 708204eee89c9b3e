import { streamWorker } from '../../lib/api/workers.ts';
import { runBackgroundWork } from '../../lib/workflows/queues/background-work.ts';
import { sendMessages } from './sqs.ts';

/** Makes and changes visits of series, pays invoices by credit, and hands new work to the queues of SQS. */
export const handler = streamWorker('background-work', (table, records, options) =>
  runBackgroundWork(table, records, options, sendMessages),
);
