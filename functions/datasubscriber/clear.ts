import { operation } from '../../lib/api/operation.ts';
import { DataSubscriberEvent } from '../../lib/resources/events.ts';
import { described, id, int32, many, required } from '../../lib/resources/fields.ts';
import { clearQueue, toSubscriber } from '../../lib/workflows/events/subscriber-queue.ts';

/** Moves the subscriber's cursor: one write for any number of events. */
export const clear = operation({
  title: 'Clear events',
  summary: 'Clears the events through an id.',
  rules: [
    'The events leave the queue of this subscriber (the name of its key) only. Others can read them until their ' +
      'retention ends.',
    'Clearing events twice changes nothing.',
  ],
  access: 'write',
  request: () => ({ ClearThroughId: required(described(id(), 'The last id to clear.')) }),
  response: () => ({
    Events: described(many(DataSubscriberEvent), 'Always empty here.'),
    EventCount: described(int32(), 'Number of events not yet cleared.'),
  }),
  failures: [],
  example: { ClearThroughId: 1 },
  async run({ ClearThroughId }, { store, caller, now }) {
    const { next, last } = await clearQueue(store, toSubscriber(caller), ClearThroughId, now);
    return { Events: [] as DataSubscriberEvent[], EventCount: last - next + 1 };
  },
});
