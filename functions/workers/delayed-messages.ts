import { scheduledWorker } from '../../lib/api/workers.ts';
import { sendDelayedMessages } from '../../lib/workflows/queues/send-delayed-messages.ts';
import { sendMessages } from './sqs.ts';

export const delayedMessages = scheduledWorker({
  name: 'delayed-messages',
  description:
    'Sends the messages of the queues that are due: later than SQS can delay them, or while a queue was away',
  needs: ['messages:work'],
  schedule: { everyMinutes: 1, timeoutMinutes: 1 },
  run: (table, options) => sendDelayedMessages(table, options, sendMessages),
});
export const { handler } = delayedMessages;
