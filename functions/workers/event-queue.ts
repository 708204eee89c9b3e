import { streamWorker } from '../../lib/api/workers.ts';
import { queueEvents } from '../../lib/workflows/events/queue-events.ts';

/** Turns changes of the table into the events that subscribers fetch. */
export const handler = streamWorker('event-queue', queueEvents);
