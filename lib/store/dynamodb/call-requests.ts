import type { Key } from '../keys.ts';
import { type Item, type TransactionChange, keyOf } from './changes.ts';
import { StoreConflict, StoreUnavailable } from './errors.ts';
import { KEPT_FOR } from './verification.ts';

/**
 * The requests of one call to the table: reads that are one request, what all of them use, and how long they may wait.
 */

interface Reading {
  readonly keys: readonly Key[];
  readonly consistent: boolean;
  readonly resolve: (items: Item[]) => void;
  readonly reject: (error: unknown) => void;
}

const nameOf = ({ PK, SK }: Key): string => `${PK}\n${SK}`;

/** What the table held at a moment of the monotonic clock. */
interface HeldItem {
  readonly item: Item | undefined;
  readonly at: number;
}

interface GatheredOptions {
  /** Gets each key once. */
  readonly find: (keys: readonly Key[], consistent: boolean) => Promise<Item[]>;
  /** Whether another attempt of the call may follow, which takes what this one read. */
  readonly mayRepeat: () => boolean;
}

/** Reads of keys that begin in one turn of the event loop, as one read: the steps of a call begin many side by side. */
export class GatheredReads {
  readonly #options: GatheredOptions;
  readonly #ahead = new Map<string, Promise<Item | undefined>>();
  /** What was read strongly, for another attempt. */
  readonly #held = new Map<string, HeldItem>();
  #isConflictKnown = false;
  #waiting: Reading[] = [];

  constructor(options: GatheredOptions) {
    this.#options = options;
  }

  /** Reads keys with what else is read now. The next read of each takes what is found. */
  prefetch(wanted: readonly Key[]): void {
    const keys = wanted.filter((key) => !this.#ahead.has(nameOf(key)));
    if (!keys.length) return;
    const reading = this.#gather(keys, true);
    for (const key of keys) {
      const name = nameOf(key);
      const item = reading.then((items) => items.find((found) => nameOf(found as Item & Key) === name));
      item.catch(() => undefined); // Whoever takes it sees the error.
      this.#ahead.set(name, item);
    }
  }

  /** The items that exist, in no order. */
  async read(keys: readonly Key[], consistent: boolean): Promise<Item[]> {
    const ahead = keys.map((key) => this.#take(key));
    const others = keys.filter((_, place) => !ahead[place]);
    const found = await Promise.all([...ahead, ...(others.length ? [this.#gather(others, consistent)] : [])]);
    return found.flat().filter((item) => item !== undefined);
  }

  /** These items may have changed since they were read. */
  forget(keys: readonly Key[]): void {
    if (!this.#held.size) return;
    for (const name of keys.map(nameOf)) {
      this.#held.delete(name);
      this.#ahead.delete(name);
    }
  }

  /** The call has decided: what is read from now on, to take something back, must be as it is then. */
  forgetAhead(): void {
    this.#ahead.clear();
  }

  /** Makes changes by `transact`; what they change, or a conflict is about, may no longer be as it was read. */
  async commit(changes: readonly TransactionChange[], transact: () => Promise<void>): Promise<void> {
    try {
      await transact();
      this.forget(changes.map(keyOf));
    } catch (error) {
      const failed = error instanceof StoreConflict ? error.failed : [];
      this.#isConflictKnown = failed.length > 0;
      this.forget(failed.map((place) => keyOf(changes[place] as TransactionChange)));
      throw error;
    }
  }

  /**
   * Before another attempt. After a conflict that names its items, only those are read again within a second: the table
   * held the others during this call. Fewer reads make the time shorter in which others change a record.
   */
  beginAgain(): void {
    const since = this.#isConflictKnown ? performance.now() - KEPT_FOR : Infinity;
    this.#isConflictKnown = false;
    this.#ahead.clear();
    for (const [name, { item, at }] of this.#held) {
      if (at >= since) this.#ahead.set(name, Promise.resolve(item));
      else this.#held.delete(name);
    }
  }

  #take(key: Key): Promise<Item | undefined> | undefined {
    const name = nameOf(key);
    const item = this.#ahead.get(name);
    this.#ahead.delete(name);
    return item;
  }

  #gather(keys: readonly Key[], consistent: boolean): Promise<Item[]> {
    if (!this.#waiting.length) setImmediate(() => this.#send(this.#waiting.splice(0)));
    const { promise, resolve, reject } = Promise.withResolvers<Item[]>();
    this.#waiting.push({ keys, consistent, resolve, reject });
    return promise;
  }

  #send(readings: readonly Reading[]): void {
    for (const consistent of [true, false]) {
      const together = readings.filter((reading) => reading.consistent === consistent);
      if (together.length) void this.#readTogether(together, consistent);
    }
  }

  async #readTogether(readings: readonly Reading[], consistent: boolean): Promise<void> {
    try {
      const keys = new Map(readings.flatMap((reading) => reading.keys.map((key) => [nameOf(key), key] as const)));
      const at = performance.now();
      const items = await this.#options.find([...keys.values()], consistent);
      const found = new Map(items.map((item) => [nameOf(item), item]));
      if (consistent && this.#options.mayRepeat())
        for (const name of keys.keys()) this.#held.set(name, { item: found.get(name), at });
      for (const reading of readings) reading.resolve(reading.keys.flatMap((key) => found.get(nameOf(key)) ?? []));
    } catch (error) {
      for (const { reject } of readings) reject(error);
    }
  }
}

/** What a call has used of the table: rounds one after another, requests, and capacity units. */
export interface Usage {
  rounds: number;
  requests: number;
  readUnits: number;
  writeUnits: number;
}

/**
 * Counts sequential rounds: a request that begins after another has ended is one round deeper; concurrent requests are
 * one round. Worked: A and B together, then C when A is back (B still running) → A 1, B 1, C 2: two rounds.
 */
export class Meter {
  readonly usage: Usage = { rounds: 0, requests: 0, readUnits: 0, writeUnits: 0 };
  #deepestDone = 0;

  async measure<Answer>(
    kind: 'read' | 'write',
    request: () => Promise<Answer>,
    unitsOf: (answer: Answer) => number,
  ): Promise<Answer> {
    const depth = this.#deepestDone + 1;
    this.usage.rounds = Math.max(this.usage.rounds, depth);
    this.usage.requests++;
    try {
      const answer = await request();
      this.usage[kind === 'read' ? 'readUnits' : 'writeUnits'] += unitsOf(answer);
      return answer;
    } finally {
      this.#deepestDone = Math.max(this.#deepestDone, depth);
    }
  }
}

/** An attempt without an answer ends after this time, and the SDK makes the next one: two fit into a call's budget. */
const ATTEMPT_MILLISECONDS = 3_000;

/** What one call may wait for a table that does not answer: with its own work, 503 comes within 8 s. */
const CALL_WAIT_MILLISECONDS = 6_500;

/** Settings of the SDK's HTTP handler. Its `requestTimeout` alone only logs a warning. */
export const requestHandler = {
  connectionTimeout: 2_000,
  requestTimeout: ATTEMPT_MILLISECONDS,
  throwOnRequestTimeout: true,
} as const;

/** A request that begins before a deadline may end this much after it. */
const OVERTIME_MILLISECONDS = 2_000;

/** What one request may wait, of a table that repeats requests until `deadline` (milliseconds since 1970). */
export const waitUntil = (deadline: number): number =>
  Math.min(CALL_WAIT_MILLISECONDS, Math.max(0, deadline - Date.now()) + OVERTIME_MILLISECONDS);

interface Attempts {
  readonly $metadata?: { readonly attempts?: number | undefined };
}

/**
 * The time that requests may take that get no answer, get it too late, or need another attempt. All requests of a call
 * share it, one after another or at once. A request that is answered by its first attempt takes nothing of it: a slow
 * table, or one that other calls keep busy, does not end a call.
 */
export class WaitBudget {
  #remaining: number;
  /** Until when waiting is counted: requests at the same time count once. */
  #countedUntil = 0;

  constructor(milliseconds = CALL_WAIT_MILLISECONDS) {
    this.#remaining = milliseconds;
  }

  /** Sends a request and ends it, with StoreUnavailable, when the time is up; also one that answers byte by byte. */
  async send<Answer extends Attempts>(request: (abortSignal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const tooLate = () => new StoreUnavailable('The table did not answer in time.');
    if (this.#remaining <= 0) throw tooLate();
    const startedAt = performance.now();
    const abort = new AbortController();
    const { promise: timeUp, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(tooLate());
      abort.abort();
    }, this.#remaining);
    try {
      const answer = await Promise.race([request(abort.signal), timeUp]);
      this.#count(startedAt, answer);
      return answer;
    } catch (error) {
      this.#count(startedAt, error as Attempts);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #count(startedAt: number, { $metadata }: Attempts): void {
    if ($metadata?.attempts === 1) return;
    const now = performance.now();
    this.#remaining -= now - Math.max(startedAt, this.#countedUntil);
    this.#countedUntil = now;
  }
}
