import type { Change, Item } from './changes.ts';
import type { TableWriter } from './client.ts';
import { StoreConflict, StoreUnavailable } from './errors.ts';
import { expiryOf } from './event-days.ts';
import { eventKey, sequenceOf } from './events.ts';
import { layout } from './layout.ts';

/** An event to be queued. */
export interface NewEvent {
  /**
   * Name of the change in its account, the same at every delivery: it becomes one event however often it is delivered.
   */
  readonly change: string;
  /** JSON. */
  readonly payload: string;
}

/**
 * A transaction takes 100 items and 4 MB: the sequence, and two for each event, which with the key and attribute names
 * stays well under.
 */
const MOST_EVENTS = 49;
const MOST_BYTES = 3_500_000;

/** A stream keeps records for 24 hours; a change is remembered for twice that, lest it be delivered again. */
const REMEMBERED_SECONDS = 48 * 60 * 60;

const LONGEST_WAIT = 1_000;

/** Parts a list of events, in its order, into what one transaction takes. */
export function transactionsOf<Event extends NewEvent>(events: readonly Event[]): Event[][] {
  const parts: Event[][] = [];
  let bytes = 0;
  for (const event of events) {
    const size = Buffer.byteLength(event.payload);
    const part = parts.at(-1);
    bytes += size;
    if (part && part.length < MOST_EVENTS && bytes <= MOST_BYTES) part.push(event);
    else {
      parts.push([event]);
      bytes = size;
    }
  }
  return parts;
}

const seenKey = (account: string, change: string) => layout.eventSeen.key({ account, change });

/** The transaction that queues `events` behind what the sequence item says, for as long as it says so. */
function changesOf(account: string, item: Item | undefined, events: readonly NewEvent[], now: Date): Change[] {
  const { Last, Days, RetentionDays } = sequenceOf(item);
  const { expires, days } = expiryOf(Days, Last + 1, now, RetentionDays);
  const remembered = Math.floor(now.getTime() / 1000) + REMEMBERED_SECONDS;
  return [
    {
      update: layout.sequence.key({ account }),
      set: { Last: Last + events.length, ...(days ? { Days: days } : {}) },
      if: { equals: { Last: item?.['Last'] } },
    },
    ...events.flatMap(({ change, payload }, index): Change[] => [
      { put: { ...eventKey(account, Last + 1 + index), QueuedAt: now.getTime(), Payload: payload, TTL: expires } },
      { put: { ...seenKey(account, change), TTL: remembered }, if: 'absent' },
    ]),
  ];
}

const wait = (attempt: number) =>
  new Promise((done) => setTimeout(done, Math.random() * Math.min(LONGEST_WAIT, 10 * 2 ** attempt)));
const passing = (error: unknown): boolean => error instanceof StoreConflict || error instanceof StoreUnavailable;

/**
 * Queues the events of one transaction (see `transactionsOf`) of an account, in order, each once: those whose change
 * was queued before are left out. Ids follow one another without gap, because the ids, the events and the memory of
 * their changes are one transaction that holds only while nobody else has given ids. Where somebody has, or the store
 * is away, it tries again until `deadline` (milliseconds since 1970). Answers how many were new.
 */
export async function appendEvents(
  table: TableWriter,
  account: string,
  events: readonly NewEvent[],
  now: Date,
  deadline: number,
): Promise<number> {
  const distinct = [...new Map(events.map((event) => [event.change, event])).values()];
  const sequence = layout.sequence.key({ account });
  for (let attempt = 0; ; attempt++) {
    try {
      // Nearly always all are new: which are not is asked only after the first try has failed, or ended nobody knows
      // how.
      const asked = attempt ? distinct.map(({ change }) => seenKey(account, change)) : [];
      const items = await table.getMany([sequence, ...asked]);
      const found = new Map(items.map((item) => [item.PK, item]));
      const fresh = attempt ? distinct.filter(({ change }) => !found.has(seenKey(account, change).PK)) : distinct;
      if (fresh.length) await table.commit(changesOf(account, found.get(sequence.PK), fresh, now));
      return fresh.length;
    } catch (error) {
      if (!passing(error) || Date.now() > deadline) throw error;
      await wait(attempt);
    }
  }
}
