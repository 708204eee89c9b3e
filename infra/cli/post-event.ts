import { setTimeout as pause } from 'node:timers/promises';
import { type ReceiverAnswer, callReceiver } from '../../lib/shared/web/call-receiver.ts';
import { webhookHeaders } from '../../lib/shared/web/standard-webhooks.ts';
import { SECOND } from '../../lib/shared/time/time.ts';
import { ANY_STACK, type ReadEvent } from './definitions/events.ts';

/** Waits between attempts while the receiver fails, in milliseconds; the last one repeats. */
const WAITS = [1_000, 2_000, 5_000, 10_000] as const;

/** The receiver of events, and what its calls contain. */
export interface Receiver {
  readonly to: string;
  /** The id of the message, the same for every attempt. */
  readonly messageId: (event: ReadEvent) => string;
  /** Called for each attempt, because the secret may have been replaced. */
  readonly secrets: () => Promise<readonly string[]> | readonly string[];
}

/** Posts an event until the receiver has it. */
export async function postEvent(event: ReadEvent, { to, messageId, secrets }: Receiver): Promise<ReceiverAnswer> {
  const body = JSON.stringify(event);
  let warned = '';
  for (let attempt = 0; ; attempt++) {
    const message = { id: messageId(event), timestamp: Math.floor(Date.now() / SECOND), body };
    const answer = await callReceiver(to, body, { headers: webhookHeaders(message, await secrets()), ...ANY_STACK });
    const { status, error } = answer;
    if (status !== null && status >= 200 && status < 300) return answer;
    const reason = status === null ? error : `HTTP ${status}.`;
    if (reason !== warned) process.stderr.write(`Event ${event.Id} is repeated until ${to} has it: ${reason}\n`);
    warned = reason;
    await pause(WAITS[Math.min(attempt, WAITS.length - 1)]);
  }
}

/** The line for a delivered event. */
export function deliveryLine({ Id: EventId, Payload }: ReadEvent, answer: ReceiverAnswer, json: boolean): string {
  const { Kind, Id } = Payload ?? { Kind: '', Id: 0 };
  const { status: Status, milliseconds: Milliseconds } = answer;
  if (json) return JSON.stringify({ EventId, Kind, Id, Status, Milliseconds });
  const columns = [String(EventId).padStart(8), Kind.padEnd(22), String(Id).padStart(8), Status];
  return `${columns.join('  ')}  ${String(Milliseconds).padStart(5)} ms`;
}
