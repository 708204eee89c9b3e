import { operation, save } from '../../lib/api/operation.ts';
import { webhookToResource } from '../../lib/domain/callbacks/to-resource.ts';
import { described, list, nested, required, text } from '../../lib/resources/fields.ts';
import { Webhook } from '../../lib/resources/webhooks.ts';
import { createWebhook } from '../../lib/workflows/webhooks/create-webhook.ts';
import { webhookEditor } from '../../lib/workflows/webhooks/webhook-context.ts';
import { readCallbackKey } from '../../lib/secrets/held-secret.ts';

export const create = operation({
  title: 'Create a webhook',
  summary: 'Has an address called with events.',
  rules: [
    'The address is called with every event of the kinds that is queued from now on, of all organizations.',
    'Calls are signed as Standard Webhooks says: [webhooks](/docs#description/webhooks) has every kind, and how to ' +
      'verify a call.',
    'An account has at most 10 webhooks.',
  ],
  access: 'write',
  needs: ['table:write', 'callbacks:sign'],
  request: () => ({
    Url: required(described(text(2048), 'https, on the public internet.')),
    Kinds: required(described(list(text(100), 100, 1), 'appointment.booked, appointment.* or *.')),
  }),
  response: () => ({
    Webhook: nested(Webhook),
    Secret: described(
      text(100),
      'The secret that signs the calls of this webhook. It is shown only once: a repeated call returns an empty ' +
        'text. webhooks/rotatesecret replaces it.',
    ),
  }),
  shownOnce: ['Secret'],
  example: { Url: 'https://hooks.example.com/events', Kinds: ['appointment.*', 'proposal.accepted'] },
  async run(request, context) {
    const { webhook, secret, changes } = await createWebhook(request, webhookEditor(context), {
      allowLoopback: process.env['STAGE'] === 'local',
      readKey: readCallbackKey,
    });
    return save(changes, { Webhook: webhookToResource(webhook), Secret: secret });
  },
});
