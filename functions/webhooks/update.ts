import { operation, save } from '../../lib/api/operation.ts';
import { webhookToResource } from '../../lib/domain/callbacks/to-resource.ts';
import { described, flag, id, list, nested, required, text } from '../../lib/resources/fields.ts';
import { Webhook } from '../../lib/resources/webhooks.ts';
import { updateWebhook } from '../../lib/workflows/webhooks/update-webhook.ts';
import { webhookEditor } from '../../lib/workflows/webhooks/webhook-context.ts';

export const update = operation({
  title: 'Change a webhook',
  summary: 'Changes the address or the kinds of a webhook, disables it, or has it called again.',
  rules: ['A field that is left out stays as it is.', 'Calls that wait already keep their address.'],
  access: 'write',
  request: () => ({
    Id: required(id()),
    Url: described(text(2048), 'https, on the public internet.'),
    Kinds: described(list(text(100), 100, 1), 'The whole list.'),
    Enabled: described(flag(), 'false: it is not called. true: it is called again with events from now on.'),
    Paused: described(
      flag(),
      'true: its calls are kept, as dead ones, for 30 days. false: it is called again; webhooks/replay makes those kept.',
    ),
  }),
  response: () => ({ Webhook: nested(Webhook) }),
  example: { Id: 1, Kinds: ['*'] },
  async run(request, context) {
    const allowLoopback = process.env['STAGE'] === 'local';
    const { webhook, changes } = await updateWebhook(request, webhookEditor(context), { allowLoopback });
    return save(changes, { Webhook: webhookToResource(webhook) });
  },
});
