import { operation } from '../../lib/api/operation.ts';
import { eventPayload } from '../../lib/events/event.ts';
import { DataSubscriberEvent } from '../../lib/resources/events.ts';
import { described, id, int32 } from '../../lib/resources/fields.ts';
import { many } from '../../lib/resources/resource.ts';
import { toUtc } from '../../lib/shared/time/format-moments.ts';
import { countPresent, endOfPage } from '../../lib/store/events/event-sequence.ts';
import { findQueue, listEvents } from '../../lib/store/events/events.ts';
import { clearQueue, toSubscriber } from '../../lib/workflows/events/subscriber-queue.ts';

export const fetch = operation({
  name: 'datasubscriber/fetch',
  summary: 'Fetch the oldest events not yet cleared.',
  description:
    'Clears through ClearThroughId first, if given. Events are in the order of their ids, which have no gap, ' +
    'except where a backup was restored: there they continue behind all ids of before. ' +
    'Events that are not cleared are returned again. ' +
    'A response holds at most 3 MB; fetch again while EventCount is greater than the number of Events.',
  // It moves a cursor only forward: repeating it is safe, and no Idempotency-Key has to save 3 MB of response.
  access: 'read',
  needs: ['table:write'],
  request: () => ({
    ClearThroughId: described(id(), 'Clears the events through this id first.'),
    EventCount: described(int32(1, 1000), 'Maximum number of events; 100 by default.'),
  }),
  response: () => ({
    Events: many(DataSubscriberEvent),
    EventCount: described(int32(), 'Number of events not yet cleared, including those in Events.'),
  }),
  example: { EventCount: 100 },
  async run({ ClearThroughId, EventCount }, { caller, table, now }) {
    const subscriber = toSubscriber(caller);
    const { next, last, absent } = ClearThroughId
      ? await clearQueue(table, subscriber, ClearThroughId, now)
      : await findQueue(table, subscriber, now);
    const newest = endOfPage(absent, next, last, EventCount ?? 100);
    const { events, missing } = await listEvents(table, caller.accountId, next, newest, absent);
    return {
      Events: events.map(({ id: Id, queuedAt, payload }) => ({
        Id,
        QueuedAt: toUtc(queuedAt),
        Payload: eventPayload(payload),
      })),
      // Counting events that cannot be seen yet would let a subscriber who clears by count lose one.
      EventCount: countPresent(absent, next, missing === undefined ? last : missing - 1),
    };
  },
});
