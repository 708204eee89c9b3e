import type { BatchOptions } from '../../shared/batch.ts';
import type { Delivery } from '../../delivery/delivery.ts';
import type { FailedMessage, QueueOutcome, ReceivedMessage, WaitingMessage } from '../../shared/queues.ts';
import { type PatientTable, withCurrentValues } from '../../store/dynamodb/table.ts';
import { triggerOf, upcomingOf } from '../../store/events/message-plans.ts';
import { accountOfKey } from '../../store/keys.ts';
import { accountStore } from '../../store/store.ts';
import { decideMessages } from './decide-messages.ts';
import { deliverMessage } from './deliver-message.ts';
import { planUpcoming } from './plan-upcoming.ts';

/**
 * Decides about what is due, and sends the messages that were decided, for a batch of their queue. Writes at once. Safe
 * to repeat, also concurrently and after a kill: what is decided is one transaction, and a message is claimed before it
 * is sent. A message that the service does not take yet stays in the queue, invisible while it waits.
 */
export async function sendMessages(
  table: PatientTable,
  messages: readonly ReceivedMessage[],
  options: BatchOptions,
  delivery: Delivery,
): Promise<QueueOutcome> {
  const { now } = options;
  const failures: FailedMessage[] = [];
  const waiting: WaitingMessage[] = [];
  const work = async (message: ReceivedMessage, index: number): Promise<void> => {
    const store = accountStore(withCurrentValues(table), accountOfKey(message) ?? '');
    const trigger = triggerOf(message);
    const upcoming = upcomingOf(message);
    if (upcoming) return planUpcoming(store, upcoming, options);
    const seconds = await (trigger
      ? decideMessages(store, trigger, now)
      : deliverMessage(store, message, now, delivery));
    if (seconds !== undefined) waiting.push({ index, seconds });
  };
  await Promise.all(
    messages.map((message, index) => work(message, index).catch((error: unknown) => failures.push({ index, error }))),
  );
  return { done: messages.length - failures.length - waiting.length, failures, waiting };
}
