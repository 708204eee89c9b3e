import { operation } from '../../lib/api/operation.ts';
import { DataSubscriberEvent } from '../../lib/resources/events.ts';
import { described, extension, id, int32, list, many, text } from '../../lib/resources/fields.ts';
import { fetchEvents } from '../../lib/workflows/events/fetch-events.ts';

export const fetch = operation({
  title: 'Fetch events',
  summary: 'Returns the oldest events that are not cleared yet.',
  rules: [
    'ClearThroughId, if given, clears the events through that id first.',
    'Events are in the order of their ids, which have no gap. Where a backup was restored they continue behind all ' +
      'earlier ids.',
    'Events that are not cleared are returned again.',
    'A response holds at most 3 MB: fetch again while EventCount is greater than the number of Events.',
    'A key of the flat feed (`fs key create --feed flat`) gets completed visits, new invoices and deletions only.',
    'A copy that stays exact begins with a snapshot: [mirroring](/docs#description/mirroring).',
  ],
  // The cursor only moves forward, so repeating the call is safe, and no Idempotency-Key must save 3 MB of response.
  access: 'read',
  needs: ['table:write'],
  request: () => ({
    ClearThroughId: described(id(), 'Clears the events through this id first.'),
    EventCount: described(int32(1, 1000), 'Maximum number of events; 100 by default.'),
    Kinds: extension(
      described(
        list(text(100), 100),
        'Returns events of these kinds only, such as invoice.paid; all if it is empty. Where none of the next 1,000 ' +
          'events is of them, these are cleared.',
      ),
    ),
    From: extension(
      described(
        text(10),
        'now: the subscriber begins behind the newest event. Only before it has cleared anything, else 409.',
      ),
    ),
  }),
  failures: ['conflict'],
  response: () => ({
    Events: many(DataSubscriberEvent),
    EventCount: described(int32(), 'Number of events not yet cleared, including those in Events.'),
  }),
  example: { EventCount: 100 },
  run: fetchEvents,
});
