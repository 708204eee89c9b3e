import { scheduledWorker } from '../../lib/api/workers.ts';
import { sendDelayedMessages } from '../../lib/workflows/queues/send-delayed-messages.ts';
import { sendMessages } from './sqs.ts';

/** Sends, every minute, messages that are due: later than SQS can delay them, or while a queue was away. */
export const handler = scheduledWorker('delayed-messages', (table, options) =>
  sendDelayedMessages(table, options, sendMessages),
);
