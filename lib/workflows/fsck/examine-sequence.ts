import { DAY, SECOND } from '../../shared/time/time.ts';
import type { Item } from '../../store/dynamodb/changes.ts';
import {
  type IdRange,
  newestPresent,
  oldestReadable,
  packDays,
  presentRanges,
  toSequence,
} from '../../store/events/event-sequence.ts';
import { cursorName, listEventRows } from '../../store/events/events.ts';
import { layout } from '../../store/keys.ts';
import type { Problem, Repair } from './problem.ts';
import type { StoreReader } from '../../store/store.ts';

/** Ids examined beyond the newest: a transaction queues at most 99 events. */
const AHEAD = 200;
/** Ids per round: 20 queries at once. */
const STRETCH = 1_000;

const formatRange = ({ first, last }: IdRange): string => (first === last ? `${first}` : `${first} to ${last}`);

/** Checks the queue of an account: an event for every readable id, none beyond the newest, days and cursors. */
export async function examineSequence(store: StoreReader, now: Date): Promise<Problem[]> {
  const { account, table } = store;
  const key = layout.sequence.key({ account });
  const item = await table.get(key);
  const { Last, Days, Absent } = toSequence(item);
  const oldest = await findOldest(store, { Absent, from: oldestReadable(Days, Last, now) }, now);
  const found = new FoundEvents();
  for (let first = oldest; first <= Last + AHEAD; first += STRETCH)
    found.add(await listEventRows(store, first, Math.min(Last + AHEAD, first + STRETCH - 1)));

  const change = (set: Record<string, unknown>, message: string): Repair => ({
    message,
    changes: [{ update: key, set, if: { equals: { Last: item?.['Last'] } } }],
  });
  const through = found.newest > Last ? found.newest : Last;
  const missing = presentRanges([...Absent, ...found.ranges], oldest, through);
  if (through > Last || missing.length) {
    const absent = [...Absent, ...missing].map(({ first, last }) => [first, last]);
    const lost = missing.map(formatRange).join(', ');
    const messages = [
      ...(missing.length ? [`events ${lost} are missing: no reader passes them`] : []),
      ...(through > Last ? [`the newest event is ${through}, Last is ${Last}`] : []),
    ];
    const set = { Last: through, ...(missing.length ? { Absent: absent } : {}), ...forgetRecent(item, through > Last) };
    return [{ kind: 'sequence', key, message: messages.join('; '), repair: change(set, 'lets readers pass') }];
  }
  const problems: Problem[] = [];
  const days = found.daysAfter(now);
  const isExact = Object.entries(days).every(([day, first]) => Days[day] === first);
  if (!isExact) {
    const message = 'Days does not hold the first event of each day of expiry';
    const set = { Days: packDays(days) };
    problems.push({ kind: 'sequence', key, message, repair: change(set, 'writes Days by the events') });
  }
  const prefix = cursorName('');
  for (const [name, cursor] of Object.entries(item ?? {}))
    if (name.startsWith(prefix) && (cursor as number) > Last) {
      const subscriber = name.slice(prefix.length);
      const message = `subscriber ${subscriber} has cleared ${String(cursor)}, the newest event is ${Last}`;
      problems.push({ kind: 'sequence', key, message, repair: change({ [name]: Last }, `sets ${Last}`) });
    }
  return problems;
}

const expiryDay = (expires: number): number => (expires * SECOND) / DAY;
const dayAt = (now: Date): number => Math.floor(now.getTime() / DAY);

/** The oldest event that has not expired, which is before `from` if Days lacks a day. */
async function findOldest(
  store: StoreReader,
  { Absent, from }: { readonly Absent: readonly IdRange[]; readonly from: number },
  now: Date,
): Promise<number> {
  const last = newestPresent(Absent, from - 1);
  const rows = last > 0 ? await listEventRows(store, Math.max(1, last - STRETCH), last) : [];
  const first = rows.find(({ expires }) => expiryDay(expires) > dayAt(now));
  return first ? findOldest(store, { Absent, from: first.id }, now) : from;
}

/** The newest changes are remembered by their distance from `Last`, which no longer holds once that is repaired. */
const forgetRecent = (item: Item | undefined, isMoved: boolean): Record<string, unknown> =>
  isMoved && item?.['Recent'] ? { Recent: new Uint8Array(), Through: Math.floor(Date.now() / SECOND) } : {};

/** The ids of events and their days of expiry, stored compactly. */
class FoundEvents {
  readonly ranges: IdRange[] = [];
  newest = 0;
  readonly #days = new Map<number, number>();

  add(rows: readonly { readonly id: number; readonly expires: number }[]): void {
    for (const { id, expires } of rows) {
      const last = this.ranges.at(-1);
      if (last?.last === id - 1) this.ranges[this.ranges.length - 1] = { ...last, last: id };
      else this.ranges.push({ first: id, last: id });
      this.newest = Math.max(this.newest, id);
      const day = expiryDay(expires);
      if (!this.#days.has(day)) this.#days.set(day, id);
    }
  }

  daysAfter(now: Date): Record<string, number> {
    const today = dayAt(now);
    return Object.fromEntries([...this.#days].filter(([day]) => day > today));
  }
}
