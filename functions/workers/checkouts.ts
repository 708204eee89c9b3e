import { queueWorker } from '../../lib/api/workers.ts';
import { checkCheckouts } from '../../lib/workflows/payments/check-checkouts.ts';
import { readPaymentKey } from '../../lib/secrets/held-secret.ts';

/** Asks payment providers for checkouts whose webhook has not come. */
export const handler = queueWorker('checkouts', (table, messages, options) =>
  checkCheckouts(table, messages, options, readPaymentKey),
);
