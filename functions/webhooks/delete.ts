import { operation, save } from '../../lib/api/operation.ts';
import { webhookToResource } from '../../lib/domain/callbacks/to-resource.ts';
import { described, id, nested, required } from '../../lib/resources/fields.ts';
import { Webhook } from '../../lib/resources/webhooks.ts';
import { deleteWebhook } from '../../lib/workflows/webhooks/update-webhook.ts';
import { webhookEditor } from '../../lib/workflows/webhooks/webhook-context.ts';

export const del = operation({
  title: 'Delete a webhook',
  summary: 'Deletes a webhook.',
  rules: ['Calls of the webhook that wait are given up.'],
  access: 'write',
  request: () => ({ Id: required(id()) }),
  response: () => ({ Webhook: described(nested(Webhook), 'As it was.') }),
  example: { Id: 1 },
  async run({ Id }, context) {
    const { webhook, changes } = await deleteWebhook(Id, webhookEditor(context));
    return save(changes, { Webhook: webhookToResource(webhook) });
  },
});
