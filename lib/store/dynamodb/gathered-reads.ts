import type { Key } from '../keys.ts';
import { type Item, type TransactionChange, keyOf } from './changes.ts';
import { StoreConflict } from './errors.ts';
import { KEPT_FOR } from './verification.ts';

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
   * held the others during this call. Fewer reads make the time shorter in which others change a record: 32 callers who
   * book neighbouring times make 101 instead of 66 bookings a second.
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
