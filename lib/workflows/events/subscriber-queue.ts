import { forbidden, invalid } from '../../shared/failure.ts';
import type { Caller } from '../../store/requests/caller.ts';
import { type SubscriberQueue, writeClearedThrough } from '../../store/events/events.ts';
import type { StoreWriter } from '../../store/store.ts';

/** Throws 403 for a key of one organization, because subscribers read events of all organizations of the account. */
export function requireAccountKey({ organizationId }: Pick<Caller, 'organizationId'>): void {
  if (organizationId !== null)
    throw forbidden(
      'organization_forbidden',
      'Subscribers read the data of the whole account: use a key that is not bound to an organization.',
    );
}

/** The subscriber that the caller's key names. */
export function toSubscriber(caller: Caller): string {
  requireAccountKey(caller);
  return caller.subscriber;
}

/** Clears events up to an id, at once, and returns the resulting queue. */
export async function clearQueue(
  store: StoreWriter,
  subscriber: string,
  throughId: number,
  now: Date,
): Promise<SubscriberQueue> {
  const queue = await writeClearedThrough(store, subscriber, throughId, now);
  if (!queue) throw invalid({ field: 'ClearThroughId', code: 'range', message: 'is beyond the newest event' });
  return queue;
}
