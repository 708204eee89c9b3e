import { operation } from '../../lib/api/operation.ts';
import { callToResource } from '../../lib/domain/callbacks/to-resource.ts';
import { described, flag, id, int32, many } from '../../lib/resources/fields.ts';
import { WebhookCall } from '../../lib/resources/webhooks.ts';
import { listCalls } from '../../lib/workflows/webhooks/calls.ts';
import { webhookReader } from '../../lib/workflows/webhooks/webhook-context.ts';

const DEFAULT_EVENTS = 100;
/** With addresses of 2,048 characters, the response has 3 MB. */
const MAX_CALLS = 1_000;

export const calls = operation({
  title: 'List calls of webhooks',
  summary: 'Lists the calls of the newest events, newest first.',
  rules: [
    'The list has the calls of webhooks and of the addresses of records (NotificationUri, DeliveryUri, …), for 30 ' +
      'days.',
    'A response has at most 1000 calls; ThroughEventId goes on.',
  ],
  access: 'read',
  request: () => ({
    WebhookId: described(id(), 'Only calls of this webhook.'),
    Dead: described(flag(), 'Only calls that were given up.'),
    EventCount: described(int32(1, 1000), `Of so many events, with Dead so many calls; ${DEFAULT_EVENTS} by default.`),
    ThroughEventId: described(id(), 'Of this event and older ones.'),
  }),
  response: () => ({ Calls: many(WebhookCall) }),
  failures: [],
  example: { EventCount: 20 },
  async run({ WebhookId, Dead, EventCount, ThroughEventId }, context) {
    const filter = {
      isDead: Dead ?? false,
      last: EventCount ?? DEFAULT_EVENTS,
      through: ThroughEventId ?? undefined,
      webhookId: WebhookId ?? undefined,
    };
    const found = await listCalls(webhookReader(context), filter, context.now);
    return { Calls: found.slice(0, MAX_CALLS).map(callToResource) };
  },
});
