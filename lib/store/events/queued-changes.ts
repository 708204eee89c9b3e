import { eventEntity } from '../../entities/events.ts';
import { MAX_BATCH_READS, MAX_TRANSACTION_CHANGES } from '../../shared/limits.ts';
import type { Item } from '../dynamodb/changes.ts';
import type { TableReader } from '../dynamodb/table.ts';
import { StoreConflict } from '../dynamodb/errors.ts';
import { listRange } from '../dynamodb/records.ts';
import { layout } from '../keys.ts';
import {
  EVENTS_A_BLOCK,
  type IdRange,
  type Sequence,
  blocksOf,
  countPresent,
  eventBlock,
  eventKey,
  hashChange,
  idsOf,
  lastOfBlock,
  newestPresent,
  oldestReadable,
  presentRanges,
  toSecond,
  unpackHashes,
} from './event-sequence.ts';
import { type StoreReader, accountStore } from '../store.ts';

/** Keeps a change that the stream delivers again, however late, from becoming a second event. */

/** The identity of an event's change, and the latest commit second up to and including it. */
export interface EventOrigin {
  readonly id: number;
  readonly change: string | undefined;
  readonly through: number;
}

const originOf = eventEntity.part('Change', 'Through');
const originAttributes = ['SK', ...originOf.names];

function toOrigin(item: Item): EventOrigin {
  const { Change, Through } = originOf.read(item);
  return { id: Number(item.SK), change: Change, through: Through };
}

/** This many of the newest events may belong to a transaction that is not completely visible. */
const UNSETTLED_EVENTS = 2 * MAX_TRANSACTION_CHANGES;

/** An event of a committing transaction is not visible yet: the same read, repeated, finds it. */
class EventHidden extends StoreConflict {}

/** For about 3 seconds; an event that is missing then is lost, and waiting for it would stop the queue for good. */
const MAX_HIDDEN_READS = 12;

function requireVisible(rows: readonly { id: number }[], ids: readonly number[], { Last, Absent }: Sequence): void {
  const found = new Set(rows.map(({ id }) => id));
  const isMissing = (id: number) => !found.has(id) && countPresent(Absent, id, id) > 0;
  const missing = ids.find((id) => id > Last - UNSETTLED_EVENTS && isMissing(id));
  if (missing !== undefined) throw new EventHidden(`Event ${missing} is not visible yet.`, { transient: true });
}

async function findOrigins(store: StoreReader, ids: readonly number[]): Promise<EventOrigin[]> {
  const { table } = store;
  const keys = ids.map((id) => eventKey(store, id));
  return ids.length ? (await table.getMany(keys, { attributes: originAttributes })).map(toOrigin) : [];
}

/** The origins of a range of ids, in one round with a query per block. */
export async function listOrigins(
  { table, account }: StoreReader,
  first: number,
  last: number,
): Promise<EventOrigin[]> {
  const found = await Promise.all(
    blocksOf({ first, last }).map(({ block, ...range }) =>
      listRange(table, {
        partition: layout.event.of({ account, block }),
        ...range,
        consistent: true,
        attributes: originAttributes,
      }),
    ),
  );
  return found.flat().map(toOrigin);
}

/** Number of blocks whose summaries are read at once when changes are looked up in the events of a period. */
const BLOCKS = { first: 8, most: MAX_BATCH_READS };

/** The last event of a block, with the hashes of the changes of its newest events, by id: of all 50, or of some. */
interface BlockSummary {
  readonly id: number;
  readonly through: number;
  readonly hashes: readonly number[];
}

const summaryOf = eventEntity.part('Through', 'Block');

function toSummary(item: Item): BlockSummary {
  const { Through, Block } = summaryOf.read(item);
  return { id: Number(item.SK), through: Through, hashes: Block ? unpackHashes(Block) : [] };
}

/** A change that may become an event. */
interface SearchedChange {
  /** Its name. */
  readonly change: string;
  /** In milliseconds since 1970; without it, any event may be of the change. */
  readonly committedAt?: number;
}

/**
 * Finds which of some changes already became events. The sequence item remembers the newest; if it has the hash of one,
 * the event shows whether it is the same change. A change that was committed after all that the sequence item has
 * forgotten is new. Any other, which is late or repeated, is looked up in the blocks of events, back to the first one
 * before which all changes were committed earlier.
 */
export class QueuedChanges {
  readonly #table: () => TableReader;
  readonly #account: string;
  readonly #changes: readonly SearchedChange[];
  readonly #now: Date;
  readonly #queued = new Set<string>();
  /** Events up to this id were searched. */
  #searched: number | undefined;
  #hiddenReads = 0;

  constructor(table: () => TableReader, account: string, changes: readonly SearchedChange[], now: Date) {
    this.#table = table;
    this.#account = account;
    this.#changes = changes;
    this.#now = now;
  }

  /** Whether the change had become an event when it was searched for. */
  has(change: string): boolean {
    return this.#queued.has(change);
  }

  /** Searches the events of the sequence that it has not searched yet. Throws EventHidden, and may be repeated. */
  async search(sequence: Sequence): Promise<void> {
    if (sequence.Last === this.#searched) return;
    try {
      await this.#searchRecent(sequence);
      await this.#searchForgotten(sequence);
    } catch (error) {
      if (error instanceof EventHidden) this.#hiddenReads++;
      throw error;
    }
    this.#searched = sequence.Last;
  }

  #hashes(changes: readonly SearchedChange[]): ReadonlySet<number> {
    return new Set(changes.map(({ change }) => hashChange(change)));
  }

  #remember(origins: readonly EventOrigin[]): void {
    for (const { change } of origins) if (change !== undefined) this.#queued.add(change);
  }

  /** An event that is missing for long is lost, and is not waited for. */
  #requireVisible(rows: readonly { readonly id: number }[], ids: readonly number[], sequence: Sequence): void {
    if (this.#hiddenReads < MAX_HIDDEN_READS) requireVisible(rows, ids, sequence);
  }

  async #searchRecent(sequence: Sequence): Promise<void> {
    const { Last, Recent } = sequence;
    const hashes = this.#hashes(this.#changes);
    const first = Last - Recent.length + 1;
    const matching = Recent.flatMap(({ hash }, index) => (hashes.has(hash) ? [first + index] : []));
    const ids = matching.filter((id) => id > (this.#searched ?? 0));
    const origins = await findOrigins(accountStore(this.#table(), this.#account), ids);
    this.#requireVisible(origins, ids, sequence);
    this.#remember(origins);
  }

  async #searchForgotten(sequence: Sequence): Promise<void> {
    const { Last, Days, Recent, Through, Absent } = sequence;
    const isLate = ({ change, committedAt = 0 }: SearchedChange) =>
      !this.#queued.has(change) && toSecond(committedAt) <= Through;
    const late = this.#changes.filter(isLate);
    if (!late.length) return;
    const hashes = this.#hashes(late);
    const earliest = toSecond(Math.min(...late.map(({ committedAt = 0 }) => committedAt)));
    const oldest = Math.max((this.#searched ?? 0) + 1, oldestReadable(Days, Last, this.#now));
    let end = newestPresent(Absent, Last - Recent.length);
    // What others have added since the last search is nearly always needed in full.
    const atFirst = this.#searched === undefined ? BLOCKS.first : BLOCKS.most;
    for (let blocks = atFirst; end >= oldest; blocks = Math.min(2 * blocks, BLOCKS.most)) {
      const start = Math.max(oldest, (eventBlock(end) - blocks + 1) * EVENTS_A_BLOCK);
      const { origins, through } = await this.#searchBlocks(hashes, { first: start, last: end }, sequence);
      this.#remember(origins);
      if (through < earliest || late.every(({ change }) => this.#queued.has(change))) break;
      end = newestPresent(Absent, start - 1);
    }
  }

  /**
   * Events that may be of changes with these hashes, and the earliest second through which one of the blocks extends.
   * Reads the events whose hash is in their block's list, and those that no list has.
   */
  async #searchBlocks(
    hashes: ReadonlySet<number>,
    range: IdRange,
    sequence: Sequence,
  ): Promise<{ origins: EventOrigin[]; through: number }> {
    const { first, last } = range;
    const [table, account] = [this.#table(), this.#account];
    const store = accountStore(table, account);
    const blocks = blocksOf(range).map(({ block }) => block);
    const ends = blocks.map(lastOfBlock).filter((id) => id <= sequence.Last && countPresent(sequence.Absent, id, id));
    const summaries = await findSummaries(store, ends);
    this.#requireVisible(summaries, ends, sequence);
    const listed = new Map(
      summaries.flatMap(({ id, hashes: all }) =>
        all.map((hash, index) => [id - all.length + 1 + index, hash] as const),
      ),
    );
    const ids = [...listed].flatMap(([id, hash]) => (id >= first && id <= last && hashes.has(hash) ? [id] : []));
    const firstListed = (block: number) =>
      idsOf({ first: block * EVENTS_A_BLOCK, last: lastOfBlock(block) }).find((id) => listed.has(id));
    const unlisted = blocks.flatMap((block) =>
      presentRanges(
        sequence.Absent,
        Math.max(first, block * EVENTS_A_BLOCK),
        Math.min(last, (firstListed(block) ?? lastOfBlock(block) + 1) - 1),
      ),
    );
    const found = await Promise.all([
      findOrigins(store, ids),
      ...unlisted.map((part) => listOrigins(store, part.first, part.last)),
    ]);
    const origins = found.flat();
    this.#requireVisible(origins, [...ids, ...unlisted.flatMap(idsOf)], sequence);
    return { origins, through: Math.min(...[...summaries, ...origins].map(({ through }) => through)) };
  }
}

async function findSummaries(store: StoreReader, ids: readonly number[]): Promise<BlockSummary[]> {
  const { table } = store;
  const keys = ids.map((id) => eventKey(store, id));
  return ids.length ? (await table.getMany(keys, { attributes: ['SK', ...summaryOf.names] })).map(toSummary) : [];
}
