import { type CallId, formatCallId, parseCallId } from '../../domain/callbacks/call-id.ts';
import { isKept, webhookIdOf } from '../../domain/callbacks/targets.ts';
import { callToResource } from '../../domain/callbacks/to-resource.ts';
import type { CallbackRecord } from '../../entities/webhooks.ts';
import { eventPayload } from '../../events/event-text.ts';
import type { WebhookCall } from '../../resources/webhooks.ts';
import { type FieldError, invalid, notFound } from '../../shared/failure.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import {
  callbackKey,
  findCallbacks,
  listCallbacks,
  listDeadCallbacks,
  replayChanges,
} from '../../store/events/callbacks.ts';
import { newestPresent } from '../../store/events/event-sequence.ts';
import { findQueue } from '../../store/events/events.ts';
import type { StoreReader } from '../../store/store.ts';
import type { WebhookEditor, WebhookReader } from './webhook-context.ts';

export interface CallFilter {
  /** Lists only calls that were given up. */
  readonly isDead: boolean;
  /** The number of events; of calls, if only those that were given up are listed. */
  readonly last: number;
  /** The newest event to include. */
  readonly through?: number | undefined;
  readonly webhookId?: number | undefined;
}

/** The calls of the newest events, or those that were given up, newest first. */
export async function listCalls(
  { store }: WebhookReader,
  { isDead, last, through, webhookId }: CallFilter,
  now: Date,
): Promise<CallbackRecord[]> {
  const isWanted = ({ Target }: CallbackRecord) => webhookId === undefined || webhookIdOf(Target) === webhookId;
  if (isDead) return (await listDeadCallbacks(store, { limit: last, through })).filter(isWanted);
  const queue = await findQueue(store, '', now);
  const newest = Math.min(newestPresent(queue.absent, queue.last), through ?? Infinity);
  if (newest < 1) return [];
  const calls = await listCallbacks(store, { first: Math.max(1, newest - last + 1), last: newest });
  return calls.filter(isWanted);
}

/** How many of the account's newest calls that were given up are looked at, and how many are listed. */
const [LOOKED_AT, LISTED] = [100, 25];

/**
 * The newest calls that failed for good, newest first: those for events of the store's organization, because webhooks
 * belong to the account. A call that a paused webhook has missed has not failed.
 */
export async function listFailedCalls(store: StoreReader): Promise<WebhookCall[]> {
  const isOwn = ({ Payload }: CallbackRecord) =>
    Payload !== undefined && eventPayload(Payload).OrganizationId === store.organizationId;
  const dead = await listDeadCallbacks(store, { limit: LOOKED_AT });
  const calls = dead.filter(isOwn).map(callToResource);
  return calls.filter((call) => !isKept(call)).slice(0, LISTED);
}

/** The ids of calls, each once. Throws invalid. */
function readCallIds(texts: readonly string[]): CallId[] {
  const errors: FieldError[] = [];
  const ids = texts.flatMap((text, index) => {
    const id = parseCallId(text.trim());
    if (!id) errors.push({ field: `Ids[${index}]`, code: 'format', message: 'must be an id like 12-webhook-1' });
    return id ?? [];
  });
  if (errors.length) throw invalid(...errors);
  return [...new Map(ids.map((id) => [formatCallId(id), id])).values()];
}

/** Calls by their ids. Throws 404 if one is missing. */
export async function loadCalls({ store }: WebhookReader, ids: readonly CallId[]): Promise<CallbackRecord[]> {
  const found = await findCallbacks(
    store.table,
    ids.map(({ event, target }) => callbackKey(store, event, target)),
  );
  const isFound = ({ event, target }: CallId) =>
    found.some(({ EventId, Target }) => EventId === event && Target === target);
  const missing = ids.find((id) => !isFound(id));
  if (missing) throw notFound('call', 'Ids', formatCallId(missing), { advice: 'Calls are kept for 30 days.' });
  return found;
}

/** Repeats calls at once, with all attempts, whatever their state. Throws invalid, and 404. */
export async function replayCalls(
  ids: readonly string[],
  { store, now }: Pick<WebhookEditor, 'store' | 'now'>,
): Promise<{ calls: CallbackRecord[]; changes: Change[] }> {
  const found = await loadCalls({ store }, readCallIds(ids));
  const calls = found.map((call) => ({
    ...call,
    State: 'waiting' as const,
    Attempts: 0,
    At: now.getTime(),
    Created: now.getTime(),
    Reason: '',
  }));
  return { calls, changes: found.flatMap((call) => replayChanges(store, call, now)) };
}
