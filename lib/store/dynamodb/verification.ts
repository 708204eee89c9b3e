import { isDeepStrictEqual } from 'node:util';
import { type TimeToLive, LruMap, TtlCache } from '../../shared/caches.ts';

/**
 * What the container remembers of the table, and how a call that writes makes sure that it is still so.
 */

/** Reads a value from the table. */
type Load<Table, Value> = (table: Table, options: { readonly consistent: boolean }) => Promise<Value>;

/** Where a value is remembered. */
interface Place {
  readonly cache: object;
  readonly name: string;
}

/** A value that a call reads of a cache. */
interface Reading<Table, Value> extends Place {
  readonly remembered: Promise<Value> | undefined;
  readonly load: Load<Table, Value>;
  readonly keep: (value: Promise<Value>) => void;
}

interface UsedValue<Table> extends Place {
  readonly used: Promise<unknown>;
  readonly current: Promise<unknown>;
  readonly load: Load<Table, unknown>;
  readonly keepCurrent: () => void;
}

/** How long what one attempt read strongly counts as current in the next one, in milliseconds. */
export const KEPT_FOR = 1_000;

/** What the last call of the same kind used; the next one probably needs the same. */
const usedBefore = new LruMap<readonly UsedValue<never>[]>({ max: 500 });

/** Values by their places. */
class ByPlace<Value> {
  readonly #values = new Map<object, Map<string, Value>>();

  get({ cache, name }: Place): Value | undefined {
    return this.#values.get(cache)?.get(name);
  }

  set({ cache, name }: Place, value: Value): void {
    const ofCache = this.#values.get(cache) ?? new Map<string, Value>();
    this.#values.set(cache, ofCache.set(name, value));
  }

  all(): Value[] {
    return [...this.#values.values()].flatMap((ofCache) => [...ofCache.values()]);
  }

  clear(): void {
    this.#values.clear();
  }
}

/**
 * What one call read of the container's caches. A read may use it as it is. For a write every value is read strongly at
 * the same time, which takes no round of its own, and nothing is committed or refused before both are compared: if they
 * differ, the operation runs again on the current value.
 */
export class Verification<Table> {
  #kind = '';
  #isBegun = false;
  #readAt = 0;
  readonly #used = new ByPlace<UsedValue<Table>>();
  readonly #readAhead = new ByPlace<Promise<unknown>>();

  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** From now on, everything is verified. */
  begin(): void {
    this.#isBegun = true;
    this.#readAt = performance.now();
  }

  /** Reads at once, beside the first round, what the last call of the kind (operation and account) used. */
  readAhead(table: Table, kind: string): void {
    if (!this.#isBegun) return;
    this.#kind = kind;
    for (const place of (usedBefore.get(kind) ?? []) as readonly UsedValue<Table>[])
      if (!this.#used.get(place)) this.#readAhead.set(place, awaitedLater(place.load(table, { consistent: true })));
  }

  /** The remembered value, else the current one; what else needs it in this call gets the same. */
  use<Value>(table: Table, { cache, name, remembered, load, keep }: Reading<Table, Value>): Promise<Value> {
    const place = { cache, name };
    const known = this.#used.get(place);
    if (known) return (remembered ? known.used : known.current) as Promise<Value>;
    const ahead = this.#readAhead.get(place) as Promise<Value> | undefined;
    const current = ahead ?? awaitedLater(load(table, { consistent: true }));
    const used = remembered ?? current;
    if (!remembered) keep(current);
    this.#used.set(place, { cache, name, used, current, load, keepCurrent: () => keep(current) });
    return used;
  }

  /** Whether all that was used is what the table held during the call; the caches then have the current values. */
  async isCurrent(): Promise<boolean> {
    const values = this.#used.all();
    if (this.#kind) usedBefore.set(this.#kind, values);
    const checked = await Promise.all(
      values.map(async ({ used, current, keepCurrent }) => {
        if (used === current || isDeepStrictEqual(await used, await current)) return true;
        keepCurrent();
        return false;
      }),
    );
    return checked.every(Boolean);
  }

  /**
   * Before another attempt. What was read strongly less than a second ago counts as current: the table held it during
   * this call, and a conflict is nearly always about a record that every attempt reads, as the day of a calendar.
   */
  async beginAgain(): Promise<void> {
    await this.isCurrent();
    const now = performance.now();
    const isKept = now - this.#readAt < KEPT_FOR;
    const read = isKept ? this.#used.all() : [];
    this.#used.clear();
    this.#readAhead.clear();
    for (const value of read) this.#readAhead.set(value, value.current);
    if (!isKept) this.#readAt = now;
  }
}

/** It is awaited at the end of the call, which may have failed for the same reason before. */
function awaitedLater<Value>(reading: Promise<Value>): Promise<Value> {
  reading.catch(() => undefined);
  return reading;
}

/** `recent`: up to 30 seconds old, as the container remembers it. `current`: as the table holds it now. */
export type Freshness = 'recent' | 'current';

/** A table, with the verification of its call, if that has one. */
interface VerifiedTable<Table> {
  readonly verification?: Verification<Table> | undefined;
}

interface Source<Key, Value, Table> extends TimeToLive {
  /** Its place in this cache. */
  readonly name: (key: Key) => string;
  readonly read: (key: Key) => Load<Table, Value>;
  /**
   * What every change of the value raises, in the same transaction. A write then reads this instead of the value, which
   * may be a long list; the value itself at least every 30 seconds, as a former version may not raise it.
   */
  readonly revision?: (key: Key) => (table: Table) => Promise<unknown>;
}

/** A value that was read after its revision; none where only the revision is known yet. */
interface Revised<Value> {
  readonly revision: unknown;
  readonly value?: Value;
}

/** Values of a kind, which the container remembers; verified in a write. */
export class VerifiedCache<Key, Value, Table extends VerifiedTable<Table>> {
  readonly #source: Source<Key, Value, Table>;
  readonly #values: TtlCache<Value>;
  readonly #revised: TtlCache<Revised<Value>>;

  constructor(source: Source<Key, Value, Table>) {
    this.#source = source;
    this.#values = new TtlCache(source);
    this.#revised = new TtlCache({});
  }

  /** Concurrent calls share one read; a failed read is not remembered. */
  read(table: Table, key: Key, freshness: Freshness): Promise<Value> {
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

  #load(key: Key): Load<Table, Value> {
    const { read, revision: findRevision, name } = this.#source;
    if (!findRevision) return read(key);
    return async (table, options) => {
      if (!options.consistent) return read(key)(table, options);
      const known = await this.#revised.get(name(key));
      const isUnread = known?.value === undefined;
      const [revision, early] = await Promise.all([
        findRevision(key)(table),
        isUnread ? read(key)(table, options) : undefined,
      ]);
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
