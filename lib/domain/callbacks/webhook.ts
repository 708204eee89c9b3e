import type { Webhook } from '../../entities/webhooks.ts';
import { eventKinds } from '../../resources/event-kinds.ts';
import { didYouMean } from '../../shared/text/suggestions.ts';

/**
 * Which kinds of events a webhook is called with.
 */

/** An event calls at most so many, in the transaction that queues it. */
export const MAX_WEBHOOKS = 10;

/** Whether a webhook is called with events of a kind. */
export const wantsKind = ({ Kinds }: Pick<Webhook, 'Kinds'>, kind: string): boolean =>
  Kinds.some((pattern) => pattern === '*' || pattern === kind || pattern === `${kind.split('.')[0]}.*`);

/** What a webhook may be called with: each kind, all of one record, or all. */
const knownKinds = (): string[] => [
  '*',
  ...Object.keys(eventKinds).map((noun) => `${noun}.*`),
  ...Object.values(eventKinds).flat(),
];

/** What to write instead of a kind that does not exist; `undefined` for one that does. */
export function adviceForKind(kind: string): string | undefined {
  const known = knownKinds();
  if (known.includes(kind)) return undefined;
  const forms = 'Write kinds like appointment.booked, proposal.* or *; they begin with';
  return didYouMean(kind, known) || `${forms} ${Object.keys(eventKinds).join(', ')}.`;
}
