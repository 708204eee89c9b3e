import { eventKinds } from '../../resources/event-kinds.ts';
import { didYouMean } from '../../shared/text/suggestions.ts';

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
