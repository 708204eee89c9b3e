import type { Key } from '../keys.ts';
import type { Item } from './changes.ts';

interface Reading {
  readonly keys: readonly Key[];
  readonly consistent: boolean;
  readonly resolve: (items: Item[]) => void;
  readonly reject: (error: unknown) => void;
}

const nameOf = ({ PK, SK }: Key): string => `${PK}\n${SK}`;

/** Reads of keys that begin in one turn of the event loop, as one read: the steps of a call begin many side by side. */
export class GatheredReads {
  readonly #find: (keys: readonly Key[], consistent: boolean) => Promise<Item[]>;
  readonly #ahead = new Map<string, Promise<Item | undefined>>();
  #waiting: Reading[] = [];

  /** `find` gets each key once. */
  constructor(find: (keys: readonly Key[], consistent: boolean) => Promise<Item[]>) {
    this.#find = find;
  }

  /** Reads keys with what else is read now. The next read of each takes what is found. */
  prefetch(keys: readonly Key[]): void {
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
      const found = new Map((await this.#find([...keys.values()], consistent)).map((item) => [nameOf(item), item]));
      for (const reading of readings) reading.resolve(reading.keys.flatMap((key) => found.get(nameOf(key)) ?? []));
    } catch (error) {
      for (const { reject } of readings) reject(error);
    }
  }
}
