import { reportWorker } from '../../lib/api/workers.ts';
import { openDelivery } from '../../lib/delivery/open-delivery.ts';
import { takeFeedback } from '../../lib/workflows/messages/take-feedback.ts';

export const messageFeedback = reportWorker({
  name: 'message-feedback',
  description: 'Stores what became of e-mails and texts, and what clients answer to texts: STOP, START, HELP',
  needs: ['table:write', 'texts:send', 'accounts:list'],
  onlyWith: 'messages',
  queue: { batchSize: 10, maximumConcurrency: 5, timeoutSeconds: 60, maxReceiveCount: 20 },
  run: (table, reports, options) => takeFeedback(table, reports, options, openDelivery()),
});
export const { handler } = messageFeedback;
