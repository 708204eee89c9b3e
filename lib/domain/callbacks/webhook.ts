import type { Webhook } from '../../entities/webhooks.ts';

/** An event calls at most so many, in the transaction that queues it. */
export const MAX_WEBHOOKS = 10;

/** Whether a webhook is called with events of a kind. */
export const wantsKind = ({ Kinds }: Pick<Webhook, 'Kinds'>, kind: string): boolean =>
  Kinds.some((pattern) => pattern === '*' || pattern === kind || pattern === `${kind.split('.')[0]}.*`);
