import { newCallbackChanges, callbackKey } from '../../../lib/store/events/callbacks.ts';
import { eventKey } from '../../../lib/store/events/event-sequence.ts';
import type { ReceiverAnswer } from '../../../lib/shared/web/call-receiver.ts';
import type { QueueMessage, ReceivedMessage } from '../../../lib/shared/queues.ts';
import { SECOND } from '../../../lib/shared/time/time.ts';
import { deliverCallbacks } from '../../../lib/workflows/callbacks/deliver-callbacks.ts';
import { callbacks } from '../../../functions/workers/callbacks.ts';
import { memoryTable } from '../stack/memory-table.ts';

/** What a receiver answers, and after how long. */
export interface SimulatedReceiver {
  readonly milliseconds: number;
  readonly status: number | null;
}

export const wellReceiver: SimulatedReceiver = { milliseconds: 50, status: 204 };
export const failingReceiver: SimulatedReceiver = { milliseconds: 50, status: 500 };
/** The call is cut after 10 seconds. */
export const hangingReceiver: SimulatedReceiver = { milliseconds: 10 * SECOND, status: null };

const ACCOUNT = 'simulated';
const POLL_MILLISECONDS = 20;

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

interface Waiting {
  readonly message: QueueMessage;
  readonly at: number;
  /** How often it was received. */
  readonly receives: number;
}

export interface SimulatedLoad {
  readonly events: number;
  readonly perSecond: number;
  /** Of a request to the table, and to the queue. */
  readonly tableMilliseconds: number;
  /** The end, in milliseconds from the first event. */
  readonly until: number;
  /** Called for each message that is sent at once, and for each that the clock would send. */
  readonly onSend?: () => void;
}

/**
 * Events that call receivers in turn, on the clock of `setTimeout`, which the test moves: a queue, its containers and
 * the table, none of which waits for a processor. Returns when each call came, by receiver.
 */
export async function simulateCallbacks(
  receivers: readonly (SimulatedReceiver | undefined)[],
  { events, perSecond, tableMilliseconds, until, onSend }: SimulatedLoad,
): Promise<number[][]> {
  const { batchSize, maximumConcurrency } = callbacks.queue;
  const { table, items } = memoryTable(() => pause(tableMilliseconds));
  const startedAt = Date.now();
  const calls = receivers.map((): number[] => []);
  let queue: Waiting[] = [];
  let containers = 0;

  const call = async (address: string): Promise<ReceiverAnswer> => {
    const index = Number(/receiver(\d+)/.exec(address)?.[1]);
    const { milliseconds, status } = receivers[index] as SimulatedReceiver;
    calls[index]?.push(Date.now() - startedAt);
    await pause(milliseconds);
    return { status, error: '', timedOut: status === null, retryAfter: undefined, milliseconds };
  };
  const readKey = () => Promise.resolve('k'.repeat(43));
  async function runContainer(messages: readonly ReceivedMessage[]): Promise<void> {
    containers++;
    const hide = async (index: number, seconds: number): Promise<void> => {
      const { receives, ...message } = messages[index] as ReceivedMessage;
      await pause(tableMilliseconds);
      queue.push({ message, receives, at: Date.now() + seconds * SECOND });
    };
    await deliverCallbacks(table, messages, { now: new Date(), hide }, { call, readKey });
    containers--;
  }
  async function queueEvent(id: number): Promise<void> {
    const index = id % receivers.length;
    if (!receivers[index]) return;
    const targets = [{ target: 'notification', address: `https://receiver${index}.example.com/` }];
    const payload = {
      put: { ...eventKey({ account: ACCOUNT }, id), Payload: '{"Kind":"contact.created"}', QueuedAt: Date.now() },
    };
    const changes = newCallbackChanges({ account: ACCOUNT }, { id, kind: 'contact.created', targets }, new Date());
    await table.commit([payload, ...changes]);
    onSend?.();
    queue.push({ message: callbackKey({ account: ACCOUNT }, id, 'notification'), at: Date.now(), receives: 0 });
  }

  let queued = 0;
  for (let at = 0; at < until; at += POLL_MILLISECONDS) {
    while (queued < Math.min(events, (at / SECOND) * perSecond)) void queueEvent(queued++);
    const now = Date.now();
    const due = queue.filter((waiting) => waiting.at <= now);
    const taken = due.slice(0, batchSize * (maximumConcurrency - containers));
    const isTaken = new Set(taken);
    queue = queue.filter((waiting) => !isTaken.has(waiting));
    for (let first = 0; first < taken.length; first += batchSize)
      void runContainer(
        taken.slice(first, first + batchSize).map(({ message, receives }) => ({ ...message, receives: receives + 1 })),
      );
    await pause(POLL_MILLISECONDS);
  }
  for (const { PK } of items()) if (PK.startsWith('DELAYED#')) onSend?.();
  return calls;
}
