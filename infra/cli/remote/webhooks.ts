import type { Webhook, WebhookCall } from '../../../lib/resources/webhooks.ts';
import { HOUR } from '../../../lib/shared/time/time.ts';
import { LISTED_EVENTS, type WebhookActions, isKept, printed } from '../definitions/webhooks.ts';
import { connect } from './connect.ts';

/** The limits of webhooks/calls and webhooks/replay. */
const [LISTED_AT_ONCE, REPLAYED_AT_ONCE] = [1_000, 25];

const webhookOf = (answer: object): Webhook => (answer as { Webhook: Webhook }).Webhook;

/** The `webhook` commands over HTTP. */
export const webhookActions: WebhookActions = {
  async create({ url, kinds, json, ...options }) {
    const answer = await (await connect(options)).call('webhooks/create', { Url: url, Kinds: kinds });
    printed.created(webhookOf(answer), String(answer['Secret']), json);
  },
  async list({ json, ...options }) {
    const fs = await connect(options);
    const { Webhooks } = await fs.call('webhooks/list', {});
    const { Calls } = await fs.call('webhooks/calls', { EventCount: LISTED_EVENTS });
    printed.list(Webhooks as readonly Webhook[], Calls as readonly WebhookCall[], json);
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
  async pause(id, { json, ...options }) {
    const answer = await (await connect(options)).call('webhooks/update', { Id: id, Paused: true });
    printed.webhook(webhookOf(answer), json);
  },
  async resume(id, { json, ...options }) {
    const fs = await connect(options);
    const webhook = webhookOf(await fs.call('webhooks/update', { Id: id, Paused: false }));
    const kept = new Set<string>();
    for (let through: number | undefined, isMore = true; isMore;) {
      const page = { Dead: true, EventCount: LISTED_AT_ONCE, ThroughEventId: through };
      const Calls = (await fs.call('webhooks/calls', page))['Calls'] as readonly WebhookCall[];
      for (const dead of Calls) if (dead.WebhookId === id && isKept(dead)) kept.add(dead.Id);
      through = Calls.at(-1)?.EventId;
      isMore = Calls.length >= LISTED_AT_ONCE;
    }
    for (const ids = [...kept]; ids.length;) await fs.call('webhooks/replay', { Ids: ids.splice(0, REPLAYED_AT_ONCE) });
    printed.resumed(webhook, kept.size, json);
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
