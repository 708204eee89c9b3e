import { sequenceEntity } from '../../entities/events.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { retry } from '../../shared/promises.ts';
import { SECOND } from '../../shared/time/time.ts';
import type { Change, Item } from '../dynamodb/changes.ts';
import type { TableWriter } from '../dynamodb/table.ts';
import { StoreConflict } from '../dynamodb/errors.ts';
import { type Key, layout } from '../keys.ts';

/**
 * Lets several shards of one account queue events as fast as one shard: their workers take turns instead of making each
 * other's transactions fail.
 */

/** The attributes of a sequence item that workers use to wait for their turn. */
interface Line {
  /** The newest number that a worker took. */
  readonly Turns: number;
  /** The newest number that was served. */
  readonly Served: number;
}

function toLine(item: Item | undefined): Line {
  const { Turns, Served } = sequenceEntity.readDeclared(item ?? {});
  return { Turns, Served };
}

/** A turn takes 30 to 100 ms; a worker that needs longer has died, or loses its transaction to the next one. */
const LONGEST_TURN = SECOND;
/** Milliseconds assumed for a turn before one was measured. */
const FIRST_PACE = 30;
/** How long a worker waits before it looks again, in milliseconds. */
const WAIT = { least: 5, most: 1_000 };

/** Looks again shortly before its predecessor's turn ends, and less often if more workers are ahead. */
function waitFor(ahead: number, pace: number): number {
  const wait = ahead === 1 ? pace / 3 : 0.7 * (ahead - 1) * pace;
  return Math.min(WAIT.most, Math.max(WAIT.least, wait));
}

/**
 * The place of a worker among those that append events to an account at the same time, one for each shard. Only one of
 * their transactions can succeed, and a failed one costs as much as a successful one. So a worker takes a number, waits
 * until all numbers before it are served, and its transaction marks its own as served. Ids do not depend on the number:
 * the condition of the transaction decides, including for workers without a number. So a number needs no lease: if
 * nobody was served for a second, the workers before it are dead or slow, and it proceeds. A slow worker takes a new
 * number.
 */
export class EventTurn {
  readonly #table: () => TableWriter;
  readonly #key: Key;
  readonly #deadline: number;
  #takesNumber: boolean;
  #number: number | undefined;
  /** The newest number that was served when the item was read. */
  #served = 0;
  #hasTurn = false;

  /**
   * `table` returns the table for the next request. With `takesNumber` it takes a number even if nobody seems to wait.
   * It waits until `deadline` at most (milliseconds since 1970).
   */
  constructor(
    table: () => TableWriter,
    account: string,
    { takesNumber, deadline }: { takesNumber: boolean; deadline: number },
  ) {
    this.#table = table;
    this.#key = layout.sequence.key({ account });
    this.#takesNumber = takesNumber;
    this.#deadline = deadline;
  }

  /** Takes a place, or keeps it after a failure; returns the sequence item. */
  async enter(): Promise<Item | undefined> {
    this.#hasTurn = false;
    const isNew = this.#number === undefined && this.#takesNumber;
    const item = isNew ? await this.#takeNumber() : await this.#readPlace();
    this.#hasTurn = this.#ahead <= 0;
    return item;
  }

  /** Whether `wait` must precede the transaction. */
  get mustWait(): boolean {
    return !this.#hasTurn;
  }

  /** The sequence item, read when it is this worker's turn. Throws StoreConflict when its time is over. */
  async wait(): Promise<Item | undefined> {
    let [servedAt, pace] = [performance.now(), FIRST_PACE];
    for (;;) {
      if (Date.now() >= this.#deadline) throw new StoreConflict('Others were served first.', { transient: true });
      await pause(waitFor(this.#ahead, pace));
      const before = this.#served;
      const item = await this.#readPlace();
      const waited = performance.now() - servedAt;
      this.#hasTurn = this.#ahead <= 0 || (this.#served === before && waited >= this.#ahead * LONGEST_TURN);
      if (this.#hasTurn) return item;
      if (this.#served === before) continue;
      pace = waited / (this.#served - before);
      servedAt += waited;
    }
  }

  /** What the transaction sets in the sequence item, so that the next worker has its turn. */
  get end(): Partial<Line> {
    return this.#number === undefined ? {} : { Served: this.#number };
  }

  /** After a transaction with `end`. */
  ended(): void {
    this.#number = undefined;
  }

  /** After a conflict, which means that others append too. */
  lost(): void {
    this.#takesNumber = true;
  }

  /** Ends a turn without a transaction. If this fails, the next worker waits for a second. */
  async leave(): Promise<void> {
    if (this.#number === undefined || !this.#hasTurn) return;
    const isUnchanged = { equals: { Served: this.#served || undefined } };
    await this.#update({ set: this.end, if: isUnchanged }).catch(() => undefined);
    this.ended();
  }

  /** How many workers are before it; none if it has no number. */
  get #ahead(): number {
    return this.#number === undefined ? 0 : this.#number - this.#served - 1;
  }

  /** Reads the item, and takes a number if others wait or this worker was passed over. */
  async #readPlace(): Promise<Item | undefined> {
    const item = await this.#table().get(this.#key);
    const { Turns, Served } = toLine(item);
    this.#served = Served;
    if (this.#number !== undefined && this.#number > Served) return item;
    const wasPassedOver = this.#number !== undefined;
    return wasPassedOver || this.#takesNumber || Turns > Served ? this.#takeNumber() : item;
  }

  /** A number whose reply is lost is passed over after a second. */
  async #takeNumber(): Promise<Item> {
    const item = await this.#update({ add: { Turns: 1 } });
    const { Turns, Served } = toLine(item);
    this.#number = Turns;
    this.#served = Served;
    return item;
  }

  /** DynamoDB refuses updates of the item while a transaction on it is in progress. */
  #update(change: Omit<Extract<Change, { update: Key }>, 'update'>): Promise<Item> {
    return retry(() => this.#table().update({ update: this.#key, ...change }), {
      isTransient: (error) => error instanceof StoreConflict && error.transient,
      longestWait: 50,
      deadline: this.#deadline,
    });
  }
}
