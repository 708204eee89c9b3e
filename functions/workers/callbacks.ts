import { queueWorker } from '../../lib/api/workers.ts';
import { callReceiver } from '../../lib/shared/web/call-receiver.ts';
import { deliverCallbacks } from '../../lib/workflows/callbacks/deliver-callbacks.ts';
import { readCallbackKey } from '../../lib/secrets/held-secret.ts';
import { changeVisibility } from './sqs.ts';

const call = (address: string, body: string, headers: Readonly<Record<string, string>>) =>
  callReceiver(address, body, { headers, allowLoopback: process.env['STAGE'] === 'local' });

export const callbacks = queueWorker({
  name: 'callbacks',
  description: 'Calls the addresses of receivers with the events they are to be notified of',
  needs: ['table:write', 'messages:write', 'callbacks:sign'],
  // Messages of a busy host are received up to 50 times; the remaining receives are for a failing worker.
  queue: { batchSize: 10, maximumConcurrency: 20, timeoutSeconds: 30, maxReceiveCount: 100 },
  sendsToItself: true,
  run: (table, messages, options) => deliverCallbacks(table, messages, options, { call, readKey: readCallbackKey }),
  changeVisibility,
});
export const { handler } = callbacks;
