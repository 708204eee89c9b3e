import { queueWorker } from '../../lib/api/workers.ts';
import { callReceiver } from '../../lib/shared/web/call-receiver.ts';
import { deliverCallbacks } from '../../lib/workflows/callbacks/deliver-callbacks.ts';
import { readCallbackKey } from '../../lib/secrets/held-secret.ts';
import { changeVisibility } from './sqs.ts';

const call = (address: string, body: string, headers: Readonly<Record<string, string>>) =>
  callReceiver(address, body, { headers, allowLoopback: process.env['STAGE'] === 'local' });

/** Calls the addresses of receivers with the events they are to be notified of. */
export const handler = queueWorker(
  'callbacks',
  (table, messages, options) => deliverCallbacks(table, messages, options, { call, readKey: readCallbackKey }),
  { changeVisibility },
);
