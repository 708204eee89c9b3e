import { operation, save } from '../../lib/api/operation.ts';
import { callToResource } from '../../lib/domain/callbacks/to-resource.ts';
import { described, list, many, required, text } from '../../lib/resources/fields.ts';
import { WebhookCall } from '../../lib/resources/webhooks.ts';
import { replayCalls } from '../../lib/workflows/webhooks/calls.ts';
import { webhookEditor } from '../../lib/workflows/webhooks/webhook-context.ts';

/** Three changes each, in one transaction. */
const MAX_REPLAYED = 25;

export const replay = operation({
  title: 'Repeat calls of a webhook',
  summary: 'Makes calls again, at once and with all attempts.',
  rules: [
    'Calls that wait or were delivered can be repeated too.',
    'All calls of the request are repeated, or none where one of them does not exist.',
  ],
  access: 'write',
  needs: ['table:write', 'messages:write'],
  request: () => ({ Ids: required(described(list(text(50), MAX_REPLAYED, 1), 'As webhooks/calls returns them.')) }),
  response: () => ({ Calls: many(WebhookCall) }),
  failures: ['notFound'],
  example: { Ids: ['1-webhook-1'] },
  beforeExample:
    'Create a webhook and change a record of its kinds, and send the Id of the call that webhooks/calls lists.',
  async run({ Ids }, context) {
    const { calls, changes } = await replayCalls(Ids, webhookEditor(context));
    return save(changes, { Calls: calls.map(callToResource) });
  },
});
