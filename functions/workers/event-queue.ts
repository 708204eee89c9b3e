import { worker } from '../../lib/api/workers/worker.ts';
import { queueEvents } from '../../lib/workflows/events/queue-events.ts';

/** Turns changes of the table into the events that subscribers fetch. */
export const handler = worker('event-queue', queueEvents);
