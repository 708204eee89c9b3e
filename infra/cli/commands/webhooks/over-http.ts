import { isKept } from '../../../../lib/domain/callbacks/targets.ts';
import type { Webhook, WebhookCall } from '../../../../lib/resources/webhooks.ts';
import { HOUR } from '../../../../lib/shared/time/time.ts';
import type { Api } from '../../remote/connect.ts';
import { LISTED_EVENTS, type Webhooks } from './account-webhooks.ts';

/** The limits of webhooks/calls and webhooks/replay. */
const [LISTED_AT_ONCE, REPLAYED_AT_ONCE] = [1_000, 25];

const webhookOf = (answer: object): Webhook => (answer as { Webhook: Webhook }).Webhook;

/** The ids of the calls that were kept while the webhook was paused. */
async function findKept(fs: Api, id: number): Promise<string[]> {
  const kept = new Set<string>();
  for (let through: number | undefined, isMore = true; isMore;) {
    const page = { Dead: true, EventCount: LISTED_AT_ONCE, ThroughEventId: through };
    const Calls = (await fs.call('webhooks/calls', page))['Calls'] as readonly WebhookCall[];
    for (const dead of Calls) if (dead.WebhookId === id && isKept(dead)) kept.add(dead.Id);
    through = Calls.at(-1)?.EventId;
    isMore = Calls.length >= LISTED_AT_ONCE;
  }
  return [...kept];
}

/** Webhooks through the operations of the API. */
export const webhooksOverHttp = (fs: Api): Webhooks => ({
  async create({ url, kinds }) {
    const answer = await fs.call('webhooks/create', { Url: url, Kinds: kinds });
    return { webhook: webhookOf(answer), secret: String(answer['Secret']) };
  },
  async list() {
    const { Webhooks: webhooks } = await fs.call('webhooks/list', {});
    const { Calls: calls } = await fs.call('webhooks/calls', { EventCount: LISTED_EVENTS });
    return { webhooks: webhooks as readonly Webhook[], calls: calls as readonly WebhookCall[] };
  },
  update: async (id, { url, kinds, enabled, paused }) =>
    webhookOf(await fs.call('webhooks/update', { Id: id, Url: url, Kinds: kinds, Enabled: enabled, Paused: paused })),
  async makeKept(id) {
    const kept = await findKept(fs, id);
    for (const ids = [...kept]; ids.length;) await fs.call('webhooks/replay', { Ids: ids.splice(0, REPLAYED_AT_ONCE) });
    return kept.length;
  },
  async remove(id) {
    await fs.call('webhooks/delete', { Id: id });
  },
  async rotate(id, grace) {
    const answer = await fs.call('webhooks/rotatesecret', { Id: id, GraceHours: Math.ceil(grace / HOUR) });
    return { secret: String(answer['Secret']), previousUntil: String(answer['PreviousValidUntil']) };
  },
  async test(id) {
    const { Status, Reason, Milliseconds } = await fs.call('webhooks/test', { Id: id });
    return { Status: Status as number | null, Reason: String(Reason), Milliseconds: Number(Milliseconds) };
  },
});
