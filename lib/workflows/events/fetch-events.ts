import { subscriberEvent, withoutLinks } from '../../events/event-text.ts';
import { eventKinds } from '../../resources/event-kinds.ts';
import type { DataSubscriberEvent } from '../../resources/events.ts';
import { conflict, invalid } from '../../shared/failure.ts';
import { didYouMean } from '../../shared/text/suggestions.ts';
import type { Caller } from '../../store/requests/caller.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import { countPresent, endOfPage } from '../../store/events/event-sequence.ts';
import {
  type EventPage,
  type Subscriber,
  type SubscriberQueue,
  findQueue,
  listEvents,
  writeBeginningAtNow,
} from '../../store/events/events.ts';
import { getsLinks } from '../../store/links.ts';
import { clearQueue, toSubscriber } from './subscriber-queue.ts';

/** Events that a call with Kinds looks at: as many as a call without returns at most. */
const MAX_LOOKED_AT = 1_000;
const DEFAULT_COUNT = 100;

interface FetchInput {
  readonly ClearThroughId?: number | null | undefined;
  readonly EventCount?: number | null | undefined;
  readonly Kinds?: readonly string[] | null | undefined;
  readonly From?: string | null | undefined;
}

interface Context {
  readonly table: TableWriter;
  readonly caller: Caller;
  readonly now: Date;
}

interface FetchedEvents {
  readonly Events: DataSubscriberEvent[];
  readonly EventCount: number;
}

/**
 * The oldest events that the subscriber has not cleared, as far as they are of its kinds. Clears first on request. If
 * none of the next 1,000 events is of the kinds, they are cleared, so that the next call goes on behind them.
 */
export async function fetchEvents(input: FetchInput, { table, caller, now }: Context): Promise<FetchedEvents> {
  const subscriber = toSubscriber(caller);
  const kinds = readKinds(input.Kinds ?? []);
  const count = input.EventCount ?? DEFAULT_COUNT;
  const queue = await openQueue(input, { table, subscriber, now });
  const { next, last, absent } = queue;
  const newest = endOfPage(absent, next, last, kinds ? MAX_LOOKED_AT : count);
  const page = await listEvents(table, subscriber.account, next, newest, absent);
  const events = page.events.map((event) => subscriberEvent(getsLinks(caller.role) ? event : withoutLinks(event)));
  const found = kinds ? events.filter(({ Payload }) => kinds.has(Payload?.Kind ?? '')).slice(0, count) : events;
  const through = events.at(-1)?.Id;
  if (found.length || through === undefined) return { Events: found, EventCount: countVisible(queue, page) };
  const cleared = await clearQueue(table, subscriber, through, now);
  return { Events: [], EventCount: countVisible(cleared, page) };
}

/** Counting events that cannot be seen yet would let a subscriber who clears by count lose one. */
const countVisible = ({ next, last, absent }: SubscriberQueue, { missing }: EventPage): number =>
  countPresent(absent, next, missing === undefined ? last : missing - 1);

/** The kinds of events that a call asks for; `undefined` for all. Throws 400. */
function readKinds(kinds: readonly string[]): ReadonlySet<string> | undefined {
  const known: readonly string[] = Object.values(eventKinds).flat();
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
  return kinds.length ? new Set(kinds) : undefined;
}

interface QueueContext {
  readonly table: TableWriter;
  readonly subscriber: Subscriber;
  readonly now: Date;
}

/** The queue of the subscriber, after what the call does to its position. Throws 400, and 409 for a late From. */
async function openQueue(
  { ClearThroughId, From }: FetchInput,
  { table, subscriber, now }: QueueContext,
): Promise<SubscriberQueue> {
  if (!From)
    return ClearThroughId ? clearQueue(table, subscriber, ClearThroughId, now) : findQueue(table, subscriber, now);
  if (From.trim().toLowerCase() !== 'now')
    throw invalid({ field: 'From', code: 'unknown_value', message: 'must be now' });
  if (ClearThroughId) throw invalid({ field: 'From', code: 'mismatch', message: 'cannot be sent with ClearThroughId' });
  const queue = await writeBeginningAtNow(table, subscriber, now);
  if (!queue)
    throw conflict(
      'wrong_state',
      `The subscriber ${subscriber.subscriber} has a position already. From is only for one that has not cleared ` +
        'anything: use a key with another Subscriber.',
    );
  return queue;
}
