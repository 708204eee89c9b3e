import { type TimeToLive, TtlCache } from '../../shared/caches.ts';
import type { TableReader } from './client.ts';
import type { Load } from './verification.ts';

/** `recent`: up to 30 seconds old, as the container remembers it. `current`: as the table holds it now. */
export type Freshness = 'recent' | 'current';

interface Source<Key, Value> extends TimeToLive {
  /** Its place in this cache. */
  readonly name: (key: Key) => string;
  readonly read: (key: Key) => Load<TableReader, Value>;
  /**
   * What every change of the value raises, in the same transaction. A write then reads this instead of the value, which
   * may be a long list; the value itself at least every 30 seconds, as a former version may not raise it.
   */
  readonly revision?: (key: Key) => (table: TableReader) => Promise<unknown>;
}

/** A value that was read after its revision; none where only the revision is known yet. */
interface Revised<Value> {
  readonly revision: unknown;
  readonly value?: Value;
}

/** Values of a kind, which the container remembers; verified in a write. */
export class VerifiedCache<Key, Value> {
  readonly #source: Source<Key, Value>;
  readonly #values: TtlCache<Value>;
  readonly #revised: TtlCache<Revised<Value>>;

  constructor(source: Source<Key, Value>) {
    this.#source = source;
    this.#values = new TtlCache(source);
    this.#revised = new TtlCache({});
  }

  /** Concurrent calls share one read; a failed read is not remembered. */
  read(table: TableReader, key: Key, freshness: Freshness): Promise<Value> {
    const name = this.#source.name(key);
    const load = this.#load(key);
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

  #load(key: Key): Load<TableReader, Value> {
    const { read, revision: find, name } = this.#source;
    if (!find) return read(key);
    return async (table, options) => {
      if (!options.consistent) return read(key)(table, options);
      const known = await this.#revised.get(name(key));
      const isUnread = known?.value === undefined;
      const [revision, early] = await Promise.all([find(key)(table), isUnread ? read(key)(table, options) : undefined]);
      if (known?.value !== undefined && known.revision === revision) return known.value;
      // Read beside its revision, a value may be older: it belongs to the revision that was read before.
      if (early !== undefined) {
        this.#keep(key, known ? { revision: known.revision, value: early } : { revision });
        return early;
      }
      const value = await read(key)(table, options);
      this.#keep(key, { revision, value });
      return value;
    };
  }

  #keep(key: Key, revised: Revised<Value>): void {
    void this.#revised.set(this.#source.name(key), Promise.resolve(revised));
  }

  /** What the container remembers, unverified: a hint at what a call may need, and nothing to decide by. */
  remembered(key: Key): Promise<Value> | undefined {
    return this.#values.get(this.#source.name(key));
  }

  forget(key: Key): void {
    this.#values.delete(this.#source.name(key));
  }
}
