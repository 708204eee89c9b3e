import { queueWorker } from '../../lib/api/workers.ts';
import { checkCheckouts } from '../../lib/workflows/payments/check-checkouts.ts';
import { readPaymentKey } from '../../lib/secrets/held-secret.ts';

export const checkouts = queueWorker({
  name: 'checkouts',
  description: 'Asks payment providers for checkouts whose webhook has not come',
  needs: ['table:write', 'payments:take', 'messages:write'],
  // Retries for 10 hours while the provider is unavailable.
  queue: { batchSize: 5, maximumConcurrency: 2, timeoutSeconds: 60, maxReceiveCount: 100 },
  run: (table, messages, options) => checkCheckouts(table, messages, options, readPaymentKey),
});
export const { handler } = checkouts;
