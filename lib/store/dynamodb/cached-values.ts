import { LRUCache } from 'lru-cache';
import type { TableReader } from './table.ts';

/** Reads a value from the table. */
type Load<Value> = (options: { readonly consistent: boolean }) => Promise<Value>;

interface Source<Key, Value> {
  /** Its name in this cache. */
  readonly name: (key: Key) => string;
  readonly read: (table: TableReader, key: Key, options: { readonly consistent: boolean }) => Promise<Value>;
  /** By default 30 seconds. */
  readonly milliseconds?: number;
  /** How long a missing value (`undefined`) is kept; by default not at all. */
  readonly missingMilliseconds?: number;
}

/**
 * Up to 1,000 values of a kind that a container keeps. A call that only reads may use one of 30 seconds ago. A call
 * that writes (`withCurrentValues`) reads each value that it decides by from the table, strongly and once.
 */
export class CachedValues<Key, Value> {
  readonly #source: Source<Key, Value>;
  readonly #cache: LRUCache<string, { readonly value: Value }, Load<Value>>;

  constructor(source: Source<Key, Value>) {
    this.#source = source;
    const { milliseconds = 30_000, missingMilliseconds } = source;
    this.#cache = new LRUCache({
      max: 1_000,
      ttl: milliseconds,
      // Of the wall clock: the other one may stand still while a container is frozen.
      perf: { now: () => Date.now() },
      // A call that waits for a value gets it, also where another call removes it from the cache meanwhile.
      ignoreFetchAbort: true,
      fetchMethod: async (_name, _old, { options, context: load }) => {
        const value = await load({ consistent: false });
        if (value !== undefined) return { value };
        if (missingMilliseconds === undefined) return undefined;
        options.ttl = missingMilliseconds;
        return { value };
      },
    });
  }

  /** Concurrent calls share one read; a failed read is not kept. */
  async read(table: TableReader, key: Key): Promise<Value> {
    const { currentValues } = table;
    if (!currentValues) return this.readRecent(table, key);
    const name = this.#source.name(key);
    const ofCache = currentValues.get(this) ?? new Map<string, Promise<unknown>>();
    currentValues.set(this, ofCache);
    const known = ofCache.get(name) as Promise<Value> | undefined;
    const current = known ?? this.#source.read(table, key, { consistent: true });
    ofCache.set(name, current);
    return current;
  }

  /** The kept value, also for a call that writes: where it is shown or never changes, and decides nothing. */
  async readRecent(table: TableReader, key: Key): Promise<Value> {
    const context: Load<Value> = (options) => this.#source.read(table, key, options);
    return (await this.#cache.fetch(this.#source.name(key), { context }))?.value as Value;
  }

  /** The value as the table holds it now, which the cache has from then on. */
  async readCurrent(table: TableReader, key: Key): Promise<Value> {
    const value = await this.#source.read(table, key, { consistent: true });
    if (value !== undefined) this.#cache.set(this.#source.name(key), { value });
    return value;
  }

  forget(key: Key): void {
    this.#cache.delete(this.#source.name(key));
  }
}
