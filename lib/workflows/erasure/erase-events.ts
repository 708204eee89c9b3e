import { setTimeout as pause } from 'node:timers/promises';
import { mapTexts } from '../../domain/contacts/erasure.ts';
import type { Person } from '../../domain/contacts/person.ts';
import { eventPayload, eventText, withoutPerson } from '../../events/event-text.ts';
import type { EventPayload } from '../../resources/events.ts';
import { isEqual } from '../../shared/objects.ts';
import { removedCallbackChanges } from '../../store/events/callbacks.ts';
import { chunks } from '../../store/dynamodb/table.ts';
import { retryUnavailable } from '../../store/dynamodb/errors.ts';
import { findErasure } from '../../store/contacts/erasures.ts';
import { countPresent } from '../../store/events/event-sequence.ts';
import { findQueue, listStoredEvents, writePayload } from '../../store/events/events.ts';
import { drainAccountBacklog } from '../events/drain-backlogs.ts';
import { type Work, idsOf, commit, REMOVALS_AT_ONCE } from './erasure-work.ts';

const STRETCH = 500;

/** Ids this close to the newest may belong to a transaction that is not fully visible yet. */
const UNSETTLED = 200;

const POLL_MILLISECONDS = 250;

/**
 * Removes the person from every stored event, once the queue has the events of what this erasure wrote: no event of an
 * earlier state comes later. Returns why it could not be completed.
 */
export async function eraseEvents(work: Work, others: Person): Promise<string | undefined> {
  const { store, contactId } = work;
  const started = Date.now();
  const deadline = started + work.patience;
  const changes = Object.keys((await findErasure(store, contactId))?.Changes ?? {});
  const awaited = new Set(changes);
  const calls = new Set(changes.flatMap((name) => (name.startsWith('Call.') ? Number(name.split('.')[1]) : [])));
  const queue = () => findQueue(store, '', work.now());
  let next = await oldestStored(work, (await queue()).next);
  for (;;) {
    const drained = await drainAccountBacklog(store, { now: work.now(), deadline });
    const { last, absent } = await queue();
    while (next <= last) {
      const end = Math.min(last, next + STRETCH - 1);
      const stored = await listStoredEvents(store, next, end);
      const own: number[] = [];
      let erased = 0;
      for (const { id, change, payload } of stored) {
        if (change) awaited.delete(change);
        const event = eventPayload(payload);
        if (!isAbout(work, event, calls)) {
          if (work.redactsMentions) await redactEvent(work, others, { id, event });
          continue;
        }
        own.push(id);
        if (await eraseEvent(work, id, event)) erased++;
      }
      await removeCallbacks(work, own);
      if (erased) await commit(work, [], { Events: erased });
      const seen = new Set(stored.map(({ id }) => id));
      const hidden = Array.from({ length: end - next + 1 }, (_, index) => next + index).find(
        (id) => id > last - UNSETTLED && !seen.has(id) && countPresent(absent, id, id) > 0,
      );
      next = hidden ?? end + 1;
      if (hidden !== undefined) break;
    }
    if (!awaited.size && next > last && !drained.isUnfinished) return undefined;
    if (Date.now() >= deadline) return 'The event queue is behind: events of earlier changes are still to come.';
    await pause(POLL_MILLISECONDS);
  }
}

/** Expired events stay in the table until its time to live removes them, within days. */
async function oldestStored({ store }: Work, oldest: number): Promise<number> {
  let first = oldest;
  while (first > 1) {
    const start = Math.max(1, first - STRETCH);
    if (!(await listStoredEvents(store, start, first - 1)).length) return first;
    first = start;
  }
  return first;
}

export const isAbout = (work: Work, { Kind, Id, ContactId }: EventPayload, calls: ReadonlySet<number>): boolean =>
  idsOf(work).some((id) => id === ContactId) || (Kind.startsWith('call.') && calls.has(Id));

/** Returns whether the event contained anything of the person. */
async function eraseEvent({ store }: Work, id: number, event: EventPayload): Promise<boolean> {
  const erased = withoutPerson(event);
  if (isEqual(event, erased)) return false;
  await retryUnavailable(() => writePayload(store, id, eventText(erased)));
  return true;
}

/** Redacts an event of another record that mentions the person. */
async function redactEvent(
  { store }: Work,
  others: Person,
  { id, event }: { readonly id: number; readonly event: EventPayload },
): Promise<void> {
  const redacted = mapTexts(event, (text) => others.redact(text));
  if (!isEqual(event, redacted)) await retryUnavailable(() => writePayload(store, id, eventText(redacted)));
}

/** Receivers get no more calls about what happened to the person. */
export async function removeCallbacks(work: Work, eventIds: readonly number[]): Promise<void> {
  const { store } = work;
  for (const id of eventIds) {
    const changes = await removedCallbackChanges(store, id);
    // Each has, or could have, an entry in the list of those that were given up.
    for (const part of chunks(changes, REMOVALS_AT_ONCE))
      await retryUnavailable(() => commit(work, part, { Callbacks: part.length / 2 }));
  }
}
