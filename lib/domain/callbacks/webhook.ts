import type { Webhook } from '../../entities/webhooks.ts';
import { allEventKinds, eventNouns } from '../event-kinds.ts';
import { didYouMean } from '../../shared/text/suggestions.ts';

/** Which kinds of events a webhook receives. */

/** The most webhooks that an event calls, all in the transaction that queues it. */
export const MAX_WEBHOOKS = 10;

/** Whether a webhook receives events of a kind. */
export const wantsKind = ({ Kinds }: Pick<Webhook, 'Kinds'>, kind: string): boolean =>
  Kinds.some((pattern) => pattern === '*' || pattern === kind || pattern === `${kind.split('.')[0]}.*`);

/** What a webhook may subscribe to: single kinds, all kinds of one record, or everything. */
const knownKinds = (): string[] => ['*', ...eventNouns.map((noun) => `${noun}.*`), ...allEventKinds];

/** What to write instead of an unknown kind; `undefined` for a known one. */
export function adviceForKind(kind: string): string | undefined {
  const known = knownKinds();
  if (known.includes(kind)) return undefined;
  const forms = 'Write kinds like appointment.booked, proposal.* or *; they begin with';
  return didYouMean(kind, known) || `${forms} ${eventNouns.join(', ')}.`;
}
