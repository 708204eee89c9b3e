import { streamWorker } from '../../lib/api/workers.ts';
import { MAX_TRANSACTION_CHANGES } from '../../lib/shared/limits.ts';
import { attributes } from '../../lib/store/keys.ts';
import { queueEvents } from '../../lib/workflows/events/queue-events.ts';

/** Only records have an entity: index entries, counters and events do not invoke the worker. */
const hasEntity = { [attributes.entity]: { S: [{ exists: true }] } };

export const eventQueue = streamWorker({
  name: 'event-queue',
  description: 'Turns changes of the table into the events that subscribers fetch',
  needs: ['table:write', 'backlog:write', 'messages:write'],
  stream: {
    // A batch of one account is one transaction: its events and the sequence.
    batchSize: MAX_TRANSACTION_CHANGES - 1,
    filters: [{ dynamodb: { NewImage: hasEntity } }, { dynamodb: { OldImage: hasEntity } }],
  },
  alarms: {
    parked: 'No event could be made of changes of the table. They are kept in the bucket, for fs events redrive.',
    late: 'Changes of the table become events late',
  },
  run: queueEvents,
});
export const { handler } = eventQueue;
