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
  #waiting: Reading[] = [];

  /** `find` gets each key once. */
  constructor(find: (keys: readonly Key[], consistent: boolean) => Promise<Item[]>) {
    this.#find = find;
  }

  /** The items that exist, in no order. */
  async read(keys: readonly Key[], consistent: boolean): Promise<Item[]> {
    if (!keys.length) return [];
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
