import { forbidden, invalid } from '../../shared/failure.ts';
import type { Caller } from '../../store/caller.ts';
import type { TableWriter } from '../../store/dynamodb/client.ts';
import { type Subscriber, type SubscriberQueue, writeClearedThrough } from '../../store/events.ts';

/** The subscriber that the caller's key names. The queue holds the changes of all organizations of the account. */
export function toSubscriber({ accountId, organizationId, subscriber }: Caller): Subscriber {
  if (organizationId !== null)
    throw forbidden("The event queue is the account's: use a key that is not bound to an organization.");
  return { account: accountId, subscriber };
}

/** Clears events through an id, at once, and returns the queue after it. */
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
