import { type FailedCall, isCallOf, toFailedCall } from '../../domain/callbacks/failed-calls.ts';
import { listDeadCallbacks } from '../../store/events/callbacks.ts';
import type { StoreReader } from '../../store/store.ts';

/** How many of the newest of the account are looked at. */
const LOOKED_AT = 25;

/**
 * The newest calls that were given up, newest first. Webhooks belong to the account: who sees one organization sees the
 * calls for its events alone.
 */
export async function findFailedCalls(store: StoreReader): Promise<FailedCall[]> {
  const { organizationId } = store;
  const dead = await listDeadCallbacks(store, { limit: LOOKED_AT });
  return dead.filter((call) => organizationId === null || isCallOf(call, organizationId)).map(toFailedCall);
}
