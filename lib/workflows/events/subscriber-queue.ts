import type { Caller } from '../../store/caller.ts';
import { forbidden, invalid } from '../../shared/failure.ts';
import type { TableWriter } from '../../store/dynamodb/client.ts';
import { type Subscriber, type SubscriberQueue, writeClearedThrough } from '../../store/events.ts';

/**
 * Whose cursor a call moves: that of the key's Subscriber name. The queue is the account's, with the changes of all its
 * organizations.
 */
export function toSubscriber({ accountId, organizationId, subscriber }: Caller): Subscriber {
  if (organizationId !== null)
    throw forbidden("The event queue is the account's: use a key that is not bound to an organization.");
  return { account: accountId, subscriber };
}

/** Clears, and answers the queue as it is then; 400 when there is no such event yet. */
export async function clearQueue(
  table: TableWriter,
  subscriber: Subscriber,
  throughId: number,
  now: Date,
): Promise<SubscriberQueue> {
  const queue = await writeClearedThrough(table, subscriber, throughId, now);
  if (!queue) throw invalid({ field: 'ClearThroughId', message: 'is beyond the newest event' });
  return queue;
}
