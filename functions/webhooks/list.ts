import { operation } from '../../lib/api/operation.ts';
import { webhookToResource } from '../../lib/domain/callbacks/to-resource.ts';
import { many } from '../../lib/resources/fields.ts';
import { Webhook } from '../../lib/resources/webhooks.ts';
import { listWebhooks } from '../../lib/store/events/webhooks.ts';
import { webhookReader } from '../../lib/workflows/webhooks/webhook-context.ts';

export const list = operation({
  title: 'List webhooks',
  summary: 'Lists the webhooks of the account, and why one is disabled.',
  access: 'read',
  response: () => ({ Webhooks: many(Webhook) }),
  async run(_, context) {
    const { store } = webhookReader(context);
    return { Webhooks: (await listWebhooks(store)).map(webhookToResource) };
  },
});
