import { queueWorker } from '../../lib/api/queue-worker.ts';
import { deliverCallbacks } from '../../lib/workflows/callbacks/deliver-callbacks.ts';

/** Calls the addresses of receivers with the events they are to be notified of. */
export const handler = queueWorker('callbacks', deliverCallbacks);
