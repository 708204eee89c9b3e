import { queueWorker } from '../../lib/api/workers.ts';
import { openDelivery } from '../../lib/delivery/open-delivery.ts';
import { sendMessages } from '../../lib/workflows/messages/send-messages.ts';
import { changeVisibility } from './sqs.ts';

export const outbox = queueWorker({
  name: 'outbox',
  description: 'Decides about messages to clients, and sends them by e-mail and text',
  needs: ['table:write', 'messages:write', 'emails:send', 'texts:send'],
  onlyWith: 'messages',
  // A message that a service throttles is received again for hours.
  queue: { batchSize: 10, maximumConcurrency: 5, timeoutSeconds: 60, maxReceiveCount: 500 },
  run: (table, received, options) => sendMessages(table, received, options, openDelivery()),
  changeVisibility,
});
export const { handler } = outbox;
