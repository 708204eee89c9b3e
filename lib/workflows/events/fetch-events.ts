import { subscriberEvent, withoutLinks } from '../../events/event-text.ts';
import { flatPayload, isFlatKind } from '../../events/flat-event.ts';
import { allEventKinds } from '../../domain/event-kinds.ts';
import type { DataSubscriberEvent } from '../../resources/events.ts';
import { conflict, invalid } from '../../shared/failure.ts';
import { didYouMean } from '../../shared/text/suggestions.ts';
import type { Caller } from '../../store/requests/caller.ts';
import { countPresent, endOfPage } from '../../store/events/event-sequence.ts';
import {
  type EventPage,
  type SubscriberQueue,
  findQueue,
  listEvents,
  writeBeginningAtNow,
} from '../../store/events/events.ts';
import { getsLinks } from '../../store/links.ts';
import { findZonesOf } from '../../store/accounts/organization-zones.ts';
import { clearQueue, toSubscriber } from './subscriber-queue.ts';
import type { StoreWriter } from '../../store/store.ts';

/** Events that a call with Kinds examines: the maximum that a call without Kinds returns. */
const MAX_LOOKED_AT = 1_000;
/** How many times a reader of the flat feed, which takes an empty answer for the end, examines that many. */
const FLAT_LOOKS = 20;
const DEFAULT_COUNT = 100;

interface FetchInput {
  readonly ClearThroughId?: number | null | undefined;
  readonly EventCount?: number | null | undefined;
  readonly Kinds?: readonly string[] | null | undefined;
  readonly From?: string | null | undefined;
}

interface Context {
  readonly store: StoreWriter;
  readonly caller: Caller;
  readonly now: Date;
}

interface FetchedEvents {
  readonly Events: DataSubscriberEvent[];
  readonly EventCount: number;
}

/**
 * The oldest events that the subscriber has not cleared, limited to its kinds. Clears first on request. If none of the
 * next 1,000 events is of these kinds, they are cleared, so that the next call continues after them; for a key of the
 * flat feed, this call does.
 */
export async function fetchEvents(input: FetchInput, { store, caller, now }: Context): Promise<FetchedEvents> {
  const subscriber = toSubscriber(caller);
  const isFlat = caller.feed === 'flat';
  const isWanted = wantedKinds(input.Kinds ?? [], isFlat);
  const count = input.EventCount ?? DEFAULT_COUNT;
  let queue = await openQueue(input, { store, subscriber, now });
  for (let looks = isFlat ? FLAT_LOOKS : 1; ; looks--) {
    const { next, last, absent } = queue;
    const newest = endOfPage(absent, next, last, isWanted ? MAX_LOOKED_AT : count);
    const page = await listEvents(store, next, newest, absent);
    const events = page.events.map((event) => subscriberEvent(getsLinks(caller.role) ? event : withoutLinks(event)));
    const found = isWanted ? events.filter(({ Payload }) => isWanted(Payload?.Kind ?? '')).slice(0, count) : events;
    const through = events.at(-1)?.Id;
    if (found.length || through === undefined) {
      const Events = isFlat ? await flatEvents(store, found) : found;
      return { Events, EventCount: countVisible(queue, page) };
    }
    queue = await clearQueue(store, subscriber, through, now);
    if (looks === 1 || queue.next > queue.last) return { Events: [], EventCount: countVisible(queue, page) };
  }
}

/** The events in the shape of the older feed, with dates in the zones of their organizations. */
async function flatEvents(store: StoreWriter, events: readonly DataSubscriberEvent[]): Promise<DataSubscriberEvent[]> {
  const organizations = events.flatMap(({ Payload }) => Payload?.OrganizationId ?? []);
  const zones = organizations.length ? await findZonesOf(store, organizations) : undefined;
  return events.map((event) => {
    const zone = zones?.get(event.Payload?.OrganizationId ?? 0) ?? 'UTC';
    return { ...event, Payload: event.Payload && flatPayload(event.Payload, zone) };
  });
}

/** Counts only visible events: a subscriber who clears by count would lose one that cannot be seen yet. */
const countVisible = ({ next, last, absent }: SubscriberQueue, { missing }: EventPage): number =>
  countPresent(absent, next, missing === undefined ? last : missing - 1);

/** A filter for the kinds of events that a call gets; `undefined` if it gets all. Throws 400. */
function wantedKinds(kinds: readonly string[], isFlat: boolean): ((kind: string) => boolean) | undefined {
  const known: readonly string[] = allEventKinds;
  const errors = kinds.flatMap((kind, index) =>
    known.includes(kind)
      ? []
      : [
          {
            field: `Kinds[${index}]`,
            code: 'unknown_value' as const,
            message: `is not a kind of event. ${didYouMean(kind, known)}`.trim(),
          },
        ],
  );
  if (errors.length) throw invalid(...errors);
  if (!kinds.length) return isFlat ? isFlatKind : undefined;
  return (kind) => kinds.includes(kind) && (!isFlat || isFlatKind(kind));
}

interface QueueContext {
  readonly store: StoreWriter;
  readonly subscriber: string;
  readonly now: Date;
}

/** The subscriber's queue, after the position change of this call. Throws 400, and 409 for a late From. */
async function openQueue(
  { ClearThroughId, From }: FetchInput,
  { store, subscriber, now }: QueueContext,
): Promise<SubscriberQueue> {
  if (!From)
    return ClearThroughId ? clearQueue(store, subscriber, ClearThroughId, now) : findQueue(store, subscriber, now);
  if (From.trim().toLowerCase() !== 'now')
    throw invalid({ field: 'From', code: 'unknown_value', message: 'must be now' });
  if (ClearThroughId) throw invalid({ field: 'From', code: 'mismatch', message: 'cannot be sent with ClearThroughId' });
  const queue = await writeBeginningAtNow(store, subscriber, now);
  if (!queue)
    throw conflict(
      'wrong_state',
      `The subscriber ${subscriber} has a position already. From is only for one that has not cleared ` +
        'anything: use a key with another Subscriber.',
    );
  return queue;
}
