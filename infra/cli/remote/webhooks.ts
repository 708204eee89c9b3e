import type { Webhook } from '../../../lib/resources/webhooks.ts';
import { HOUR } from '../../../lib/shared/time/time.ts';
import { type WebhookActions, printed } from '../definitions/webhooks.ts';
import { connect } from './connect.ts';

const webhookOf = (answer: object): Webhook => (answer as { Webhook: Webhook }).Webhook;

/** The commands `webhook …` over HTTP. */
export const webhookActions: WebhookActions = {
  async create({ url, kinds, json, ...options }) {
    const answer = await (await connect(options)).call('webhooks/create', { Url: url, Kinds: kinds });
    printed.created(webhookOf(answer), String(answer['Secret']), json);
  },
  async list({ json, ...options }) {
    const { Webhooks } = await (await connect(options)).call('webhooks/list', {});
    printed.list(Webhooks as readonly Webhook[], json);
  },
  async update(id, { url, kinds, json, ...options }) {
    const answer = await (await connect(options)).call('webhooks/update', { Id: id, Url: url, Kinds: kinds });
    printed.webhook(webhookOf(answer), json);
  },
  async remove(id, { json, ...options }) {
    await (await connect(options)).call('webhooks/delete', { Id: id });
    printed.removed(id, json);
  },
  async enable(id, { json, ...options }) {
    const answer = await (await connect(options)).call('webhooks/update', { Id: id, Enabled: true });
    printed.webhook(webhookOf(answer), json);
  },
  async rotate(id, { grace, json, ...options }) {
    const request = { Id: id, GraceHours: Math.ceil(grace / HOUR) };
    const { Secret, PreviousValidUntil } = await (await connect(options)).call('webhooks/rotatesecret', request);
    printed.rotated(String(Secret), String(PreviousValidUntil), json);
  },
  async test(id, { json, ...options }) {
    const { Status, Reason, Milliseconds } = await (await connect(options)).call('webhooks/test', { Id: id });
    const answer = { Status: Status as number | null, Reason: String(Reason), Milliseconds: Number(Milliseconds) };
    printed.tested(answer, json);
  },
};
