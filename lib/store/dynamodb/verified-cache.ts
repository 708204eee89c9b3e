import { type TimeToLive, TtlCache } from '../../shared/caches.ts';
import type { TableReader } from './client.ts';
import type { Load } from './verification.ts';

/** `recent`: up to 30 seconds old, as the container remembers it. `current`: as the table holds it now. */
export type Freshness = 'recent' | 'current';

interface Source<Key, Value> extends TimeToLive {
  /** Its place in this cache. */
  readonly name: (key: Key) => string;
  readonly read: (key: Key) => Load<TableReader, Value>;
}

/** Values of a kind, which the container remembers; verified in a write. */
export class VerifiedCache<Key, Value> {
  readonly #source: Source<Key, Value>;
  readonly #values: TtlCache<Value>;

  constructor(source: Source<Key, Value>) {
    this.#source = source;
    this.#values = new TtlCache(source);
  }

  /** Concurrent calls share one read; a failed read is not remembered. */
  read(table: TableReader, key: Key, freshness: Freshness): Promise<Value> {
    const name = this.#source.name(key);
    const load = this.#source.read(key);
    const known = this.#values.get(name);
    const remembered = freshness === 'recent' ? known : undefined;
    if (table.verification?.isBegun) {
      // A known value stays until the next one is there: others need not wait for it.
      const keep = (value: Promise<Value>) =>
        void (known
          ? value.then(() => this.#values.set(name, value)).catch(() => undefined)
          : this.#values.set(name, value));
      return table.verification.use(table, { cache: this, name, remembered, load, keep });
    }
    if (freshness === 'current') return load(table, { consistent: true });
    return remembered ?? this.#values.set(name, load(table, { consistent: false }));
  }

  /** What the container remembers, unverified: a hint at what a call may need, and nothing to decide by. */
  remembered(key: Key): Promise<Value> | undefined {
    return this.#values.get(this.#source.name(key));
  }

  forget(key: Key): void {
    this.#values.delete(this.#source.name(key));
  }
}
