import { operation } from '../../lib/api/operation.ts';
import { DataSubscriberEvent } from '../../lib/resources/events.ts';
import { described, id, int32, required } from '../../lib/resources/fields.ts';
import { many } from '../../lib/resources/resource.ts';
import { clearQueue, toSubscriber } from '../../lib/workflows/events/subscriber-queue.ts';

/** Tells that the subscriber has events behind it: a move of its cursor, whatever their number. */
export const clear = operation({
  name: 'datasubscriber/clear',
  summary: 'Clears the events through an id.',
  description:
    'The events leave the queue of this subscriber (the name of its key) alone, and stay readable to others until their retention ends. ' +
    'Clearing what was cleared before changes nothing.',
  access: 'write',
  needs: ['table:write'],
  request: () => ({ ClearThroughId: required(described(id(), 'The last id to clear.')) }),
  response: () => ({
    Events: described(many(DataSubscriberEvent), 'Always empty here.'),
    EventCount: described(int32(), 'How many events are not yet cleared.'),
  }),
  failures: ['invalid'],
  example: { ClearThroughId: 1 },
  async run({ ClearThroughId }, { caller, table, now }) {
    const { next, last } = await clearQueue(table, toSubscriber(caller), ClearThroughId, now);
    const none: DataSubscriberEvent[] = [];
    return { Events: none, EventCount: last - next + 1 };
  },
});
