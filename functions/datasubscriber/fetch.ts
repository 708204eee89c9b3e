import { operation } from '../../lib/api/operation.ts';
import { eventPayload } from '../../lib/events/event.ts';
import { DataSubscriberEvent } from '../../lib/resources/events.ts';
import { described, id, int32 } from '../../lib/resources/fields.ts';
import { many } from '../../lib/resources/resource.ts';
import { findQueue, listEvents } from '../../lib/store/events.ts';
import { clearQueue, toSubscriber } from '../../lib/workflows/events/subscriber-queue.ts';

/** The oldest events that the subscriber has not cleared, which stay until it clears them. */
export const fetch = operation({
  name: 'datasubscriber/fetch',
  summary: 'The oldest events not yet cleared, in the order of their ids.',
  description:
    'Clears through ClearThroughId first, when given. Ids follow one another without gap. Fetching takes nothing away: what is not cleared comes again. ' +
    'An answer stops early rather than be over 3 MB; fetch again while EventCount says that more are left than were in Events.',
  // It may move a cursor, but only forward: repeating it is safe by itself, and no Idempotency-Key need keep 3 MB of
  // answer.
  access: 'read',
  needs: ['table:write'],
  request: () => ({
    ClearThroughId: described(id(), 'Clear these first, this id included.'),
    EventCount: described(int32(1, 1000), 'How many events at most; 100 when not given.'),
  }),
  response: () => ({
    Events: many(DataSubscriberEvent),
    EventCount: described(int32(), 'How many events are not yet cleared, those in Events included.'),
  }),
  failures: ['invalid'],
  example: { EventCount: 100 },
  async run({ ClearThroughId, EventCount }, { caller, table, now }) {
    const subscriber = toSubscriber(caller);
    const { next, last } = ClearThroughId
      ? await clearQueue(table, subscriber, ClearThroughId, now)
      : await findQueue(table, subscriber, now);
    const events = await listEvents(table, caller.accountId, next, Math.min(last, next + (EventCount ?? 100) - 1));
    return {
      Events: events.map(({ id: Id, queuedAt, payload }) => ({
        Id,
        QueuedAt: new Date(queuedAt).toISOString(),
        Payload: eventPayload(payload),
      })),
      EventCount: last - next + 1,
    };
  },
});
